#include <peal/util/parallel.h>

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace peal::util {

void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& task) {
  // A thread that waits for others must not begin a task of a surrounding loop meanwhile.
  tbb::this_task_arena::isolate(
      [&] { tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t i) { task(i); }); });
}

struct ThreadLimit::Control {
  explicit Control(std::size_t threads)
      : limit(tbb::global_control::max_allowed_parallelism, threads) {}
  tbb::global_control limit;
};

ThreadLimit::ThreadLimit(int threads) {
  if (threads > 0) control_ = std::make_unique<Control>(static_cast<std::size_t>(threads));
}

ThreadLimit::~ThreadLimit() = default;

int thread_count() {
  const auto allowed =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::min(static_cast<int>(allowed), tbb::info::default_concurrency());
}

}  // namespace peal::util
