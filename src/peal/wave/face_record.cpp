#include <peal/wave/face_record.h>

#include <algorithm>
#include <cassert>

namespace peal::wave {

namespace {

constexpr std::size_t whole_batches(int steps) {
  return (static_cast<std::size_t>(steps) + 15) / 16 * 16;
}

/// out[i * length + k] = rows[k * stride + i] for `width` columns i.
template <int width, class Real>
void transpose(const Real* rows, std::size_t stride, int count, Real* out, std::size_t length) {
  for (int i = 0; i < width; ++i) {
    for (int k = 0; k < count; ++k) out[i * length + k] = rows[k * stride + i];
  }
}

}  // namespace

template <class Real>
FaceRecord<Real>::FaceRecord(const ListeningBox& box, int block, int history)
    : box_(box),
      history_(whole_batches(history)),
      length_(history_ + whole_batches(block)),
      rows_(2 * batch * box.slots()),
      series_(2 * box.slots() * length_),
      filled_(history_) {}

template <class Real>
void FaceRecord<Real>::record(const Field<Real>& field) {
  box_.read(field, rows_.data() + collected_ * 2 * box_.slots());
  ++steps_;
  if (++collected_ == batch) turn_over();
}

template <class Real>
void FaceRecord<Real>::turn_over() {
  assert(filled_ + collected_ <= length_);
  constexpr int both = 2 * static_cast<int>(width);
  for (std::size_t group = 0; group < box_.groups().size(); ++group) {
    const Real* rows = rows_.data() + group * both;
    Real* out = series_.data() + group * both * length_ + filled_;
    const std::size_t stride = 2 * box_.slots();
    if (collected_ == batch) {
      transpose<both>(rows, stride, batch, out, length_);
    } else {
      transpose<both>(rows, stride, static_cast<int>(collected_), out, length_);
    }
  }
  filled_ += collected_;
  collected_ = 0;
}

template <class Real>
auto FaceRecord<Real>::tile(std::size_t group) const -> Tile {
  const Real* p = series_.data() + group * 2 * width * length_;
  return {.group = &box_.groups()[group],
          .slot = group * width,
          .begin = steps_ - static_cast<std::int64_t>(filled_),
          .end = steps_,
          .stride = length_,
          .p = p,
          .q = p + width * length_};
}

template <class Real>
void FaceRecord<Real>::next_block() {
  for (std::size_t face = 0; face < 2 * box_.slots(); ++face) {
    Real* series = series_.data() + face * length_;
    std::copy(series + filled_ - history_, series + filled_, series);
  }
  filled_ = history_;
}

template class FaceRecord<float>;
template class FaceRecord<double>;

}  // namespace peal::wave
