#include <peal/sounds/ringing_body.h>
#include <peal/util/parallel.h>
#include <peal/wave/driver/wave_device.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include "body.h"
#include "number_between.h"
#include "render_to_folder.h"
#include "verbs.h"

namespace peal::apps {

namespace {

using Json = nlohmann::ordered_json;

/// Until an impact has fallen by 60 dB it is worth to listen, but not for ever [s].
constexpr double shortest_listening = 0.25, longest_listening = 6.0;

struct StrikeArguments {
  BodyArguments body;
  std::vector<double> at, direction;
  double contact_time = 0.001, impulse = 0.05;
  std::optional<double> speed, pluck, patch_radius;
  double hammer_mass = 0.02, hammer_radius = 0.01;
  std::string hammer_material = "oak";
  double distance = 1.0;
  std::optional<double> duration;
  std::string radiation = "direct";
  double max_frequency = 20000.0;
  FolderArguments folder;
};

/// An impact is a scene with one object, so that everything is checked and heard as in any other.
scene::Scene scene_of(const StrikeArguments& a) {
  const char* kind = a.speed ? "hammer" : a.pluck ? "pluck" : "force";
  Json force{{"impulse", a.impulse}, {"contact_time", a.contact_time}};
  if (a.pluck) force = {{"displacement", *a.pluck}};
  if (a.speed)
    force = {{"speed", *a.speed},
             {"mass", a.hammer_mass},
             {"radius", a.hammer_radius},
             {"material", a.hammer_material}};
  if (!a.direction.empty()) force["direction"] = a.direction;
  if (a.patch_radius) force["patch_radius"] = *a.patch_radius;
  const Json object{{"sound", modal_sound(a.body, a.max_frequency)},
                    {"strikes", {{{"t", 0.0}, {"at", a.at}, {kind, force}}}}};
  Json radiation{{"model", a.radiation}};
  if (a.radiation == "wave" || a.radiation == "precomputed")
    radiation["max_frequency"] = a.max_frequency;
  return body_scene(a.body, object, {{"duration", longest_listening}, {"radiation", radiation}});
}

/// In front of the struck point, `distance` from the middle of the body.
geometry::Vec3 listening_position(const scene::Object& object, double distance) {
  const geometry::Box box = geometry::bounds(*object.mesh);
  geometry::Vec3 way = object.strikes.front().at - box.center();
  if (way.norm() < 1e-9) way = geometry::Vec3::UnitY();
  return box.center() + (0.5 * box.diagonal().norm() + distance) * way.normalized();
}

double listening_time(const std::vector<base::Mode>& modes) {
  constexpr double fall_by_60_db = 6.9;
  double longest = 0.0;
  for (const base::Mode& mode : modes) {
    if (mode.decay_rate <= 0.0) return longest_listening;
    longest = std::max(longest, fall_by_60_db / mode.decay_rate);
  }
  return std::clamp(longest, shortest_listening, longest_listening);
}

void run(const Console& console, const StrikeArguments& arguments) {
  const util::ThreadLimit limit(arguments.folder.threads);
  const wave::DeviceScope device(arguments.folder.device);
  const Stopwatch watch;
  scene::Scene scene = scene_of(arguments);
  render::check_folder(arguments.folder.output.folder);
  const auto progress = console.progress();
  for (const std::string& notice : scene.notices) console.notice(notice);
  const std::size_t shown = scene.notices.size();
  scene::Object& object = scene.objects.front();
  const auto& sound_of_body = *scene::settings_of<sounds::ModalSound>(*object.sounds.front());
  const sounds::RingingBody ringing =
      sounds::make_ringing_body(object, sound_of_body, scene.medium, *progress, scene.notices);
  // The render then need not find them again.
  if (object.ideal_shape() == nullptr) object.geometry = scene::ModalBody{ringing.in_vacuum};
  scene.duration = arguments.duration.value_or(listening_time(ringing.model->modes));
  scene::AnimatedTransform place;
  place.translation.times = {0.0};
  place.translation.values = {listening_position(object, arguments.distance)};
  scene.listeners.front().motion.chain = {place};
  render_to_folder(console, scene, arguments.folder, watch, {},
                   {{"modes", ringing.model->modes.size()}}, shown);
}

}  // namespace

void add_strike(CLI::App& app, Console& console) {
  CLI::App* verb = app.add_subcommand(
      "strike",
      "Hear one hit.\n"
      "\n"
      "Computes the modes of a body (cached for the next time), strikes it and writes audio.wav,\n"
      "spectrogram.png and manifest.json into a folder.");
  auto arguments = std::make_shared<StrikeArguments>();
  add_body_options(*verb, arguments->body);
  verb->add_option("--at", arguments->at, "Where to strike: the nearest point of the surface [m]")
      ->required()
      ->expected(3)
      ->check(finite_number())
      ->type_name("X Y Z");
  verb->add_option("--direction", arguments->direction,
                   "Direction of the force (default: into the surface)")
      ->expected(3)
      ->check(finite_number())
      ->type_name("X Y Z");
  CLI::Option* contact_time =
      verb->add_option(
              "--contact-time", arguments->contact_time,
              "Contact duration; shorter means a harder striker (0.0001 s: steel on steel, "
              "0.001: wood, 0.005: felt)")
          ->default_val(0.001)
          ->check(finite_number())
          ->type_name("S");
  CLI::Option* impulse = verb->add_option("--impulse", arguments->impulse, "Impulse [N s]")
                             ->default_val(0.05)
                             ->check(finite_number());
  CLI::Option* speed =
      verb->add_option("--speed", arguments->speed,
                       "Strike with a hammer at this speed [m/s]: contact duration and impulse "
                       "follow from it")
          ->check(number_between(0.001, 100.0))
          ->excludes(contact_time)
          ->excludes(impulse);
  verb->add_option("--hammer-mass", arguments->hammer_mass, "Mass of the hammer [kg]")
      ->default_val(0.02)
      ->check(number_between(1e-6, 1e4))
      ->needs(speed);
  verb->add_option("--hammer-radius", arguments->hammer_radius, "Radius of its round end [m]")
      ->default_val(0.01)
      ->check(number_between(1e-4, 10.0))
      ->needs(speed);
  verb->add_option("--hammer-material", arguments->hammer_material, "Its material")
      ->default_val("oak")
      ->needs(speed);
  verb->add_option("--pluck", arguments->pluck,
                   "Pull the point this far from rest and release it [m]")
      ->check(number_between(0.0, 1.0))
      ->excludes(speed)
      ->excludes(contact_time)
      ->excludes(impulse);
  verb->add_option("--patch-radius", arguments->patch_radius,
                   "Radius of the area over which the force is spread [m] (default: a point)")
      ->check(number_between(1e-6, 10.0));
  verb->add_option("--distance", arguments->distance, "Distance from the body to the listener [m]")
      ->default_val(1.0)
      ->check(number_between(0.01, 1000.0));
  verb->add_option("--duration", arguments->duration,
                   "Duration [s] (default: until the sound has died away)")
      ->check(number_between(0.01, 600.0));
  verb->add_option("--radiation", arguments->radiation,
                   "direct: as a point source; rays: straight rays from the surface; wave: the "
                   "wave equation; precomputed: what wave finds, as a table")
      ->default_val("direct")
      ->check(CLI::IsMember({"direct", "rays", "wave", "precomputed"}));
  verb->add_option("--max-frequency", arguments->max_frequency,
                   "Highest frequency of the modes [Hz]")
      ->default_val(20000.0)
      ->check(finite_number());
  add_folder_options(*verb, arguments->folder, console);
  verb->callback([&console, arguments] { run(console, *arguments); });
}

}  // namespace peal::apps
