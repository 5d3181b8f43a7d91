#include <peal/util/error.h>

namespace peal::util {

namespace {

std::string message(const Place& place, const std::string& problem, const std::string& cure) {
  std::string text = to_string(place);
  if (!text.empty()) text += ": ";
  text += problem;
  if (!cure.empty()) text += "\n  " + cure;
  return text;
}

}  // namespace

std::string to_string(const Place& place) {
  if (place.file.empty()) return place.at;
  if (place.at.empty()) return place.file;
  return place.file + ": " + place.at;
}

InputError::InputError(Place place, std::string problem, std::string cure)
    : std::runtime_error(message(place, problem, cure)),
      place_(std::move(place)),
      problem_(std::move(problem)),
      cure_(std::move(cure)) {}

}  // namespace peal::util
