#pragma once

#include <peal/wave/device/batch_queue.h>
#include <peal/wave/device/table_writer.h>
#include <peal/wave/far_field/receiver_array.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace peal::wave::device {

/// Integrates the fields of a chunk on a device for the receivers of an array, block by block.
template <class Real>
class DeviceHearing {
 public:
  /// A block has at most so many recorded fields.
  DeviceHearing(BufferPool& pool, ReceiverArray<Real>& receivers, int block);

  /// The memory for a surface as large as the grid, with one receiver [bytes].
  static std::size_t most_bytes(const Cell& size);

  /// Sets the members of `memory` that concern recorded fields.
  void place(FieldMemory<Real>& memory) const;
  /// What is to be cleared and uploaded before the first block.
  void prepare(StepBlock<Real>& block) const;

  /// A block of recorded fields that is integrated at the end of a StepBlock.
  struct Block {
    std::int64_t since = 0, end = 0;  ///< recorded fields
    std::vector<typename KirchhoffPath<Real>::Chunks> paths;
    std::size_t outputs = 0;             ///< of all paths
    std::shared_ptr<const Buffer> sums;  ///< of groups
  };
  /// The block that ends before the recorded field `end`.
  Block next_block(std::int64_t end);
  /// Writes the tables of a block; its outputs will be at `heard`.
  HearingOrder<Real> write(const Block& block, TableWriter& to, double* heard) const;
  /// Keeps what the device needs until it is done with some steps.
  void hold(const Block& block, StepBlock<Real>& steps) const;
  /// The number of items of the kernels.
  std::uint32_t items(const Block& block, Kernel kernel) const;

  /// Hands what was heard in a block to the receivers.
  void finish(const Block& block, const double* heard);

 private:
  BufferPool& pool_;
  ReceiverArray<Real>& receivers_;
  std::vector<typename ReceiverArray<Real>::Listening> paths_;
  std::size_t groups_, series_size_ = 0;
  double samples_per_metre_ = 0.0;
  std::int64_t since_ = 0;
  std::shared_ptr<const Buffer> series_;
  Tables head_;
  const SoundingFace* faces_ = nullptr;           ///< if a receiver moves
  std::vector<const StillFace<Real>*> still_of_;  ///< by path
};

extern template class DeviceHearing<float>;
extern template class DeviceHearing<double>;

}  // namespace peal::wave::device
