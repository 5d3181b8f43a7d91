#pragma once

#include <peal/base/radiator.h>
#include <peal/wave/driver/chunk_run.h>

#include <span>

namespace peal::wave {

/// Throws InputError if the runs need more memory than this machine has.
void check_memory(std::span<const ChunkRun> runs);

/// Checks for problems that prevent a render (InputError) or make it sound different from what was
/// meant (notices): sources and receivers inside solids or outside a given domain, bodies that the
/// domain cuts off, bodies faster than sound, and surfaces too coarse for the band.
void check_world(std::span<const ChunkRun> runs, base::RadiationPlan& plan);

}  // namespace peal::wave
