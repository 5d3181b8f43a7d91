#pragma once

#include <peal/wave/far_field/kirchhoff_surface.h>
#include <peal/wave/grid/aligned_array.h>

#include <cstdint>

namespace peal::wave {

/// The latest pressures and slopes on the faces of a Kirchhoff surface.
///
/// They are stored step by step and transposed into time series of a few faces on request.
template <class Real>
class FaceHistory {
 public:
  /// Time series of a group of faces: the value of face i at step s is p[i * stride + (s - begin)].
  struct Tile {
    const FaceGroup* group;
    std::size_t slot;         ///< index of the group's first face
    std::int64_t begin, end;  ///< steps
    std::size_t stride;
    const Real *p, *q;  ///< pressure [Pa], outward slope [Pa/m]
  };

  /// Stores the last `steps` steps.
  FaceHistory(const KirchhoffSurface& box, int steps);

  void record(const Field<Real>& field);

  /// The steps begin <= s < end of a group, which must still be stored; zeros before the first
  /// step. The result is valid until the next call.
  Tile tile(std::size_t group, std::int64_t begin, std::int64_t end);

  std::size_t bytes() const { return rows_.bytes() + tile_.bytes(); }

 private:
  static constexpr std::size_t width = 2 * FaceGroup::capacity;  ///< values of a group in a step

  const KirchhoffSurface& box_;
  std::int64_t capacity_;    ///< [steps]
  std::size_t row_size_;     ///< values of a step
  AlignedArray<Real> rows_;  ///< ring buffer of steps
  std::int64_t steps_ = 0;   ///< recorded so far
  std::size_t stride_;
  AlignedArray<Real> tile_;
};

extern template class FaceHistory<float>;
extern template class FaceHistory<double>;

}  // namespace peal::wave
