#include <peal/geometry/shapes/shapes.h>
#include <peal/vibration/ideal_line.h>
#include <peal/vibration/ideal_rectangle.h>
#include <peal/vibration/sound_map.h>

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace peal::vibration {
namespace {

base::ModalModel square_membrane() {
  const auto shape = rectangular_membrane({1, 1}, 1e6, 1, {.max_frequency = 4000});
  return modal_model(*shape, geometry::plane_mesh(1, 1, 0.025), {});
}

TEST(SoundMap, EveryVertexSoundsLikeOneOfThePoints) {
  const base::ModalModel membrane = square_membrane();
  const SonicDistance settings{.inaudible = 1e-4, .threshold = 2.0};
  const SoundMap map = sound_map(membrane, settings);
  ASSERT_EQ(map.nearest.size(), membrane.surface.vertices.size());
  for (const double d : map.distance) EXPECT_LT(d, settings.threshold);
  // And no two points are needlessly near.
  const auto energies = [&](std::uint32_t vertex) {
    std::vector<double> energy;
    double sum = 0.0;
    for (Eigen::Index m = 0; m < membrane.shapes.cols(); ++m) {
      energy.push_back(std::pow(static_cast<double>(membrane.shapes(3 * vertex + 1, m)), 2));
      sum += energy.back();
    }
    for (double& e : energy) e /= sum;
    return energy;
  };
  ASSERT_GT(map.points.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GE(sonic_distance(energies(map.points[i]), energies(map.points[j]), membrane.modes,
                               settings),
                0.99 * settings.threshold);
    }
  }
}

TEST(SoundMap, ACoarserEarNeedsFewerPoints) {
  const base::ModalModel membrane = square_membrane();
  const auto points = [&](double threshold) {
    return sound_map(membrane, {.inaudible = 1e-4, .threshold = threshold}).points.size();
  };
  EXPECT_LT(points(6.0), points(4.0));
  EXPECT_LT(points(4.0), points(2.0));
}

TEST(SoundMap, MirrorImagesOfAPointNeedNoPointOfTheirOwn) {
  const auto string = string_modes(1, 1, 1, {.max_frequency = 10});
  geometry::TriMesh line;
  for (std::uint32_t i = 0; i <= 400; ++i) {
    for (const double z : {-0.01, 0.01}) line.vertices.emplace_back(i / 400.0 - 0.5, 0.0, z);
    if (i == 0) continue;
    line.triangles.push_back({2 * i - 2, 2 * i - 1, 2 * i});
    line.triangles.push_back({2 * i, 2 * i - 1, 2 * i + 1});
  }
  base::ModalModel model = modal_model(*string, line, {});
  for (base::Mode& mode : model.modes) mode.frequency *= 300.0;  // where the ear is keen
  const SoundMap map = sound_map(model, {.inaudible = 1e-3, .threshold = 1.5});
  EXPECT_GT(map.points.size(), 10u);
  std::set<std::int64_t> places;  // distances from the middle, in steps
  for (const std::uint32_t v : map.points) {
    places.insert(std::llround(std::abs(line.vertices[v].x()) * 400));
  }
  EXPECT_EQ(places.size(), map.points.size());
}

TEST(SoundMap, ARimThatDoesNotMoveNeedsNoPoint) {
  const base::ModalModel membrane = square_membrane();
  const SoundMap map = sound_map(membrane, {.inaudible = 1e-4, .threshold = 2.0});
  for (const std::uint32_t v : map.points) {
    EXPECT_LT(membrane.surface.vertices[v].cwiseAbs().maxCoeff(), 0.4999);
  }
  // An impact against the normal: down, where the shapes report the displacement upward.
  EXPECT_EQ(map.gains(map.points[0], 0), -membrane.shapes(3 * map.points[0] + 1, 0));
}

TEST(SoundMap, TheEarIsKeenestAtTwoAndAHalfKilohertz) {
  EXPECT_NEAR(ear_sensitivity(2500), 1.0, 1e-3);
  // IEC 61672-1: -19.1 dB at 100 Hz, 0 at 1 kHz, relative to +1.27 dB.
  EXPECT_NEAR(10 * std::log10(ear_sensitivity(1000)), -1.27, 0.02);
  EXPECT_NEAR(10 * std::log10(ear_sensitivity(100)), -20.4, 0.1);
}

}  // namespace
}  // namespace peal::vibration
