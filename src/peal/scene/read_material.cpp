#include <peal/base/orthotropy.h>
#include <peal/scene/read_object.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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
  return {name, 1000.0, 1e9, 0.3, {}, {}};
}

constexpr std::size_t most_bands = 1000;

std::vector<base::Damping::Band> read_bands(const JsonValue& value) {
  std::vector<base::Damping::Band> bands;
  const auto list = value.list(1, "a list of bands");
  if (list.size() > most_bands) {
    value.report(fmt::format("{} bands are too many", list.size()),
                 fmt::format("Give at most {}.", most_bands));
    return bands;
  }
  for (const JsonValue& item : list) {
    JsonObject keys(item, "a band");
    base::Damping::Band band;
    band.up_to = keys.required_number("up_to", {.min = 0, .max = 1e6, .unit = "Hz"},
                                      "\"up_to\": 500 in hertz");
    band.loss_factor =
        keys.required_number("loss_factor", {.min = 0, .max = 1}, "\"loss_factor\": 0.01");
    keys.finish();
    if (!bands.empty() && band.up_to <= bands.back().up_to) {
      item.report(fmt::format("the band ends at {:g} Hz, not above the one before it", band.up_to),
                  "Give bands from low to high frequencies.");
    }
    bands.push_back(band);
  }
  return bands;
}

/// Reads damping; coefficients that are not given are zero.
base::Damping read_damping(const JsonValue& value) {
  JsonObject keys(value, "the damping of a material");
  base::Damping damping;
  damping.internal_friction = keys.number("internal_friction", {.min = 0, .max = 1}, 0.0);
  if (const auto bands = keys.find("bands")) damping.bands = read_bands(*bands);
  damping.mass = keys.number("mass", {.min = 0, .max = 1e6, .unit = "1/s"}, 0.0);
  damping.stiffness = keys.number("stiffness", {.min = 0, .max = 1, .unit = "s"}, 0.0);
  damping.inverse_stiffness =
      keys.number("inverse_stiffness", {.min = 0, .max = 1e15, .unit = "1/s^3"}, 0.0);
  damping.external = keys.number("external", {.min = 0, .max = 1e6, .unit = "1/s"}, 0.0);
  keys.finish();
  return damping;
}

/// A height, or everything.
base::Roughness read_roughness(const JsonValue& value, base::Roughness roughness) {
  const util::NumberRange height = {.min = 0, .max = 0.01, .unit = "m"};
  if (!value.json().is_object()) {
    roughness.height = value.number(height);
    return roughness;
  }
  JsonObject keys(value, "the roughness of a surface");
  roughness.height = keys.number("height", height, roughness.height);
  roughness.length = keys.number("length", {.min = 1e-6, .max = 1, .unit = "m"}, roughness.length);
  roughness.hurst = keys.number("hurst", {.min = 0.01, .max = 1}, roughness.hurst);
  keys.finish();
  return roughness;
}

std::array<double, 3> read_three(JsonObject& keys, const char* key, const util::NumberRange& range,
                                 const char* example) {
  std::array<double, 3> result{};
  if (const auto value = keys.require(key, example)) {
    const auto numbers = value->numbers(3, "three numbers", range);
    std::ranges::copy(numbers, result.begin());
  }
  return result;
}

base::Orthotropy read_constants(const JsonValue& value) {
  JsonObject keys(value, "the nine constants of an orthotropic material");
  base::Orthotropy result;
  result.young_moduli = read_three(keys, "young_moduli", {.min = 1e3, .max = 1e13, .unit = "Pa"},
                                   "\"young_moduli\": [12e9, 1e9, 5e8] along L, R and T");
  result.shear_moduli = read_three(keys, "shear_moduli", {.min = 1e3, .max = 1e13, .unit = "Pa"},
                                   "\"shear_moduli\": [8e8, 7e8, 4e7] of LR, LT and RT");
  result.poisson_ratios = read_three(keys, "poisson_ratios", {.min = -2, .max = 2},
                                     "\"poisson_ratios\": [0.37, 0.47, 0.43] of LR, LT and RT");
  keys.finish();
  return result;
}

/// Wood has a grain: its constants are those of the base, or given.
void read_orthotropy(JsonObject& object, Material& material) {
  const auto grain = object.find("grain"), radial = object.find("radial"),
             constants = object.find("orthotropic");
  if (!grain) {
    for (const auto* key : {&radial, &constants})
      if (*key)
        (*key)->report("the direction of the grain is missing", "Add \"grain\": [1, 0, 0].");
    return;
  }
  const std::size_t problems = grain->problems().count();
  std::optional<base::Orthotropy> found =
      constants ? std::optional(read_constants(*constants)) : find_orthotropy(material);
  if (!found) {
    grain->report(fmt::format("the constants of \"{}\" along and across the grain are not known",
                              material.name),
                  "Use maple, oak, pine, spruce or walnut as \"base\", or give \"orthotropic\".");
    return;
  }
  if (grain->problems().count() != problems) return;
  found->grain = read_direction(*grain);
  const Vec3& along = found->grain;
  // Up if the grain does not run that way.
  const Vec3 across = radial ? read_direction(*radial)
                             : (std::abs(along.y()) < 0.9 ? Vec3::UnitY() : Vec3::UnitZ());
  const Vec3 rest = across - across.dot(along) * along;
  if (rest.norm() < 0.1) {
    radial->report("the radial direction runs along the grain", "It must lie across it.");
    return;
  }
  found->radial = rest.normalized();
  if (!base::is_stable(*found)) {
    (constants ? *constants : *grain)
        .report("no stable material has these constants",
                "Each Poisson's ratio squared must be below the ratio of its two moduli.");
    return;
  }
  material.relative_indentation = relative_indentation(*found, material);
  material.orthotropy = std::move(found);
}

}  // namespace

Material read_material(const JsonValue& value) {
  if (value.json().is_string()) return read_base(value);

  JsonObject object(value, "the name of a material, or its constants");
  const auto base = object.find("base");
  Material material = base ? read_base(*base) : Material{.name = "custom"};
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
  if (const auto damping = object.find("damping")) material.damping = read_damping(*damping);
  if (const auto roughness = object.find("roughness")) {
    material.roughness = read_roughness(*roughness, material.roughness);
  }
  read_orthotropy(object, material);
  object.finish();
  return material;
}

}  // namespace peal::scene
