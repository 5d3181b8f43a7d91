#pragma once

#include <peal/wave/driver/chunk_run.h>
#include <peal/wave/driver/wall_sequence.h>
#include <peal/wave/far_field/far_field_setup.h>

#include <cstdint>

namespace peal::wave {

/// Steps from one recorded field to the next: waves in the band need no more, and audio is not made
/// from less than its own rate where the solver has that.
std::int64_t recording_stride(const ChunkRun& run);

/// Steps after which a run looks whether its field is silent.
inline constexpr std::int64_t steps_between_looks = 256;
/// Steps after which recorded fields are integrated: 128 of them or fewer, counted from the start;
/// and each look ends a block as well.
constexpr std::int64_t steps_of_block(std::int64_t stride) {
  return stride == 1 ? steps_between_looks / 2 : steps_between_looks;
}
/// The fields that a block may have: the first one has the silence before it as well.
constexpr int fields_of_block(std::int64_t stride) {
  return static_cast<int>(steps_of_block(stride) / stride + 2);
}

/// Where the fields of a run are recorded. The result refers to the walls, which must be at the
/// start of the run.
template <class Real>
FarFieldSetup far_field_setup(const ChunkRun& run, const WallSequence<Real>& walls,
                              std::int64_t stride);

}  // namespace peal::wave
