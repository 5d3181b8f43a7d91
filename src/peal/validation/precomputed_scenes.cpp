#include <peal/geometry/mesh/enclosing_ball.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/radiation/precomputed.h>
#include <peal/util/fft.h>
#include <peal/util/random.h>
#include <peal/validation/entries.h>
#include <peal/validation/table_trial.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>

namespace peal::validation {

namespace {

constexpr double scene_band = 20000.0;  ///< of tables [Hz]
/// Edges of the bands whose levels are compared [Hz].
constexpr std::array band_edges = {500.0, 1000.0, 4000.0, 8000.0, 16000.0};
constexpr std::size_t band_count = band_edges.size() - 1;
using Bands = std::array<double, band_count>;

void add_bands(const std::vector<double>& pressure, double rate, Bands& sums) {
  const std::size_t size = util::fast_fft_size(pressure.size());
  util::RealFft fft(size);
  std::vector<double> signal(pressure);
  signal.resize(size);
  std::vector<Complex> spectrum(fft.bins());
  fft.forward(signal, spectrum);
  for (std::size_t k = 0; k < fft.bins(); ++k) {
    const double f = rate * static_cast<double>(k) / static_cast<double>(size);
    for (std::size_t b = 0; b < band_count; ++b)
      if (f >= band_edges[b] && f < band_edges[b + 1]) sums[b] += std::norm(spectrum[k]);
  }
}

/// Level of tables over that of the solver in each band [dB].
struct BandLevels {
  Bands waves{}, tables{};

  double at(std::size_t band) const { return 10.0 * std::log10(tables[band] / waves[band]); }
  double worst() const {
    double most = 0.0;
    for (std::size_t b = 0; b < band_count; ++b) most = std::max(most, std::abs(at(b)));
    return most;
  }
  std::string text() const {
    return fmt::format("{:+.1f}, {:+.1f}, {:+.1f}, {:+.1f} dB", at(0), at(1), at(2), at(3));
  }
};

geometry::TriMesh die_mesh() {
  return geometry::box_mesh({0.016, 0.016, 0.016}, 0.004);
}

/// A force at a random vertex, in a random direction.
base::ContactForce random_force(const geometry::TriMesh& mesh, std::uint64_t i, double start) {
  const auto vertex = static_cast<std::size_t>(util::random_uniform(7, 5, i) *
                                               static_cast<double>(mesh.vertices.size()));
  return {.pulse = {.start = start, .contact_time = 60e-6, .impulse = 1e-3},
          .at = mesh.vertices[vertex],
          .direction = click_direction(6, i)};
}

/// Renders a trial both ways and adds the levels of each receiver to the errors of its group.
template <std::size_t groups>
void compare_levels(const WaveTrial& trial, const std::shared_ptr<FreshTables>& tables,
                    const std::vector<std::size_t>& group_of,
                    std::array<BandLevels, groups>& errors) {
  const radiation::PrecomputedRadiator radiator(scene_band, tables, [](const std::string&) {});
  const std::vector<Received> reference = trial.run();
  util::Silent silent;
  const auto ours =
      radiator.radiate(trial.world, trial.receivers, {0, trial.world.samples}, silent);
  const auto rate = static_cast<double>(trial.world.rate.hz);
  for (std::size_t r = 0; r < reference.size(); ++r) {
    add_bands(from_start(reference[r], trial.world.samples), rate, errors[group_of[r]].waves);
    add_bands({ours[r].samples.begin(), ours[r].samples.end()}, rate, errors[group_of[r]].tables);
  }
}

/// A die that stands on a corner half a millimetre above a floor, heard from aside and from above.
std::array<BandLevels, 2> tilted_die(const std::shared_ptr<FreshTables>& tables) {
  constexpr double cell = 0.7e-3, gap = 0.5e-3, distance = 0.12;
  constexpr int impacts = 6, around = 6;
  const geometry::TriMesh mesh = die_mesh();
  const geometry::Quat tilt(Eigen::AngleAxisd(0.5, Vec3(1.0, 0.0, 0.4).normalized()));
  double lowest = 0.0;
  for (const Vec3& vertex : mesh.vertices) lowest = std::min(lowest, (tilt * vertex).y());
  geometry::TriMesh tilted = mesh;
  for (Vec3& vertex : tilted.vertices) vertex = tilt * vertex + Vec3(0.0, gap - lowest, 0.0);
  const geometry::MassProperties mass = geometry::mass_properties(tilted, 1200.0);
  std::array<BandLevels, 2> errors;
  for (std::uint64_t i = 0; i < impacts; ++i) {
    WaveTrial trial(cell, 3.5e-3);
    trial.add_body("die", tilted).sources.push_back(struck(mass, {random_force(tilted, i, 1e-3)}));
    trial.add_body("floor", geometry::box_mesh({3, 0.4, 3}, 1.0), resting({0, -0.2, 0}));
    std::vector<std::size_t> group_of;
    for (const double elevation : {0.3, 1.1}) {
      for (int k = 0; k < around; ++k) {
        const double angle = 2.0 * std::numbers::pi * k / around;
        trial.listen_at(mass.centre + distance * Vec3(std::cos(elevation) * std::cos(angle),
                                                      std::sin(elevation),
                                                      std::cos(elevation) * std::sin(angle)));
        group_of.push_back(elevation < 0.5 ? 0 : 1);
      }
    }
    compare_levels(trial, tables, group_of, errors);
  }
  return errors;
}

/// A head that passes by and turns.
class PassingHead : public base::Motion {
 public:
  base::Pose pose(double t) const override {
    return {.position = Vec3(-0.1 + 8.0 * t, 0.05, 0.12),
            .orientation = geometry::Quat(Eigen::AngleAxisd(40.0 * t, Vec3::UnitY()))};
  }
  bool is_still() const override { return false; }
};

/// A die under ten impacts, heard by the two ears of a head that passes it and turns.
std::array<BandLevels, 2> passing_head(const std::shared_ptr<FreshTables>& tables) {
  constexpr double cell = 0.9e-3, ear = 0.09;
  constexpr int impacts = 10;
  const geometry::TriMesh mesh = die_mesh();
  WaveTrial trial(cell, 26e-3);
  std::vector<base::ContactForce> forces;
  for (std::uint64_t i = 0; i < impacts; ++i)
    forces.push_back(random_force(mesh, i, 1e-3 + 2.2e-3 * static_cast<double>(i)));
  trial.add_body("die", mesh)
      .sources.push_back(struck(geometry::mass_properties(mesh, 1200.0), forces));
  const auto head = std::make_shared<PassingHead>();
  for (const double side : {-ear, ear})
    trial.receivers.push_back({.name = "ear", .motion = head, .offset = Vec3(side, 0.0, 0.0)});
  std::array<BandLevels, 2> errors;
  compare_levels(trial, tables, {0, 1}, errors);
  return errors;
}

Outcome run_precomputed_scenes() {
  const auto tables = std::make_shared<FreshTables>();
  Outcome outcome;
  const auto add = [&](const std::string& name, const BandLevels& errors, double tolerance) {
    outcome.claims.push_back(
        {name + ", largest error of a band", "dB", 0.0, errors.worst(), tolerance});
    outcome.remarks += fmt::format("{}: {}. ", name, errors.text());
  };
  const auto die = tilted_die(tables);
  add("tilted die over a floor, from aside", die[0], 1.5);
  add("tilted die over a floor, from above", die[1], 1.5);
  const auto ears = passing_head(tables);
  add("head that passes and turns, left ear", ears[0], 1.0);
  add("head that passes and turns, right ear", ears[1], 1.0);
  outcome.remarks += "Bands: 0.5 to 1, 4, 8 and 16 kHz.";
  return outcome;
}

}  // namespace

Entry precomputed_scenes() {
  return {.key = "precomputed-scenes",
          .title = "Tables in scenes: a die over a floor, and a head that passes and turns",
          .source = "The wave solver with the floor, and with receivers that move",
          .method =
              "A die of 16 mm under random half sines of 60 us: tilted, a corner 0.5 mm above the "
              "floor, six impacts, heard 12 cm away in six directions from aside (0.3 rad up) and "
              "from above (1.1 rad); and in the air, ten impacts, heard by ears that move at 8 m/s "
              "and turn at 40 rad/s. Levels of bands of all impacts and directions.",
          .run = run_precomputed_scenes,
          .cost = Cost::slow};
}

}  // namespace peal::validation
