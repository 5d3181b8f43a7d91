#pragma once

#include <peal/base/radiator.h>
#include <peal/wave/driver/chunk_run.h>

namespace peal::wave {

/// Why it will sound as it does: how far sources are from receivers and how their pitch bends, what
/// stands in between, what air is sealed off. Adds to the plan's diagnostics.
void add_diagnostics(const ChunkRun& run, base::RadiationPlan& plan);

}  // namespace peal::wave
