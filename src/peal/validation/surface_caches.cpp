#include <peal/geometry/shapes/shapes.h>
#include <peal/render/render.h>
#include <peal/scene/morph_targets.h>
#include <peal/shaders/surface_motion.h>
#include <peal/util/measure.h>
#include <peal/validation/entries.h>
#include <peal/validation/wave_trial.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::validation {

namespace {

using std::numbers::pi;

constexpr double tone_acceleration = 10.0;  ///< amplitude of each tone [m/s^2]
constexpr int twelfths[] = {1, 2, 3, 4};    ///< of the rate of frames: the tones
constexpr double frame_step = 1e-6;         ///< motion for a weight of 1 [m]

/// A sphere whose shapes are known at so many frames a second. It pulsates, or swings along X, by
/// tones up to a third of that rate, and is as large against their wavelengths for every rate.
struct CachedSphere {
  double fps;  ///< [1/s]
  bool swings;

  double radius() const { return 0.3 * speed_of_sound / fps; }
  double distance() const { return 4.0 * radius(); }  ///< of the listener, on the X axis [m]
  double frequency(int tone) const { return fps * tone / 12.0; }
  /// What is measured begins after the frames have faded in, and is a whole number of periods of
  /// each tone [s].
  double start() const { return std::max(0.006, 40.0 / fps); }
  double length() const { return 12.0 / fps * std::max(2.0, std::floor(0.001 * fps / 12.0)); }
  double last_frame() const { return start() + length() + std::max(0.006, 40.0 / fps); }
  /// From its nearest point to the listener [s].
  double delay() const { return (distance() - radius()) / speed_of_sound; }

  /// How far the surface has moved [m].
  double displacement(double t) const {
    double sum = 0.0;
    for (const int tone : twelfths) {
      const double omega = 2.0 * pi * frequency(tone);
      sum += tone_acceleration / (omega * omega) * std::sin(omega * t + tone);
    }
    return sum;
  }

  /// Amplitude at the listener [Pa].
  double exact(int tone) const {
    const double k = wave_number(frequency(tone)), b = radius(), r = distance(), z = k * b;
    const double pulsating = air_density * tone_acceleration * b * b / (r * std::hypot(1.0, z));
    const double swinging = air_density * tone_acceleration / k * std::hypot(1.0, 1.0 / (k * r)) /
                            (k * r) * z * z * z / std::hypot(2.0, z * z);
    return swings ? swinging : pulsating;
  }
};

/// A mesh with one morph target and a key for every frame.
scene::Object object_of(const CachedSphere& sphere) {
  geometry::TriMesh mesh = geometry::sphere_mesh(1.0, 0.2);
  auto morph = std::make_shared<scene::MorphTargets>();
  std::vector<Vec3>& target = morph->displacements.emplace_back();
  for (Vec3& v : mesh.vertices) {
    target.push_back(frame_step * (sphere.swings ? Vec3::UnitX() : v));
    v *= sphere.radius();
  }
  morph->base = mesh.vertices;
  for (int i = 0; i < sphere.last_frame() * sphere.fps; ++i) {
    const double t = i / sphere.fps;
    morph->weights.times.push_back(t);
    morph->weights.values.push_back(
        scene::Weights::Constant(1, sphere.displacement(t) / frame_step));
  }
  scene::Object object{.name = "sphere"};
  object.mesh = std::make_shared<const geometry::TriMesh>(std::move(mesh));
  object.geometry = scene::MorphedMesh{std::move(morph)};
  return object;
}

/// Level of each tone over the exact one [dB].
std::vector<double> level_errors(const CachedSphere& sphere, scene::Radiation::Model model) {
  scene::Scene scene;
  scene.duration = sphere.start() + sphere.length() + sphere.delay() + 0.001;
  scene.objects.push_back(object_of(sphere));
  scene::AnimatedTransform ear;
  ear.translation = {.times = {0.0}, .values = {Vec3(sphere.distance(), 0, 0)}};
  scene.listeners.push_back({.name = "ear", .motion = {{ear}}});
  scene.radiation.model = model;
  scene.radiation.rays.max_frequency = 1.1 * sphere.fps / 3.0;
  scene.radiation.wave.max_frequency = 1.05 * sphere.fps / 3.0;
  scene.radiation.wave.cell_size = 0.2 * sphere.radius();
  util::Silent silent;
  const std::vector<double> received =
      util::as_double(render::render(scene, silent).listeners.at(0).audio.channels.at(0));
  const base::Rate rate = scene.rate;
  const auto first =
      static_cast<std::size_t>(rate.samples(sphere.start() + sphere.delay() + 0.0005));
  const auto count = static_cast<std::size_t>(std::lround(rate.samples(sphere.length())));
  std::vector<double> errors;
  for (const int tone : twelfths) {
    const double ours = util::tone_at(std::span(received).subspan(first, count),
                                      static_cast<double>(rate.hz), sphere.frequency(tone))
                            .amplitude;
    errors.push_back(20.0 * std::log10(ours / sphere.exact(tone)));
  }
  return errors;
}

Outcome run_surface_caches() {
  Outcome outcome;
  for (const bool swings : {false, true}) {
    const std::string what = swings ? "swinging" : "pulsating";
    plot::LineChart chart{
        .title = fmt::format("A {} sphere that is known frame by frame", what),
        .subtitle = "level over the exact one, from a twelfth to a third of the rate of frames",
        .x = {.label = "frequency / rate of frames", .min = 0, .max = 0.36},
        .y = {.label = "error (dB)"}};
    for (const auto& [name, model] : {std::pair("rays", scene::Radiation::Model::rays),
                                      {"wave", scene::Radiation::Model::wave}}) {
      for (const double fps : {1000.0, 8000.0, 48000.0}) {
        const CachedSphere sphere{fps, swings};
        const std::vector<double> errors = level_errors(sphere, model);
        plot::Series series{.name = fmt::format("{}, {:g} frames/s", name, fps),
                            .look = plot::Look::line_and_points};
        for (std::size_t i = 0; i < errors.size(); ++i) {
          const double frequency = sphere.frequency(twelfths[i]);
          series.x.push_back(frequency / fps);
          series.y.push_back(errors[i]);
          outcome.claims.push_back({fmt::format("{} sphere, {:g} frames/s, {}: level at {:.4g} Hz",
                                                what, fps, name, frequency),
                                    "dB", 0.0, errors[i], 1.0});
        }
        chart.series.push_back(std::move(series));
      }
    }
    outcome.charts.push_back(std::move(chart));
  }
  // Up to where a cache says that its motion sounds.
  for (const double fps : {24.0, 1000.0, 8000.0, 48000.0}) {
    const std::vector<double> times{0.0, 1.0 / fps, 2.0 / fps};
    outcome.claims.push_back({fmt::format("stated band of {:g} frames/s", fps), "Hz", fps / 3.0,
                              shaders::frame_clock(times)->band(), 1e-6 * fps});
  }
  outcome.remarks =
      "A sphere has a radius of 0.3 wavelengths of its own frame rate, so that all rates are the "
      "same problem at another size. Below 60 frames/s the stated band has nothing audible: such "
      "surfaces scatter sound and make none.";
  return outcome;
}

}  // namespace

Entry surface_caches() {
  return {.key = "surface-caches",
          .title = "Surfaces that sound by the motion of their frames",
          .source =
              "Exact fields of a pulsating and of a swinging sphere (Morse & Ingard 1968, chapter "
              "7); stated limit: 1 dB up to a third of the frame rate",
          .method =
              "A sphere is given by its shapes at 1, 8 and 48 thousand frames a second, moved by "
              "four tones at once, and rendered through `rays` and `wave`; each tone is measured "
              "at 4 radii on the axis.",
          .run = run_surface_caches};
}

}  // namespace peal::validation
