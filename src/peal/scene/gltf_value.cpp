#include <peal/scene/gltf_document.h>

#include <fmt/format.h>

#include <cmath>

namespace peal::scene::gltf {

void Value::fail(const std::string& problem, const std::string& hint) const {
  throw util::InputError({*file_, path_}, problem, hint);
}

std::optional<Value> Value::find(const char* key) const {
  if (!json_->is_object()) fail("must be an object {...}");
  const auto found = json_->find(key);
  if (found == json_->end()) return std::nullopt;
  return Value(*found, *file_, path_.empty() ? key : path_ + "." + key);
}

Value Value::at(const char* key) const {
  if (auto value = find(key)) return *value;
  fail(fmt::format("lacks \"{}\"", key));
}

std::size_t Value::array_size() const {
  if (!json_->is_array()) fail("must be an array [...]");
  return json_->size();
}

Value Value::at(std::size_t index) const {
  return Value((*json_)[index], *file_, fmt::format("{}[{}]", path_, index));
}

const std::string& Value::text() const {
  if (!json_->is_string()) fail("must be a string");
  return json_->get_ref<const std::string&>();
}

bool Value::flag() const {
  if (!json_->is_boolean()) fail("must be true or false");
  return json_->get<bool>();
}

double Value::number() const {
  if (!json_->is_number()) fail("must be a number");
  const double number = json_->get<double>();
  if (!std::isfinite(number)) fail("must be finite");
  return number;
}

std::int64_t Value::integer(std::int64_t smallest, std::int64_t last) const {
  const double number = this->number();
  // Some exporters write whole numbers as 3.0, which JSON does not tell from 3.
  if (number != std::floor(number)) fail("must be a whole number");
  if (number < static_cast<double>(smallest) || number > static_cast<double>(last)) {
    fail(fmt::format("is {}, but must be from {} to {}", json_->dump(), smallest, last));
  }
  return static_cast<std::int64_t>(number);
}

int Value::index(std::size_t count, const char* kind) const {
  const double number = this->number();
  if (number != std::floor(number) || number < 0.0 || number >= static_cast<double>(count)) {
    fail(fmt::format("is {}, but the file has {} {}, counted from 0", json_->dump(), count, kind));
  }
  return static_cast<int>(number);
}

nlohmann::json Value::extras() const {
  const auto extras = find("extras");
  return extras ? extras->json() : nlohmann::json();
}

}  // namespace peal::scene::gltf
