#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace peal::util {

/// Runs task(0), ..., task(count - 1), in any order, on the available threads. Tasks must write to
/// separate memory, so that the result does not depend on the number of threads. The first
/// exception thrown by a task is rethrown.
void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& task);

/// Runs many tasks of a few microseconds each: a thread takes 256 of them at a time.
template <class Task>
void parallel_for_small(std::size_t count, const Task& task) {
  constexpr std::size_t block = 256;
  parallel_for(static_cast<std::int64_t>((count + block - 1) / block), [&](std::int64_t b) {
    const std::size_t begin = static_cast<std::size_t>(b) * block;
    for (std::size_t i = begin; i < std::min(begin + block, count); ++i) task(i);
  });
}

/// While it exists, parallel_for uses at most this many threads; 0 means all cores.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();

 private:
  struct Control;
  std::unique_ptr<Control> control_;
};

/// Threads that parallel_for would use now.
int thread_count();

}  // namespace peal::util
