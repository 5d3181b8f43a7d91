#pragma once

#include <peal/wave/driver/chunk_run.h>
#include <peal/wave/driver/wall_sequence.h>
#include <peal/wave/far_field/far_field_setup.h>

#include <cstdint>

namespace peal::wave {

/// Steps from one recorded field to the next: waves in the band need no more, and audio is not made
/// from less than its own rate where the solver has that.
std::int64_t recording_stride(const ChunkRun& run);

/// Where the fields of a run are recorded. The result refers to the walls, which must be at the
/// start of the run.
template <class Real>
FarFieldSetup far_field_setup(const ChunkRun& run, const WallSequence<Real>& walls,
                              std::int64_t stride);

}  // namespace peal::wave
