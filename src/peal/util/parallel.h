#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace peal::util {

/// Runs task(0), ..., task(count - 1), in any order, on the threads there are. Tasks write to
/// separate places, so the result never depends on the number of threads. The first exception
/// thrown by a task is thrown again here.
void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& task);

/// The same for many tasks of a few microseconds: a thread takes 256 of them at a time.
template <class Task>
void parallel_for_small(std::size_t count, const Task& task) {
  constexpr std::size_t block = 256;
  parallel_for(static_cast<std::int64_t>((count + block - 1) / block), [&](std::int64_t b) {
    const std::size_t begin = static_cast<std::size_t>(b) * block;
    for (std::size_t i = begin; i < std::min(begin + block, count); ++i) task(i);
  });
}

/// While it lives, parallel_for uses at most this many threads; 0 means all cores.
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
