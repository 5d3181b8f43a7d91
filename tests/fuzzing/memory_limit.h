#pragma once

#include <cstddef>

namespace peal::fuzzing {

/// While it lives, operator new of this program throws std::bad_alloc beyond so many bytes more
/// than were in use before.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
};

}  // namespace peal::fuzzing
