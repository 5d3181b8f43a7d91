#pragma once

#include <peal/util/lagrange.h>
#include <peal/wave/far_field/face_history.h>
#include <peal/wave/far_field/propagation_path.h>

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace peal::wave {

/// Sums the faces of a group in the precision of the field before they are added to the others in
/// double precision.
template <class Real>
class GroupSum {
 public:
  /// The buffer for outputs [begin, end), to which values are added.
  Real* window(PressureSum& out, std::int64_t begin, std::int64_t end);
  void flush(PressureSum& out);

 private:
  std::vector<Real> values_;
  std::int64_t origin_ = 0;           ///< step of values_[0]
  std::int64_t begin_ = 0, end_ = 0;  ///< steps in use
};

/// Outputs are computed in chunks of `size` steps; within a chunk, a face is read with one whole
/// delay.
struct OutputChunk {
  static constexpr int size = 16;
  static constexpr int slack = 8;  ///< further samples that a fast receiver may need on both sides
  /// Samples that a chunk needs before and after the one `delay` before its first output.
  static constexpr int before = util::Lagrange::before + slack;
  static constexpr int after = size - 1 + util::Lagrange::after + slack;

  static std::int64_t middle(std::int64_t chunk) { return chunk * size + size / 2; }
};

/// The Kirchhoff integral over a Kirchhoff surface (in the form for a surface at rest):
///
///   p(x, t) = 1/(4 pi) sum w [ -dp/dn / R + cos(theta) (p / R^2 + p_t / (c R)) ] at t - R / c
///
/// R      distance from face to receiver [m];  c speed of sound [m/s]
/// theta  angle between the outward normal and the direction to the receiver
/// w      area of the face in the quadrature [m^2] (kirchhoff_surface.h)
///
/// p, p_t and dp/dn are interpolated between steps by eighth-order polynomials. For a moving
/// receiver, R is taken at the time of arrival, which gives the exact Doppler shift.
template <class Real>
class KirchhoffPath {
 public:
  KirchhoffPath(const FarFieldSetup& setup, const KirchhoffSurface& box,
                const PropagationPath& path);

  /// Adds the contribution of a group to all outputs that need a step from `since` on and none
  /// after the end of the tile. All earlier outputs have been added before.
  void add(const typename FaceHistory<Real>::Tile& tile, std::int64_t since, PressureSum& out);

  /// Whether the outputs of a chunk only need steps before `end`.
  bool is_complete(std::int64_t chunk, std::int64_t end);
  /// Frees data that only complete outputs need.
  void forget(std::int64_t end);

  std::size_t bytes() const { return still_faces_.capacity() * sizeof(StillFace); }

 private:
  static constexpr int lanes = OutputChunk::size;
  using Lanes = Eigen::Array<Real, lanes, 1>;

  /// The position of the receiver over the outputs of a chunk.
  struct Stretch {
    Vec3 position;                ///< at the middle of the chunk [m]
    std::array<Lanes, 3> offset;  ///< from `position` [m]
    Lanes gain;
    bool is_audible = false;  ///< whether any gain is not 0
    bool is_slow = true;      ///< whether one whole delay serves all outputs
    std::int64_t least_delay = 0;
  };
  /// The contribution of a face at a receiver at rest: sum of a_k p_k + b_k q_k.
  struct StillFace {
    std::int64_t whole_delay;  ///< [samples]
    Real a[util::Lagrange::taps], b[util::Lagrange::taps];
  };
  struct Face {
    Vec3 position;
    double weight;
    const Real *p, *q;
  };
  struct Delay {
    double distance;     ///< R at the chunk's middle [m]
    std::int64_t whole;  ///< samples, rounded up
    double fraction;     ///< amount added by rounding up
  };

  void add_still(const typename FaceHistory<Real>::Tile& tile, std::int64_t since,
                 PressureSum& out);
  void add_moving(const typename FaceHistory<Real>::Tile& tile, std::int64_t since,
                  PressureSum& out);
  void add_slow_chunk(const FaceGroup& group, const Face& face, const Stretch& stretch,
                      const Delay& delay, std::int64_t first, Real* sum) const;
  void add_fast_chunk(const FaceGroup& group, const Face& face, const Stretch& stretch,
                      const Delay& delay, std::int64_t first, Real* sum) const;
  Face face(const typename FaceHistory<Real>::Tile& tile, int index) const;
  Delay delay(const Vec3& way) const;
  static std::int64_t last_needed(std::int64_t chunk, std::int64_t whole_delay) {
    return chunk * OutputChunk::size - whole_delay + OutputChunk::after;
  }
  const Stretch& stretch(std::int64_t chunk);
  Stretch make_stretch(std::int64_t chunk) const;
  StillFace make_still_face(const FaceGroup& group, int index) const;

  const KirchhoffSurface& box_;
  PropagationPath path_;
  double samples_per_metre_;
  bool is_still_;
  Stretch still_;
  std::vector<StillFace> still_faces_;  ///< by slot
  GroupSum<Real> sum_;
  std::deque<Stretch> stretches_;
  std::int64_t first_stretch_ = -1;  ///< chunk of stretches_[0]
};

extern template class KirchhoffPath<float>;
extern template class KirchhoffPath<double>;

}  // namespace peal::wave
