#pragma once

#include <peal/wave/device/change_kernels.h>
#include <peal/wave/device/device.h>
#include <peal/wave/device/hearing_kernels.h>

namespace peal::wave::device {

/// Threads of a block.
constexpr std::uint32_t threads_of(Kernel kernel) {
  switch (kernel) {
    case Kernel::move:
      return move_threads;
    case Kernel::advance:
      return advance_threads;
    case Kernel::record:
    case Kernel::check:
      return record_threads;
    case Kernel::integrate:
    case Kernel::add_up:
      return hearing_threads;
    case Kernel::begin:
    case Kernel::open:
    case Kernel::complete:
      break;
  }
  return change_threads;
}

}  // namespace peal::wave::device
