#include <peal/util/error.h>

namespace peal::util {

namespace {

std::string message(const Location& location, const std::string& problem, const std::string& hint) {
  std::string text = to_string(location);
  if (!text.empty()) text += ": ";
  text += problem;
  if (!hint.empty()) text += "\n  " + hint;
  return text;
}

}  // namespace

std::string to_string(const Location& location) {
  if (location.file.empty()) return location.at;
  if (location.at.empty()) return location.file;
  return location.file + ": " + location.at;
}

InputError::InputError(Location location, std::string problem, std::string hint)
    : std::runtime_error(message(location, problem, hint)),
      location_(std::move(location)),
      problem_(std::move(problem)),
      hint_(std::move(hint)) {}

}  // namespace peal::util
