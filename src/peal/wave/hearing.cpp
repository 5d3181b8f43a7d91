#include <peal/wave/hearing.h>
#include <peal/wave/probe.h>

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
      block_(block),
      record_(*box_, block + memory) {
  for (const base::Receiver& receiver : receivers) ears_.push_back(make_ear(receiver));
}

template <class Real>
auto Hearing<Real>::make_ear(const base::Receiver& receiver) const -> Ear {
  Ear ear;
  const unsigned images = 1u << setup_->mirrors.size();
  for (const base::Piece& piece : base::pieces(*receiver.motion)) {
    ear.grid_paths.emplace_back(*setup_, *box_, receiver, piece, 0u);
    for (unsigned image = 0; image < images; ++image) {
      ear.kirchhoff_paths.emplace_back(*setup_, *box_,
                                       HeardPath(*setup_, *box_, receiver, piece, image));
    }
  }
  if (receiver.motion->is_still()) {
    const Vec3 place = ear.grid_paths[0].place(0.0);
    const double share = box_->grid_share(place);
    ear.is_near = share > 0.0;
    const double delay = box_->distance(place) * setup_->samples_per_metre();
    if (!ear.is_near) ear.begin = std::max<std::int64_t>(0, std::llround(delay - 3.0));
  }
  return ear;
}

template <class Real>
void Hearing<Real>::record(const Field<Real>& field) {
  for (Ear& ear : ears_) {
    if (ear.is_near) probe_field(ear, field);
  }
  record_.record(field);
  if (record_.steps() - finished_ == block_) finish_block();
}

template <class Real>
void Hearing<Real>::probe_field(Ear& ear, const Field<Real>& field) const {
  const std::int64_t step = record_.steps();
  double sum = 0.0;
  for (const HeardPath& path : ear.grid_paths) {
    const double gain = path.grid_gain(static_cast<double>(step));
    if (gain > 0.0) sum += gain * probe(*setup_, field, path.place(static_cast<double>(step)));
  }
  ear.heard.add(step, &sum, 1);
}

template <class Real>
void Hearing<Real>::finish_block() {
  const std::int64_t end = record_.steps();
  for (std::size_t group = 0; group < box_->groups().size(); ++group) {
    const auto tile = record_.tile(group, finished_ - memory, end);
    for (Ear& ear : ears_) {
      for (KirchhoffPath<Real>& path : ear.kirchhoff_paths) path.add(tile, finished_, ear.heard);
    }
  }
  finished_ = end;
  for (Ear& ear : ears_) advance_complete(ear);
}

template <class Real>
void Hearing<Real>::advance_complete(Ear& ear) {
  const std::int64_t before = ear.complete;
  const auto is_complete = [&](std::int64_t chunk) {
    const std::int64_t last = chunk * OutputChunk::size + OutputChunk::size - 1;
    if (ear.is_near && last >= finished_) return false;
    for (KirchhoffPath<Real>& path : ear.kirchhoff_paths) {
      if (!path.is_complete(chunk, finished_)) return false;
    }
    return true;
  };
  while (is_complete(ear.complete / OutputChunk::size)) ear.complete += OutputChunk::size;
  for (KirchhoffPath<Real>& path : ear.kirchhoff_paths) path.forget(finished_);

  const auto known = std::min(ear.complete, static_cast<std::int64_t>(ear.heard.pressure.size()));
  for (std::int64_t n = before; n < known; ++n) {
    ear.peak = std::max(ear.peak, std::abs(ear.heard.pressure[static_cast<std::size_t>(n)]));
  }
}

template <class Real>
std::vector<base::Signal> Hearing<Real>::take() {
  if (record_.steps() > finished_) finish_block();
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
  std::size_t sum = record_.bytes();
  for (const Ear& ear : ears_) sum += ear.heard.pressure.capacity() * sizeof(double);
  return sum;
}

template class Hearing<float>;
template class Hearing<double>;

}  // namespace peal::wave
