#include <peal/geometry/mesh/enclosing_ball.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/convex_polyhedron.h>
#include <peal/radiation/multipole_fields.h>
#include <peal/util/random.h>
#include <peal/util/store.h>
#include <peal/util/store_kinds.h>
#include <peal/validation/entries.h>
#include <peal/wave/multipoles/ellipsoid_bank.h>
#include <peal/wave/multipoles/rigid_radiation.h>

#include <fmt/format.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <numbers>

namespace peal::validation {

namespace {

using geometry::Vec3;

constexpr double piece_band = 16000.0;  ///< [Hz]
constexpr int piece_impacts = 30, piece_directions = 16;
constexpr double piece_distance = 0.5;  ///< [m]
constexpr base::Rate piece_rate{48000};
constexpr std::size_t piece_block = 960;  ///< bins of 50 Hz
constexpr std::array piece_bands = {0.0, 1600.0, 5000.0, 10000.0, piece_band};

Vec3 even_direction(std::uint64_t stream, std::uint64_t i) {
  const double z = 2.0 * util::random_uniform(11, stream, 2 * i) - 1.0;
  const double angle = 2.0 * std::numbers::pi * util::random_uniform(11, stream, 2 * i + 1);
  const double r = std::sqrt(1.0 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

/// Squares of pressures in each band, of a reference and of the difference to another.
struct BandErrors {
  std::array<double, piece_bands.size() - 1> reference{}, other{}, difference{};

  double relative(std::size_t band) const { return std::sqrt(difference[band] / reference[band]); }
  double power(std::size_t band) const {  ///< [dB]
    return 10.0 * std::log10(other[band] / reference[band]);
  }
};

/// What random impacts on a body of mass properties `mass` make at some distance, by two tables.
BandErrors compare(const geometry::TriMesh& body, const base::RigidRadiation& reference,
                   const base::RigidRadiation& other) {
  const geometry::MassProperties mass = geometry::mass_properties(body, 2600.0);
  const radiation::RigidField first(reference, piece_rate, piece_block),
      second(other, piece_rate, piece_block);
  BandErrors errors;
  for (std::uint64_t d = 0; d < piece_directions; ++d) {
    const Vec3 place = mass.centre + piece_distance * even_direction(1, d);
    const auto response = [&](const radiation::RigidField& field,
                              const base::RigidRadiation& table) {
      radiation::RigidField::Response out;
      const Vec3 way = place - table.centre;
      field.response(way.normalized(), way.norm(), out);
      // Later by (r - R) / c, which differs.
      for (Eigen::Index b = 0; b < out.cols(); ++b) {
        const double w = 2.0 * std::numbers::pi * field.spacing() * static_cast<double>(b);
        out.col(b) *= std::complex<float>(
            std::polar(1.0, -w * (way.norm() - table.radius) / table.medium.speed_of_sound));
      }
      return out;
    };
    const auto a = response(first, reference), b = response(second, other);
    for (std::uint64_t i = 0; i < piece_impacts; ++i) {
      const auto vertex = static_cast<std::size_t>(util::random_uniform(11, 3, i) *
                                                   static_cast<double>(body.vertices.size()));
      const Vec3 impulse = even_direction(2, i);
      const Vec3 turning =
          mass.inertia.inverse() * (body.vertices[vertex] - mass.centre).cross(impulse);
      const auto pressure = [&](const radiation::RigidField::Response& field,
                                const base::RigidRadiation& table, Eigen::Index bin) {
        Eigen::Matrix<float, 6, 1> motion;
        motion << (impulse / mass.mass + turning.cross(table.centre - mass.centre)).cast<float>(),
            turning.cast<float>();
        return (field.col(bin).transpose() * motion.cast<std::complex<float>>()).value();
      };
      for (Eigen::Index bin = 1; bin < std::min(a.cols(), b.cols()); ++bin) {
        const double f = first.spacing() * static_cast<double>(bin);
        std::size_t band = 0;
        while (band + 2 < piece_bands.size() && f >= piece_bands[band + 1]) ++band;
        const std::complex<float> p = pressure(a, reference, bin), q = pressure(b, other, bin);
        errors.reference[band] += static_cast<double>(std::norm(p));
        errors.other[band] += static_cast<double>(std::norm(q));
        errors.difference[band] += static_cast<double>(std::norm(q - p));
      }
    }
  }
  return errors;
}

/// A table that reaches further, so that its taper is beyond the band.
base::RigidRadiation own_table(const geometry::TriMesh& body) {
  const base::Medium air;
  const wave::RigidRadiationPlan plan = wave::plan_rigid_radiation(body, air, piece_band / 0.9);
  return plan.of_body(wave::shape_radiation(body, plan, [](double) {}), air);
}

base::RigidRadiation bank_table(const wave::EllipsoidBank& bank, const geometry::TriMesh& body) {
  return bank.radiation(body, {}, piece_band / 0.9, [](double) {});
}

geometry::TriMesh ellipsoid(const Vec3& half) {
  geometry::TriMesh mesh = geometry::sphere_mesh(1.0, 0.08);
  for (Vec3& vertex : mesh.vertices) vertex = vertex.cwiseProduct(half);
  return mesh;
}

/// A convex lump: a ball with random flat sides, as large as the bank serves.
geometry::TriMesh chunk() {
  std::vector<geometry::HalfSpace> sides;
  for (std::uint64_t i = 0; i < 14; ++i)
    sides.push_back({even_direction(5, i), 0.011 + 0.007 * util::random_uniform(11, 6, i)});
  const Vec3 box = Vec3::Constant(0.018);
  geometry::TriMesh mesh = geometry::intersection(sides, geometry::Box(-box, box)).mesh();
  const base::Medium air;
  const double largest = wave::EllipsoidBank::reach_of_chunks * air.speed_of_sound /
                         (2.0 * std::numbers::pi * piece_band);
  const double scale = largest / wave::stand_in(mesh).half.x();
  for (Vec3& vertex : mesh.vertices) vertex *= scale;
  return mesh;
}

/// A shard of a pane of 4 mm: a crooked pentagon.
geometry::TriMesh shard() {
  return geometry::extruded_mesh(
      {{-0.021, -0.006}, {-0.004, -0.017}, {0.019, -0.009}, {0.013, 0.011}, {-0.009, 0.014}}, {},
      0.004, 0.02);
}

Outcome run_fragment_bank() {
  Outcome outcome;
  const util::Store store(util::stored::rigid_radiation);
  const wave::EllipsoidBank bank(store);
  for (const Vec3& half :
       {Vec3(0.02, 0.0168, 0.0141), Vec3(0.022, 0.013, 0.0077), Vec3(0.024, 0.02, 0.0036)}) {
    const geometry::TriMesh body = ellipsoid(half);
    const BandErrors errors = compare(body, own_table(body), bank_table(bank, body));
    for (std::size_t band = 0; band + 1 < piece_bands.size(); ++band) {
      outcome.claims.push_back(
          {fmt::format("ellipsoid 1 : {:.2f} : {:.2f}, between those of the bank: error, {:g} to "
                       "{:g} Hz",
                       half.y() / half.x(), half.z() / half.x(), piece_bands[band],
                       piece_bands[band + 1]),
           "", 0.0, errors.relative(band), 0.05});
    }
  }
  for (const auto& [name, body] : {std::pair("chunk", chunk()), std::pair("shard", shard())}) {
    const BandErrors errors = compare(body, own_table(body), bank_table(bank, body));
    for (std::size_t band = 0; band + 1 < piece_bands.size(); ++band) {
      outcome.claims.push_back({fmt::format("{} by the bank: power, {:g} to {:g} Hz", name,
                                            piece_bands[band], piece_bands[band + 1]),
                                "dB", 0.0, errors.power(band), 1.0});
    }
  }
  return outcome;
}

}  // namespace

Entry fragment_bank() {
  return {
      .key = "fragment-bank",
      .title = "Small pieces by a bank of ellipsoids",
      .source =
          "The wave solver for the same bodies; Chadwick et al. 2012 precompute each of "
          "11 and 71 pieces by itself, in 2 and 13 hours",
      .method =
          "Ellipsoids between those of the bank, the largest chunk that it serves (17 mm) and a "
          "shard of a pane of 4 mm under 30 random impacts, heard in 16 directions at 0.5 m; "
          "rms error of the spectra, and power.",
      .run = run_fragment_bank,
      .cost = Cost::slow};
}

}  // namespace peal::validation
