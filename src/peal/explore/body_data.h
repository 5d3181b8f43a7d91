#pragma once

#include <peal/explore/explored_body.h>

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace peal::explore {

/// A body for the page (docs/explorer.md): the length of a JSON text as a 32-bit number, the text,
/// and arrays, which the text locates: vertices (float32), triangles (uint32) and shapes (int16
/// with a scale a mode: errors of a strike below 0.02 dB).
std::string body_data(const ExploredBody& body);

/// An ideal shape in the order in which web/core/core_exports.cpp reads it.
std::vector<double> ideal_numbers(const scene::IdealShape& shape);

/// A material with all constants.
nlohmann::ordered_json material_json(const scene::Material& material);

}  // namespace peal::explore
