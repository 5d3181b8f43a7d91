#include <peal/scene/read_object.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

namespace peal::scene {

using util::JsonObject;
using util::JsonValue;

namespace {

Material read_base(const JsonValue& value) {
  const std::string name = value.text("the name of a material");
  if (auto known = find_material(name)) return *known;
  if (!name.empty()) {
    value.report(fmt::format("no material is called \"{}\"", name),
                 util::suggest(name, material_names()));
  }
  return {name, 1000.0, 1e9, 0.3, {}};
}

}  // namespace

Material read_material(const JsonValue& value) {
  if (value.json().is_string()) return read_base(value);

  JsonObject object(value, "the name of a material, or its constants");
  const auto base = object.find("base");
  Material material = base ? read_base(*base) : Material{"custom", 0.0, 0.0, 0.0, {}};
  const auto constant = [&](const char* key, double& target, const util::NumberRange& range,
                            const char* example) {
    target = base ? object.number(key, range, target) : object.required_number(key, range, example);
  };
  constant("density", material.density, {.min = 1, .max = 1e5, .unit = "kg/m^3"},
           "\"density\": 2700 in kg/m^3; or name a \"base\" that has it");
  constant("young_modulus", material.young_modulus, {.min = 1e3, .max = 1e13, .unit = "Pa"},
           "\"young_modulus\": 72e9 in pascals; or name a \"base\" that has it");
  constant("poisson_ratio", material.poisson_ratio, {.min = 0, .max = 0.499},
           "\"poisson_ratio\": 0.19; or name a \"base\" that has it");
  object.finish();
  return material;
}

}  // namespace peal::scene
