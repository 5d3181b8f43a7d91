#pragma once

#include <peal/base/radiator.h>
#include <peal/wave/driver/chunk_run.h>

#include <span>

namespace peal::wave {

/// Throws InputError if the runs need more memory than there is.
void check_memory(std::span<const ChunkRun> runs);

/// Looks for what cannot be rendered (InputError) or will not sound as meant (notices): sources and
/// receivers inside solids or outside a given domain, bodies that are cut off by the domain, bodies
/// faster than sound, surfaces too coarse for the band.
void check_world(std::span<const ChunkRun> runs, base::RadiationPlan& plan);

}  // namespace peal::wave
