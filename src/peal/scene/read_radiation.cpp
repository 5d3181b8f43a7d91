#include <peal/scene/read_context.h>
#include <peal/scene/read_radiation.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace peal::scene {

using base::WaveSettings;
using util::JsonObject;
using util::JsonValue;

namespace {

/// Part of the sample rate that a band may fill without being asked for: what is left of half the
/// rate is room for the filters.
constexpr double widest_default = 0.45;

/// One of several words and what it means; `otherwise` if the key is not there.
template <class Choice, std::size_t N>
Choice read_choice(JsonObject& object, const std::string& key,
                   const std::array<std::pair<const char*, Choice>, N>& choices, Choice otherwise) {
  const auto value = object.find(key);
  if (!value) return otherwise;
  std::vector<std::string> words;
  for (const auto& choice : choices) words.emplace_back(choice.first);
  const std::string word = value->word(words);
  for (const auto& choice : choices) {
    if (word == choice.first) return choice.second;
  }
  return otherwise;
}

/// Settings that belong to a choice that was not made would do nothing.
void refuse_key(JsonObject& object, const std::string& key, const std::string& needs) {
  if (const auto value = object.find(key)) {
    value->report(fmt::format("has no meaning without {}", needs),
                  fmt::format("Give {} too, or remove this key.", needs));
  }
}

void read_boundary(JsonObject& object, WaveSettings& wave) {
  using Boundary = WaveSettings::Boundary;
  static constexpr std::array<std::pair<const char*, Boundary>, 3> boundaries = {
      {{"cut_cells", Boundary::cut_cells},
       {"ghost_cells", Boundary::ghost_cells},
       {"staircase", Boundary::staircase}}};
  wave.boundary = read_choice(object, "boundary", boundaries, wave.boundary);
  if (wave.boundary != Boundary::ghost_cells) {
    refuse_key(object, "kappa", "\"boundary\": \"ghost_cells\"");
    return;
  }
  wave.kappa = object.number(
      "kappa", {.min = 0, .max = 1e6, .reason = "a condition number; 0: always first order"},
      wave.kappa);
}

void read_outside(JsonObject& object, WaveSettings& wave) {
  using Outside = WaveSettings::Outside;
  static constexpr std::array<std::pair<const char*, Outside>, 2> kinds = {
      {{"layer", Outside::layer}, {"engquist_majda", Outside::engquist_majda}}};
  wave.outside = read_choice(object, "absorbing", kinds, wave.outside);
  if (wave.outside != Outside::layer) {
    refuse_key(object, "layer_cells", "\"absorbing\": \"layer\"");
  } else if (const auto cells = object.find("layer_cells")) {
    wave.layer_cells = static_cast<int>(cells->integer(4, 32));
  }
}

void read_far_field(const JsonValue& value, WaveSettings& wave) {
  static const std::vector<std::string> words = {"kirchhoff"};
  if (value.json().is_string()) {
    value.word(words);
    return;
  }
  JsonObject object(value, "\"kirchhoff\", or {\"expansion\": 2}");
  if (const auto terms = object.require("expansion", "\"expansion\": 2, the number of terms")) {
    wave.far_field = WaveSettings::FarField::expansion;
    wave.expansion_terms = static_cast<int>(terms->integer(1, 6));
  }
  object.finish();
}

double read_max_frequency(JsonObject& object, base::Rate rate, double otherwise) {
  return object.number("max_frequency",
                       {.min = 20,
                        .max = rate.nyquist(),
                        .unit = "Hz",
                        .reason = "from what is heard to half the sample rate",
                        .below_max = true},
                       otherwise);
}

/// Reads the request of a user: a band and an error.
void read_request(JsonObject& object, base::Rate rate, WaveSettings& wave) {
  wave.max_frequency = read_max_frequency(object, rate, wave.max_frequency);
  wave.accuracy = object.number(
      "accuracy", {.min = 1e-4, .max = 0.3, .reason = "a relative error: 0.02 is two percent"},
      wave.accuracy);
  wave.viscosity = object.number(
      "viscosity", {.min = 0, .max = 0.01, .unit = "m", .reason = "air itself has less than 1e-7"},
      wave.viscosity);
}

/// Reads settings that Peal otherwise chooses.
void read_overrides(JsonObject& object, WaveSettings& wave) {
  if (const auto size = object.find("cell_size")) {
    wave.cell_size =
        size->number({.min = 1e-4, .max = 1, .unit = "m", .reason = "from hairs to halls"});
  }
  if (const auto domain = object.find("domain")) wave.domain = read_box(*domain);
  if (const auto chunk = object.find("chunk")) {
    wave.chunk = chunk->number(
        {.min = 0.005, .max = 3600, .unit = "s", .reason = "the longest scene is 3600 s"});
  }
  read_boundary(object, wave);
  read_outside(object, wave);
  if (const auto far_field = object.find("far_field")) read_far_field(*far_field, wave);
  using Precision = WaveSettings::Precision;
  static constexpr std::array<std::pair<const char*, Precision>, 2> precisions = {
      {{"float", Precision::single}, {"double", Precision::double_}}};
  wave.precision = read_choice(object, "precision", precisions, wave.precision);
}

void read_rays(JsonObject& object, base::Rate rate, base::RaysSettings& rays) {
  using Form = base::RaysSettings::Form;
  static constexpr std::array<std::pair<const char*, Form>, 3> forms = {
      {{"kirchhoff", Form::kirchhoff}, {"rayleigh", Form::rayleigh}, {"paper", Form::paper}}};
  rays.form = read_choice(object, "form", forms, rays.form);
  rays.max_frequency = read_max_frequency(object, rate, rays.max_frequency);
}

/// Settings of another model would do nothing. `model` is as in a file, or several of them.
void refuse_keys_of(const std::string& model, std::span<const char* const> keys, JsonObject& object,
                    const std::string& chosen) {
  for (const char* key : keys) {
    if (const auto value = object.find(key)) {
      value->report(
          fmt::format("is a setting of the model {}, and the model is \"{}\"", model, chosen),
          fmt::format("Give \"model\": {}, or remove this key.", model));
    }
  }
}

constexpr std::array<const char*, 11> wave_keys = {
    "accuracy", "viscosity", "cell_size",   "domain",    "chunk",    "boundary",
    "kappa",    "absorbing", "layer_cells", "far_field", "precision"};
constexpr std::array<const char*, 1> rays_keys = {"form"};
constexpr std::array<const char*, 1> band_keys = {"max_frequency"};

}  // namespace

WaveSettings default_wave_settings(base::Rate rate) {
  WaveSettings wave;
  wave.max_frequency = std::min(wave.max_frequency, widest_default * static_cast<double>(rate.hz));
  return wave;
}

Radiation read_radiation(const JsonValue& value, base::Rate rate) {
  static const std::vector<std::string> models = {"direct", "rays", "wave", "precomputed"};
  JsonObject object(value, "the settings of radiation");
  Radiation radiation{.wave = default_wave_settings(rate)};
  radiation.rays.max_frequency =
      std::min(radiation.rays.max_frequency, widest_default * static_cast<double>(rate.hz));
  radiation.table_frequency =
      std::min(radiation.table_frequency, widest_default * static_cast<double>(rate.hz));
  const std::size_t problems = value.problems().count();
  std::string model = models.front();
  if (const auto word = object.find("model")) model = word->word(models);
  const auto found = std::ranges::find(models, model);
  if (found != models.end()) {
    radiation.model = static_cast<Radiation::Model>(found - models.begin());
  }
  // A model that is not known may well be a misspelt one: its keys are then read, not refused.
  const bool known = value.problems().count() == problems;
  using Model = Radiation::Model;
  if (known && radiation.model != Model::wave) refuse_keys_of("\"wave\"", wave_keys, object, model);
  if (known && radiation.model != Model::rays) refuse_keys_of("\"rays\"", rays_keys, object, model);
  if (known && radiation.model == Model::direct) {
    refuse_keys_of("\"rays\", \"wave\" or \"precomputed\"", band_keys, object, model);
  } else if (known && radiation.model == Model::rays) {
    read_rays(object, rate, radiation.rays);
  } else if (known && radiation.model == Model::precomputed) {
    radiation.table_frequency = read_max_frequency(object, rate, radiation.table_frequency);
  } else {
    read_request(object, rate, radiation.wave);
    read_overrides(object, radiation.wave);
  }
  object.finish();
  return radiation;
}

}  // namespace peal::scene
