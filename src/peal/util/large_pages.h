#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace peal::util {

/// Requests pages of 2 MB for memory that will be filled from front to back, where the system
/// supports them: a page fault of 4 kB takes as long as computing a thousand floats.
inline void prefer_large_pages(void* memory, std::size_t bytes) {
  constexpr std::size_t page = std::size_t{2} << 20;
  const auto from = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = (from + page - 1) / page * page, end = (from + bytes) / page * page;
#ifdef MADV_HUGEPAGE
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace peal::util
