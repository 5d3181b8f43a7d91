#pragma once

#include <peal/util/lagrange.h>
#include <peal/wave/grid/portable.h>

#include <cstdint>

namespace peal::wave {

// The arithmetic of the Kirchhoff integral (kirchhoff.h), for the processor and for other devices.
// What a path hears of a block of recorded fields is summed in one order: the faces of a group, one
// after the other in the precision of the field, and then the groups in double precision.

/// Outputs are computed in chunks of `size` steps; within a chunk, a face is read with one whole
/// delay.
struct OutputChunk {
  static constexpr int size = 16;
  static constexpr int slack = 8;  ///< further samples that a fast receiver may need on both sides
  /// Samples that a chunk needs before and after the one `delay` before its first output.
  static constexpr int before = util::Lagrange::before + slack;
  static constexpr int after = size - 1 + util::Lagrange::after + slack;

  static constexpr std::int64_t middle(std::int64_t chunk) { return chunk * size + size / 2; }
  /// The last step that a chunk needs of a face.
  PEAL_PORTABLE static constexpr std::int64_t last_needed(std::int64_t chunk,
                                                          std::int64_t whole_delay) {
    return chunk * size - whole_delay + after;
  }
};

/// The contribution of a face at a receiver at rest: sum of a_k p_k + b_k q_k.
template <class Real>
struct StillFace {
  std::int32_t whole_delay;  ///< [samples]
  Real a[util::Lagrange::taps], b[util::Lagrange::taps];
};

/// The output at a step: `p` and `q` give the values k steps after the first that it needs.
template <class Real, class P, class Q>
PEAL_PORTABLE inline Real still_face_pressure(const StillFace<Real>& f, const P& p, const Q& q) {
  return (((f.a[0] * p(0) + f.a[1] * p(1)) + (f.a[2] * p(2) + f.a[3] * p(3))) +
          ((f.a[4] * p(4) + f.a[5] * p(5)) + (f.a[6] * p(6) + f.a[7] * p(7)))) +
         (((f.b[0] * q(0) + f.b[1] * q(1)) + (f.b[2] * q(2) + f.b[3] * q(3))) +
          ((f.b[4] * q(4) + f.b[5] * q(5)) + (f.b[6] * q(6) + f.b[7] * q(7))));
}

/// The position of a receiver over the outputs of a chunk.
template <class Real>
struct ReceiverStretch {
  double position[3];                 ///< at the middle of the chunk [m]
  Real offset[3][OutputChunk::size];  ///< from `position` [m]
  Real gain[OutputChunk::size];
  std::int32_t least_delay, greatest_delay;  ///< of any face, or beyond [samples]
  bool is_audible;                           ///< whether any gain is not 0
  bool is_slow;                              ///< whether one whole delay serves all outputs
};

/// A face as a moving receiver hears it.
struct SoundingFace {
  double position[3];  ///< of its centre [m]
  double weight;       ///< area in the integral, over 4 pi [m^2]
};

/// The way from a face to a receiver.
struct FaceDelay {
  double way[3], distance;  ///< [m]
  double fraction;          ///< amount added by rounding up [samples]
  std::int32_t whole;       ///< samples, rounded up
};

PEAL_PORTABLE inline FaceDelay face_delay(double x, double y, double z, const double* face,
                                          double samples_per_metre) {
  FaceDelay d{{x - face[0], y - face[1], z - face[2]}, 0.0, 0.0, 0};
  d.distance = square_root((d.way[0] * d.way[0] + d.way[1] * d.way[1]) + d.way[2] * d.way[2]);
  const double samples = d.distance * samples_per_metre, whole = __builtin_ceil(samples);
  d.whole = static_cast<std::int32_t>(whole);
  d.fraction = whole - samples;
  return d;
}
template <class Real>
PEAL_PORTABLE inline FaceDelay face_delay(const ReceiverStretch<Real>& s, const SoundingFace& face,
                                          double samples_per_metre) {
  return face_delay(s.position[0], s.position[1], s.position[2], face.position, samples_per_metre);
}

/// The way to the position of an output of its own.
template <class Real>
PEAL_PORTABLE inline FaceDelay fast_delay(const ReceiverStretch<Real>& s, const SoundingFace& face,
                                          int output, double samples_per_metre) {
  return face_delay(s.position[0] + static_cast<double>(s.offset[0][output]),
                    s.position[1] + static_cast<double>(s.offset[1][output]),
                    s.position[2] + static_cast<double>(s.offset[2][output]), face.position,
                    samples_per_metre);
}

/// A component of a vector, without an index that only the run time knows.
template <class Value>
PEAL_PORTABLE inline Value component(const Value* v, int axis) {
  return axis == 0 ? v[0] : axis == 1 ? v[1] : v[2];
}

/// What a face adds to outputs between which its delay changes by less than a sample: one output,
/// or a vector of them. `p` and `q` give the values k steps after the first that an output needs,
/// and `root` is the square root.
template <class Real, class Value, class P, class Q, class Root>
PEAL_PORTABLE inline Value slow_face_pressure(const SoundingFace& face, const FaceDelay& d,
                                              int axis, int outwards, Real samples_per_metre,
                                              const Value* offset, const Value& gain, const P& p,
                                              const Q& q, const Root& root) {
  const Real distance = static_cast<Real>(d.distance);
  // R - R0 = (R^2 - R0^2) / (R + R0), which keeps all digits of small differences.
  const Value growth = (offset[0] * (offset[0] + static_cast<Real>(2.0 * d.way[0])) +
                        offset[1] * (offset[1] + static_cast<Real>(2.0 * d.way[1]))) +
                       offset[2] * (offset[2] + static_cast<Real>(2.0 * d.way[2]));
  const Value R = root(distance * distance + growth);
  const Value f = static_cast<Real>(d.fraction) - growth / (R + distance) * samples_per_metre;
  Value pressure = {}, slope = {}, normal = {};
  PEAL_UNROLL
  for (int k = 0; k < util::Lagrange::taps; ++k) {
    Value value_weight, slope_weight;
    util::Lagrange::evaluate<Real>(k, f, value_weight, slope_weight);
    const Value p_k = p(k);
    pressure += value_weight * p_k;
    slope += slope_weight * p_k;
    normal += value_weight * q(k);
  }
  const Value inverse = Real(1) / R;
  const Value along = component(offset, axis) + static_cast<Real>(component(d.way, axis));
  const Value cosine = static_cast<Real>(outwards) * along * inverse;
  return static_cast<Real>(face.weight) * gain * inverse *
         (cosine * (pressure * inverse + slope * samples_per_metre) - normal);
}

/// What a face adds to one output of a receiver that is so fast that outputs of a chunk need whole
/// delays of their own. `own` is that of the output and `d` that of the chunk; `p` and `q` give the
/// values k steps after the first that the output would need with the delay `d`.
template <class Real, class P, class Q>
PEAL_PORTABLE inline Real fast_face_pressure(const SoundingFace& face, const FaceDelay& d,
                                             const FaceDelay& own, int axis, int outwards,
                                             double samples_per_metre, Real gain, const P& p,
                                             const Q& q) {
  std::int32_t shift = own.whole - d.whole;
  shift = shift < -OutputChunk::slack ? -OutputChunk::slack : shift;
  shift = shift > OutputChunk::slack ? OutputChunk::slack : shift;
  double pressure = 0.0, slope = 0.0, normal = 0.0;
  PEAL_UNROLL
  for (int k = 0; k < util::Lagrange::taps; ++k) {
    double value_weight = 0.0, slope_weight = 0.0;
    util::Lagrange::evaluate<double>(k, own.fraction, value_weight, slope_weight);
    const double p_k = static_cast<double>(p(k - shift));
    pressure += value_weight * p_k;
    slope += slope_weight * p_k;
    normal += value_weight * static_cast<double>(q(k - shift));
  }
  const double cosine = outwards * component(own.way, axis) / own.distance;
  const double sum = cosine * (pressure / own.distance + slope * samples_per_metre) - normal;
  return static_cast<Real>(face.weight * static_cast<double>(gain) * sum / own.distance);
}

}  // namespace peal::wave
