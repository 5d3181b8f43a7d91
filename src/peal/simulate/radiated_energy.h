#pragma once

#include <peal/base/medium.h>
#include <peal/elastic/surface_record.h>
#include <peal/scene/scene.h>

namespace peal::simulate {

/// Energy that a recorded shell radiates above 20 Hz, an estimate [J]: at each frequency twice the
/// decay rate by the air (air_decay_rate()) times the vibration energy there, which is found from
/// the spectra of some vertices.
double radiated_energy(const elastic::SurfaceRecord& record, const scene::Object& object,
                       const base::Medium& medium);

}  // namespace peal::simulate
