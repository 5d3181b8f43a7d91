#include <peal/wave/far_field/hearing.h>
#include <peal/wave/far_field/mirrors.h>
#include <peal/wave/far_field/probe.h>

#include <algorithm>
#include <cmath>

namespace peal::wave {

namespace {

constexpr int memory = OutputChunk::before + OutputChunk::after;

}  // namespace

template <class Real>
Hearing<Real>::Hearing(const HearingSetup& setup, std::span<const base::Receiver> receivers,
                       int block)
    : setup_(std::make_unique<const HearingSetup>(setup)),
      box_(std::make_unique<const ListeningBox>(*setup_)),
      block_(block) {
  bool integrate = false;
  for (const base::Receiver& receiver : receivers) {
    ears_.push_back(make_ear(receiver));
    integrate = integrate || !ears_.back().kirchhoff_paths.empty();
  }
  if (integrate) faces_.emplace(*box_, block + memory);
}

template <class Real>
auto Hearing<Real>::make_ear(const base::Receiver& receiver) const -> Ear {
  Ear ear;
  const bool expand = setup_->far_field == base::WaveSettings::FarField::expansion;
  const unsigned images = 1u << setup_->mirrors.size();
  const double begin = setup_->rate.seconds(setup_->first_step);
  for (const base::Piece& piece : pieces_in_front(receiver, setup_->mirrors, setup_->grid.cell_size,
                                                  begin, setup_->last_time)) {
    const HeardPath direct(*setup_, *box_, receiver, piece, 0u);
    ear.grid_paths.push_back(direct);
    if (direct.is_still() && direct.far_gain(0.0) == 0.0) continue;
    if (expand) {
      ear.expansion_paths.emplace_back(*setup_, *box_, direct);
      continue;
    }
    for (unsigned image = 0; image < images; ++image) {
      const HeardPath path(*setup_, *box_, receiver, piece, image);
      ear.kirchhoff_paths.emplace_back(*setup_, *box_, path);
    }
  }
  if (ear.grid_paths.empty()) return ear;  // always behind a mirror: silence at every step
  const HeardPath& first = ear.grid_paths.front();
  if (first.is_still() && first.grid_gain(0.0) == 0.0) {
    ear.is_near = false;
    const double delay = box_->distance(first.place(0.0)) * setup_->samples_per_metre();
    ear.begin = std::max<std::int64_t>(0, std::llround(delay) - util::Lagrange::after);
  }
  return ear;
}

template <class Real>
void Hearing<Real>::record(const Field<Real>& field) {
  for (Ear& ear : ears_) {
    if (ear.is_near) probe_field(ear, field);
    for (ExpansionPath<Real>& path : ear.expansion_paths) path.record(field);
  }
  if (faces_) faces_->record(field);
  ++steps_;
  if (steps_ - finished_ == block_) finish_block();
}

template <class Real>
void Hearing<Real>::probe_field(Ear& ear, const Field<Real>& field) const {
  const auto step = static_cast<double>(steps_);
  double sum = 0.0;
  for (const HeardPath& path : ear.grid_paths) {
    const double gain = path.grid_gain(step);
    if (gain > 0.0) sum += gain * probe(*setup_, field, path.place(step));
  }
  ear.heard.add(steps_, &sum, 1);
}

template <class Real>
void Hearing<Real>::finish_block() {
  if (faces_) integrate_faces();
  finished_ = steps_;
  for (Ear& ear : ears_) {
    for (ExpansionPath<Real>& path : ear.expansion_paths) path.add(ear.heard);
    advance_complete(ear);
  }
}

template <class Real>
void Hearing<Real>::integrate_faces() {
  for (std::size_t group = 0; group < box_->groups().size(); ++group) {
    const auto tile = faces_->tile(group, finished_ - memory, steps_);
    for (Ear& ear : ears_) {
      for (KirchhoffPath<Real>& path : ear.kirchhoff_paths) path.add(tile, finished_, ear.heard);
    }
  }
}

template <class Real>
bool Hearing<Real>::is_complete(Ear& ear, std::int64_t chunk) const {
  const std::int64_t first = chunk * OutputChunk::size, last = first + OutputChunk::size - 1;
  if (ear.is_near && last >= finished_) return false;
  for (KirchhoffPath<Real>& path : ear.kirchhoff_paths) {
    if (!path.is_complete(chunk, finished_)) return false;
  }
  for (const ExpansionPath<Real>& path : ear.expansion_paths) {
    for (std::int64_t n = first; n <= last; ++n) {
      if (!path.is_complete(n)) return false;
    }
  }
  return true;
}

template <class Real>
void Hearing<Real>::advance_complete(Ear& ear) {
  const std::int64_t before = ear.complete;
  while (is_complete(ear, ear.complete / OutputChunk::size)) ear.complete += OutputChunk::size;
  for (KirchhoffPath<Real>& path : ear.kirchhoff_paths) path.forget(finished_);

  const auto known = std::min(ear.complete, static_cast<std::int64_t>(ear.heard.pressure.size()));
  for (std::int64_t n = before; n < known; ++n) {
    ear.peak = std::max(ear.peak, std::abs(ear.heard.pressure[static_cast<std::size_t>(n)]));
  }
}

template <class Real>
std::vector<base::Signal> Hearing<Real>::take() {
  if (steps_ > finished_) finish_block();
  std::vector<base::Signal> result;
  for (Ear& ear : ears_) {
    base::Signal signal{.rate = setup_->rate, .start = setup_->first_step + ear.begin};
    const auto end = std::min(ear.complete, static_cast<std::int64_t>(ear.heard.pressure.size()));
    for (std::int64_t n = ear.begin; n < end; ++n) {
      signal.samples.push_back(static_cast<float>(ear.heard.pressure[static_cast<std::size_t>(n)]));
    }
    result.push_back(std::move(signal));
  }
  return result;
}

template <class Real>
HeardPeak Hearing<Real>::peak(double recent_seconds) const {
  HeardPeak result;
  const auto recent = std::llround(setup_->rate.samples(recent_seconds));
  for (const Ear& ear : ears_) {
    result.overall = std::max(result.overall, ear.peak);
    const auto size = static_cast<std::int64_t>(ear.heard.pressure.size());
    for (std::int64_t n = std::max<std::int64_t>(0, ear.complete - recent);
         n < std::min(ear.complete, size); ++n) {
      result.recent =
          std::max(result.recent, std::abs(ear.heard.pressure[static_cast<std::size_t>(n)]));
    }
  }
  return result;
}

template <class Real>
std::size_t Hearing<Real>::bytes() const {
  std::size_t sum = faces_ ? faces_->bytes() : 0;
  for (const Ear& ear : ears_) {
    sum += ear.heard.pressure.capacity() * sizeof(double);
    for (const KirchhoffPath<Real>& path : ear.kirchhoff_paths) sum += path.bytes();
    for (const ExpansionPath<Real>& path : ear.expansion_paths) sum += path.bytes();
  }
  return sum;
}

template class Hearing<float>;
template class Hearing<double>;

}  // namespace peal::wave
