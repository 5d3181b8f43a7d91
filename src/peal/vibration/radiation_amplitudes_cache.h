#pragma once

#include <peal/base/radiation_amplitudes.h>
#include <peal/util/store.h>

namespace peal::vibration {

/// How the modes of a body radiate, from the store if it is there; otherwise it is computed, in a
/// few seconds, and stored.
base::RadiationAmplitudes stored_radiation_amplitudes(const util::Store& store,
                                                      const base::ModalModel& model,
                                                      const base::Medium& medium);

}  // namespace peal::vibration
