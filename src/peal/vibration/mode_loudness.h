#pragma once

#include <peal/base/medium.h>
#include <peal/base/modes.h>

#include <vector>

namespace peal::vibration {

/// How loud each mode of a body in free air is: pressure at 1 m, RMS over all directions, for a
/// unit of the mode's coordinate at its frequency [Pa m / (m kg^1/2)].
///
/// The surface is taken for a layer of dipoles mu whose flow is the surface's motion; far away they
/// sound with their phases (docs/theory/vibration.md). Right to leading order for bodies and
/// structural waves that are small against the wavelength, however much of their motion cancels;
/// good to some 3 dB beyond.
std::vector<double> mode_loudness(const base::ModalModel& model, const base::Medium& medium);

}  // namespace peal::vibration
