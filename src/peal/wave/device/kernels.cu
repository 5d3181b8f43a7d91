// The kernels of step_kernels.h and change_kernels.h for graphics processors. Clang alone makes PTX
// of this file, without CUDA's headers (cmake/device_code.cmake).

#include <peal/wave/device/change_kernels.h>
#include <peal/wave/device/hearing_kernels.h>

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
__attribute__((device)) inline void run_begin(const BatchEntry<Real>& entry, std::uint32_t step) {
  if (step >= entry.steps) return;
  const StepOrder<Real>& order = entry.orders[step];
  if (!order.begins) return;
  for (int phase = 0; phase < begin_phases; ++phase) {
    begin(entry.memory, order, phase, {thread_x(), change_threads});
    __syncthreads();
  }
}

template <class Real>
__attribute__((device)) inline void run_move(const BatchEntry<Real>& entry, std::uint32_t step) {
  if (step >= entry.steps) return;
  const StepOrder<Real>& order = entry.orders[step];
  if (order.moves) move(entry.memory, order, block_x() * move_threads + thread_x());
}

template <class Real>
__attribute__((device)) inline void run_open(const BatchEntry<Real>& entry, std::uint32_t step) {
  if (step >= entry.steps) return;
  const StepOrder<Real>& order = entry.orders[step];
  if (!order.moves || !has_openings(order)) return;
  for (int phase = 0; phase < open_phases; ++phase) {
    __syncthreads();
    open(entry.memory, order, phase, {thread_x(), change_threads});
  }
}

template <class Real>
__attribute__((device)) inline void run_advance(const BatchEntry<Real>& entry, std::uint32_t step) {
  if (step >= entry.steps || block_x() >= entry.blocks) return;
  // Copies stay in registers, while the originals might change with any store.
  const FieldMemory<Real> memory = entry.memory;
  const StepOrder<Real> order = entry.orders[step];
  advance(memory, order, block_x(), thread_x());
}

template <class Real>
__attribute__((device)) inline void run_complete(const BatchEntry<Real>& entry,
                                                 std::uint32_t step) {
  if (step >= entry.steps) return;
  const StepOrder<Real>& order = entry.orders[step];
  if (!has_completion(order)) return;
  for (int phase = 0; phase < complete_phases; ++phase) {
    complete(entry.memory, order, phase, {thread_x(), change_threads});
    __syncthreads();
  }
}

template <class Real>
__attribute__((device)) inline void run_record(const BatchEntry<Real>& entry, std::uint32_t step) {
  if (step >= entry.steps) return;
  const StepOrder<Real>& order = entry.orders[step];
  if (order.record < 0 && order.probes == 0) return;
  record(entry.memory, order, entry.per_cell, block_x() * record_threads + thread_x());
}

template <class Real>
__attribute__((device)) inline void run_integrate(const BatchEntry<Real>& entry, std::uint32_t step) {
  if (step + 1 == entry.steps) integrate(entry, block_x() * hearing_threads + thread_x());
}

template <class Real>
__attribute__((device)) inline void run_add_up(const BatchEntry<Real>& entry, std::uint32_t step) {
  if (step + 1 == entry.steps) add_up(entry, block_x() * hearing_threads + thread_x());
}

template <class Real>
__attribute__((device)) inline void run_check(const BatchEntry<Real>& entry, std::uint32_t step) {
  if (step + 1 == entry.steps) check_row(entry, block_x() * record_threads + thread_x());
}

}  // namespace

// A kernel in both precisions, with at most so many threads a block and at least so many blocks a multiprocessor.
#define PEAL_KERNELS(name, threads, blocks)                            \
  PEAL_KERNEL __attribute__((launch_bounds(threads, blocks)))          \
  name##_float(const BatchEntry<float>* entries, std::uint32_t step) { \
    run_##name(entries[block_y()], step);                              \
  }                                                                    \
  PEAL_KERNEL __attribute__((launch_bounds(threads, blocks)))          \
  name##_double(const BatchEntry<double>* entries, std::uint32_t step) { \
    run_##name(entries[block_y()], step);                              \
  }

PEAL_KERNELS(begin, change_threads, 1)
PEAL_KERNELS(move, move_threads, 1)
PEAL_KERNELS(open, change_threads, 1)
PEAL_KERNELS(advance, advance_threads, 4)
PEAL_KERNELS(complete, change_threads, 1)
PEAL_KERNELS(record, record_threads, 1)
PEAL_KERNELS(integrate, hearing_threads, 1)
PEAL_KERNELS(add_up, hearing_threads, 1)
PEAL_KERNELS(check, record_threads, 1)

}  // namespace peal::wave::device
