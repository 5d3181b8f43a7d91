#include <peal/wave/kirchhoff.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::wave {

namespace {

constexpr int taps = Lagrange::taps;

/// The least whole number k with k * step >= x.
std::int64_t ceil_div(std::int64_t x, std::int64_t step) {
  return x >= 0 ? (x + step - 1) / step : -(-x / step);
}

}  // namespace

template <class Real>
Real* GroupSum<Real>::window(HeardSum& out, std::int64_t begin, std::int64_t end) {
  const auto size = static_cast<std::int64_t>(values_.size());
  if (begin_ == end_ || begin < origin_ || end > origin_ + size) {
    flush(out);
    const std::int64_t room = end - begin + 1024;
    if (size < 2 * room) values_.assign(static_cast<std::size_t>(2 * room), Real(0));
    origin_ = begin - room / 2;
    begin_ = begin;
    end_ = end;
  }
  begin_ = std::min(begin_, begin);
  end_ = std::max(end_, end);
  return values_.data() + (begin - origin_);
}

template <class Real>
void GroupSum<Real>::flush(HeardSum& out) {
  if (begin_ == end_) return;
  Real* values = values_.data() + (begin_ - origin_);
  out.add(begin_, values, end_ - begin_);
  std::fill_n(values, end_ - begin_, Real(0));
  begin_ = end_;
}

template <class Real>
KirchhoffPath<Real>::KirchhoffPath(const HearingSetup& setup, const ListeningBox& box,
                                   const HeardPath& path)
    : box_(box),
      path_(path),
      samples_per_metre_(setup.samples_per_metre()),
      is_still_(path.is_still()) {
  if (is_still_) still_ = make_stretch(0);
}

template <class Real>
auto KirchhoffPath<Real>::make_stretch(std::int64_t chunk) const -> Stretch {
  Stretch result;
  const Vec3 middle = path_.place(static_cast<double>(OutputChunk::middle(chunk)));
  result.place = path_.mirrored(middle);
  double reach = 0.0;
  for (int lane = 0; lane < lanes; ++lane) {
    const auto step = static_cast<double>(chunk * OutputChunk::size + lane);
    const Vec3 place = is_still_ ? middle : path_.place(step);
    const Vec3 offset = path_.mirrored(place) - result.place;
    for (int axis = 0; axis < 3; ++axis) {
      result.offset[axis][lane] = static_cast<Real>(offset[axis]);
    }
    const double gain = path_.far_gain(step, place);
    result.gain[lane] = static_cast<Real>(gain);
    result.is_heard = result.is_heard || gain > 0.0;
    reach = std::max(reach, offset.norm());
  }
  result.is_slow = reach * samples_per_metre_ <= 1.0;
  result.least_delay = static_cast<std::int64_t>(box_.distance(result.place) * samples_per_metre_);
  return result;
}

template <class Real>
auto KirchhoffPath<Real>::stretch(std::int64_t chunk) -> const Stretch& {
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
  const Stretch& s = stretch(chunk);
  return !s.is_heard || chunk * OutputChunk::size - s.least_delay + OutputChunk::after < end;
}

template <class Real>
void KirchhoffPath<Real>::forget(std::int64_t end) {
  while (!stretches_.empty() &&
         first_stretch_ * OutputChunk::size - stretches_.front().least_delay + OutputChunk::after <
             end) {
    stretches_.pop_front();
    ++first_stretch_;
  }
}

template <class Real>
auto KirchhoffPath<Real>::delay(const Vec3& place, const Vec3& face) const -> Delay {
  const double distance = (place - face).norm();
  const double samples = distance * samples_per_metre_, whole = std::ceil(samples);
  return {distance, static_cast<std::int64_t>(whole), whole - samples};
}

template <class Real>
auto KirchhoffPath<Real>::face(const typename FaceRecord<Real>::Tile& tile, int index) const
    -> Face {
  const std::size_t offset = static_cast<std::size_t>(index) * tile.stride;
  return {.place = box_.face_centre(*tile.group, index),
          .weight = tile.group->weight[index] / (4.0 * std::numbers::pi),
          .p = tile.p + offset,
          .q = tile.q + offset};
}

template <class Real>
void KirchhoffPath<Real>::add(const typename FaceRecord<Real>::Tile& tile, std::int64_t since,
                              HeardSum& out) {
  if (!is_still_) {
    add_moving(tile, since, out);
  } else if (still_.is_heard) {
    add_still(tile, since, out);
  }
  sum_.flush(out);
}

template <class Real>
void KirchhoffPath<Real>::add_still(const typename FaceRecord<Real>::Tile& tile, std::int64_t since,
                                    HeardSum& out) {
  for (int i = 0; i < tile.group->count; ++i) {
    add_still_face(*tile.group, face(tile, i), tile.begin, since, tile.end, out);
  }
}

template <class Real>
void KirchhoffPath<Real>::add_still_face(const FaceGroup& group, const Face& face,
                                         std::int64_t tile_begin, std::int64_t since,
                                         std::int64_t end, HeardSum& out) {
  const Delay d = delay(still_.place, face.place);
  const std::int64_t latest = last_needed(0, d);
  const std::int64_t begin = ceil_div(since - latest, OutputChunk::size) * OutputChunk::size;
  const std::int64_t count = ceil_div(end - latest, OutputChunk::size) * OutputChunk::size - begin;
  if (count <= 0) return;

  const double gain = face.weight * static_cast<double>(still_.gain[0]) / d.distance;
  const double cosine = group.outwards * (still_.place - face.place)[group.axis] / d.distance;
  const Lagrange::Weights w = Lagrange::at(d.fraction);
  Real a[taps], b[taps];
  for (int k = 0; k < taps; ++k) {
    const double p = w.value[k] / d.distance + w.slope[k] * samples_per_metre_;
    a[k] = static_cast<Real>(gain * cosine * p);
    b[k] = static_cast<Real>(-gain * w.value[k]);
  }
  const std::int64_t first = begin - d.whole - Lagrange::before - tile_begin;
  const Real* __restrict p = face.p + first;
  const Real* __restrict q = face.q + first;
  Real* __restrict sum = sum_.window(out, begin, begin + count);
  for (std::int64_t n = 0; n < count; ++n) {
    sum[n] += ((a[0] * p[n] + a[1] * p[n + 1]) + (a[2] * p[n + 2] + a[3] * p[n + 3]) +
               (a[4] * p[n + 4] + a[5] * p[n + 5])) +
              ((b[0] * q[n] + b[1] * q[n + 1]) + (b[2] * q[n + 2] + b[3] * q[n + 3]) +
               (b[4] * q[n + 4] + b[5] * q[n + 5]));
  }
}

template <class Real>
void KirchhoffPath<Real>::add_moving(const typename FaceRecord<Real>::Tile& tile,
                                     std::int64_t since, HeardSum& out) {
  std::int64_t start = first_stretch_;
  for (int i = 0; i < tile.group->count; ++i) {
    const Face f = face(tile, i);
    const auto delay_of = [&](std::int64_t chunk) { return delay(stretch(chunk).place, f.place); };
    const auto latest = [&](std::int64_t chunk) { return last_needed(chunk, delay_of(chunk)); };
    while (start > first_stretch_ && latest(start - 1) >= since) --start;
    while (latest(start) < since) ++start;
    for (std::int64_t chunk = start;; ++chunk) {
      const Stretch& s = stretch(chunk);
      const Delay d = delay(s.place, f.place);
      if (last_needed(chunk, d) >= tile.end) break;
      if (!s.is_heard) continue;
      const std::int64_t first = chunk * OutputChunk::size;
      Real* sum = sum_.window(out, first, first + OutputChunk::size);
      if (s.is_slow) {
        add_slow_chunk(*tile.group, f, s, d, first - tile.begin, sum);
      } else {
        add_fast_chunk(*tile.group, f, s, d, first - tile.begin, sum);
      }
    }
  }
}

template <class Real>
void KirchhoffPath<Real>::add_slow_chunk(const FaceGroup& group, const Face& face, const Stretch& s,
                                         const Delay& d, std::int64_t first, Real* sum) const {
  const Vec3 way = s.place - face.place;
  const auto R0 = static_cast<Real>(d.distance);
  // R - R0 = (R^2 - R0^2) / (R + R0), which keeps all digits of small ways.
  Lanes growth = Lanes::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    growth += s.offset[axis] * (s.offset[axis] + static_cast<Real>(2.0 * way[axis]));
  }
  Lanes R;
  for (int lane = 0; lane < lanes; ++lane) R[lane] = std::sqrt(R0 * R0 + growth[lane]);
  const Lanes f =
      static_cast<Real>(d.fraction) - growth / (R + R0) * static_cast<Real>(samples_per_metre_);

  const std::int64_t at = first - d.whole - Lagrange::before;
  Lanes p = Lanes::Zero(), slope = Lanes::Zero(), q = Lanes::Zero();
  for (int k = 0; k < taps; ++k) {
    Lanes value_weight, slope_weight;
    Lagrange::evaluate<Real>(k, f, value_weight, slope_weight);
    const Eigen::Map<const Lanes> p_k(face.p + at + k), q_k(face.q + at + k);
    p += value_weight * p_k;
    slope += slope_weight * p_k;
    q += value_weight * q_k;
  }
  const Lanes inverse = R.inverse();
  const Lanes cosine = static_cast<Real>(group.outwards) *
                       (s.offset[group.axis] + static_cast<Real>(way[group.axis])) * inverse;
  Eigen::Map<Lanes>(sum, lanes) +=
      static_cast<Real>(face.weight) * s.gain * inverse *
      (cosine * (p * inverse + slope * static_cast<Real>(samples_per_metre_)) - q);
}

template <class Real>
void KirchhoffPath<Real>::add_fast_chunk(const FaceGroup& group, const Face& face, const Stretch& s,
                                         const Delay& d, std::int64_t first, Real* sum) const {
  for (int lane = 0; lane < lanes; ++lane) {
    const Vec3 offset(s.offset[0][lane], s.offset[1][lane], s.offset[2][lane]);
    const Vec3 way = s.place + offset - face.place;
    const Delay own = delay(s.place + offset, face.place);
    const std::int64_t shift =
        std::clamp<std::int64_t>(own.whole - d.whole, -OutputChunk::slack, OutputChunk::slack);
    const Lagrange::Weights w = Lagrange::at(own.fraction);
    const std::int64_t at = first + lane - d.whole - shift - Lagrange::before;
    double p = 0.0, slope = 0.0, q = 0.0;
    for (int k = 0; k < taps; ++k) {
      p += w.value[k] * static_cast<double>(face.p[at + k]);
      slope += w.slope[k] * static_cast<double>(face.p[at + k]);
      q += w.value[k] * static_cast<double>(face.q[at + k]);
    }
    const double cosine = group.outwards * way[group.axis] / own.distance;
    const double pressure = cosine * (p / own.distance + slope * samples_per_metre_) - q;
    sum[lane] += static_cast<Real>(face.weight * static_cast<double>(s.gain[lane]) * pressure /
                                   own.distance);
  }
}

template class GroupSum<float>;
template class GroupSum<double>;
template class KirchhoffPath<float>;
template class KirchhoffPath<double>;

}  // namespace peal::wave
