#include <peal/elastic/shell_solid.h>
#include <peal/elastic/stepper.h>
#include <peal/geometry/volume/hex_shapes.h>
#include <peal/validation/entries.h>
#include <peal/validation/shell_trials.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <utility>

namespace peal::validation {

namespace {

using elastic::Nodes;
using geometry::Vec3;
using std::numbers::pi;

/// A strip along x from the origin, clamped there; Poisson's ratio is zero, as beams have none.
constexpr double strip_length = 1.0, strip_thickness = 0.01, strip_width = 0.1;  ///< [m]
constexpr double strip_modulus = 1e9;                                            ///< [Pa]
constexpr double strip_stiffness =
    strip_modulus * strip_width * strip_thickness * strip_thickness * strip_thickness / 12.0;

/// A clamped strip in equilibrium with forces on its end, by Newton's iteration. Its stiffness is a
/// difference of forces; nodes in the order of x make it a band.
class ClampedStrip {
 public:
  ClampedStrip(int cells, elastic::Solid solid) : solid_(std::move(solid)), x_(solid_.rest) {
    order_.resize(x_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::lround(cells * x_.x[a]) < std::lround(cells * x_.x[b]);
    });
    order_.erase(order_.begin(), order_.begin() + 4);  // clamped
    end_.assign(order_.end() - 4, order_.end());
  }

  using EndForce = std::function<void(const ClampedStrip&, const Nodes&, Nodes&)>;

  /// Nodes of the free end, below or above its middle.
  std::vector<std::uint32_t> end(bool above) const {
    std::vector<std::uint32_t> nodes;
    for (const std::uint32_t n : end_) {
      if ((solid_.rest.y[n] > 0.0) == above) nodes.push_back(n);
    }
    return nodes;
  }
  Vec3 end_middle(const Nodes& x) const {
    Vec3 sum = Vec3::Zero();
    for (const std::uint32_t n : end_) sum += 0.25 * x.at(n);
    return sum;
  }
  const Nodes& position() const { return x_; }

  /// False if it does not converge.
  bool settle(const EndForce& load) {
    for (int turn = 0; turn < 60; ++turn) {
      const std::vector<double> change = newton_step(load);
      double largest = 0.0;
      for (const double value : change) largest = std::max(largest, std::abs(value));
      const double part = std::min(1.0, 0.05 * strip_length / largest);
      for (std::size_t i = 0; i < change.size(); ++i) shift(x_, i, part * change[i]);
      if (largest < 1e-10 * strip_length) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t station = 12;            ///< unknowns at one place along x
  static constexpr std::size_t band = 2 * station - 1;  ///< off the diagonal, on either side

  std::size_t unknowns() const { return 3 * order_.size(); }
  void shift(Nodes& x, std::size_t unknown, double by) const {
    Vec3 move = Vec3::Zero();
    move[static_cast<Eigen::Index>(unknown % 3)] = by;
    x.add(order_[unknown / 3], move);
  }
  std::vector<double> residual(const Nodes& x, const EndForce& load) {
    Nodes forces(x.size());
    solid_.forces->add(x, forces);
    load(*this, x, forces);
    std::vector<double> values;
    for (const std::uint32_t n : order_) {
      for (int i = 0; i < 3; ++i) values.push_back(forces.at(n)[i]);
    }
    return values;
  }

  /// Solves K change = residual.
  std::vector<double> newton_step(const EndForce& load) {
    const std::size_t n = unknowns(), width = 2 * band + 1;
    std::vector<double> K(n * width, 0.0);  // row r: columns r - band to r + band
    const double h = 1e-6 * strip_length;
    // Unknowns three places apart have no rows in common: moved at once.
    for (std::size_t first = 0; first < 3 * station; ++first) {
      Nodes ahead = x_, behind = x_;
      for (std::size_t c = first; c < n; c += 3 * station) {
        shift(ahead, c, h);
        shift(behind, c, -h);
      }
      const auto one = residual(ahead, load), other = residual(behind, load);
      for (std::size_t c = first; c < n; c += 3 * station) {
        // A place along x meets itself and its neighbours.
        const std::size_t place = c / station;
        const std::size_t begin = place > 0 ? (place - 1) * station : 0;
        for (std::size_t r = begin; r < std::min(n, (place + 2) * station); ++r) {
          K[r * width + c + band - r] = (other[r] - one[r]) / (2.0 * h);
        }
      }
    }
    // Gauss' elimination in the band.
    std::vector<double> b = residual(x_, load);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t r = k + 1; r < std::min(n, k + band + 1); ++r) {
        const double factor = K[r * width + k + band - r] / K[k * width + band];
        for (std::size_t c = k; c < std::min(n, k + band + 1); ++c) {
          K[r * width + c + band - r] -= factor * K[k * width + c + band - k];
        }
        b[r] -= factor * b[k];
      }
    }
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t c = k + 1; c < std::min(n, k + band + 1); ++c) {
        b[k] -= K[k * width + c + band - k] * b[c];
      }
      b[k] /= K[k * width + band];
    }
    return b;
  }

  elastic::Solid solid_;
  Nodes x_;
  std::vector<std::uint32_t> order_, end_;
};

ClampedStrip strip_of_hexahedra(int cells) {
  geometry::HexMesh mesh =
      geometry::box_hexes({strip_length, strip_thickness, strip_width}, {cells, 1, 1}, 1);
  for (Vec3& vertex : mesh.vertices) vertex.x() += 0.5 * strip_length;
  const base::Material material{.density = 1000.0, .young_modulus = strip_modulus};
  return {cells, elastic::make_hexahedral_solid(mesh, material, elastic::HexElement::solid_shell)};
}

ClampedStrip strip_of_triangles(int cells) {
  geometry::TriMesh sheet = mapped_sheet(
      cells, 1, Triangulation::alternating,
      [](double a, double b) { return Vec3(a * strip_length, 0.0, (b - 0.5) * strip_width); });
  const base::Material material{.density = 1000.0, .young_modulus = strip_modulus};
  return {cells,
          elastic::make_shell_solid(uniform_wall(std::move(sheet), strip_thickness), material)};
}

/// A force across the end: reference N01.
void claim_elastica(Outcome& outcome, const std::string& what, ClampedStrip strip,
                    double tolerance) {
  struct Case {
    double alpha, across, shortening;  ///< P L^2 / E I, parts of L
  };
  constexpr Case cases[] = {{0.25, 0.08274591535441744, 0.00411781840997576},
                            {1.0, 0.30172077379981355, 0.05643323628337688},
                            {2.0, 0.49345748039671183, 0.16064172082516723},
                            {5.0, 0.7137915236119128, 0.38762836072442985},
                            {10.0, 0.8106090248802964, 0.5549955977537513}};
  for (const Case& c : cases) {
    const double force = c.alpha * strip_stiffness / (strip_length * strip_length);
    const bool settled = strip.settle([force](const ClampedStrip& s, const Nodes&, Nodes& forces) {
      for (const bool above : {false, true}) {
        for (const std::uint32_t n : s.end(above)) forces.add(n, {0.0, 0.25 * force, 0.0});
      }
    });
    const Vec3 end = settled ? strip.end_middle(strip.position()) : Vec3::Constant(NAN);
    outcome.claims.push_back(
        {fmt::format("{} bent by a force: deflection for P L^2 / EI = {:g}", what, c.alpha), "L",
         c.across, end.y() / strip_length, tolerance});
    outcome.claims.push_back(
        {fmt::format("{} bent by a force: shortening for P L^2 / EI = {:g}", what, c.alpha), "L",
         c.shortening, 1.0 - end.x() / strip_length, tolerance});
  }
}

/// A moment at the end: reference N02. Two forces along the strip that turn with its end.
void claim_roll_up(Outcome& outcome) {
  ClampedStrip strip = strip_of_hexahedra(160);
  constexpr int steps = 40;
  for (int i = 1; i <= steps; ++i) {
    const double circle = static_cast<double>(i) / steps;  // part of a full one
    const double moment = circle * 2.0 * pi * strip_stiffness / strip_length;
    const bool settled =
        strip.settle([moment](const ClampedStrip& s, const Nodes& x, Nodes& forces) {
          const auto low = s.end(false), high = s.end(true);
          const Vec3 across = 0.5 * (x.at(high[0]) + x.at(high[1]) - x.at(low[0]) - x.at(low[1]));
          const Vec3 along = across.cross(Vec3::UnitZ()) / across.squaredNorm();
          for (const std::uint32_t n : low) forces.add(n, 0.5 * moment * along);
          for (const std::uint32_t n : high) forces.add(n, -0.5 * moment * along);
        });
    if (i != steps / 4 && i != steps / 2 && i != steps) continue;
    const Vec3 end = settled ? strip.end_middle(strip.position()) : Vec3::Constant(NAN);
    const double angle = 2.0 * pi * circle;
    outcome.claims.push_back({fmt::format("rolled up by {:g} of a circle: x of the end", circle),
                              "L", std::sin(angle) / angle, end.x() / strip_length, 1e-3});
    outcome.claims.push_back({fmt::format("rolled up by {:g} of a circle: y of the end", circle),
                              "L", (1.0 - std::cos(angle)) / angle, end.y() / strip_length, 1e-3});
  }
}

/// Pulled along x with its sides free: reference N04.
void claim_uniaxial(Outcome& outcome) {
  const base::Material material{.density = 1000.0, .young_modulus = 1e9, .poisson_ratio = 0.3};
  struct Body {
    std::string name;
    elastic::Solid solid;
  };
  std::vector<Body> bodies;
  bodies.push_back({"a hexahedron",
                    elastic::make_hexahedral_solid(geometry::box_hexes({1, 1, 1}, {1, 1, 1}, 2),
                                                   material, elastic::HexElement::incompatible)});
  bodies.push_back({"five tetrahedra", elastic::make_tetrahedral_solid(
                                           geometry::box_tets({1, 1, 1}, {1, 1, 1}), material, 1)});
  bodies.push_back(
      {"five quadratic tetrahedra",
       elastic::make_tetrahedral_solid(geometry::box_tets({1, 1, 1}, {1, 1, 1}), material, 2)});
  for (Body& body : bodies) {
    for (const double stretch : {0.6, 0.9, 1.25, 1.5}) {
      const double sideways = std::sqrt(1.0 - 0.3 * (stretch * stretch - 1.0));
      Nodes x = body.solid.rest, forces(x.size());
      for (std::size_t n = 0; n < x.size(); ++n) {
        x.set(n, Vec3(stretch, sideways, sideways).cwiseProduct(x.at(n)));
      }
      body.solid.forces->add(x, forces);
      double pull = 0.0, aside = 0.0;
      for (std::size_t n = 0; n < x.size(); ++n) {
        if (x.x[n] > 0.49 * stretch) pull -= forces.x[n];
        aside = std::max(aside, std::hypot(forces.y[n], forces.z[n]));
      }
      const double stress = stretch * 0.5 * (stretch * stretch - 1.0);
      outcome.claims.push_back(
          {fmt::format("{} stretched to {:g}: nominal stress", body.name, stretch), "E", stress,
           pull / material.young_modulus, 1e-10});
      outcome.claims.push_back(
          {fmt::format("{} stretched to {:g}: force aside", body.name, stretch), "E", 0.0,
           aside / material.young_modulus, 1e-10});
    }
  }
}

/// One cell that stretches along x: an oscillator, whose frequency leapfrog changes as reference
/// D04 says.
void claim_dispersion(Outcome& outcome) {
  constexpr std::int64_t steps_a_second = 1000;
  for (const double w_dt : {0.1, 0.5, 1.0, 1.5}) {
    const double w = w_dt * static_cast<double>(steps_a_second);
    // w^2 = E A / L over half of the mass, with sides of a metre.
    const base::Material material{.density = 1000.0, .young_modulus = 500.0 * w * w};
    elastic::Solid cell = elastic::make_hexahedral_solid(
        geometry::box_hexes({1, 1, 1}, {1, 1, 1}, 2), material, elastic::HexElement::incompatible);
    cell.across.clear();  // lumps: nothing turns
    elastic::Constraint held, sideways{.axes = {false, true, true}};
    for (std::uint32_t n = 0; n < 8; ++n) {
      (cell.rest.x[n] < 0.0 ? held : sideways).nodes.push_back(n);
    }
    const std::uint32_t watched = sideways.nodes.front();
    std::vector<elastic::Solid> solids;
    solids.push_back(std::move(cell));
    elastic::Stepper stepper(std::move(solids), {}, {held, sideways},
                             {.audio = {steps_a_second}, .steps_per_sample = 1});
    Nodes start = stepper.solids()[0].rest;
    constexpr double amplitude = 2e-6;  // [m]: the square of the strain is below the tolerance
    for (double& x : start.x) x += x > 0.0 ? amplitude : 0.0;
    stepper.start_at(0, start, Nodes(8));
    // x(n) = a cos(n theta): the phase turns by theta a step.
    const double theta = 2.0 * std::asin(0.5 * w_dt);
    constexpr int count = 4000;
    double c = 0.0, s = 0.0;
    for (int n = 0; n < count; ++n) {
      // Weights that vanish at both ends keep the ends out of the phase.
      const double weight = std::pow(std::sin(pi * n / count), 4);
      const double x = (stepper.state().position[0].x[watched] - 0.5) / amplitude;
      c += weight * x * std::cos(theta * n);
      s += weight * x * std::sin(theta * n);
      stepper.step();
    }
    // Half of the record after its start, the phase is ahead by half of count times the difference.
    const double ours = (theta - std::atan2(s, c) / (0.5 * count)) / w_dt;
    outcome.claims.push_back(
        {fmt::format("leapfrog, w dt = {:g}: frequency over the exact one", w_dt), "",
         2.0 * std::asin(0.5 * w_dt) / w_dt, ours, 1e-9});
  }
}

Outcome run_elastic_statics() {
  Outcome outcome;
  claim_elastica(outcome, "40 hexahedra", strip_of_hexahedra(40), 1e-3);
  claim_elastica(outcome, "40 shell triangles", strip_of_triangles(20), 2e-3);
  claim_roll_up(outcome);
  claim_uniaxial(outcome);
  claim_dispersion(outcome);
  outcome.remarks =
      "40 solid-shell hexahedra along the strip for the force, 160 for the full circle: there a "
      "cell "
      "turns by 2 degrees. With 40 the circle's end is 0.7 % of the length away.";
  return outcome;
}

}  // namespace

Entry large_deflections() {
  return {.key = "large-deflections",
          .title = "A strip bends by a force and rolls up by a moment",
          .source =
              "references N01 (elastica; Mattiasson 1981), N02, N04 (Saint Venant-Kirchhoff), "
              "D04 (central differences)",
          .method =
              "Newton's iteration on the forces of the elements; single elements pulled; one cell "
              "that oscillates.",
          .run = run_elastic_statics};
}

}  // namespace peal::validation
