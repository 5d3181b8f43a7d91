#include <peal/base/modes_file.h>
#include <peal/geometry/io/stored_mesh.h>
#include <peal/util/error.h>
#include <peal/vibration/solid_modes_cache.h>

namespace peal::vibration {

namespace {

void add(const base::Material& material, const SolidModesSettings& settings,
         util::Fingerprint& fingerprint) {
  for (const double number : {material.density, material.young_modulus, material.poisson_ratio})
    fingerprint.add(number);
  if (const auto& wood = material.orthotropy) {
    for (const auto* constants : {&wood->young_moduli, &wood->shear_moduli, &wood->poisson_ratios})
      fingerprint.add(std::span<const double>(*constants));
    fingerprint.add(std::span<const double>(wood->grain.data(), 3));
    fingerprint.add(std::span<const double>(wood->radial.data(), 3));
  }
  const base::Damping& damping = material.damping;
  for (const double number : {damping.internal_friction, damping.mass, damping.stiffness,
                              damping.inverse_stiffness, damping.external})
    fingerprint.add(number);
  fingerprint.add(damping.bands.size());
  for (const base::Damping::Band& band : damping.bands) {
    fingerprint.add(band.up_to);
    fingerprint.add(band.loss_factor);
  }
  fingerprint.add(settings.max_frequency);
  fingerprint.add(settings.count);
  fingerprint.add(settings.accuracy);
  fingerprint.add(settings.clamps.size());
  for (const Clamp& clamp : settings.clamps) {
    fingerprint.add(std::span<const double>(clamp.box.min().data(), 3));
    fingerprint.add(std::span<const double>(clamp.box.max().data(), 3));
    for (const bool axis : clamp.axes) fingerprint.add(axis);
  }
}

std::string modes_key(const geometry::TriMesh& surface, const base::Material& material,
                      const SolidModesSettings& settings) {
  util::Fingerprint fingerprint;
  geometry::hash(surface, fingerprint);
  add(material, settings, fingerprint);
  return fingerprint.hex();
}

std::string modes_key(const geometry::ShellMesh& shell, const base::Material& material,
                      const SolidModesSettings& settings) {
  util::Fingerprint fingerprint;
  geometry::hash(shell.middle, fingerprint);
  fingerprint.add(std::span<const double>(shell.thickness));
  add(material, settings, fingerprint);
  return fingerprint.hex();
}

}  // namespace

void serialize(util::Archive& archive, SolidModes& modes) {
  archive.number(modes.order, modes.tets, modes.unknowns, modes.residual);
  archive.texts(modes.notices);
  std::string file = archive.reads() ? std::string() : base::modes_bytes(modes.model);
  archive.text(file);
  if (!archive.reads()) return;
  modes.model = base::parse_modes(file, "");
  if (modes.residual > modes.model.modes.size())
    throw util::InputError({}, "not the modes of a solid");
}

SolidModes stored_solid_modes(const util::Store& store, const geometry::TriMesh& surface,
                              const base::Material& material, const SolidModesSettings& settings,
                              util::Progress& progress, const std::string& file, bool& was_stored) {
  const std::string key = modes_key(surface, material, settings);
  auto found = store.find<SolidModes>(key);
  was_stored = found.has_value();
  if (found) return *std::move(found);
  SolidModes modes = solid_modes(surface, material, settings, progress, file);
  store.save(key, modes);
  return modes;
}

bool are_modes_stored(const util::Store& store, const geometry::TriMesh& surface,
                      const base::Material& material, const SolidModesSettings& settings) {
  return store.contains(modes_key(surface, material, settings));
}

SolidModes stored_shell_modes(const util::Store& store, const geometry::ShellMesh& shell,
                              const base::Material& material, const SolidModesSettings& settings,
                              util::Progress& progress, const std::string& file, bool& was_stored) {
  const std::string key = modes_key(shell, material, settings);
  auto found = store.find<SolidModes>(key);
  was_stored = found.has_value();
  if (found) return *std::move(found);
  SolidModes modes = shell_modes(shell, material, settings, progress, file);
  store.save(key, modes);
  return modes;
}

bool are_modes_stored(const util::Store& store, const geometry::ShellMesh& shell,
                      const base::Material& material, const SolidModesSettings& settings) {
  return store.contains(modes_key(shell, material, settings));
}

}  // namespace peal::vibration
