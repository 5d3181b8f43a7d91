#include <peal/elastic/stepper.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/hex_shapes.h>
#include <peal/scene/read_scene.h>
#include <peal/validation/bowl_scene.h>
#include <peal/validation/entries.h>
#include <peal/vibration/solid_modes.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>
#include <variant>

namespace peal::validation {

namespace {

using elastic::Nodes;
using geometry::Vec2;
using geometry::Vec3;
using std::numbers::pi;

/// A thin body of revolution with a free rim, closed at its pole.
struct TurnedBody {
  std::string name;
  geometry::HexWallShape shape;
  base::Material material;
  double cell = 0.0;  ///< size of its hexahedra [m]
};

/// Without its damping, which modes do not have either.
TurnedBody bowl_of_scene() {
  const scene::Scene scene = scene::parse_scene(bowl_scene, "bowl", ".");
  const scene::Object& bowl = scene.objects.at(0);
  base::Material material = bowl.material.value();
  material.damping = {};
  return {"bowl of scenes/2001-motion", std::get<geometry::HexWallShape>(bowl.hexahedra.value()),
          material, bowl.deformable()->element_size.value()};
}

std::vector<TurnedBody> turned_bodies() {
  const base::Material steel{.density = 7850.0, .young_modulus = 200e9, .poisson_ratio = 0.3};
  std::vector<Vec2> round;
  for (int i = 0; i <= 60; ++i) {
    const double angle = 0.5 * pi * i / 60;
    round.emplace_back(i == 0 ? 0.0 : 0.05 * std::sin(angle), -0.05 * std::cos(angle));
  }
  return {bowl_of_scene(),
          {"half sphere, radius 50 mm, wall 2 mm", {round, 0.002}, steel, 0.01},
          {"dish, radius 110 mm, wall 3 mm",
           {{{0, 0}, {0.05, 0}, {0.07, 0.006}, {0.09, 0.016}, {0.11, 0.022}}, 0.003},
           steel,
           0.022}};
}

constexpr std::array<int, 3> waves = {2, 3, 4};  ///< around the rim, of the three lowest modes

/// Where nodes move to in a pattern of waves around the axis: across the wall, and along it as much
/// as a ring needs not to be stretched.
Nodes pattern(const elastic::Solid& solid, int n, double radius) {
  Nodes moved(solid.rest.size());
  for (const elastic::FacingNodes& facing : solid.across) {
    const auto& [out, in] = facing.nodes;
    const Vec3 normal = (solid.rest.at(out) - solid.rest.at(in)).normalized();
    for (const std::uint32_t node : {out, in}) {
      const Vec3 p = solid.rest.at(node);
      const double r = std::hypot(p.x(), p.z()), angle = std::atan2(p.z(), p.x());
      if (r == 0.0) continue;
      const Vec3 outward(p.x() / r, 0.0, p.z() / r), around(-p.z() / r, 0.0, p.x() / r);
      moved.set(node,
                std::pow(r / radius, n) * (std::cos(n * angle) * normal -
                                           std::sin(n * angle) / n * normal.dot(outward) * around));
    }
  }
  return moved;
}

/// The frequency near `guess` [Hz] at which a signal at equal steps is strongest, under Hann's
/// window.
double strongest_near(const std::vector<double>& signal, double step, double guess) {
  const auto strength = [&](double frequency) {
    std::complex<double> sum;
    const double length = static_cast<double>(signal.size());
    for (std::size_t i = 0; i < signal.size(); ++i) {
      const double at = static_cast<double>(i) + 0.5, s = std::sin(pi * at / length);
      sum += s * s * signal[i] * std::polar(1.0, -2.0 * pi * frequency * step * at);
    }
    return std::abs(sum);
  };
  double best = guess;
  for (double width = 0.2; width > 1e-5; width *= 0.25) {
    double centre = best, most = 0.0;
    for (int k = -8; k <= 8; ++k) {
      const double frequency = centre * (1.0 + width * k / 8.0), now = strength(frequency);
      if (now <= most) continue;
      most = now;
      best = frequency;
    }
  }
  return best;
}

/// Frequencies with which a body swings in each pattern after a start in all of them [Hz].
std::array<double, 3> swinging(const TurnedBody& body, const geometry::HexMesh& mesh,
                               const std::array<double, 3>& expected) {
  std::vector<elastic::Solid> solids;
  solids.push_back(elastic::make_hexahedral_solid(mesh, body.material,
                                                  elastic::HexElement::by_shape, body.name));
  elastic::Stepper stepper(std::move(solids), {}, {}, {});
  const elastic::Solid& solid = stepper.solids()[0];
  const double radius = body.shape.profile.back().x();
  Nodes velocity(solid.rest.size());
  std::array<Nodes, 3> patterns;
  for (std::size_t k = 0; k < waves.size(); ++k) {
    patterns[k] = pattern(solid, waves[k], radius);
    for (std::size_t i = 0; i < velocity.size(); ++i) velocity.add(i, 1e-3 * patterns[k].at(i));
  }
  stepper.start_at(0, solid.rest, velocity);
  std::array<std::vector<double>, 3> parts;
  while (stepper.time() < 10.0 / expected[0]) {
    stepper.sample();
    for (std::size_t k = 0; k < waves.size(); ++k) {
      double sum = 0.0;
      for (std::size_t i = 0; i < velocity.size(); ++i)
        sum += solid.mass[i] * stepper.state().velocity[0].at(i).dot(patterns[k].at(i));
      parts[k].push_back(sum);
    }
  }
  std::array<double, 3> found{};
  for (std::size_t k = 0; k < waves.size(); ++k)
    found[k] = strongest_near(parts[k], base::Rate{}.step(), expected[k]);
  return found;
}

Outcome run_turned_walls() {
  Outcome outcome;
  util::Silent silent;
  for (const TurnedBody& body : turned_bodies()) {
    // Modes of a round body come in pairs.
    const double fine = 0.04 * body.shape.profile.back().x();
    const auto modes =
        vibration::solid_modes(geometry::lathe_mesh(body.shape.profile, body.shape.wall, fine),
                               body.material, {.max_frequency = 0.0, .count = 6}, silent)
            .model.modes;
    const std::array<double, 3> exact = {modes[0].frequency, modes[2].frequency,
                                         modes[4].frequency};
    const geometry::HexMesh mesh = geometry::hexes_of(body.shape, body.cell);
    const std::array<double, 3> ours = swinging(body, mesh, exact);
    for (std::size_t k = 0; k < waves.size(); ++k) {
      outcome.claims.push_back(
          {fmt::format("{}, {} hexahedra: {} waves around", body.name, mesh.hexes.size(), waves[k]),
           "Hz", exact[k], ours[k], 0.02 * exact[k]});
    }
  }
  return outcome;
}

}  // namespace

Entry turned_walls() {
  return {
      .key = "turned-walls",
      .title = "Bowls and dishes of a few hundred hexahedra ring as `peal modes` says",
      .source = "Peal's own modes of the same bodies by tetrahedra of third order",
      .method =
          "Leapfrog from a push in the patterns of two, three and four waves around the rim, for "
          "ten periods of the lowest; the strongest frequency of each pattern.",
      .run = run_turned_walls,
      .cost = Cost::slow};
}

}  // namespace peal::validation
