#pragma once

#include <peal/util/denormals.h>
#include <peal/util/parallel.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace peal::wave {

/// Runs task(0), ..., task(count - 1) on all threads, each for a cell or a face with walls, which
/// takes about a microsecond. Denormal numbers are treated alike on all threads.
template <class Task>
void for_each_cell(std::size_t count, const Task& task) {
  constexpr std::size_t block = 32;
  util::parallel_for(static_cast<std::int64_t>((count + block - 1) / block), [&](std::int64_t b) {
    const util::FlushDenormals guard;
    const std::size_t begin = static_cast<std::size_t>(b) * block;
    for (std::size_t i = begin; i < std::min(begin + block, count); ++i) task(i);
  });
}

}  // namespace peal::wave
