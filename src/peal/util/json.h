#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace peal::util {

/// A JSON document with // and /* */ comments, read strictly: UTF-8 only, no key twice in one
/// object, no number beyond a double, at most 64 levels deep. Throws InputError that names line
/// and column (syntax) or the JSON path (keys, depth) and the likely cause.
nlohmann::json parse_json(std::string_view text, const std::string& file);

/// The value as JSON in one line; what it takes is compiled here alone.
std::string json_text(const nlohmann::json& value);

/// "objects[2]" + "mesh" -> "objects[2].mesh"; odd keys are quoted and shortened.
std::string json_path(const std::string& parent, std::string_view key);
std::string json_path(const std::string& parent, std::size_t index);

/// A value as a person would name it in a message: 12.5, the text "abc", a list of 3 values.
std::string describe(const nlohmann::json& value);

}  // namespace peal::util
