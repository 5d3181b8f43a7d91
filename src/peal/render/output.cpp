#include <peal/contact/contact_log.h>
#include <peal/plot/audio_picture.h>
#include <peal/render/movie.h>
#include <peal/render/output.h>
#include <peal/scene/describe.h>
#include <peal/util/audio_file.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/json.h>
#include <peal/util/measure.h>
#include <peal/util/spectrum.h>
#include <peal/util/store.h>
#include <peal/util/version.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

namespace peal::render {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* contacts_name = "contacts.jsonl";
constexpr const char* motion_name = "motion.glb";
constexpr double normalised_peak = 0.891;  ///< -1 dB of full scale

double peak_of(const base::Audio& audio) {
  double peak = 0.0;
  for (const auto& channel : audio.channels) {
    for (const float sample : channel) peak = std::max(peak, std::abs(static_cast<double>(sample)));
  }
  return peak;
}

/// A listener's name as part of a file name.
std::string file_name_of(std::string name) {
  for (char& letter : name) {
    if (!std::isalnum(static_cast<unsigned char>(letter)) && letter != '-' && letter != '_') {
      letter = '_';
    }
  }
  return name;
}

/// The only listener's sound is "audio", that of several "audio-NAME", with a number if names are
/// alike as files, also on disks that do not tell upper from lower case.
std::string file_stem(const std::vector<ListenerAudio>& listeners, std::size_t index) {
  if (listeners.size() == 1) return "audio";
  const auto lower = [](std::string name) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name;
  };
  const std::string name = file_name_of(listeners[index].listener);
  const auto alike = std::ranges::count_if(listeners, [&](const ListenerAudio& other) {
    return lower(file_name_of(other.listener)) == lower(name);
  });
  return alike > 1 ? fmt::format("audio-{}-{}", index, name) : "audio-" + name;
}

/// audio.wav -> spectrogram.png, audio-desk.wav -> spectrogram-desk.png
std::string picture_name(const std::string& stem) {
  return "spectrogram" + stem.substr(std::string("audio").size()) + ".png";
}

std::vector<std::string> file_names(const Sound& sound, const OutputSettings& settings) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < sound.listeners.size(); ++i) {
    const std::string stem = file_stem(sound.listeners, i);
    names.push_back(stem + ".wav");
    if (settings.picture) names.push_back(picture_name(stem));
  }
  if (sound.contacts && sound.contacts->source != base::ContactResult::Source::given)
    names.push_back(contacts_name);
  if (sound.motion) names.push_back(motion_name);
  if (sound.slices && sound.slices->has_movie) names.push_back(movie_of(slices_name));
  if (sound.view && sound.view->has_movie) names.push_back(movie_of(view_name));
  return names;
}

/// Pressure of a file value of 1 [Pa].
double pascal_per_unit(const base::Audio& audio, const OutputSettings& settings) {
  const double peak = peak_of(audio);
  return settings.normalise && peak > 0.0 ? peak / normalised_peak : 1.0;
}

Json level(double pressure) {
  if (pressure <= 0.0) return nullptr;
  return std::round(10.0 * util::level_db(pressure * pressure)) / 10.0;
}

Json describe(const ListenerAudio& listener_audio, const std::string& file,
              const OutputSettings& settings) {
  Json channels = Json::array();
  for (std::size_t i = 0; i < listener_audio.audio.channels.size(); ++i) {
    const std::vector<double> samples = util::as_double(listener_audio.audio.channels[i]);
    const double rms = util::rms(samples);
    channels.push_back({{"name", listener_audio.audio.channel_names[i]},
                        {"peak_pa", util::peak(samples)},
                        {"rms_pa", rms},
                        {"level_db_spl", level(rms)},
                        {"mean_pa", util::mean(samples)}});
  }
  return {{"name", listener_audio.listener},
          {"file", file},
          {"pascal_per_unit", pascal_per_unit(listener_audio.audio, settings)},
          {"channels", channels}};
}

Json describe(const scene::Object& object) {
  Json sounds = Json::array();
  for (const auto& sound : object.sounds) sounds.push_back(sound->describe());
  Json json{{"name", object.name}, {"sounds", sounds}};
  if (object.mesh) {
    json["shape"] = object.mesh_source;
    json["triangles"] = object.mesh->triangles.size();
  }
  if (object.material) json["material"] = object.material->name;
  return json;
}

Json describe(const Slices& slices) {
  const base::PressureSlice& first = slices.frames.front();
  return {{"axis", std::string(1, "xyz"[first.axis])},
          {"position_m", first.position()},
          {"cell_size_m", first.cell_size},
          {"columns", first.width},
          {"rows", first.height},
          {"frames", slices.frames.size()},
          {"frame_rate_hz", slices.rate},
          {"begin_s", first.time},
          {"end_s", slices.frames.back().time},
          {"full_colour_pa", slices.full},
          {"pictures", "slices/frame-NNNNN.png"},
          {"grids", "slices/slice-NNNNN.vti"},
          {"movie", slices.has_movie ? Json(movie_of(slices_name)) : Json(nullptr)}};
}

Json describe(const View& view) {
  return {{"frames", view.frames},
          {"frame_rate_hz", view.rate},
          {"pictures", "view/frame-NNNNN.png"},
          {"movie", view.has_movie ? Json(movie_of(view_name)) : Json(nullptr)}};
}

Json describe(const base::ContactResult& contacts) {
  const base::ContactEvents& events = contacts.events;
  static constexpr const char* sources[] = {"simulated", "given", "inferred"};
  Json json{{"source", sources[static_cast<int>(contacts.source)]},
            {"records", events.report.records},
            {"impacts", events.impacts.size()},
            {"merged_records", events.report.merged},
            {"sliding_or_rolling_records", events.report.continuous},
            {"sliding_or_rolling_intervals", events.intervals.size()},
            {"dropped_records", events.report.dropped},
            {"impact_impulse_ns", events.report.impact_impulse},
            {"sliding_or_rolling_impulse_ns", events.report.continuous_impulse},
            {"dropped_impulse_ns", events.report.dropped_impulse},
            {"rests", events.rests.size()},
            {"rest_impulse_ns", contacts.rest_impulse}};
  if (contacts.source == base::ContactResult::Source::simulated) json["solver"] = contacts.solver;
  json["bodies"] = Json::array();
  for (const base::BodyImpacts& body : contacts.bodies) {
    json["bodies"].push_back({{"name", body.body},
                              {"impacts", body.count},
                              {"compliant_impacts", body.ringing},
                              {"sub_impacts", body.sub_impacts},
                              {"longest_impact_s", body.longest},
                              {"largest_force_n", body.largest}});
  }
  if (contacts.energy) {
    json["energy"] = {{"given_j", contacts.energy->given},
                      {"kinetic_j", contacts.energy->kinetic},
                      {"lost_in_contact_j", contacts.energy->lost},
                      {"given_to_modes_j", contacts.energy->to_modes}};
  }
  return json;
}

/// Scenes are often called scene.json: the folder says which one, however the path was given.
std::string title_of(const scene::Scene& scene) {
  const fs::path folder = fs::absolute(scene.file).lexically_normal().parent_path().filename();
  return (folder / scene.file.filename()).string();
}

/// Null if it cannot be read.
nlohmann::json read_manifest(const fs::path& file) {
  try {
    return util::parse_json(util::read_file(file), file.string());
  } catch (const util::InputError&) {
    return nullptr;
  }
}

/// Removes the files of an earlier render that its manifest lists; the manifest first, because it
/// promises the others. Other files stay.
void remove_old_output(const fs::path& folder) {
  std::error_code ignored;
  const fs::path old = folder / "manifest.json";
  if (!fs::is_regular_file(old, ignored)) return;
  const nlohmann::json manifest = read_manifest(old);
  fs::remove(old, ignored);
  if (manifest.is_object() && manifest.contains("slices")) remove_slices(folder);
  if (manifest.is_object() && manifest.contains("view")) remove_view(folder);
  if (!manifest.is_object() || !manifest.contains("files")) return;
  for (const auto& name : manifest["files"]) {
    if (!name.is_string()) continue;
    const fs::path file = name.get<std::string>();
    if (file == file.filename()) fs::remove(folder / file, ignored);
  }
}

base::Audio scaled(base::Audio audio, double factor) {
  for (auto& channel : audio.channels) {
    for (float& sample : channel) sample = static_cast<float>(factor * static_cast<double>(sample));
  }
  return audio;
}

/// The gain that brings the first listener's file to just below full scale.
double movie_gain(const Sound& sound, const OutputSettings& settings) {
  const base::Audio& audio = sound.listeners.front().audio;
  const double peak = peak_of(audio) / pascal_per_unit(audio, settings);
  return peak > 0.0 ? normalised_peak / peak : 1.0;
}

/// Adds a movie of pictures that are written, or says why there is none.
bool add_movie(MovieSettings movie, Sound& sound, const OutputSettings& settings,
               std::vector<fs::path>& files) {
  movie.folder = settings.folder;
  movie.audio = file_stem(sound.listeners, 0) + ".wav";
  movie.gain = movie_gain(sound, settings);
  files.push_back(settings.folder / movie.pictures);
  if (const auto problem = make_movie(movie)) {
    sound.notices.push_back(*problem);
    return false;
  }
  files.push_back(settings.folder / movie_of(movie.pictures));
  return true;
}

void write_slice_files(const scene::Scene& scene, Sound& sound, const OutputSettings& settings,
                       util::Progress& progress, std::vector<fs::path>& files) {
  Slices& slices = *sound.slices;
  remove_slices(settings.folder);
  write_slices(settings.folder, slices, title_of(scene), progress);
  slices.has_movie = add_movie({.pictures = slices_name,
                                .frames = slices.frames.size(),
                                .rate = slices.rate,
                                .begin = slices.frames.front().time},
                               sound, settings, files);
}

void write_view_files(const scene::Scene& scene, Sound& sound, const OutputSettings& settings,
                      util::Progress& progress, std::vector<fs::path>& files) {
  View& view = *sound.view;
  remove_view(settings.folder);
  write_view(settings.folder, view, title_of(scene), progress);
  view.has_movie = add_movie({.pictures = view_name, .frames = view.frames, .rate = view.rate},
                             sound, settings, files);
}

/// Without those about the cache: the same scene gives the same manifest.
std::vector<std::string> notices_of(const Sound& sound) {
  std::vector<std::string> notices;
  std::ranges::remove_copy_if(sound.notices, std::back_inserter(notices), util::is_about_cache);
  return notices;
}

}  // namespace

Json manifest(const scene::Scene& scene, const Sound& sound, const OutputSettings& settings) {
  Json objects = Json::array();
  for (const scene::Object& object : scene.objects) objects.push_back(describe(object));
  Json listeners = Json::array();
  for (std::size_t i = 0; i < sound.listeners.size(); ++i) {
    listeners.push_back(
        describe(sound.listeners[i], file_stem(sound.listeners, i) + ".wav", settings));
  }
  Json json = {{"peal", util::version()},
               {"scene", scene.file.filename().string()},
               {"duration_s", scene.rate.seconds(scene::sample_count(scene))},
               {"sample_rate_hz", scene.rate.hz},
               {"seed", scene.seed},
               {"medium",
                {{"speed_of_sound_m_per_s", scene.medium.speed_of_sound},
                 {"density_kg_per_m3", scene.medium.density}}},
               {"objects", objects},
               {"radiation",
                {{"model", sound.plan.model},
                 {"choices", sound.plan.choices},
                 {"findings", sound.plan.diagnostics},
                 {"work", sound.plan.work},
                 {"work_unit", sound.plan.work_unit}}},
               {"listeners", listeners},
               {"files", file_names(sound, settings)},
               {"notices", notices_of(sound)}};
  if (sound.contacts) json["contacts"] = describe(*sound.contacts);
  for (const VibrationEnergy& vibration : sound.vibrations) {
    json["vibrations"].push_back({{"name", vibration.body},
                                  {"given_j", vibration.energy.given},
                                  {"dissipated_j", vibration.energy.dissipated},
                                  {"lost_in_contact_j", vibration.energy.in_contact},
                                  {"radiated_j", vibration.energy.radiated}});
  }
  if (sound.slices) json["slices"] = describe(*sound.slices);
  if (sound.view) json["view"] = describe(*sound.view);
  return json;
}

void check_folder(const fs::path& folder) {
  // The nearest folder that exists must take files.
  fs::path nearest = folder.empty() ? fs::path(".") : fs::absolute(folder);
  std::error_code ignored;
  while (!fs::exists(nearest, ignored) && nearest.has_relative_path()) {
    nearest = nearest.parent_path();
  }
  if (fs::is_directory(nearest, ignored) && ::access(nearest.c_str(), W_OK | X_OK) == 0) return;
  throw util::InputError(
      {folder.string(), ""},
      "cannot write: " + nearest.string() +
          (fs::is_directory(nearest, ignored) ? " may not be written to" : " is not a folder"),
      "Choose another folder with -o.");
}

std::vector<std::string> clipping_notices(const Sound& sound, const OutputSettings& settings) {
  std::vector<std::string> notices;
  for (std::size_t i = 0; i < sound.listeners.size() && !settings.normalise; ++i) {
    const double peak = peak_of(sound.listeners[i].audio);
    if (peak <= 1.001) continue;
    notices.push_back(
        fmt::format("{}.wav peaks at {:.3g} Pa: players clip above 1; use --normalize",
                    file_stem(sound.listeners, i), peak));
  }
  return notices;
}

std::vector<fs::path> write_output(const scene::Scene& scene, Sound& sound,
                                   const OutputSettings& settings, util::Progress& progress) {
  remove_old_output(settings.folder);
  std::vector<fs::path> files;
  for (std::size_t i = 0; i < sound.listeners.size(); ++i) {
    const base::Audio& listener_audio = sound.listeners[i].audio;
    const std::string stem = file_stem(sound.listeners, i);
    files.push_back(settings.folder / (stem + ".wav"));
    util::write_wav(
        files.back(), listener_audio.rate.hz,
        scaled(listener_audio, 1.0 / pascal_per_unit(listener_audio, settings)).channels);
    if (settings.picture) {
      files.push_back(settings.folder / picture_name(stem));
      const std::vector<std::span<const float>> channels(listener_audio.channels.begin(),
                                                         listener_audio.channels.end());
      plot::write_spectrogram(files.back(), channels, static_cast<double>(listener_audio.rate.hz),
                              {.title = title_of(scene)});
    }
  }
  if (sound.contacts && sound.contacts->source != base::ContactResult::Source::given) {
    files.push_back(settings.folder / contacts_name);
    util::write_file(files.back(), contact::contact_log_text(sound.contacts->log));
  }
  if (sound.motion) {
    files.push_back(settings.folder / motion_name);
    util::write_file(files.back(), *sound.motion);
  }
  if (sound.slices) write_slice_files(scene, sound, settings, progress, files);
  if (sound.view) write_view_files(scene, sound, settings, progress, files);
  files.push_back(settings.folder / "manifest.json");
  // Names of files need not be UTF-8.
  util::write_file(
      files.back(),
      manifest(scene, sound, settings).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  return files;
}

}  // namespace peal::render
