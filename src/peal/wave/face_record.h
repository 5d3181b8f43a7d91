#pragma once

#include <peal/wave/aligned_array.h>
#include <peal/wave/listening_box.h>

#include <cstdint>

namespace peal::wave {

/// The latest pressures and slopes on the faces of a listening box.
template <class Real>
class FaceRecord {
 public:
  /// Time series of a group of faces: value of face i at step s is p[i * stride + (s - begin)].
  struct Tile {
    const FaceGroup* group;
    std::int64_t begin, end;  ///< steps
    std::size_t stride;
    const Real *p, *q;  ///< pressure [Pa], outward slope [Pa/m]
  };

  /// Remembers the last `steps` steps.
  FaceRecord(const ListeningBox& box, int steps);

  void record(const Field<Real>& field);
  std::int64_t steps() const { return steps_; }  ///< recorded so far

  /// Steps begin <= s < end of a group, none forgotten; zeros before the first.
  Tile tile(std::size_t group, std::int64_t begin, std::int64_t end);

  std::size_t bytes() const { return p_.bytes() + q_.bytes() + tile_.bytes(); }

 private:
  const ListeningBox& box_;
  int capacity_;  ///< [steps]
  std::size_t stride_;
  AlignedArray<Real> p_, q_;  ///< step by step
  AlignedArray<Real> tile_;
  std::int64_t steps_ = 0;
};

extern template class FaceRecord<float>;
extern template class FaceRecord<double>;

}  // namespace peal::wave
