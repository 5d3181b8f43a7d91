#pragma once

#include <peal/base/material.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/vibration/mode_density.h>
#include <peal/vibration/solid_modes.h>

#include <optional>
#include <string>
#include <vector>

namespace peal::vibration {

/// A frequency above which modes are not computed, and why.
struct BandLimit {
  double frequency = 0.0;  ///< [Hz]
  std::string reason;      ///< for people
};

/// Elements to the shortest wave for a largest relative error of frequencies, before they are
/// corrected: 2.9 for 0.5 % (docs/theory/vibration-modes.md).
double elements_per_wave(double accuracy);

/// Where a strongly damped body ceases to ring (ringing_limit()), if that is below `wanted` [Hz].
std::optional<BandLimit> ringing_band(const SolidSize& size, const base::Material& material,
                                      double wanted);

/// That modes up to a frequency [Hz] are as many as can be computed.
BandLimit computable_band(double frequency);

/// The highest band up to `wanted` [Hz] whose elements have at most `most_unknowns`, as far as
/// lengths and areas tell; nullopt if `wanted` does.
std::optional<BandLimit> affordable_band(const geometry::TriMesh& mesh,
                                         const std::vector<double>& thickness,
                                         const base::Material& material, double wanted,
                                         double per_wave);

/// What solid_modes() will do about a body, found within seconds and without a volume mesh: notices
/// about a band that is limited. Throws util::InputError if it cannot have modes.
std::vector<std::string> preview_solid_modes(const geometry::TriMesh& surface,
                                             const base::Material& material,
                                             const SolidModesSettings& settings,
                                             const std::string& file = {});

}  // namespace peal::vibration
