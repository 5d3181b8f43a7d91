#include <peal/wave/far_field/kirchhoff.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::wave {

namespace {

constexpr int taps = util::Lagrange::taps;

/// The least whole number k with k * step >= x.
std::int64_t ceil_div(std::int64_t x, std::int64_t step) {
  return x >= 0 ? (x + step - 1) / step : -(-x / step);
}

/// sum[n] += a_k p[n + k] + b_k q[n + k] for a whole number of chunks.
template <class Real>
void add_filtered(std::int64_t count, const Real* a, const Real* __restrict p, const Real* b,
                  const Real* __restrict q, Real* __restrict sum) {
  static_assert(taps == 8);
  const Real a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5], a6 = a[6], a7 = a[7];
  const Real b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3], b4 = b[4], b5 = b[5], b6 = b[6], b7 = b[7];
  for (std::int64_t chunk = 0; chunk < count; chunk += OutputChunk::size) {
    for (int i = 0; i < OutputChunk::size; ++i) {
      const std::int64_t n = chunk + i;
      sum[n] += (((a0 * p[n] + a1 * p[n + 1]) + (a2 * p[n + 2] + a3 * p[n + 3])) +
                 ((a4 * p[n + 4] + a5 * p[n + 5]) + (a6 * p[n + 6] + a7 * p[n + 7]))) +
                (((b0 * q[n] + b1 * q[n + 1]) + (b2 * q[n + 2] + b3 * q[n + 3])) +
                 ((b4 * q[n + 4] + b5 * q[n + 5]) + (b6 * q[n + 6] + b7 * q[n + 7])));
    }
  }
}

}  // namespace

template <class Real>
Real* GroupSum<Real>::window(PressureSum& out, std::int64_t begin, std::int64_t end) {
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
void GroupSum<Real>::flush(PressureSum& out) {
  if (begin_ == end_) return;
  Real* values = values_.data() + (begin_ - origin_);
  out.add(begin_, values, end_ - begin_);
  std::fill_n(values, end_ - begin_, Real(0));
  begin_ = end_;
}

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
auto KirchhoffPath<Real>::make_stretch(std::int64_t chunk) const -> Stretch {
  Stretch result;
  const Vec3 middle = path_.position(static_cast<double>(OutputChunk::middle(chunk)));
  result.position = path_.mirrored(middle);
  double reach = 0.0;
  for (int lane = 0; lane < lanes; ++lane) {
    const auto step = static_cast<double>(chunk * OutputChunk::size + lane);
    const Vec3 position = is_still_ ? middle : path_.position(step);
    const Vec3 offset = path_.mirrored(position) - result.position;
    for (int axis = 0; axis < 3; ++axis) {
      result.offset[axis][lane] = static_cast<Real>(offset[axis]);
    }
    const double gain = path_.far_gain(step, position);
    result.gain[lane] = static_cast<Real>(gain);
    result.is_audible = result.is_audible || gain > 0.0;
    reach = std::max(reach, offset.norm());
  }
  result.is_slow = reach * samples_per_metre_ <= 1.0;
  result.least_delay =
      static_cast<std::int64_t>(box_.distance(result.position) * samples_per_metre_);
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
  return !s.is_audible || chunk * OutputChunk::size - s.least_delay + OutputChunk::after < end;
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
auto KirchhoffPath<Real>::delay(const Vec3& way) const -> Delay {
  const double distance = way.norm();
  const double samples = distance * samples_per_metre_, whole = std::ceil(samples);
  return {distance, static_cast<std::int64_t>(whole), whole - samples};
}

template <class Real>
auto KirchhoffPath<Real>::face(const typename FaceHistory<Real>::Tile& tile, int index) const
    -> Face {
  const std::size_t offset = static_cast<std::size_t>(index) * tile.stride;
  return {.position = box_.face_centre(*tile.group, index),
          .weight = tile.group->weight[index] / (4.0 * std::numbers::pi),
          .p = tile.p + offset,
          .q = tile.q + offset};
}

template <class Real>
void KirchhoffPath<Real>::add(const typename FaceHistory<Real>::Tile& tile, std::int64_t since,
                              PressureSum& out) {
  if (!is_still_) {
    add_moving(tile, since, out);
  } else if (still_.is_audible) {
    add_still(tile, since, out);
  }
  sum_.flush(out);
}

template <class Real>
auto KirchhoffPath<Real>::make_still_face(const FaceGroup& group, int index) const -> StillFace {
  const Vec3 way = still_.position - box_.face_centre(group, index);
  const Delay d = delay(way);
  const double gain = group.weight[index] / (4.0 * std::numbers::pi) *
                      static_cast<double>(still_.gain[0]) / d.distance;
  const double cosine = group.outwards * way[group.axis] / d.distance;
  const util::Lagrange::Weights w = util::Lagrange::at(d.fraction);
  StillFace result;
  result.whole_delay = d.whole;
  for (int k = 0; k < taps; ++k) {
    const double p = w.value[k] / d.distance + w.slope[k] * samples_per_metre_;
    result.a[k] = static_cast<Real>(gain * cosine * p);
    result.b[k] = static_cast<Real>(-gain * w.value[k]);
  }
  return result;
}

template <class Real>
void KirchhoffPath<Real>::add_still(const typename FaceHistory<Real>::Tile& tile,
                                    std::int64_t since, PressureSum& out) {
  for (int i = 0; i < tile.group->count; ++i) {
    const StillFace& face = still_faces_[tile.slot + static_cast<std::size_t>(i)];
    const std::int64_t latest = last_needed(0, face.whole_delay);
    const std::int64_t begin = ceil_div(since - latest, OutputChunk::size) * OutputChunk::size;
    const std::int64_t end = ceil_div(tile.end - latest, OutputChunk::size) * OutputChunk::size;
    if (end <= begin) continue;
    const std::int64_t first = begin - face.whole_delay - util::Lagrange::before - tile.begin;
    const std::size_t series = static_cast<std::size_t>(i) * tile.stride;
    add_filtered(end - begin, face.a, tile.p + series + first, face.b, tile.q + series + first,
                 sum_.window(out, begin, end));
  }
}

template <class Real>
void KirchhoffPath<Real>::add_moving(const typename FaceHistory<Real>::Tile& tile,
                                     std::int64_t since, PressureSum& out) {
  std::int64_t start = first_stretch_;
  for (int i = 0; i < tile.group->count; ++i) {
    const Face f = face(tile, i);
    const auto delay_of = [&](std::int64_t chunk) {
      return delay(stretch(chunk).position - f.position);
    };
    const auto latest = [&](std::int64_t chunk) {
      return last_needed(chunk, delay_of(chunk).whole);
    };
    while (start > first_stretch_ && latest(start - 1) >= since) --start;
    while (latest(start) < since) ++start;
    for (std::int64_t chunk = start;; ++chunk) {
      const Stretch& s = stretch(chunk);
      const Delay d = delay(s.position - f.position);
      if (last_needed(chunk, d.whole) >= tile.end) break;
      if (!s.is_audible) continue;
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
  const Vec3 way = s.position - face.position;
  const auto R0 = static_cast<Real>(d.distance);
  // R - R0 = (R^2 - R0^2) / (R + R0), which keeps all digits of small differences.
  Lanes growth = Lanes::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    growth += s.offset[axis] * (s.offset[axis] + static_cast<Real>(2.0 * way[axis]));
  }
  Lanes R;
  for (int lane = 0; lane < lanes; ++lane) R[lane] = std::sqrt(R0 * R0 + growth[lane]);
  const Lanes f =
      static_cast<Real>(d.fraction) - growth / (R + R0) * static_cast<Real>(samples_per_metre_);

  const std::int64_t at = first - d.whole - util::Lagrange::before;
  Lanes p = Lanes::Zero(), slope = Lanes::Zero(), q = Lanes::Zero();
  for (int k = 0; k < taps; ++k) {
    Lanes value_weight, slope_weight;
    util::Lagrange::evaluate<Real>(k, f, value_weight, slope_weight);
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
    const Vec3 way = s.position + offset - face.position;
    const Delay own = delay(way);
    const std::int64_t shift =
        std::clamp<std::int64_t>(own.whole - d.whole, -OutputChunk::slack, OutputChunk::slack);
    const util::Lagrange::Weights w = util::Lagrange::at(own.fraction);
    const std::int64_t at = first + lane - d.whole - shift - util::Lagrange::before;
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
