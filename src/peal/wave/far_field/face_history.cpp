#include <peal/wave/far_field/face_history.h>
#include <peal/wave/grid/lanes.h>

#include <algorithm>
#include <array>

namespace peal::wave {

namespace {

constexpr int batch = 16;  ///< steps in a cache line of floats, and whole vectors of them

}  // namespace

template <class Real>
FaceHistory<Real>::FaceHistory(const KirchhoffSurface& box, int steps)
    : box_(box),
      capacity_(steps),
      // An odd number of cache lines, so that steps do not compete for the same cache sets.
      row_size_(box.groups().size() * width + AlignedArray<Real>::line),
      rows_(static_cast<std::size_t>(steps) * row_size_),
      // Room for whole batches, and an odd number of cache lines, so that the series of a group do
      // not compete for the same cache sets.
      stride_((static_cast<std::size_t>(steps) + 2 * batch - 1) / (2 * batch) * (2 * batch) +
              batch),
      tile_(width * stride_) {}

template <class Real>
void FaceHistory<Real>::record(const Field<Real>& field) {
  box_.read(field, rows_.data() + static_cast<std::size_t>(steps_ % capacity_) * row_size_);
  ++steps_;
}

template <class Real>
auto FaceHistory<Real>::tile(std::size_t group, std::int64_t begin, std::int64_t end) -> Tile {
  // Rows of steps before the first one are still zero; rows after the last one, up to a whole
  // batch, have arbitrary values.
  constexpr int block = wide_lanes<Real>;
  std::int64_t slot = (begin + capacity_) % capacity_;
  for (std::int64_t s = begin; s < end; s += block) {
    std::array<const Real*, block> from;
    for (const Real*& row : from) {
      row = rows_.data() + static_cast<std::size_t>(slot) * row_size_ + group * width;
      if (++slot == capacity_) slot = 0;
      // Prefetch the values of the next group.
      __builtin_prefetch(row + width);
      __builtin_prefetch(row + width + FaceGroup::capacity);
    }
    Real* to = tile_.data() + (s - begin);
    for (std::size_t i = 0; i < width; i += block) {
      transpose<Real>(from, to + i * stride_, stride_);
      for (const Real*& row : from) row += block;
    }
  }
  return {.group = &box_.groups()[group],
          .slot = group * FaceGroup::capacity,
          .begin = begin,
          .end = end,
          .stride = stride_,
          .p = tile_.data(),
          .q = tile_.data() + FaceGroup::capacity * stride_};
}

template class FaceHistory<float>;
template class FaceHistory<double>;

}  // namespace peal::wave
