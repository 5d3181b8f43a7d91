#include <peal/geometry/shapes/shapes.h>
#include <peal/shaders/bubble_source.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

namespace peal::shaders {
namespace {

using std::numbers::pi;

constexpr base::Rate audio{48000};

/// A bubble that sounds from `begin` to `end` [s] by a slow wave, and rises.
base::BubbleSound rising_bubble(double begin, double end, const Vec3& from, const Vec3& to) {
  base::BubbleSound sound{.start = static_cast<std::int64_t>(audio.samples(begin))};
  for (std::int64_t n = sound.start; audio.seconds(n) < end; ++n) {
    const double x = (audio.seconds(n) - begin) / (end - begin);
    sound.volume_acceleration.push_back(static_cast<float>(std::pow(std::sin(pi * x), 4)));
    sound.volume_velocity.push_back(static_cast<float>(x * x * (1.0 - x)));
  }
  sound.path = {{.time = begin, .position = from, .radius = 0.001},
                {.time = end, .position = to, .radius = 0.001}};
  return sound;
}

std::shared_ptr<const BubbleSource> source_of(std::vector<base::BubbleSound> sounds) {
  auto all = std::make_shared<base::BubbleSounds>();
  all->rate = audio;
  all->sounds = std::move(sounds);
  return std::make_shared<BubbleSource>(std::move(all));
}

/// The faces of a closed cylinder of water whose top is at y = 0, as points.
base::SampledSurface water_points(double edge) {
  const geometry::TriMesh mesh = geometry::cylinder_mesh(0.1, 0.1, edge);
  base::SampledSurface surface;
  for (const geometry::Triangle& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Vec3 normal = 0.5 * (b - a).cross(c - a);
    surface.points.push_back(
        {.position = (a + b + c) / 3.0 - Vec3(0, 0.05, 0), .normal = normal.normalized()});
    surface.areas.push_back(normal.norm());
  }
  return surface;
}

/// The first field of a source.
Eigen::VectorXf field_of(const BubbleSource& source, const base::SampledSurface& surface,
                         double t) {
  constexpr Eigen::Index first = 0;
  Eigen::MatrixXf field(static_cast<Eigen::Index>(surface.size()), 1);
  source.basis_at(surface, t, {&first, 1}, field);
  return field.col(0);
}

double flux(const Eigen::VectorXf& field, const base::SampledSurface& surface) {
  double sum = 0.0;
  for (std::size_t i = 0; i < surface.size(); ++i)
    sum += field(static_cast<Eigen::Index>(i)) * surface.areas[i];
  return sum;
}

TEST(BubbleSource, MovesTheSurfaceByItsVolumeWithAnyTriangles) {
  const auto source = source_of({rising_bubble(0.0, 0.02, {0, -0.02, 0}, {0.01, -0.001, 0})});
  for (const double edge : {0.02, 0.008}) {
    const auto points = water_points(edge);
    for (const double t : {-0.002, 0.0, 0.007, 0.02, 0.023}) {
      EXPECT_NEAR(flux(field_of(*source, points, t), points), 1.0, 1e-5) << edge << ' ' << t;
    }
  }
}

TEST(BubbleSource, BelowAWideSurfaceHasTheExactFieldAnalytic) {
  const double depth = 0.01;
  for (const double s : {0.0, 0.004, 0.02, 0.1}) {
    const double exact = depth / (2.0 * pi * std::pow(depth * depth + s * s, 1.5));
    EXPECT_NEAR(2.0 * bubble_field({s, depth, 0}, Vec3::UnitY(), 0.001), exact, 1e-12 * exact);
  }
  // Inside of the bubble it is smooth and vanishes at the centre.
  const double outside = bubble_field({0, 0.001, 0}, Vec3::UnitY(), 0.001);
  EXPECT_NEAR(bubble_field({0, 0.000999, 0}, Vec3::UnitY(), 0.001), outside, 0.003 * outside);
  EXPECT_EQ(bubble_field(Vec3::Zero(), Vec3::UnitY(), 0.001), 0.0);
}

TEST(BubbleSource, CoveredPointsMoveNoAir) {
  const auto source = source_of({rising_bubble(0.0, 0.02, {0, -0.02, 0}, {0, -0.02, 0})});
  auto points = water_points(0.01);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points.points[i].normal.y() < 0.5) points.areas[i] = 0.0;
  const Eigen::VectorXf field = field_of(*source, points, 0.01);
  EXPECT_NEAR(flux(field, points), 1.0, 1e-5);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points.areas[i] == 0.0) {
      EXPECT_EQ(field(static_cast<Eigen::Index>(i)), 0.0f);
    }
  }
}

TEST(BubbleSource, ABubbleOutsideOfTheLiquidStillMovesItsVolume) {
  const auto source = source_of({rising_bubble(0.0, 0.02, {0, 0.3, 0}, {0, 0.3, 0})});
  const auto points = water_points(0.02);
  base::SampledSurface top;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points.points[i].normal.y() < 0.5) continue;
    top.points.push_back(points.points[i]);
    top.areas.push_back(points.areas[i]);
  }
  EXPECT_NEAR(flux(field_of(*source, top, 0.01), top), 1.0, 1e-5);
}

TEST(BubbleSource, BubblesThatFollowEachOtherShareAField) {
  const Vec3 at(0, -0.02, 0), other(0.03, -0.01, 0);
  std::vector<base::BubbleSound> sounds;
  for (int i = 0; i < 100; ++i)
    sounds.push_back(rising_bubble(0.03 * i, 0.03 * i + 0.01, at, i % 2 == 0 ? at : other));
  const auto source = source_of(std::move(sounds));
  EXPECT_EQ(source->fields(), 1);
  const auto both = source_of({rising_bubble(0.0, 0.01, at, at), rising_bubble(0.0, 0.01, at, at),
                               rising_bubble(0.1, 0.11, at, at)});
  EXPECT_EQ(both->fields(), 2);
  const auto active = both->active(audio, {0, 48000});
  ASSERT_EQ(active.size(), 2u);
  EXPECT_GE(active[0].end, 480);
  EXPECT_LE(active[0].end, 482);
}

/// At other rates it plays the same, between its samples.
TEST(BubbleSource, PlaysTheSameVolumeAtAnyRate) {
  const Vec3 at(0, -0.02, 0);
  const auto source = source_of({rising_bubble(0.0, 0.01, at, at)});
  base::Coefficients own, fine;
  source->coefficients(audio, {-10, 500}, own);
  source->coefficients({120000}, {-25, 1250}, fine);
  for (Eigen::Index n = 0; n < 500; n += 2)
    EXPECT_EQ(own(0, n), fine(0, 5 * n / 2)) << n;  // where clocks tick together
  for (std::int64_t n = 0; n < 1200; ++n) {
    const double exact = std::pow(std::sin(pi * static_cast<double>(n) / 1200.0), 4);
    EXPECT_NEAR(fine(0, n + 25), exact, 2e-4) << n;
  }
}

/// What the surface gets, a_n, is the change of its velocity u V', also while the bubble moves.
TEST(BubbleSource, AnEvaluatorFollowsTheFieldOfABubbleThatRises) {
  base::BubbleSound sound = rising_bubble(0.0, 0.02, {0, -0.02, 0}, {0.01, -0.005, 0});
  double velocity = 0.0;
  for (std::size_t n = 0; n < sound.volume_velocity.size(); ++n) {
    velocity += sound.volume_acceleration[n] / 48000.0;
    sound.volume_velocity[n] = static_cast<float>(velocity);
  }
  const auto source = source_of({sound});
  const auto points = water_points(0.01);
  base::FluxEvaluator evaluator({source});
  evaluator.set_surfaces(points, {});
  Eigen::VectorXd moved = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(points.size()));
  double worst = 0.0;
  for (std::int64_t n = 0; n < 900; ++n) {
    double sum = 0.0;
    const std::span<const float> a = evaluator.accelerations({n, audio});
    for (std::size_t i = 0; i < points.size(); ++i) {
      sum += a[i] * points.areas[i];
      moved(static_cast<Eigen::Index>(i)) += a[i] / 48000.0;
    }
    worst = std::max(worst, std::abs(sum - std::pow(std::sin(pi * double(n) / 960.0), 4)));
  }
  EXPECT_LT(worst, 1e-4);
  const Eigen::VectorXd expected =
      field_of(*source, points, 899.0 / 48000.0).cast<double>() * sound.volume_velocity[899];
  EXPECT_LT((moved - expected).norm(), 0.02 * expected.norm());
}

}  // namespace
}  // namespace peal::shaders
