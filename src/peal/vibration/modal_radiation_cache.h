#pragma once

#include <peal/base/modal_radiation.h>
#include <peal/util/store.h>

namespace peal::vibration {

/// How the modes of a body radiate, from the store if it is there; otherwise it is computed, in a
/// few seconds, and stored.
base::ModalRadiation stored_modal_radiation(const util::Store& store, const base::ModalModel& model,
                                            const base::Medium& medium);

}  // namespace peal::vibration
