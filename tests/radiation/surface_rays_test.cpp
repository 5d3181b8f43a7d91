#include <peal/geometry/shapes/shapes.h>
#include <peal/radiation/rays.h>
#include <peal/radiation/sinc_delay.h>
#include <peal/radiation/surface_patches.h>
#include <peal/radiation/surface_rays.h>
#include <peal/radiation/surface_samples.h>
#include <peal/radiation/upsampler.h>
#include <peal/util/parallel.h>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <tuple>

#include "radiation/sounding_world.h"

namespace peal::radiation {
namespace {

using base::SampleRange;
using base::Vec3;
using Form = base::RaysSettings::Form;
using std::numbers::pi;

/// The body goes up and down by cos(k x) with a tone, in its own frame. Told by vertices or not.
class Bending : public base::SurfaceSource {
 public:
  Bending(const geometry::TriMesh& mesh, double wave_number, double frequency, bool tells_vertices,
          base::Rate rate = {})
      : mesh_(mesh),
        wave_number_(wave_number),
        frequency_(frequency),
        tells_vertices_(tells_vertices),
        rate_(rate) {}

  Eigen::Index columns() const override {
    return 3 * static_cast<Eigen::Index>(mesh_.vertices.size());
  }
  std::optional<base::Rate> vertex_rate() const override {
    return tells_vertices_ ? std::optional(rate_) : std::nullopt;
  }
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override {
    return base::vertex_basis(points, mesh_.triangles, mesh_.vertices.size());
  }
  void coefficients(base::Rate rate, SampleRange range, base::Coefficients& out) const override {
    out.setZero(columns(), range.size());
    for (std::size_t v = 0; v < mesh_.vertices.size(); ++v) {
      for (std::int64_t n = range.begin; n < range.end; ++n) {
        out(3 * static_cast<Eigen::Index>(v) + 1, n - range.begin) =
            static_cast<float>(at(v, rate.seconds(n)));
      }
    }
  }
  void hash(base::Rate, SampleRange, util::Fingerprint& fingerprint) const override {
    fingerprint.add(wave_number_), fingerprint.add(frequency_);
  }

 private:
  double at(std::size_t vertex, double t) const {
    return std::cos(wave_number_ * mesh_.vertices[vertex].x()) * std::sin(2 * pi * frequency_ * t);
  }
  geometry::TriMesh mesh_;
  double wave_number_, frequency_;
  bool tells_vertices_;
  base::Rate rate_;
};

/// A bar that bends, flies past and turns.
base::World flying_bar(double frequency, bool tells_vertices, double seconds,
                       base::Rate rate = {}) {
  const geometry::TriMesh bar = geometry::box_mesh({0.2, 0.01, 0.03}, 0.02);
  base::World world = world_with(
      bar, [](double) { return 0.0; }, seconds,
      moving([](double t) { return Vec3(2.0 * t, 0, 0); }));
  world.bodies[0].sources = {std::make_shared<Bending>(bar, 30.0, frequency, tells_vertices, rate)};
  world.bodies[0].deformation = std::make_shared<Turning>(bar.vertices);
  return world;
}

TEST(Rays, VerticesAreHeardAsThePlacesBetweenThem) {
  for (const double f : {300.0, 9000.0}) {
    const auto by_vertices =
        heard_at(flying_bar(f, true, 0.03), still({0.1, 0.3, 0.4}), Form::kirchhoff, 10000);
    const auto by_places =
        heard_at(flying_bar(f, false, 0.03), still({0.1, 0.3, 0.4}), Form::kirchhoff, 10000);
    double difference = 0.0, level = 0.0;
    for (std::size_t n = 480; n + 100 < by_places.size(); ++n) {
      difference += std::pow(by_vertices[n] - by_places[n], 2);
      level += std::pow(by_places[n], 2);
    }
    EXPECT_LT(10 * std::log10(difference / level), f < 5000 ? -50.0 : -40.0) << f;
  }
}

TEST(Rays, VerticesThatTellAtALowRateAreHeardTheSameInLevelAndTime) {
  for (const auto& [hz, f, max] : {std::tuple(24000, 300.0, 6000.0),
                                   {24000, 3000.0, 6000.0},
                                   {24000, 6000.0, 6000.0},
                                   {24000, 8000.0, 8000.0},
                                   {24000, 9500.0, 10000.0},
                                   {12000, 3000.0, 4000.0}}) {
    // Named captures: clang 14 cannot capture structured bindings.
    const auto apply_filters = [frequency = f, max = max](std::int64_t rate) {
      return heard_at(flying_bar(frequency, true, 0.05, {rate}), still({0.1, 0.3, 0.4}),
                      Form::kirchhoff, max);
    };
    const auto high = apply_filters(48000), low = apply_filters(hz);
    ASSERT_EQ(high.size(), low.size());
    double difference = 0.0, level = 0.0;
    for (std::size_t n = 480; n + 480 < high.size(); ++n) {
      difference += std::pow(low[n] - high[n], 2);
      level += std::pow(high[n], 2);
    }
    EXPECT_LT(10 * std::log10(difference / level), -40.0) << hz << ", " << f;
  }
}

TEST(Rays, StretchesAtALowRateAreTheSameBytesAlsoOnManyThreads) {
  const base::World world = flying_bar(2000, true, 0.1, {24000});
  const std::vector<base::Receiver> ears{{.name = "ear", .motion = still({0.1, 0.3, 0.4})}};
  const RaysRadiator rays({.form = Form::rayleigh, .max_frequency = 6000});
  util::Silent silent;
  const auto apply_filters = [&](SampleRange range, int threads) {
    const util::ThreadLimit limit(threads);
    return rays.radiate(world, ears, range, silent)[0].samples;
  };
  const auto all = apply_filters({0, 4000}, 1);
  EXPECT_EQ(all, apply_filters({0, 4000}, 2));
  for (const std::int64_t begin : {1, 2344, 2345}) {
    const auto part = apply_filters({begin, 4000}, 2);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + begin)) << begin;
  }
}

// A tone of 9 kHz at 24 kHz mirrors at 15 kHz.
TEST(Rays, ARaisedRateLetsPassWhatIsAskedForAndNothingElse) {
  const Upsampler rate({24000}, {48000}, 6000.0, 6900.0);
  const SampleRange made{-37, 5000}, needed = rate.needed(made);
  for (const double f : {100.0, 3000.0, 6000.0, 6900.0, 9000.0}) {
    std::vector<double> samples;
    for (std::int64_t n = needed.begin; n < needed.end; ++n)
      samples.push_back(std::sin(2 * pi * f * static_cast<double>(n) / 24000.0));
    const auto raised = rate.raised(samples, made);
    ASSERT_EQ(static_cast<std::int64_t>(raised.size()), made.size());
    for (std::int64_t n = made.begin; n < made.end; ++n) {
      const double right = f > 6000 ? 0.0 : std::sin(2 * pi * f * static_cast<double>(n) / 48000.0);
      EXPECT_NEAR(raised[static_cast<std::size_t>(n - made.begin)], right, 3e-4) << f << ", " << n;
    }
  }
}

TEST(Rays, PatchesEndAtEdgesAndSweepAsMuchAsTheirTriangles) {
  const geometry::TriMesh box = geometry::box_mesh({0.2, 0.01, 0.03}, 0.02);
  const SurfacePatches patches(box);
  std::vector<int> of_vertex(box.vertices.size());
  for (std::size_t p = 0; p < patches.size(); ++p) ++of_vertex[patches.vertex(p)];
  const Vec3 half(0.1, 0.005, 0.015);
  for (std::size_t v = 0; v < box.vertices.size(); ++v) {
    int sides = 0;
    for (int k = 0; k < 3; ++k) sides += std::abs(std::abs(box.vertices[v][k]) - half[k]) < 1e-9;
    EXPECT_EQ(of_vertex[v], sides) << v;
  }
  // A body that goes somewhere as a whole sweeps nothing.
  std::vector<Vec3> areas, normals;
  vector_areas(box, box.vertices, areas);
  patches.normals(areas, normals);
  Vec3 sum = Vec3::Zero();
  for (std::size_t t = 0; t < areas.size(); ++t) {
    for (const std::uint32_t patch : patches.corners(t))
      sum += areas[t].dot(normals[patch]) * normals[patch];
  }
  EXPECT_LT(sum.norm(), 1e-15);
}

// A ball of facets that are as long as a fifth to half a wave swings: much of the motion is along
// the surface, and normals of patches are those of no facet. Exact as for a true ball above.
TEST(RaysAnalytic, PatchesOfABallAreNearlyAsRightAsItsFacets) {
  constexpr double f = 8000.0;
  const double k = 2 * pi * f / 343.2, ka = k * ball_radius;
  for (const double edge : {0.008, 0.015, 0.02}) {
    const geometry::TriMesh mesh = geometry::sphere_mesh(ball_radius, edge);
    base::World world = world_with(
        mesh, [](double) { return 0.0; }, 0.03);
    for (const double degrees : {0.0, 60.0, 150.0}) {
      const double angle = degrees * pi / 180;
      const double exact = world.medium.density * std::pow(ball_radius, 3) * std::hypot(1.0, k) *
                           std::abs(std::cos(angle)) / std::hypot(2.0 - ka * ka, 2.0 * ka);
      const auto level = [&](bool by_patches) {
        world.bodies[0].sources = {std::make_shared<Bending>(mesh, 0.0, f, by_patches)};
        const Vec3 receiver_point(std::sin(angle), std::cos(angle), 0);
        return decibel(amplitude_of(heard_at(world, still(receiver_point), Form::kirchhoff, f), f) /
                       exact);
      };
      const double by_patches = level(true);
      EXPECT_NEAR(by_patches, 0.0, 0.25) << edge << ", " << degrees;
      EXPECT_NEAR(by_patches, level(false), 0.15) << edge << ", " << degrees;
    }
  }
}

TEST(Rays, WhereAStretchBeginsChangesNoByte) {
  const base::World world = flying_bar(2000, true, 0.1);
  const auto hop = [](double t) { return Vec3(0.1, 0.3, t < 0.05 ? 0.4 : 2.0); };
  const std::vector<base::Receiver> ears{{.name = "ear", .motion = moving(hop, {0.05})}};
  const auto sums = [&](SampleRange range) {
    Occluders occluders(world);
    return SurfaceRays(world, 0, world.bodies[0], ears, occluders, {}).sums(range, [](double) {
    })[0];
  };
  const SurfaceSums all = sums({0, 4000}), part = sums({2345, 4000});
  for (std::size_t s = 0; s < most_sums; ++s) {
    ASSERT_EQ(part[s].size(), 1655u);
    EXPECT_TRUE(std::equal(part[s].begin(), part[s].end(), all[s].begin() + 2345)) << s;
  }
}

TEST(Rays, PlacesAreCountedWithoutMakingThem) {
  for (const double edge : {0.002, 0.008, 0.05}) {
    const geometry::TriMesh mesh = geometry::box_mesh({0.1, 0.15, 0.2}, edge);
    EXPECT_EQ(count_samples(mesh, 0.02), sample_surface(mesh, 0.02).points.size()) << edge;
  }
}

// Sum of cos(k x) over a triangle, over the mean of a thousand times as many sample points.
TEST(Rays, PlacesSumUpAWaveOnATriangle) {
  const geometry::TriMesh triangle = {.vertices = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}},
                                      .triangles = {{0, 1, 2}}};
  const auto sum = [&](double wavelength, double spacing) {
    const SurfaceSamples samples = sample_surface(triangle, spacing);
    double total = 0.0;
    for (std::size_t i = 0; i < samples.points.size(); ++i)
      total += samples.area[i] * std::cos(2 * pi / wavelength * samples.points[i].position.x());
    return total;
  };
  for (const double edges : {0.2, 0.54, 0.89, 3.3}) {  // longest edge, in waves
    const double wavelength = std::sqrt(2.0) / edges;
    const double exact = sum(wavelength, 0.02 * wavelength);
    EXPECT_NEAR(sum(wavelength, wavelength), exact, 0.025 * 0.5) << edges;
  }
}

TEST(Rays, ShortDelaysAreRightInTheirBand) {
  for (const auto& [band, f, error] : {std::tuple(0.25, 0.01, 1.5e-3),
                                       {0.25, 0.1, 1.5e-3},
                                       {0.25, 0.2, 1.5e-3},
                                       {0.25, 0.25, 1.5e-3},
                                       {0.3, 0.01, 1.5e-3},
                                       {0.3, 0.1, 1.5e-3},
                                       {0.3, 0.2, 1.5e-3},
                                       {0.37, 0.3, 1.5e-3},
                                       {0.37, 1.0 / 3.0, 1.5e-3},
                                       {0.37, 0.37, 3.5e-2},
                                       {0.42, 0.01, 1e-2},
                                       {0.42, 0.1, 1e-2},
                                       {0.42, 0.2, 1e-2},
                                       {0.42, 0.3, 1e-2},
                                       {0.42, 1.0 / 3.0, 1e-2},
                                       {0.42, 0.4, 1.2e-2},
                                       {0.42, 0.42, 3e-2}}) {
    const SincDelay& delay = SincDelay::for_band(band);
    for (double fraction = 0.0; fraction <= 1.0; fraction += 0.0371) {
      const auto weights = delay.weights(static_cast<float>(fraction));
      std::complex<double> sum = 0.0;
      for (int k = 0; k < delay.taps(); ++k) {
        const double away = k - (delay.half() - 1) - fraction;
        sum += static_cast<double>(weights[static_cast<std::size_t>(k)]) *
               std::polar(1.0, 2 * pi * f * away);
      }
      EXPECT_LT(std::abs(sum - 1.0), error) << band << ", " << f << " " << fraction;
    }
  }
}

}  // namespace
}  // namespace peal::radiation
