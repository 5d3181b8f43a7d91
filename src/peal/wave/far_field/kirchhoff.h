#pragma once

#include <peal/wave/far_field/face_history.h>
#include <peal/wave/far_field/kirchhoff_arithmetic.h>
#include <peal/wave/far_field/propagation_path.h>

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace peal::wave {

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
///
/// The steps of a block, `since` to `end`, are integrated together: the block gives all
/// contributions of faces that need a step from `since` on and none from `end` on.
template <class Real>
class KirchhoffPath {
 public:
  KirchhoffPath(const FarFieldSetup& setup, const KirchhoffSurface& box,
                const PropagationPath& path);

  /// The chunks of outputs to which a block may contribute.
  struct Chunks {
    std::int64_t begin = 0, end = 0;
    std::int64_t outputs() const { return (end - begin) * OutputChunk::size; }
  };
  Chunks chunks(std::int64_t since, std::int64_t end);

  /// Begins a block; `add` then adds the contributions of each group, in their order, and `finish`
  /// adds their sum to the output.
  void begin(std::int64_t since, std::int64_t end);
  void add(const typename FaceHistory<Real>::Tile& tile);
  void finish(PressureSum& out);

  /// Whether the outputs of a chunk only need steps before `end`.
  bool is_complete(std::int64_t chunk, std::int64_t end);
  /// Frees data that only complete outputs need.
  void forget(std::int64_t end);

  bool is_still() const { return is_still_; }
  double samples_per_metre() const { return samples_per_metre_; }
  /// By slot, if the receiver is at rest.
  std::span<const StillFace<Real>> still_faces() const { return still_faces_; }
  const ReceiverStretch<Real>& stretch(std::int64_t chunk);

  std::size_t bytes() const { return still_faces_.capacity() * sizeof(StillFace<Real>); }

 private:
  struct Face {
    SoundingFace at;
    const Real *p, *q;
  };

  void add_still(const typename FaceHistory<Real>::Tile& tile);
  void add_moving(const typename FaceHistory<Real>::Tile& tile);
  void add_slow_chunk(const FaceGroup& group, const Face& face,
                      const ReceiverStretch<Real>& stretch, const FaceDelay& delay,
                      std::int64_t first, Real* sum) const;
  void add_fast_chunk(const FaceGroup& group, const Face& face,
                      const ReceiverStretch<Real>& stretch, const FaceDelay& delay,
                      std::int64_t first, Real* sum) const;
  ReceiverStretch<Real> make_stretch(std::int64_t chunk) const;
  StillFace<Real> make_still_face(const FaceGroup& group, int index) const;

  const KirchhoffSurface& box_;
  PropagationPath path_;
  double samples_per_metre_;
  bool is_still_;
  ReceiverStretch<Real> still_;
  std::vector<StillFace<Real>> still_faces_;  ///< by slot
  std::deque<ReceiverStretch<Real>> stretches_;
  std::int64_t first_stretch_ = -1;  ///< chunk of stretches_[0]

  // The block.
  std::int64_t since_ = 0, end_ = 0;
  Chunks chunks_;
  std::vector<Real> group_sum_;  ///< by output of the block
  std::vector<double> sum_;
};

extern template class KirchhoffPath<float>;
extern template class KirchhoffPath<double>;

}  // namespace peal::wave
