// The kernels of step_kernels.h and change_kernels.h for graphics processors. Clang alone makes PTX
// of this file, without CUDA's headers (cmake/device_code.cmake).

#include <peal/wave/device/change_kernels.h>

#define PEAL_KERNEL extern "C" __attribute__((global)) void

namespace peal::wave::device {
namespace {

__attribute__((device)) inline std::uint32_t thread_x() {
  return static_cast<std::uint32_t>(__nvvm_read_ptx_sreg_tid_x());
}
__attribute__((device)) inline std::uint32_t block_x() {
  return static_cast<std::uint32_t>(__nvvm_read_ptx_sreg_ctaid_x());
}
__attribute__((device)) inline std::uint32_t block_y() {
  return static_cast<std::uint32_t>(__nvvm_read_ptx_sreg_ctaid_y());
}

template <class Real>
__attribute__((device)) inline void run_prepare(const BatchEntry<Real>& entry, std::uint32_t step) {
  if (step >= entry.steps) return;
  const StepOrder<Real>& order = entry.orders[step];
  if (!order.begins && !order.advances) return;
  for (int phase = 0; phase < prepare_phases; ++phase) {
    prepare(*entry.memory, order, phase, {thread_x(), change_threads});
    __syncthreads();
  }
}

template <class Real>
__attribute__((device)) inline void run_advance(const BatchEntry<Real>& entry, std::uint32_t step) {
  if (step >= entry.steps || block_x() >= entry.blocks) return;
  advance(*entry.memory, entry.orders[step], block_x(), thread_x());
}

template <class Real>
__attribute__((device)) inline void run_complete(const BatchEntry<Real>& entry,
                                                 std::uint32_t step) {
  if (step >= entry.steps) return;
  const StepOrder<Real>& order = entry.orders[step];
  if (!has_completion(order)) return;
  for (int phase = 0; phase < complete_phases; ++phase) {
    complete(*entry.memory, order, phase, {thread_x(), change_threads});
    __syncthreads();
  }
}

template <class Real>
__attribute__((device)) inline void run_record(const BatchEntry<Real>& entry, std::uint32_t step) {
  if (step >= entry.steps) return;
  const StepOrder<Real>& order = entry.orders[step];
  if (!order.record && order.probes == 0) return;
  record(*entry.memory, order, entry.per_cell, block_x() * record_threads + thread_x());
}

template <class Real>
__attribute__((device)) inline void run_check(const BatchEntry<Real>& entry) {
  check_row(entry, block_x() * record_threads + thread_x());
}

}  // namespace

PEAL_KERNEL __attribute__((launch_bounds(change_threads)))
prepare_float(const BatchEntry<float>* entries, std::uint32_t step) {
  run_prepare(entries[block_y()], step);
}
PEAL_KERNEL __attribute__((launch_bounds(change_threads)))
prepare_double(const BatchEntry<double>* entries, std::uint32_t step) {
  run_prepare(entries[block_y()], step);
}
PEAL_KERNEL __attribute__((launch_bounds(advance_threads, 4)))
advance_float(const BatchEntry<float>* entries, std::uint32_t step) {
  run_advance(entries[block_y()], step);
}
PEAL_KERNEL __attribute__((launch_bounds(advance_threads, 2)))
advance_double(const BatchEntry<double>* entries, std::uint32_t step) {
  run_advance(entries[block_y()], step);
}
PEAL_KERNEL __attribute__((launch_bounds(change_threads)))
complete_float(const BatchEntry<float>* entries, std::uint32_t step) {
  run_complete(entries[block_y()], step);
}
PEAL_KERNEL __attribute__((launch_bounds(change_threads)))
complete_double(const BatchEntry<double>* entries, std::uint32_t step) {
  run_complete(entries[block_y()], step);
}
PEAL_KERNEL __attribute__((launch_bounds(record_threads)))
record_float(const BatchEntry<float>* entries, std::uint32_t step) {
  run_record(entries[block_y()], step);
}
PEAL_KERNEL __attribute__((launch_bounds(record_threads)))
record_double(const BatchEntry<double>* entries, std::uint32_t step) {
  run_record(entries[block_y()], step);
}
PEAL_KERNEL __attribute__((launch_bounds(record_threads)))
check_float(const BatchEntry<float>* entries) {
  run_check(entries[block_y()]);
}
PEAL_KERNEL __attribute__((launch_bounds(record_threads)))
check_double(const BatchEntry<double>* entries) {
  run_check(entries[block_y()]);
}

}  // namespace peal::wave::device
