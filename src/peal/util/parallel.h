#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace peal::util {

/// Runs task(0), ..., task(count - 1), in any order, on the threads there are. Tasks write to
/// separate places, so the result never depends on the number of threads. The first exception
/// thrown by a task is thrown again here.
void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& task);

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
