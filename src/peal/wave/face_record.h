#pragma once

#include <peal/wave/aligned_array.h>
#include <peal/wave/listening_box.h>

#include <cstdint>

namespace peal::wave {

/// The latest pressures and slopes on the faces of a listening box, as time series of each face.
///
/// Fields come step by step, all faces at once. A few steps are collected that way and then turned
/// over to the faces' series, a cache line for each.
template <class Real>
class FaceRecord {
 public:
  /// Time series of a group of faces: value of face i at step s is p[i * stride + (s - begin)].
  struct Tile {
    const FaceGroup* group;
    std::size_t slot;         ///< of the group's first face
    std::int64_t begin, end;  ///< steps
    std::size_t stride;
    const Real *p, *q;  ///< pressure [Pa], outward slope [Pa/m]
  };

  /// Takes up to `block` steps between two calls of next_block, and remembers `history` more.
  FaceRecord(const ListeningBox& box, int block, int history);

  void record(const Field<Real>& field);

  /// All that is remembered of a group; zeros before the first step. Call turn_over before.
  Tile tile(std::size_t group) const;
  /// Makes tiles contain all that was recorded.
  void turn_over();
  /// Forgets all but the history.
  void next_block();

  std::size_t bytes() const { return rows_.bytes() + series_.bytes(); }

 private:
  static constexpr std::size_t width = FaceGroup::capacity;
  static constexpr int batch = 16;  ///< steps that are turned over at once

  const ListeningBox& box_;
  std::size_t history_;
  std::size_t length_;         ///< of a series
  AlignedArray<Real> rows_;    ///< of all groups, step by step
  std::size_t collected_ = 0;  ///< steps in rows_
  AlignedArray<Real> series_;
  std::size_t filled_;  ///< steps in series_
  std::int64_t steps_ = 0;
};

extern template class FaceRecord<float>;
extern template class FaceRecord<double>;

}  // namespace peal::wave
