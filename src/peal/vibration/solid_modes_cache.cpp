#include <peal/base/modes_file.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/fingerprint.h>
#include <peal/util/json.h>
#include <peal/vibration/solid_modes_cache.h>

namespace peal::vibration {

namespace {

namespace fs = std::filesystem;

/// To be raised when other numbers come from the same input.
constexpr int modes_revision = 5;

std::string modes_key(const geometry::TriMesh& surface, const base::Material& material,
                      const SolidModesSettings& settings) {
  util::Fingerprint print;
  print.add(modes_revision);
  print.add(surface.vertices.size());
  for (const geometry::Vec3& v : surface.vertices) print.add(std::span<const double>(v.data(), 3));
  for (const geometry::Triangle& t : surface.triangles)
    print.add(std::span<const std::uint32_t>(t.data(), 3));
  print.add(material.density);
  print.add(material.young_modulus);
  print.add(material.poisson_ratio);
  const base::Damping& damping = material.damping;
  for (const double number : {damping.internal_friction, damping.mass, damping.stiffness,
                              damping.inverse_stiffness, damping.external})
    print.add(number);
  for (const base::Damping::Band& band : damping.bands) {
    print.add(band.up_to);
    print.add(band.loss_factor);
  }
  print.add(settings.max_frequency);
  print.add(settings.count);
  print.add(settings.accuracy);
  for (const Clamp& clamp : settings.clamps) {
    print.add(std::span<const double>(clamp.box.min().data(), 3));
    print.add(std::span<const double>(clamp.box.max().data(), 3));
    for (const bool axis : clamp.axes) print.add(axis);
  }
  return print.hex();
}

/// What a .modes file does not hold.
std::string facts_of(const SolidModes& modes) {
  return util::json_text({{"order", modes.order},
                          {"tets", modes.tets},
                          {"unknowns", modes.unknowns},
                          {"notices", modes.notices}});
}

/// A result that is whole, or nothing: a damaged cache is no error.
std::optional<SolidModes> found_in(const fs::path& folder, const std::string& key) {
  try {
    if (!fs::exists(folder / (key + ".modes"))) return std::nullopt;
    SolidModes modes;
    modes.model = base::read_modes(folder / (key + ".modes"));
    const fs::path file = folder / (key + ".json");
    const nlohmann::json facts = util::parse_json(util::read_file(file), file.string());
    modes.order = facts.at("order");
    modes.tets = facts.at("tets");
    modes.unknowns = facts.at("unknowns");
    modes.notices = facts.at("notices");
    return modes;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

SolidModes cached_solid_modes(const std::optional<fs::path>& folder,
                              const geometry::TriMesh& surface, const base::Material& material,
                              const SolidModesSettings& settings, util::Progress& progress,
                              const std::string& file, bool& was_cached) {
  was_cached = false;
  if (!folder) return solid_modes(surface, material, settings, progress, file);
  const std::string key = modes_key(surface, material, settings);
  if (auto found = found_in(*folder, key)) {
    was_cached = true;
    return *std::move(found);
  }
  SolidModes modes = solid_modes(surface, material, settings, progress, file);
  try {
    util::write_file(*folder / (key + ".json"), facts_of(modes));
    base::write_modes(*folder / (key + ".modes"), modes.model);
  } catch (const util::InputError&) {
    modes.notices.push_back("the result could not be kept in " + folder->string());
  }
  return modes;
}

bool are_modes_cached(const std::optional<fs::path>& folder, const geometry::TriMesh& surface,
                      const base::Material& material, const SolidModesSettings& settings) {
  return folder && found_in(*folder, modes_key(surface, material, settings));
}

}  // namespace peal::vibration
