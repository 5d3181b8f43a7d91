#include <peal/wave/face_record.h>

namespace peal::wave {

namespace {

constexpr std::size_t width = FaceGroup::capacity;

}  // namespace

template <class Real>
FaceRecord<Real>::FaceRecord(const ListeningBox& box, int steps)
    : box_(box),
      capacity_(steps),
      // Odd in cache lines: the series of a group's faces do not compete for the same cache sets.
      stride_(AlignedArray<Real>::row_stride(static_cast<std::size_t>(steps)) +
              AlignedArray<Real>::line),
      p_(box.slots() * static_cast<std::size_t>(steps)),
      q_(box.slots() * static_cast<std::size_t>(steps)),
      tile_(2 * width * stride_) {}

template <class Real>
void FaceRecord<Real>::record(const Field<Real>& field) {
  const std::size_t offset = static_cast<std::size_t>(steps_ % capacity_) * box_.slots();
  box_.read(field, p_.data() + offset, q_.data() + offset);
  ++steps_;
}

template <class Real>
auto FaceRecord<Real>::tile(std::size_t group, std::int64_t begin, std::int64_t end) -> Tile {
  Real *p = tile_.data(), *q = p + width * stride_;
  for (std::int64_t s = begin; s < end; ++s) {
    // Slots of steps before the first are still zero.
    const auto slot = static_cast<std::size_t>((s + capacity_) % capacity_);
    const std::size_t offset = slot * box_.slots() + group * width;
    const Real *from_p = p_.data() + offset, *from_q = q_.data() + offset;
    const auto column = static_cast<std::size_t>(s - begin);
    for (std::size_t i = 0; i < width; ++i) {
      p[i * stride_ + column] = from_p[i];
      q[i * stride_ + column] = from_q[i];
    }
  }
  return {.group = &box_.groups()[group],
          .begin = begin,
          .end = end,
          .stride = stride_,
          .p = p,
          .q = q};
}

template class FaceRecord<float>;
template class FaceRecord<double>;

}  // namespace peal::wave
