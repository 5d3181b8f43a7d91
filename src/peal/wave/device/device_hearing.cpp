#include <peal/wave/device/device_hearing.h>
#include <peal/wave/device/hearing_kernels.h>

#include <algorithm>
#include <bit>

namespace peal::wave::device {

template <class Real>
DeviceHearing<Real>::DeviceHearing(BufferPool& pool, ReceiverArray<Real>& receivers, int block)
    : pool_(pool),
      receivers_(receivers),
      paths_(receivers.listening_paths()),
      groups_(receivers.surface().groups().size()) {
  if (paths_.empty()) return;
  constexpr int memory = OutputChunk::before + OutputChunk::after;
  series_size_ = std::bit_ceil(static_cast<std::size_t>(block + memory));
  series_ = pool.take_field(2 * receivers.surface().slots() * series_size_ * sizeof(Real));
  samples_per_metre_ = paths_.front().path->samples_per_metre();
  const bool moves =
      std::ranges::any_of(paths_, [](const auto& one) { return !one.path->is_still(); });
  head_ = write_tables(pool, 4096, [&](TableWriter& to) {
    still_of_.clear();
    for (const auto& one : paths_)
      still_of_.push_back(one.path->is_still() ? to.add(one.path->still_faces()) : nullptr);
    if (!moves) return;
    const KirchhoffSurface& box = receivers.surface();
    faces_ = to.make<SoundingFace>(box.slots(), [&](std::size_t slot) {
      return box.sounding_face(box.groups()[slot / FaceGroup::capacity],
                               static_cast<int>(slot % FaceGroup::capacity));
    });
  });
}

template <class Real>
std::size_t DeviceHearing<Real>::most_bytes(const Cell& size) {
  constexpr std::size_t longest = 256;  // recorded fields, a power of two
  std::size_t faces = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    faces +=
        2 * static_cast<std::size_t>(size[axis]) * static_cast<std::size_t>(size[(axis + 1) % 3]);
  return faces * (2 * longest * sizeof(Real) + sizeof(StillFace<Real>));
}

template <class Real>
void DeviceHearing<Real>::place(FieldMemory<Real>& memory) const {
  memory.series_size = static_cast<std::uint32_t>(series_size_);
  memory.series = series_ ? reinterpret_cast<Real*>(series_->device) : nullptr;
}

template <class Real>
void DeviceHearing<Real>::prepare(StepBlock<Real>& block) const {
  if (paths_.empty()) return;
  block.clears.push_back(series_);
  block.uploads.push_back({head_.buffer, 0, head_.size});
}

template <class Real>
auto DeviceHearing<Real>::next_block(std::int64_t end) -> Block {
  Block block{.since = since_, .end = end};
  since_ = end;
  for (const auto& listening : paths_) {
    const auto chunks = listening.path->chunks(block.since, block.end);
    block.paths.push_back(chunks);
    block.outputs += static_cast<std::size_t>(chunks.outputs());
  }
  if (block.outputs > 0) block.sums = pool_.take_field(groups_ * block.outputs * sizeof(Real));
  return block;
}

template <class Real>
void DeviceHearing<Real>::hold(const Block& block, StepBlock<Real>& steps) const {
  for (const auto& buffer : {block.sums, series_, head_.buffer})
    if (buffer) steps.holds.push_back(buffer);
}

template <class Real>
HearingOrder<Real> DeviceHearing<Real>::write(const Block& block, TableWriter& to,
                                              double* heard) const {
  if (block.outputs == 0) return {};
  std::vector<HeardChunk<Real>> chunks;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    KirchhoffPath<Real>& path = *paths_[i].path;
    const auto range = block.paths[i];
    const ReceiverStretch<Real>* stretches = nullptr;
    if (!path.is_still())
      stretches = to.make<ReceiverStretch<Real>>(
          static_cast<std::size_t>(range.end - range.begin),
          [&](std::size_t k) { return path.stretch(range.begin + static_cast<std::int64_t>(k)); });
    for (std::int64_t number = range.begin; number < range.end; ++number)
      chunks.push_back({static_cast<std::int32_t>(number), still_of_[i],
                        stretches == nullptr ? nullptr : stretches + (number - range.begin)});
  }
  return {.chunks = static_cast<std::uint32_t>(chunks.size()),
          .since = static_cast<std::int32_t>(block.since),
          .end = static_cast<std::int32_t>(block.end),
          .chunk = to.add(chunks),
          .face = faces_,
          .samples_per_metre = samples_per_metre_,
          .group_sum = reinterpret_cast<Real*>(block.sums->device),
          .heard = heard};
}

template <class Real>
std::uint32_t DeviceHearing<Real>::items(const Block& block, Kernel kernel) const {
  const std::size_t groups = kernel == Kernel::integrate ? groups_ : 1;
  return static_cast<std::uint32_t>(groups * block.outputs);
}

template <class Real>
void DeviceHearing<Real>::finish(const Block& block, const double* heard) {
  std::vector<typename ReceiverArray<Real>::Heard> parts;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const auto count = static_cast<std::size_t>(block.paths[i].outputs());
    parts.push_back({paths_[i].receiver, block.paths[i].begin * OutputChunk::size, {heard, count}});
    heard += count;
  }
  receivers_.finish_block(parts);
}

template class DeviceHearing<float>;
template class DeviceHearing<double>;

}  // namespace peal::wave::device
