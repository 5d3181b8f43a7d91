#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace peal::util {

/// Parses a JSON document with // and /* */ comments, strictly: UTF-8 only, no key twice in one
/// object, no number beyond a double, at most 64 levels deep. Throws InputError that names line and
/// column (syntax) or the JSON path (keys, depth) and the likely cause.
nlohmann::json parse_json(std::string_view text, const std::string& file);

/// The value as JSON on one line. Its own function, so that the serialiser is compiled only once.
std::string json_text(const nlohmann::json& value);

/// The path of a key, as "objects[2]" + "mesh" -> "objects[2].mesh"; unusual keys are quoted and
/// shortened.
std::string json_path(const std::string& parent, std::string_view key);
std::string json_path(const std::string& parent, std::size_t index);

/// A value as named in a message: 12.5, the text "abc", a list of 3 values.
std::string describe(const nlohmann::json& value);

}  // namespace peal::util
