#include <peal/dynamics/keyframed_motion.h>
#include <peal/explore/explored_body.h>
#include <peal/scene/body_mass.h>
#include <peal/sounds/acceleration_noise.h>
#include <peal/sounds/modal.h>
#include <peal/sounds/ringing_body.h>
#include <peal/util/error.h>
#include <peal/util/parallel.h>
#include <peal/util/store.h>
#include <peal/vibration/radiation_amplitudes_cache.h>
#include <peal/wave/multipoles/stored_tables.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <complex>
#include <stdexcept>
#include <utility>

namespace peal::explore {

namespace {

/// Ratios of frequencies that materials give the same body: sqrt(E / rho) of steel is 2.6 times
/// that of lead and 10 times that of soft plastics. One octave apart, amplitudes are smooth.
constexpr std::array<double, 8> frequency_ratios = {0.03125, 0.0625, 0.125, 0.25,
                                                    0.5,     1.0,    2.0,   4.0};

/// Amplitudes at the frequencies of the modes, and at others as if each mode radiated as
/// efficiently there: solving for each would take seconds.
RadiationTable radiation_table(const base::ModalModel& model, const base::Medium& medium) {
  const util::Store store(util::stored::radiation_amplitudes);
  const base::RadiationAmplitudes own =
      vibration::stored_radiation_amplitudes(store, model, medium);
  RadiationTable table{.decay_rates = own.decay_rates};
  for (const double ratio : frequency_ratios) {
    table.ratios.push_back(ratio);
    std::vector<std::complex<double>>& amplitudes = table.amplitudes.emplace_back(own.amplitudes);
    for (std::complex<double>& amplitude : amplitudes) amplitude *= ratio;
  }
  return table;
}

/// The modes of a mesh; null if it has none, or if nobody asked for them and there are none to be
/// had.
std::shared_ptr<const base::ModalModel> model_of(const scene::Object& object,
                                                 const sounds::ModalSound& sound,
                                                 util::Progress& progress,
                                                 std::vector<std::string>& notices) try {
  if (auto reason = sounds::too_many_default_modes(object, sound); !reason.empty()) {
    notices.push_back(std::move(reason));
    return nullptr;
  }
  const sounds::RingingBody ringing =
      sounds::make_ringing_body(object, sound, base::Medium(), progress, notices);
  return ringing.model->modes.empty() ? nullptr : ringing.in_vacuum;
} catch (const util::InputError& error) {
  if (!sound.is_default) throw;
  notices.push_back(error.problem() + ", so it does not ring");
  return nullptr;
}

std::optional<RigidClick> click_of(const scene::Object& object) try {
  const geometry::MassProperties mass = scene::body_mass(object);
  return RigidClick{mass, base::rigid_dipole(*object.mesh, mass.centre)};
} catch (const std::invalid_argument&) {
  return std::nullopt;  // an open surface has no mass, and makes no click
}

/// Time of a cell update on a core [s], for estimates.
constexpr double seconds_per_update = 3e-9;

/// Makes or reads tables of radiation (docs/theory/precomputed.md) that take no longer than is
/// said.
class Tables {
 public:
  Tables(const scene::Object& object, const base::Medium& medium, double max_frequency,
         double most_seconds, util::Progress& progress, std::vector<std::string>& notices)
      : body_{.name = object.name,
              .mesh = *object.mesh,
              .motion = std::make_shared<base::Resting>()},
        is_sheet_(object.is_sheet),
        medium_(medium),
        max_frequency_(max_frequency),
        most_seconds_(most_seconds),
        progress_(progress),
        notices_(notices) {}

  std::shared_ptr<const base::ModalRadiation> of_modes(const base::ModalModel& model) {
    const auto outlook = tables_.modal_outlook(body_, model, medium_, max_frequency_);
    const auto table =
        made<base::ModalRadiation>(outlook, "its modes sound", [&](const auto& advance) {
          return tables_.modal(body_, model, medium_, max_frequency_, advance);
        });
    return table && table->modes.size() == model.modes.size() ? table : nullptr;
  }
  std::shared_ptr<const base::RigidRadiation> of_rigid_body() {
    const auto outlook = tables_.rigid_outlook(body_, medium_, max_frequency_);
    return made<base::RigidRadiation>(outlook, "its click sounds", [&](const auto& advance) {
      return tables_.rigid(body_, medium_, max_frequency_, advance);
    });
  }
  /// What users should know about stored tables.
  std::vector<std::string> notices() const { return tables_.notices(); }

 private:
  template <class Table, class Make>
  std::shared_ptr<const Table> made(const base::TableMaker::Outlook& outlook, const char* what,
                                    const Make& make) {
    if (is_sheet_ || !outlook.is_possible) return nullptr;
    const double seconds =
        outlook.is_stored ? 0.0 : outlook.work * seconds_per_update / util::thread_count();
    if (seconds > most_seconds_) {
      notices_.push_back(
          fmt::format("\"{}\": {} as from a point; to compute how it radiates in every direction "
                      "would take about {:.2g} s "
                      "(`peal explore --precompute`)",
                      body_.name, what, seconds));
      return nullptr;
    }
    progress_.begin("radiation of " + body_.name, seconds);
    auto table = make([&](double fraction) { progress_.update(fraction); });
    progress_.end();
    return table;
  }

  wave::StoredTables tables_;
  base::Body body_;
  bool is_sheet_;
  const base::Medium& medium_;
  double max_frequency_, most_seconds_;
  util::Progress& progress_;
  std::vector<std::string>& notices_;
};

template <class Settings>
const Settings* sound_of(const scene::Object& object) {
  for (const auto& sound : object.sounds)
    if (const auto* settings = scene::settings_of<Settings>(*sound)) return settings;
  return nullptr;
}

}  // namespace

std::optional<ExploredBody> explored_body(const scene::Object& object, const base::Medium& medium,
                                          util::Progress& progress, double most_seconds,
                                          std::vector<std::string>& notices) {
  if (!object.mesh) return std::nullopt;
  ExploredBody body{.name = object.name,
                    .pose = dynamics::KeyframedMotion(object.path).pose(0.0),
                    .material = object.material,
                    .mesh = object.mesh};
  if (!object.strikes.empty()) body.strike = object.strikes.front();
  const auto* modal = sound_of<sounds::ModalSound>(object);
  if (modal == nullptr) return body;
  body.max_frequency = modal->max_frequency;
  if (object.ideal_shape() != nullptr) {
    body.ideal = *object.ideal_shape();
    return body;
  }
  body.model = model_of(object, *modal, progress, notices);
  if (!body.model) return body;
  body.radiation = radiation_table(*body.model, medium);
  Tables tables(object, medium, body.max_frequency, most_seconds, progress, notices);
  body.multipoles = tables.of_modes(*body.model);
  if (object.material && sound_of<sounds::AccelerationNoiseSound>(object) != nullptr)
    body.click = click_of(object);
  if (body.click) body.rigid_waves = tables.of_rigid_body();
  for (std::string& notice : tables.notices()) notices.push_back(std::move(notice));
  return body;
}

std::vector<ExploredBody> explored_bodies(const scene::Scene& scene, util::Progress& progress,
                                          double most_seconds, std::vector<std::string>& notices) {
  std::vector<ExploredBody> bodies;
  for (const scene::Object& object : scene.objects)
    if (auto body = explored_body(object, scene.medium, progress, most_seconds, notices))
      bodies.push_back(std::move(*body));
  return bodies;
}

}  // namespace peal::explore
