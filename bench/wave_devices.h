#pragma once

#include <bench/report.h>

namespace peal::bench {

/// Cup-phone of the gallery (scenes/2018-wave/cup-phone) beside devices: what the host does for a
/// device that does nothing, and, if there is a graphics processor, steps of chunks on it against a
/// plain grid on it.
void measure_devices(Report& report);

}  // namespace peal::bench
