// Forces of elements: million elements a second on one core, and over one element after another;
// and table 1 of O'Brien, Cook & Essl 2001 beside ours.
#include <peal/elastic/simulation.h>
#include <peal/elastic/solid.h>
#include <peal/geometry/volume/hex_shapes.h>
#include <peal/radiation/sinc_delay.h>
#include <peal/radiation/surface_rays.h>
#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/util/lanes.h>
#include <peal/util/low_pass.h>
#include <peal/util/parallel.h>
#include <peal/util/progress.h>
#include <peal/util/random.h>

#include <bench/report.h>
#include <bench/solid_speed.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>

namespace peal::bench {
namespace {

using elastic::HexElement;
using elastic::Solid;

base::Material steel() {
  return {.name = "steel", .density = 7850.0, .young_modulus = 200e9, .poisson_ratio = 0.3};
}

/// Cells that all differ.
geometry::HexMesh uneven(geometry::HexMesh mesh, double amount) {
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    for (int i = 0; i < 3; ++i) {
      mesh.vertices[v][i] += amount * (util::random_uniform(2, i, v) - 0.5);
    }
  }
  return mesh;
}

/// A row of table 1: SGI Origin, one MIPS R12K of 350 MHz.
struct Published {
  std::string scene;
  int nodes, elements;
  double step;           ///< [us]
  double minutes;        ///< per simulated second, with audio
  double audio_percent;  ///< of these
  double duration;       ///< of ours, until something has sounded for a while [s]
  double paper;          ///< of ours with the paper's elements [s]; 0: there is no such scene
  double asked = 0.0;    ///< by issue 6, of us, without audio [s per simulated second]; 0: nothing
};

constexpr double asked_share = 5.0;  ///< of audio, by issue 6 [%]

/// What a render says of its deformable body: elements, nodes and step [us].
std::array<double, 3> mesh_of(const std::vector<std::string>& notices) {
  for (const std::string& notice : notices) {
    const auto from = notice.find("\": ");
    std::array<double, 3> found{};
    if (from != std::string::npos &&
        std::sscanf(notice.c_str() + from, "\": %lf elements, %lf nodes, steps of %lf us",
                    &found[0], &found[1], &found[2]) == 3)
      return found;
  }
  return {};
}

/// What a render says of the part of the motion's time that recording takes [%].
double recording_of(const std::vector<std::string>& notices) {
  for (const std::string& notice : notices) {
    double cpu = 0.0, a_second = 0.0, percent = 0.0;
    if (std::sscanf(notice.c_str(),
                    "deformed in %lf s of processor time, %lf s a second of sound, %lf %%", &cpu,
                    &a_second, &percent) == 3)
      return percent;
  }
  return 0.0;
}

/// Multiplications with additions that one core can do in a second, in single precision, of numbers
/// that are in registers already.
double most_multiply_adds() {
  using Lanes = util::Widest<float>;
  constexpr int independent = 12;
  constexpr std::int64_t turns = 4'000'000;
  Lanes factor = Lanes{} + 0.999f;
  asm volatile("" : "+m"(factor));
  const double seconds = median_times({[&] {
                                        // Its own, or they would stay in memory.
                                        const Lanes by = factor;
                                        Lanes sums[independent];
                                        for (Lanes& sum : sums) sum = by;
                                        for (std::int64_t i = 0; i < turns; ++i) {
                                          for (Lanes& sum : sums) sum = sum * by + by;
                                        }
                                        for (Lanes& sum : sums) asm volatile("" : "+m"(sum));
                                      }},
                                      5)[0]
                             .cpu;
  return static_cast<double>(turns) * independent * (sizeof(Lanes) / sizeof(float)) / seconds;
}

/// Multiplications with additions that audio needs at least for a second of sound: three
/// coordinates of each node go through a filter that halves their rate to that of the record, of 50
/// dB at least and with every second tap zero, and what is along its normal through the filter of
/// one place at least to three sums at two ears.
double least_multiply_adds(double nodes, const scene::Scene& scene) {
  const double highest = scene.radiation.max_frequency();
  const auto rates = elastic::SimulationRates::up_to(
      highest, radiation::SurfaceRays::least_rate(highest), scene.rate);
  const auto rate = static_cast<double>(rates.record().hz);
  const util::LowPass filter(2.0, rates.band, 1.0 - rates.band, 50.0);
  const double taps = static_cast<double>(filter.reach()) + 1.0;
  const double between = radiation::SincDelay::for_band(highest / rate).taps();
  return nodes * rate * (3.0 * taps + 3.0 + 2.0 * (between + 3.0));
}

/// Takes the processor time of the motion, and when it ended.
class MotionClock : public util::Silent {
 public:
  void begin(std::string_view step, double) override {
    is_motion_ = step == "deform";
    if (is_motion_) begin_ = now();
  }
  void end() override {
    if (is_motion_) end_ = now();
    is_motion_ = false;
  }
  static double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
  double motion() const { return end_ - begin_; }
  double since_motion() const { return now() - end_; }

 private:
  bool is_motion_ = false;
  double begin_ = 0.0, end_ = 0.0;
};

/// What a render of one scene takes, in seconds a second of sound.
struct SceneTimes {
  std::vector<std::string> notices;
  double all = 0.0, motion = 0.0, recording = 0.0, rays = 0.0;

  double audio() const { return recording + rays; }
};

/// Audio is the recorder's part of the motion, and all that comes after the motion.
SceneTimes render_times(const scene::Scene& scene) {
  SceneTimes times;
  MotionClock clock;
  times.all = time_of([&] {
                times.notices = render::render(scene, clock).notices;
                times.rays = clock.since_motion() / scene.duration;
              }).cpu /
              scene.duration;
  times.motion = clock.motion() / scene.duration;
  times.recording = recording_of(times.notices) / 100.0 * times.motion;
  return times;
}

/// Of renders that are over soon the one of three whose audio takes the middle part: others use the
/// machine, too.
SceneTimes typical_times(const scene::Scene& scene) {
  constexpr double soon = 10.0;  // [s]
  std::vector<SceneTimes> times = {render_times(scene)};
  while (times.size() < 3 && times.front().all * scene.duration < soon)
    times.push_back(render_times(scene));
  std::ranges::sort(times, {}, [](const SceneTimes& one) { return one.audio() / one.all; });
  return times[times.size() / 2];
}

/// Our figures of one scene. `peak` is what the machine can multiply and add in a second.
void measure_scene(Report& report, const std::string& title, const std::filesystem::path& file,
                   double duration, double asked, double peak) {
  scene::Scene scene = scene::read_scene(file);
  scene.duration = duration;
  const SceneTimes times = typical_times(scene);
  const double all = times.all, recording = times.recording, rays = times.rays;
  const auto [elements, nodes, step] = mesh_of(times.notices);
  report.add(title, "nodes", nodes, "1");
  report.add(title, "elements", elements, "1");
  report.add(title, "step", step, "us");
  report.add(title, "a simulated second", all / 60.0, "min");
  report.add_at_most(title, "recording", 100.0 * recording / all, "%", asked_share);
  report.add(title, "rays", 100.0 * rays / all, "%");
  report.add_at_most(title, "audio", 100.0 * times.audio() / all, "%", asked_share);
  report.add(title, "audio of a second", times.audio(), "s");
  // If the machine did nothing but multiply and add.
  report.add(title, "audio at least", 100.0 * least_multiply_adds(nodes, scene) / peak / all, "%");
  if (asked > 0.0) {
    report.add_at_most(title, "motion of a second", times.motion - recording, "s", asked);
  } else {
    report.add(title, "motion of a second", times.motion - recording, "s");
  }
}

/// The scenes of the gallery, those that take longest for a part of a second, where what a render
/// costs once counts more than it would in a whole one. The vibraphone's bar of the gallery is
/// modal: no row.
void measure_table(Report& report) {
  const Published rows[] = {
      {"bowl", 387, 1081, 1.0, 91.3, 4.4, 0.3, 0.25, 120.0},
      {"clamped-bar", 125, 265, 0.1, 240.4, 0.5, 1.5, 0.3, 2.0},
      {"square-plate-center", 688, 1864, 1.0, 245.0, 3.3, 0.4, 0.05, 20.0},
      {"square-plate-off-center", 688, 1864, 1.0, 195.7, 3.7, 0.4, 0.05, 20.0},
      {"swinging-bar", 130, 281, 0.3, 88.4, 1.6, 2.0, 0.3},
      {"rigid-sheet", 727, 1954, 0.6, 1041.8, 0.7, 1.2, 0.3},
      {"compliant-sheet", 727, 1954, 2.0, 313.1, 2.5, 1.2, 1.2},
      {"bent-sheet", 678, 1838, 0.1, 1574.2, 0.4, 1.3, 0.0}};
  // Nothing is kept: writing and reading it would count.
  setenv("XDG_CACHE_HOME", "", 1);
  setenv("HOME", "", 1);
  const util::ThreadLimit one_thread(1);
  const double peak = most_multiply_adds();
  report.add("table 1, this machine", "multiply-adds a second", 1e-9 * peak, "1/ns");
  const auto gallery = std::filesystem::path(PEAL_SOURCE_DIR) / "scenes/2001-motion";
  for (const Published& row : rows) {
    const std::string title = "table 1, " + row.scene;
    report.add(title, "nodes, published", row.nodes, "1");
    report.add(title, "elements, published", row.elements, "1");
    report.add(title, "step, published", row.step, "us");
    report.add(title, "a simulated second, published", row.minutes, "min");
    report.add(title, "audio, published", row.audio_percent, "%");
    measure_scene(report, title, gallery / row.scene / "scene.json", row.duration, row.asked, peak);
    if (row.paper > 0.0) {
      measure_scene(report, title + ", linear tetrahedra", gallery / row.scene / "paper/scene.json",
                    row.paper, 0.0, peak);
    }
  }
}

int run(int argc, char** argv) {
  Report report("elastic", argc, argv);
  for (const int n : {5, 10}) {
    measure_forces(report, "linear tetrahedra",
                   elastic::make_tetrahedral_solid(
                       geometry::box_tets({0.1 * n, 0.8, 0.5}, {n, 8, 5}), steel(), 1),
                   60.0);
  }
  for (const int n : {32, 44}) {
    measure_forces(
        report, "hexahedra, lattice",
        elastic::make_hexahedral_solid(geometry::box_hexes({0.3, 0.3, 0.003}, {n, n, 1}, 2),
                                       steel(), HexElement::solid_shell),
        20.0);
  }
  measure_forces(report, "hexahedra, tube",
                 elastic::make_hexahedral_solid(
                     geometry::lathe_hexes({{0.05, 0.0}, {0.05, 0.3}}, 0.002, 40, 32), steel(),
                     HexElement::solid_shell),
                 9.0);
  measure_forces(report, "hexahedra, all different",
                 elastic::make_hexahedral_solid(
                     uneven(geometry::box_hexes({0.4, 0.3, 0.1}, {16, 10, 8}, 2), 0.003), steel(),
                     HexElement::incompatible),
                 9.0);
  for (const int n : {9, 50}) {
    measure_forces(report, "quadratic tetrahedra",
                   elastic::make_tetrahedral_solid(
                       geometry::box_tets({0.1 * n, 0.4, 0.2}, {n, 4, 2}), steel(), 2),
                   13.0);
  }
  measure_table(report);
  return report.finish();
}

}  // namespace
}  // namespace peal::bench

int main(int argc, char** argv) {
  return peal::bench::run(argc, argv);
}
