#include <peal/wave/device/batch_queue.h>
#include <peal/wave/device/device_lost.h>
#include <peal/wave/device/kernel_threads.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace peal::wave::device {

namespace {

constexpr std::size_t most_chunks = 1024;   ///< of a batch
constexpr std::size_t batches_at_once = 2;  ///< on the device, so that it does not wait

/// Up to the next of about eight numbers in each octave.
std::uint32_t rounded(std::uint32_t blocks) {
  const std::uint32_t step = std::max(1u, std::bit_floor(std::max(1u, blocks)) / 8);
  return std::max(1u, (blocks + step - 1) / step * step);
}

}  // namespace

template <class Real>
BatchQueue<Real>::BatchQueue(Device& device, BufferPool& pool) : device_(device), pool_(pool) {
  for (std::size_t i = 0; i < batches_at_once; ++i)
    entries_.push_back(pool_.take(most_chunks * sizeof(BatchEntry<Real>)));
  thread_ = std::jthread([this] { work(); });
}

template <class Real>
BatchQueue<Real>::~BatchQueue() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

template <class Real>
void BatchQueue<Real>::enter() {
  const std::lock_guard lock(mutex_);
  ++chunks_;
}

template <class Real>
void BatchQueue<Real>::leave() {
  {
    const std::lock_guard lock(mutex_);
    --chunks_;
  }
  changed_.notify_all();
}

template <class Real>
std::future<void> BatchQueue<Real>::submit(StepBlock<Real> block) {
  std::future<void> done = block.done.get_future();
  {
    const std::lock_guard lock(mutex_);
    if (failure_) {
      block.done.set_exception(failure_);
      return done;
    }
    waiting_.push_back(std::move(block));
  }
  changed_.notify_all();
  return done;
}

template <class Real>
void BatchQueue<Real>::work() {
  while (true) {
    Blocks blocks;
    {
      std::unique_lock lock(mutex_);
      // While the device works, wait until every chunk that takes part can go on; otherwise start
      // with what there is.
      const auto ready = [&] {
        return closed_ || (!waiting_.empty() && (running_.empty() || chunks_waiting() >= chunks_));
      };
      if (running_.empty()) {
        changed_.wait(lock, ready);
      } else if (!ready() || running_.size() >= batches_at_once) {
        lock.unlock();
        finish_oldest();
        continue;
      }
      if (closed_ && waiting_.empty()) break;
      blocks = next_batch();
    }
    start(std::move(blocks));
  }
  while (!running_.empty()) finish_oldest();
}

template <class Real>
int BatchQueue<Real>::chunks_waiting() const {
  std::set<const Real*> chunks;
  for (const StepBlock<Real>& block : waiting_) chunks.insert(block.chunk());
  return static_cast<int>(chunks.size());
}

/// The first block of each chunk.
template <class Real>
auto BatchQueue<Real>::next_batch() -> Blocks {
  Blocks blocks;
  std::deque<StepBlock<Real>> later;
  std::set<const Real*> chunks;
  for (StepBlock<Real>& block : waiting_) {
    const bool runs = blocks.size() < most_chunks && chunks.insert(block.chunk()).second;
    if (runs) {
      blocks.push_back(std::move(block));
    } else {
      later.push_back(std::move(block));
    }
  }
  waiting_ = std::move(later);
  return blocks;
}

template <class Real>
void BatchQueue<Real>::start(Blocks blocks) try {
  const Buffer& entries = *entries_[turn_++ % entries_.size()];
  StepRun run{.is_double = sizeof(Real) == sizeof(double),
              .chunks = static_cast<std::uint32_t>(blocks.size()),
              .entries = entries.device};
  auto* const host = reinterpret_cast<BatchEntry<Real>*>(entries.host);
  std::array<std::uint32_t, kernels> items{};
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    StepBlock<Real>& block = blocks[i];
    host[i] = block.entry;
    for (const auto& buffer : block.clears) device_.clear(*buffer);
    for (const auto& range : block.uploads) device_.upload(*range.buffer, range.begin, range.size);
    if (run.needs.size() < block.needs.size()) run.needs.resize(block.needs.size());
    for (std::size_t k = 0; k < block.needs.size(); ++k) run.needs[k] |= block.needs[k];
    for (std::size_t k = 0; k < kernels; ++k) items[k] = std::max(items[k], block.items[k]);
  }
  // Alike, so that runs come again: where an interval may begin, and in numbers of blocks.
  run.needs.front() |= bit_of(Kernel::begin);
  for (std::size_t k = 0; k < kernels; ++k)
    run.blocks[k] = rounded(blocks_for(items[k], threads_of(static_cast<Kernel>(k))));
  device_.upload(entries, 0, blocks.size() * sizeof(BatchEntry<Real>));
  device_.run(run);
  for (const StepBlock<Real>& block : blocks)
    for (const auto& range : block.downloads)
      device_.download(*range.buffer, range.begin, range.size);
  const std::uint64_t mark = device_.mark();
  running_.push_back({std::move(blocks), mark});
} catch (const std::exception& error) {
  fail(blocks, error.what());
}

template <class Real>
void BatchQueue<Real>::finish_oldest() {
  Batch batch = std::move(running_.front());
  running_.pop_front();
  try {
    device_.wait(batch.mark);
  } catch (const std::exception& error) {
    fail(batch.blocks, error.what());
    return;
  }
  for (StepBlock<Real>& block : batch.blocks) block.done.set_value();
}

/// The device has failed: nothing that waits for it will come.
template <class Real>
void BatchQueue<Real>::fail(Blocks& blocks, const std::string& why) {
  const std::lock_guard lock(mutex_);
  failure_ = std::make_exception_ptr(DeviceLost(why));
  for (StepBlock<Real>& block : blocks) block.done.set_exception(failure_);
  for (StepBlock<Real>& block : waiting_) block.done.set_exception(failure_);
  waiting_.clear();
}

template class BatchQueue<float>;
template class BatchQueue<double>;

}  // namespace peal::wave::device
