#pragma once

#include <peal/explore/explored_body.h>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace peal::explore {

/// A file for the page: the length of a JSON text as a 32-bit number, the text, padded to four
/// bytes, and arrays, each at a multiple of four bytes, which the text locates.
class DataFile {
 public:
  /// Where the array will be: its `offset` from the end of the text and its `count`.
  template <class Number>
  nlohmann::ordered_json add(const std::vector<Number>& values) {
    return add_bytes(values.data(), values.size(), sizeof(Number));
  }
  std::string with(const nlohmann::ordered_json& json) const;

 private:
  nlohmann::ordered_json add_bytes(const void* values, std::size_t count, std::size_t size);

  std::string bytes_;
};

/// A body for the page (docs/explorer.md): the length of a JSON text as a 32-bit number, the text,
/// and arrays, which the text locates: vertices (float32), triangles (uint32) and shapes (int16
/// with a scale a mode: errors of a strike below 0.02 dB).
std::string body_data(const ExploredBody& body);

/// An ideal shape in the order in which web/core/core_exports.cpp reads it.
std::vector<double> ideal_numbers(const scene::IdealShape& shape);

/// A material with all constants.
nlohmann::ordered_json material_json(const scene::Material& material);

}  // namespace peal::explore
