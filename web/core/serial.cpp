#include <peal/util/parallel.h>

namespace peal::util {

// A page's worker is one thread.
void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& task) {
  for (std::int64_t i = 0; i < count; ++i) task(i);
}

}  // namespace peal::util
