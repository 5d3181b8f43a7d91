#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/util/error.h>
#include <peal/vibration/band_limit.h>
#include <peal/vibration/element_size.h>
#include <peal/vibration/modal_source.h>
#include <peal/vibration/solid_modes.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace peal::vibration {
namespace {

using geometry::TriMesh;
using testing::HasSubstr;

base::Material rubber() {
  base::Material material{"rubber", 1100.0, 2.4e6, 0.49, {}};
  material.damping.internal_friction = 0.1;
  return material;
}

const base::Material porcelain{"porcelain", 2400.0, 70e9, 0.2, {.internal_friction = 0.001}};

SolidSize size_of(const TriMesh& mesh) {
  return {signed_volume(mesh), surface_area(mesh)};
}

SolidModes modes_up_to(const TriMesh& mesh, const base::Material& material, double frequency,
                       int count = 0) {
  util::Silent silent;
  return solid_modes(mesh, material, {.max_frequency = frequency, .count = count, .accuracy = 0.01},
                     silent);
}

TEST(ModeDensitySlow, ExpectsAboutTheModesThatAreFound) {
  const TriMesh ball = geometry::sphere_mesh(0.05, 0.008);
  const double top = 60000.0;
  const auto found = modes_up_to(ball, porcelain, top).model.modes.size();
  EXPECT_NEAR(expected_modes(size_of(ball), porcelain, top) / double(found), 1.0, 0.3);
}

TEST(ModeDensity, OnlyStronglyDampedBodiesCeaseToRing) {
  const SolidSize ball = size_of(geometry::sphere_mesh(0.03, 0.005));
  EXPECT_FALSE(ringing_limit(ball, porcelain));
  const auto limit = ringing_limit(ball, rubber());
  ASSERT_TRUE(limit);
  EXPECT_GT(expected_modes(ball, rubber(), *limit), 59.0);
  EXPECT_LT(*limit, 3000.0);
}

TEST(BandLimitSlow, ARubberBallRingsAsFarAsModesCanBeHeard) {
  const SolidModes found = modes_up_to(geometry::sphere_mesh(0.015, 0.003), rubber(), 20000.0);
  EXPECT_GE(found.model.modes.size(), 55u);
  EXPECT_LE(found.model.modes.size(), 400u);
  // What stands for the modes above is above them, in the order of frequency.
  ASSERT_GE(found.residual, 20u);
  EXPECT_EQ(found.model.modes.back().relative_error, 1.0);
  EXPECT_TRUE(std::ranges::is_sorted(found.model.modes, {}, &base::Mode::frequency));
  EXPECT_EQ(
      base::count_up_to(found.model.modes, complete_band(found.model, 20000.0)) + found.residual,
      found.model.modes.size());
  EXPECT_THAT(found.notices, testing::Contains(HasSubstr("residual shapes")));
  EXPECT_THAT(preview_solid_modes(geometry::sphere_mesh(0.015, 0.003), rubber(), {}),
              testing::Contains(HasSubstr("residual shapes")));
}

TEST(BandLimit, AHugeBodyGetsAsManyModesAsAreAffordable) {
  const TriMesh ball = geometry::sphere_mesh(50.0, 10.0);
  const auto notices = preview_solid_modes(ball, porcelain, {});
  EXPECT_THAT(notices, testing::Contains(HasSubstr("unknowns")));
}

TEST(BandLimit, AMugIsNotLimited) {
  const TriMesh mug =
      geometry::lathe_mesh({{0.0, 0.0}, {0.036, 0.0}, {0.04, 0.01}, {0.04, 0.09}}, 0.003, 0.006);
  EXPECT_THAT(preview_solid_modes(mug, porcelain, {}), testing::IsEmpty());
}

TEST(BandLimit, AnOpenSheetIsRefusedBeforeAnyWork) {
  EXPECT_THROW(preview_solid_modes(geometry::plane_mesh(0.1, 0.1, 0.02), porcelain, {}),
               util::InputError);
}

TEST(ElementSize, AThinSpotDoesNotRefineTheBody) {
  const TriMesh box = geometry::box_mesh({0.2, 0.1, 0.05}, 0.01);
  std::vector<double> thickness(box.triangles.size(), 0.05);
  const auto without = edge_lengths(box, thickness, porcelain, 20000.0, 3.0);
  thickness[100] = 1e-5;
  const auto with = edge_lengths(box, thickness, porcelain, 20000.0, 3.0);
  for (std::size_t v = 0; v < with.size(); ++v) EXPECT_GT(with[v], 0.3 * without[v]) << v;
}

TEST(RingingSurfaceSlow, ANoisyBallHasTheModesOfTheBall) {
  TriMesh scan = geometry::sphere_mesh(0.05, 0.0016);
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0.0, 0.002);
  for (geometry::Vec3& v : scan.vertices) v *= 1.0 + normal(random);
  const SolidModes noisy = modes_up_to(scan, porcelain, 0.0, 10);
  const SolidModes clean = modes_up_to(geometry::sphere_mesh(0.05, 0.008), porcelain, 0.0, 10);
  EXPECT_LT(noisy.unknowns, 3 * clean.unknowns);
  for (std::size_t i = 0; i < 10; ++i)
    EXPECT_NEAR(noisy.model.modes[i].frequency / clean.model.modes[i].frequency, 1.0, 3e-3) << i;
}

TEST(RingingSurfaceSlow, CrossingPartsRingAsTheirUnion) {
  // A cross of two bars, and the polygon of its outline.
  const TriMesh bars = joined(geometry::box_mesh({0.2, 0.01, 0.03}, 1.0),
                              geometry::box_mesh({0.03, 0.01, 0.16}, 1.0));
  const double a = 0.1, b = 0.08, w = 0.015;
  const TriMesh cross = geometry::extruded_mesh({{-a, -w},
                                                 {-w, -w},
                                                 {-w, -b},
                                                 {w, -b},
                                                 {w, -w},
                                                 {a, -w},
                                                 {a, w},
                                                 {w, w},
                                                 {w, b},
                                                 {-w, b},
                                                 {-w, w},
                                                 {-a, w}},
                                                {}, 0.01, 1.0);
  const base::Material steel{"steel", 7850.0, 200e9, 0.3, {}};
  const SolidModes found = modes_up_to(bars, steel, 0.0, 10),
                   exact = modes_up_to(cross, steel, 0.0, 10);
  for (std::size_t i = 0; i < 10; ++i) {
    const double error =
        std::abs(found.model.modes[i].frequency / exact.model.modes[i].frequency - 1.0);
    EXPECT_LT(error, found.model.modes[i].relative_error + exact.model.modes[i].relative_error)
        << i;
    EXPECT_LT(error, 0.015) << i;
  }
}

}  // namespace
}  // namespace peal::vibration
