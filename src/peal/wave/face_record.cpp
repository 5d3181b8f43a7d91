#include <peal/wave/face_record.h>

#include <array>

namespace peal::wave {

namespace {

constexpr int batch = 16;  ///< steps that are turned over at once: a cache line of each series

}  // namespace

template <class Real>
FaceRecord<Real>::FaceRecord(const ListeningBox& box, int steps)
    : box_(box),
      capacity_(steps),
      row_size_(box.groups().size() * width),
      rows_(static_cast<std::size_t>(steps) * row_size_),
      // Room for whole batches, and an odd number of cache lines: the series of a group do not
      // compete for the same places in the cache.
      stride_((static_cast<std::size_t>(steps) + 2 * batch - 1) / (2 * batch) * (2 * batch) +
              batch),
      tile_(width * stride_) {}

template <class Real>
void FaceRecord<Real>::record(const Field<Real>& field) {
  box_.read(field, rows_.data() + static_cast<std::size_t>(steps_ % capacity_) * row_size_);
  ++steps_;
}

template <class Real>
auto FaceRecord<Real>::tile(std::size_t group, std::int64_t begin, std::int64_t end) -> Tile {
  // Rows of steps before the first are still zero; those after the last, up to a whole batch, are
  // any.
  std::int64_t slot = (begin + capacity_) % capacity_;
  for (std::int64_t s = begin; s < end; s += batch) {
    std::array<const Real*, batch> from;
    for (int k = 0; k < batch; ++k) {
      from[k] = rows_.data() + static_cast<std::size_t>(slot) * row_size_ + group * width;
      if (++slot == capacity_) slot = 0;
      // What the next group will need arrives meanwhile.
      __builtin_prefetch(from[k] + width);
      __builtin_prefetch(from[k] + width + FaceGroup::capacity);
    }
    Real* to = tile_.data() + (s - begin);
    for (std::size_t i = 0; i < width; ++i) {
      for (int k = 0; k < batch; ++k) to[i * stride_ + k] = from[k][i];
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

template class FaceRecord<float>;
template class FaceRecord<double>;

}  // namespace peal::wave
