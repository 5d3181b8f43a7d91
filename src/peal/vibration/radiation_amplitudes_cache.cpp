#include <peal/geometry/io/stored_mesh.h>
#include <peal/vibration/radiation_amplitudes_cache.h>

#include <span>
#include <string>

namespace peal::vibration {

namespace {

std::string radiation_key(const base::ModalModel& model, const base::Medium& medium) {
  util::Fingerprint fingerprint;
  geometry::hash(model.surface, fingerprint);
  fingerprint.add(
      std::span<const float>(model.shapes.data(), static_cast<std::size_t>(model.shapes.size())));
  fingerprint.add(model.modes.size());
  for (const base::Mode& mode : model.modes) fingerprint.add(mode.frequency);
  fingerprint.add(medium.speed_of_sound);
  fingerprint.add(medium.density);
  return fingerprint.hex();
}

}  // namespace

base::RadiationAmplitudes stored_radiation_amplitudes(const util::Store& store,
                                                      const base::ModalModel& model,
                                                      const base::Medium& medium) {
  if (model.modes.empty()) return {};
  const std::string key = radiation_key(model, medium);
  if (auto found = store.find<base::RadiationAmplitudes>(key)) return *std::move(found);
  base::RadiationAmplitudes radiation = base::radiation_amplitudes(model, medium);
  radiation.filters = base::radiation_filters(model, medium);
  store.save(key, radiation);
  return radiation;
}

}  // namespace peal::vibration
