#pragma once

#include <peal/base/radiator.h>
#include <peal/wave/driver/chunk_run.h>

namespace peal::wave {

/// Adds diagnostics to the plan: how far sources are from receivers, their Doppler shift,
/// obstructions between them, and sealed air.
void add_diagnostics(const ChunkRun& run, base::RadiationPlan& plan);

}  // namespace peal::wave
