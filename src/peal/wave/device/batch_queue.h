#pragma once

#include <peal/wave/device/buffer_pool.h>
#include <peal/wave/device/step_tables.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace peal::wave::device {

/// Some steps of one chunk, ready for a device.
template <class Real>
struct StepBlock {
  struct Range {
    std::shared_ptr<const Buffer> buffer;
    std::size_t begin = 0, size = 0;
  };

  BatchEntry<Real> entry{};
  /// By step: the kernels that it needs (bit_of). `items` are what they work on, as far as that is
  /// divided among blocks of threads.
  std::vector<KernelSet> needs;
  std::array<std::uint32_t, kernels> items{};
  std::vector<std::shared_ptr<const Buffer>> clears;  ///< before everything else
  std::vector<Range> uploads, downloads;
  /// What the block reads or writes.
  std::vector<std::shared_ptr<const Buffer>> holds;
  std::promise<void> done;

  /// Says that the last step needs a kernel, for so many items.
  void need(Kernel kernel, std::uint32_t count) {
    needs.back() |= bit_of(kernel);
    std::uint32_t& most = items[static_cast<std::size_t>(kernel)];
    most = std::max(most, count);
  }
  std::uint32_t items_of(Kernel kernel) const { return items[static_cast<std::size_t>(kernel)]; }

  /// What tells chunks apart.
  const Real* chunk() const { return entry.memory.xi; }
};

/// Runs the blocks of several chunks side by side on one device. A block starts when the last one
/// of its chunk has ended; blocks that wait at the same time run together.
template <class Real>
class BatchQueue {
 public:
  BatchQueue(Device& device, BufferPool& pool);
  ~BatchQueue();

  /// Counts the chunks that take part, so that the device waits for all of them if it is busy.
  void enter();
  void leave();

  /// The future tells when the block has run; it holds DeviceLost if the device has failed.
  std::future<void> submit(StepBlock<Real> block);

 private:
  using Blocks = std::vector<StepBlock<Real>>;
  struct Batch {
    Blocks blocks;
    std::uint64_t mark;
  };

  void work();
  int chunks_waiting() const;
  Blocks next_batch();
  void start(Blocks blocks);
  void finish_oldest();
  void fail(Blocks& blocks, const std::string& why);

  Device& device_;
  BufferPool& pool_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<StepBlock<Real>> waiting_;
  int chunks_ = 0;
  bool closed_ = false;
  std::exception_ptr failure_;
  std::deque<Batch> running_;
  std::vector<std::shared_ptr<const Buffer>> entries_;  ///< in turn
  std::size_t turn_ = 0;
  std::jthread thread_;
};

extern template class BatchQueue<float>;
extern template class BatchQueue<double>;

}  // namespace peal::wave::device
