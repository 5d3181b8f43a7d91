#pragma once

#include <peal/base/measured_head.h>

#include <filesystem>

namespace peal::scene {

/// Reads head-related impulse responses of a SOFA file (AES69, convention SimpleFreeFieldHRIR).
/// Where a file has several distances, the one with most directions is taken, the largest of equal
/// ones. Throws InputError.
base::MeasuredHead read_sofa(const std::filesystem::path& file);

/// The set that a listener has without a file of its own: KEMAR (Gardner & Martin 1994).
std::filesystem::path default_head();

}  // namespace peal::scene
