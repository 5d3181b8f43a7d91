#include <peal/wave/far_field/mirror_planes.h>
#include <peal/wave/far_field/receiver_array.h>

#include <algorithm>
#include <cmath>

namespace peal::wave {

namespace {

constexpr int memory = OutputChunk::before + OutputChunk::after;

}  // namespace

template <class Real>
ReceiverArray<Real>::ReceiverArray(const FarFieldSetup& setup,
                                   std::span<const base::Receiver> receivers, int block)
    : setup_(std::make_unique<const FarFieldSetup>(setup)),
      box_(std::make_unique<const KirchhoffSurface>(*setup_)),
      block_(block) {
  for (const base::Receiver& receiver : receivers) {
    receivers_.push_back(make_receiver_paths(receiver));
    integrates_ = integrates_ || !receivers_.back().kirchhoff_paths.empty();
  }
}

template <class Real>
auto ReceiverArray<Real>::make_receiver_paths(const base::Receiver& receiver) const
    -> ReceiverPaths {
  ReceiverPaths paths;
  const bool expand = setup_->far_field == base::WaveSettings::FarField::expansion;
  const unsigned images = 1u << setup_->mirrors.size();
  const double begin = setup_->rate.seconds(setup_->first_step);
  for (const base::MotionSegment& segment : segments_in_front(
           receiver, setup_->mirrors, setup_->grid.cell_size, begin, setup_->last_time)) {
    const PropagationPath direct(*setup_, *box_, receiver, segment, 0u);
    paths.grid_paths.push_back(direct);
    if (direct.is_still() && direct.far_gain(0.0) == 0.0) continue;
    if (expand) {
      paths.expansion_paths.emplace_back(*setup_, *box_, direct);
      continue;
    }
    for (unsigned image = 0; image < images; ++image) {
      const PropagationPath path(*setup_, *box_, receiver, segment, image);
      paths.kirchhoff_paths.emplace_back(*setup_, *box_, path);
    }
  }
  if (paths.grid_paths.empty()) return paths;  // always behind a mirror plane: silent
  const PropagationPath& first = paths.grid_paths.front();
  if (first.is_still() && first.grid_gain(0.0) == 0.0) {
    paths.is_near = false;
    const double delay = box_->distance(first.position(0.0)) * setup_->samples_per_metre();
    paths.begin = std::max<std::int64_t>(0, std::llround(delay) - util::Lagrange::after);
  }
  return paths;
}

template <class Real>
void ReceiverArray<Real>::record(const Field<Real>& field) {
  add_probes(probes_at(steps_), [&](const Cell& cell) { return field[cell]; });
  for (ReceiverPaths& paths : receivers_)
    for (ExpansionPath<Real>& path : paths.expansion_paths) path.record(field);
  if (integrates_) {
    if (!faces_) faces_.emplace(*box_, block_ + memory);
    faces_->record(field);
  }
  end_step();
}

template <class Real>
void ReceiverArray<Real>::record(std::span<const Probe> probes, std::span<const Real> values) {
  auto next = values.begin();
  add_probes(probes, [&](const Cell&) { return *next++; });
  ++steps_;
}

template <class Real>
auto ReceiverArray<Real>::listening_paths() -> std::vector<Listening> {
  std::vector<Listening> all;
  for (std::size_t i = 0; i < receivers_.size(); ++i)
    for (KirchhoffPath<Real>& path : receivers_[i].kirchhoff_paths) all.push_back({i, &path});
  return all;
}

template <class Real>
void ReceiverArray<Real>::end_step() {
  ++steps_;
  if (steps_ - finished_ == block_) finish_block();
}

template <class Real>
bool ReceiverArray<Real>::needs_probes() const {
  return std::ranges::any_of(receivers_, &ReceiverPaths::is_near);
}

template <class Real>
auto ReceiverArray<Real>::probes_at(std::int64_t step) const -> std::vector<Probe> {
  std::vector<Probe> probes;
  const auto at = static_cast<double>(step);
  for (std::size_t i = 0; i < receivers_.size(); ++i) {
    const ReceiverPaths& paths = receivers_[i];
    if (!paths.is_near) continue;
    for (const PropagationPath& path : paths.grid_paths) {
      const double gain = path.grid_gain(at);
      if (gain > 0.0) probes.push_back({i, false, gain, probe_stencil(*setup_, path.position(at))});
    }
    if (probes.empty() || probes.back().receiver != i) probes.push_back({i, false, 0.0, {}});
    probes.back().is_last = true;
  }
  return probes;
}

template <class Real>
template <class At>
void ReceiverArray<Real>::add_probes(std::span<const Probe> probes, const At& at) {
  double sum = 0.0;
  for (const Probe& probe : probes) {
    if (probe.gain > 0.0)
      sum += probe.gain * probe.stencil.evaluate([&](int i) {
        return static_cast<double>(at(probe.stencil.cells[static_cast<std::size_t>(i)]));
      });
    if (!probe.is_last) continue;
    receivers_[probe.receiver].received.add(steps_, &sum, 1);
    sum = 0.0;
  }
}

template <class Real>
void ReceiverArray<Real>::finish_block() {
  if (steps_ == finished_) return;
  if (faces_) integrate_faces();
  end_block();
}

template <class Real>
void ReceiverArray<Real>::finish_block(std::span<const Heard> heard) {
  for (const Heard& one : heard)
    receivers_[one.receiver].received.add(one.first, one.pressure.data(),
                                          static_cast<std::int64_t>(one.pressure.size()));
  end_block();
}

template <class Real>
void ReceiverArray<Real>::end_block() {
  finished_ = steps_;
  for (ReceiverPaths& paths : receivers_) {
    for (ExpansionPath<Real>& path : paths.expansion_paths) path.add(paths.received);
    advance_complete(paths);
  }
}

template <class Real>
void ReceiverArray<Real>::integrate_faces() {
  for (ReceiverPaths& paths : receivers_)
    for (KirchhoffPath<Real>& path : paths.kirchhoff_paths) path.begin(finished_, steps_);
  for (std::size_t group = 0; group < box_->groups().size(); ++group) {
    const auto tile = faces_->tile(group, finished_ - memory, steps_);
    for (ReceiverPaths& paths : receivers_)
      for (KirchhoffPath<Real>& path : paths.kirchhoff_paths) path.add(tile);
  }
  for (ReceiverPaths& paths : receivers_)
    for (KirchhoffPath<Real>& path : paths.kirchhoff_paths) path.finish(paths.received);
}

template <class Real>
bool ReceiverArray<Real>::is_complete(ReceiverPaths& paths, std::int64_t chunk) const {
  const std::int64_t first = chunk * OutputChunk::size, last = first + OutputChunk::size - 1;
  if (paths.is_near && last >= finished_) return false;
  for (KirchhoffPath<Real>& path : paths.kirchhoff_paths) {
    if (!path.is_complete(chunk, finished_)) return false;
  }
  for (const ExpansionPath<Real>& path : paths.expansion_paths) {
    for (std::int64_t n = first; n <= last; ++n) {
      if (!path.is_complete(n)) return false;
    }
  }
  return true;
}

template <class Real>
void ReceiverArray<Real>::advance_complete(ReceiverPaths& paths) {
  const std::int64_t before = paths.complete;
  while (is_complete(paths, paths.complete / OutputChunk::size))
    paths.complete += OutputChunk::size;
  for (KirchhoffPath<Real>& path : paths.kirchhoff_paths) path.forget(finished_);

  const auto known =
      std::min(paths.complete, static_cast<std::int64_t>(paths.received.pressure.size()));
  for (std::int64_t n = before; n < known; ++n) {
    paths.peak =
        std::max(paths.peak, std::abs(paths.received.pressure[static_cast<std::size_t>(n)]));
  }
}

template <class Real>
std::vector<base::Signal> ReceiverArray<Real>::take() {
  finish_block();
  std::vector<base::Signal> result;
  for (ReceiverPaths& paths : receivers_) {
    base::Signal signal{.rate = setup_->rate, .start = setup_->first_step + paths.begin};
    const auto end =
        std::min(paths.complete, static_cast<std::int64_t>(paths.received.pressure.size()));
    for (std::int64_t n = paths.begin; n < end; ++n) {
      signal.samples.push_back(
          static_cast<float>(paths.received.pressure[static_cast<std::size_t>(n)]));
    }
    result.push_back(std::move(signal));
  }
  return result;
}

template <class Real>
PressurePeak ReceiverArray<Real>::peak(double recent_seconds) const {
  PressurePeak result;
  const auto recent = std::llround(setup_->rate.samples(recent_seconds));
  for (const ReceiverPaths& paths : receivers_) {
    result.overall = std::max(result.overall, paths.peak);
    const auto size = static_cast<std::int64_t>(paths.received.pressure.size());
    for (std::int64_t n = std::max<std::int64_t>(0, paths.complete - recent);
         n < std::min(paths.complete, size); ++n) {
      result.recent =
          std::max(result.recent, std::abs(paths.received.pressure[static_cast<std::size_t>(n)]));
    }
  }
  return result;
}

template <class Real>
std::size_t ReceiverArray<Real>::bytes() const {
  std::size_t sum = faces_ ? faces_->bytes() : 0;
  for (const ReceiverPaths& paths : receivers_) {
    sum += paths.received.pressure.capacity() * sizeof(double);
    for (const KirchhoffPath<Real>& path : paths.kirchhoff_paths) sum += path.bytes();
    for (const ExpansionPath<Real>& path : paths.expansion_paths) sum += path.bytes();
  }
  return sum;
}

template class ReceiverArray<float>;
template class ReceiverArray<double>;

}  // namespace peal::wave
