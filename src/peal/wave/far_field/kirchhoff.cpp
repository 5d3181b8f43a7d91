#include <peal/util/lanes.h>
#include <peal/wave/far_field/kirchhoff.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::wave {

namespace {

constexpr int taps = util::Lagrange::taps;
constexpr int outputs = OutputChunk::size;

/// The least whole number k with k * step >= x.
std::int64_t ceil_div(std::int64_t x, std::int64_t step) {
  return x >= 0 ? (x + step - 1) / step : -(-x / step);
}

/// Adds what a face contributes to a whole number of chunks.
template <class Real>
void add_filtered(std::int64_t count, const StillFace<Real> face, const Real* __restrict p,
                  const Real* __restrict q, Real* __restrict sum) {
  for (std::int64_t chunk = 0; chunk < count; chunk += outputs) {
    for (int i = 0; i < outputs; ++i) {
      const std::int64_t n = chunk + i;
      sum[n] += still_face_pressure(
          face, [&](int k) { return p[n + k]; }, [&](int k) { return q[n + k]; });
    }
  }
}

}  // namespace

template <class Real>
KirchhoffPath<Real>::KirchhoffPath(const FarFieldSetup& setup, const KirchhoffSurface& box,
                                   const PropagationPath& path)
    : box_(box),
      path_(path),
      samples_per_metre_(setup.samples_per_metre()),
      is_still_(path.is_still()) {
  if (!is_still_) return;
  still_ = make_stretch(0);
  for (const FaceGroup& group : box.groups()) {
    for (int i = 0; i < FaceGroup::capacity; ++i) {
      still_faces_.push_back(make_still_face(group, i));
    }
  }
}

template <class Real>
ReceiverStretch<Real> KirchhoffPath<Real>::make_stretch(std::int64_t chunk) const {
  ReceiverStretch<Real> result{};
  const Vec3 middle = path_.position(static_cast<double>(OutputChunk::middle(chunk)));
  const Vec3 apparent = path_.mirrored(middle);
  std::ranges::copy(apparent, result.position);
  double reach = 0.0;
  for (int i = 0; i < outputs; ++i) {
    const auto step = static_cast<double>(chunk * outputs + i);
    const Vec3 position = is_still_ ? middle : path_.position(step);
    const Vec3 offset = path_.mirrored(position) - apparent;
    for (int axis = 0; axis < 3; ++axis) result.offset[axis][i] = static_cast<Real>(offset[axis]);
    const double gain = path_.far_gain(step, position);
    result.gain[i] = static_cast<Real>(gain);
    result.is_audible = result.is_audible || gain > 0.0;
    reach = std::max(reach, offset.norm());
  }
  result.is_slow = reach * samples_per_metre_ <= 1.0;
  result.least_delay = static_cast<std::int32_t>(box_.distance(apparent) * samples_per_metre_);
  result.greatest_delay =
      static_cast<std::int32_t>(std::ceil(box_.farthest(apparent) * samples_per_metre_)) + 1;
  return result;
}

template <class Real>
const ReceiverStretch<Real>& KirchhoffPath<Real>::stretch(std::int64_t chunk) {
  if (is_still_) return still_;
  chunk = std::max(chunk, first_stretch_);
  while (chunk - first_stretch_ >= static_cast<std::int64_t>(stretches_.size())) {
    const auto next = first_stretch_ + static_cast<std::int64_t>(stretches_.size());
    stretches_.push_back(make_stretch(next));
  }
  return stretches_[static_cast<std::size_t>(chunk - first_stretch_)];
}

template <class Real>
bool KirchhoffPath<Real>::is_complete(std::int64_t chunk, std::int64_t end) {
  const ReceiverStretch<Real>& s = stretch(chunk);
  return !s.is_audible || OutputChunk::last_needed(chunk, s.least_delay) < end;
}

template <class Real>
void KirchhoffPath<Real>::forget(std::int64_t end) {
  while (!stretches_.empty() &&
         OutputChunk::last_needed(first_stretch_, stretches_.front().least_delay) < end) {
    stretches_.pop_front();
    ++first_stretch_;
  }
}

/// Receivers are slower than sound, so a later chunk needs later steps.
template <class Real>
auto KirchhoffPath<Real>::chunks(std::int64_t since, std::int64_t end) -> Chunks {
  if (is_still_) {
    if (!still_.is_audible) return {};
    const std::int64_t early = OutputChunk::last_needed(0, still_.least_delay),
                       late = OutputChunk::last_needed(0, still_.greatest_delay);
    return {ceil_div(since - early, outputs), ceil_div(end - late, outputs)};
  }
  Chunks result{first_stretch_, first_stretch_};
  while (OutputChunk::last_needed(result.begin, stretch(result.begin).least_delay) < since)
    ++result.begin;
  result.end = result.begin;
  while (OutputChunk::last_needed(result.end, stretch(result.end).greatest_delay) < end)
    ++result.end;
  return result;
}

template <class Real>
void KirchhoffPath<Real>::begin(std::int64_t since, std::int64_t end) {
  since_ = since;
  end_ = end;
  chunks_ = chunks(since, end);
  const auto count = static_cast<std::size_t>(chunks_.outputs());
  group_sum_.assign(count, Real(0));
  sum_.assign(count, 0.0);
}

template <class Real>
void KirchhoffPath<Real>::add(const typename FaceHistory<Real>::Tile& tile) {
  if (sum_.empty()) return;
  if (is_still_) {
    add_still(tile);
  } else {
    add_moving(tile);
  }
  for (std::size_t i = 0; i < sum_.size(); ++i) {
    sum_[i] += static_cast<double>(group_sum_[i]);
    group_sum_[i] = 0;
  }
}

template <class Real>
void KirchhoffPath<Real>::finish(PressureSum& out) {
  out.add(chunks_.begin * outputs, sum_.data(), chunks_.outputs());
}

template <class Real>
StillFace<Real> KirchhoffPath<Real>::make_still_face(const FaceGroup& group, int index) const {
  const SoundingFace face = box_.sounding_face(group, index);
  const FaceDelay d = face_delay(still_, face, samples_per_metre_);
  const double gain = face.weight * static_cast<double>(still_.gain[0]) / d.distance;
  const double cosine = group.outwards * d.way[group.axis] / d.distance;
  const util::Lagrange::Weights w = util::Lagrange::at(d.fraction);
  StillFace<Real> result;
  result.whole_delay = d.whole;
  for (int k = 0; k < taps; ++k) {
    const double p = w.value[k] / d.distance + w.slope[k] * samples_per_metre_;
    result.a[k] = static_cast<Real>(gain * cosine * p);
    result.b[k] = static_cast<Real>(-gain * w.value[k]);
  }
  return result;
}

template <class Real>
void KirchhoffPath<Real>::add_still(const typename FaceHistory<Real>::Tile& tile) {
  for (int i = 0; i < tile.group->count; ++i) {
    const StillFace<Real>& face = still_faces_[tile.slot + static_cast<std::size_t>(i)];
    const std::int64_t latest = OutputChunk::last_needed(0, face.whole_delay);
    const std::int64_t begin = ceil_div(since_ - latest, outputs) * outputs;
    const std::int64_t end = ceil_div(end_ - latest, outputs) * outputs;
    if (end <= begin) continue;
    const std::int64_t first = begin - face.whole_delay - util::Lagrange::before - tile.begin;
    const std::size_t series = static_cast<std::size_t>(i) * tile.stride;
    add_filtered(end - begin, face, tile.p + series + first, tile.q + series + first,
                 group_sum_.data() + (begin - chunks_.begin * outputs));
  }
}

template <class Real>
void KirchhoffPath<Real>::add_moving(const typename FaceHistory<Real>::Tile& tile) {
  for (int i = 0; i < tile.group->count; ++i) {
    const std::size_t series = static_cast<std::size_t>(i) * tile.stride;
    const Face face{box_.sounding_face(*tile.group, i), tile.p + series, tile.q + series};
    for (std::int64_t chunk = chunks_.begin; chunk < chunks_.end; ++chunk) {
      const ReceiverStretch<Real>& s = stretch(chunk);
      if (!s.is_audible) continue;
      const FaceDelay d = face_delay(s, face.at, samples_per_metre_);
      const std::int64_t latest = OutputChunk::last_needed(chunk, d.whole);
      if (latest < since_ || latest >= end_) continue;
      const std::int64_t first = chunk * outputs;
      Real* const sum = group_sum_.data() + (first - chunks_.begin * outputs);
      if (s.is_slow) {
        add_slow_chunk(*tile.group, face, s, d, first - tile.begin, sum);
      } else {
        add_fast_chunk(*tile.group, face, s, d, first - tile.begin, sum);
      }
    }
  }
}

template <class Real>
void KirchhoffPath<Real>::add_slow_chunk(const FaceGroup& group, const Face& face,
                                         const ReceiverStretch<Real>& s, const FaceDelay& d,
                                         std::int64_t first, Real* sum) const {
  using Lanes = util::Widest<Real>;
  constexpr int lanes = static_cast<int>(util::widest_lanes<Real>);
  static_assert(outputs % lanes == 0);
  const auto root = [](Lanes x) {
    for (int lane = 0; lane < lanes; ++lane) x[lane] = std::sqrt(x[lane]);
    return x;
  };
  const std::int64_t at = first - d.whole - util::Lagrange::before;
  for (int i = 0; i < outputs; i += lanes) {
    const Lanes offset[] = {util::load<Lanes>(s.offset[0] + i), util::load<Lanes>(s.offset[1] + i),
                            util::load<Lanes>(s.offset[2] + i)};
    const auto values_of = [&](const Real* series) {
      return [from = series + at + i](int k) { return util::load<Lanes>(from + k); };
    };
    const Lanes added = slow_face_pressure(
        face.at, d, group.axis, group.outwards, static_cast<Real>(samples_per_metre_), offset,
        util::load<Lanes>(s.gain + i), values_of(face.p), values_of(face.q), root);
    util::store(sum + i, util::load<Lanes>(sum + i) + added);
  }
}

template <class Real>
void KirchhoffPath<Real>::add_fast_chunk(const FaceGroup& group, const Face& face,
                                         const ReceiverStretch<Real>& s, const FaceDelay& d,
                                         std::int64_t first, Real* sum) const {
  for (int i = 0; i < outputs; ++i) {
    const std::int64_t at = first + i - d.whole - util::Lagrange::before;
    const auto values_of = [&](const Real* series) {
      return [from = series + at](int k) { return from[k]; };
    };
    const FaceDelay own = fast_delay(s, face.at, i, samples_per_metre_);
    sum[i] += fast_face_pressure(face.at, d, own, group.axis, group.outwards, samples_per_metre_,
                                 s.gain[i], values_of(face.p), values_of(face.q));
  }
}

template class KirchhoffPath<float>;
template class KirchhoffPath<double>;

}  // namespace peal::wave
