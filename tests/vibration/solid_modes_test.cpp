#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/tet_surface.h>
#include <peal/util/error.h>
#include <peal/vibration/solid_modes.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace peal::vibration {
namespace {

using geometry::TriMesh;
using geometry::Vec3;

const base::Material steel{"steel", 7850.0, 200e9, 0.3, {}};

SolidModes modes_of(const TriMesh& mesh, const base::Material& material, double max_frequency,
                    int count = 0) {
  util::Silent silent;
  SolidModesSettings settings;
  settings.max_frequency = max_frequency;
  settings.count = count;
  return solid_modes(mesh, material, settings, silent, "body.obj");
}

TriMesh flipped(TriMesh mesh) {
  for (geometry::Triangle& corners : mesh.triangles) std::swap(corners[0], corners[1]);
  return mesh;
}

TriMesh moved(TriMesh mesh, const Vec3& by) {
  for (Vec3& v : mesh.vertices) v += by;
  return mesh;
}

/// What solid_modes says about a bad mesh: why it refuses, or its notices. A result without modes
/// is never right.
std::string said_about(const TriMesh& mesh) {
  try {
    const SolidModes found = modes_of(mesh, steel, 0.0, 1);
    EXPECT_EQ(found.model.modes.size(), 1u);
    EXPECT_GT(found.model.modes.at(0).frequency, 0.0);
    EXPECT_GT(found.model.shapes.norm(), 0.0f);
    std::string all;
    for (const std::string& notice : found.notices) all += "notice: " + notice + '\n';
    return all;
  } catch (const util::InputError& error) {
    return std::string("refused: ") + error.what();
  }
}

TEST(SolidModes, AskingForFewerModesLeavesNoneOut) {
  // Its fifth mode twists, and is above the next one with coarse elements.
  const TriMesh bar = geometry::box_mesh({0.3133, 0.017, 0.0214}, 0.3);
  const auto few = modes_of(bar, steel, 0.0, 5).model.modes;
  const auto more = modes_of(bar, steel, 0.0, 7).model.modes;
  ASSERT_EQ(few.size(), 5u);
  for (std::size_t k = 0; k < few.size(); ++k)
    EXPECT_NEAR(few[k].frequency / more[k].frequency, 1.0, 0.005) << k;
}

/// A lowest frequency that has no notice about its mesh, to compare with [Hz].
double lowest_of_box() {
  return modes_of(geometry::box_mesh({0.1, 0.1, 0.1}, 0.05), steel, 0.0, 1)
      .model.modes[0]
      .frequency;
}

TEST(SolidModesAnalytic, ASteelBarHasItsFrequenciesWithinTheAccuracyAndTheEstimate) {
  // Reference S19, free bar of 200 x 20 x 10 mm; from a surface of twelve triangles.
  const double hz[] = {1285.94966, 2506.98972, 3490.56863, 5800.73693};
  const SolidModes found = modes_of(geometry::box_mesh({0.2, 0.02, 0.01}, 1.0), steel, 6000.0);
  ASSERT_EQ(found.model.modes.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const double error = std::abs(found.model.modes[i].frequency / hz[i] - 1.0);
    EXPECT_LT(error, 0.005) << i;
    EXPECT_LT(error, found.model.modes[i].relative_error) << i;
  }
  EXPECT_NEAR(found.model.mass, 7850.0 * 0.2 * 0.02 * 0.01, 1e-9);
}

TEST(SolidModesAnalytic, ACoinHasItsFrequenciesThoughItsMeshIsFlatSided) {
  // Reference S20.
  const base::Material copper{"copper", 8940.0, 123.4e9, 0.34, {}};
  const double hz[] = {10982.09, 10982.25, 19029.11, 24853.47, 24853.47};
  const SolidModes found =
      modes_of(geometry::cylinder_mesh(0.01213, 0.00175, 0.002), copper, 30000.0);
  ASSERT_EQ(found.model.modes.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(found.model.modes[i].frequency / hz[i], 1.0, 0.005) << i;
}

TEST(SolidModes, ABodyTwiceAsLargeSoundsAnOctaveLower) {
  const SolidModes one = modes_of(geometry::box_mesh({0.1, 0.03, 0.02}, 1.0), steel, 20000.0);
  const SolidModes two = modes_of(geometry::box_mesh({0.2, 0.06, 0.04}, 1.0), steel, 10000.0);
  ASSERT_EQ(one.model.modes.size(), two.model.modes.size());
  for (std::size_t i = 0; i < one.model.modes.size(); ++i) {
    EXPECT_NEAR(one.model.modes[i].frequency / two.model.modes[i].frequency, 2.0, 1e-9);
  }
}

TEST(SolidModes, ABodyWithoutModesInTheBandIsNotSilentlyEmpty) {
  const SolidModes found = modes_of(geometry::box_mesh({0.016, 0.016, 0.016}, 1.0), steel, 20000.0);
  ASSERT_EQ(found.model.modes.size(), 1u);
  EXPECT_GT(found.model.modes[0].frequency, 20000.0);
  EXPECT_THAT(found.notices, testing::Contains(testing::HasSubstr("all modes are above")));
}

TEST(SolidModes, AClampedBarSoundsLowerAndIsHeld) {
  util::Silent silent;
  SolidModesSettings settings{.max_frequency = 0.0, .count = 1, .clamps = {}};
  settings.clamps.push_back({geometry::Box(Vec3(-0.1001, -1, -1), Vec3(-0.0999, 1, 1)), {}});
  settings.clamps[0].axes = {true, true, true};
  const SolidModes found =
      solid_modes(geometry::box_mesh({0.2, 0.02, 0.01}, 1.0), steel, settings, silent);
  // Euler-Bernoulli: 1.8751^2 / (2 pi L^2) sqrt(E I / (rho A)) = 203.8 Hz; shear lowers it a
  // little.
  EXPECT_NEAR(found.model.modes[0].frequency, 203.8, 2.0);
}

TEST(SolidModes, TheSurfaceIsRefittedWithoutLosingVolume) {
  const TriMesh fine = geometry::sphere_mesh(0.05, 0.004);
  const geometry::SmoothSurface smooth(fine);
  const auto fitted = fitted_surface(smooth, std::vector(fine.vertices.size(), 0.02));
  EXPECT_LT(fitted.mesh.triangles.size(), fine.triangles.size() / 5);
  EXPECT_NEAR(signed_volume(fitted.mesh) / signed_volume(fine), 1.0, 0.05);
}

TEST(BadMeshes, AnOpenSheetIsRefused) {
  TriMesh mesh = geometry::box_mesh({0.1, 0.1, 0.1}, 0.05);
  mesh.triangles.resize(mesh.triangles.size() - 8);  // a whole side
  EXPECT_THAT(said_about(mesh),
              testing::AllOf(testing::StartsWith("refused"), testing::HasSubstr("hole")));
}

TEST(BadMeshes, ASmallHoleIsClosedAndTold) {
  TriMesh mesh = geometry::box_mesh({0.1, 0.1, 0.1}, 0.02);
  mesh.triangles.pop_back();
  const SolidModes found = modes_of(mesh, steel, 0.0, 1);
  EXPECT_THAT(found.notices, testing::Contains("1 small hole closed"));
  EXPECT_NEAR(found.model.modes.at(0).frequency / lowest_of_box(), 1.0, 1e-3);
}

TEST(BadMeshes, AFlippedPatchIsTurnedBackWithANotice) {
  TriMesh mesh = geometry::box_mesh({0.1, 0.1, 0.1}, 0.05);
  for (std::size_t t = 0; t < 4; ++t) std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
  EXPECT_THAT(said_about(mesh),
              testing::AllOf(testing::StartsWith("notice"), testing::HasSubstr("flipped")));
}

TEST(BadMeshes, TwoShellsSideBySideAreRefused) {
  const TriMesh box = geometry::box_mesh({0.1, 0.1, 0.1}, 1.0);
  EXPECT_THAT(
      said_about(joined(box, moved(box, {0.3, 0, 0}))),
      testing::AllOf(testing::StartsWith("refused"), testing::HasSubstr("2 separate bodies")));
}

TEST(BadMeshes, ASmallPartBesideTheBodyIsLeftOutAndTold) {
  const TriMesh box = geometry::box_mesh({0.1, 0.1, 0.1}, 1.0);
  const TriMesh crumb = moved(geometry::box_mesh({0.01, 0.01, 0.01}, 1.0), {0.08, 0, 0});
  const SolidModes found = modes_of(joined(box, crumb), steel, 0.0, 1);
  EXPECT_THAT(found.notices, testing::Contains(testing::HasSubstr("left out")));
  EXPECT_NEAR(found.model.mass, 7.85, 1e-6);
}

TEST(BadMeshes, AShellInsideIsACavityAndTold) {
  const TriMesh outer = geometry::box_mesh({0.1, 0.1, 0.1}, 1.0);
  const TriMesh inner = geometry::box_mesh({0.05, 0.05, 0.05}, 1.0);
  for (const TriMesh& shell : {inner, flipped(inner)}) {
    const SolidModes found = modes_of(joined(outer, shell), steel, 0.0, 1);
    EXPECT_NEAR(found.model.mass, 7850.0 * (1e-3 - 1.25e-4), 1e-9);
    EXPECT_THAT(found.notices, testing::Contains(testing::HasSubstr("cavit")));
  }
}

TEST(BadMeshes, ASheetInsideIsLeftOutAndTold) {
  const TriMesh box = geometry::box_mesh({0.1, 0.1, 0.1}, 1.0);
  const TriMesh sheet = geometry::plane_mesh(0.08, 0.08, 0.04);
  const SolidModes found = modes_of(joined(box, sheet), steel, 0.0, 1);
  EXPECT_NEAR(found.model.mass, 7.85, 1e-6);
  EXPECT_THAT(found.notices, testing::Contains(testing::HasSubstr("open surface")));
}

TEST(SolidModes, AClampBesideTheBodyIsRefused) {
  util::Silent silent;
  SolidModesSettings settings{.max_frequency = 0.0, .count = 1};
  settings.clamps.push_back({geometry::Box(Vec3(5, 5, 5), Vec3(6, 6, 6))});
  EXPECT_THROW(
      solid_modes(geometry::box_mesh({0.1, 0.1, 0.1}, 1.0), steel, settings, silent, "box"),
      util::InputError);
}

TEST(BadMeshes, NoVolumeIsRefused) {
  const TriMesh sheet = geometry::plane_mesh(0.1, 0.1, 0.05);
  EXPECT_THAT(said_about(sheet),
              testing::AllOf(testing::StartsWith("refused"), testing::HasSubstr("hole")));
  // A box squeezed flat: closed, but nothing inside.
  TriMesh flat = geometry::box_mesh({0.1, 0.1, 0.1}, 0.05);
  for (Vec3& v : flat.vertices) v.y() = 0.0;
  EXPECT_THAT(said_about(flat), testing::StartsWith("refused"));
}

TEST(BadMeshes, ASpikeIsRefused) {
  for (const Vec3& tip : {Vec3(-5.0, -4.0, -3.0), Vec3(0.5, 0.4, 0.3)}) {  // away, and through
    TriMesh mesh = geometry::box_mesh({0.1, 0.1, 0.1}, 0.05);
    mesh.vertices[0] = tip;
    EXPECT_THAT(said_about(mesh),
                testing::AllOf(testing::StartsWith("refused"), testing::HasSubstr("spike")));
  }
}

TEST(BadMeshes, DoubledFacesAreLeftOutAndTold) {
  TriMesh mesh = geometry::box_mesh({0.1, 0.1, 0.1}, 0.05);
  mesh.triangles.push_back(mesh.triangles.front());
  const SolidModes found = modes_of(mesh, steel, 0.0, 1);
  EXPECT_THAT(found.notices, testing::Contains(testing::HasSubstr("1 doubled face left out")));
  EXPECT_NEAR(found.model.modes.at(0).frequency / lowest_of_box(), 1.0, 1e-9);
}

TEST(BadMeshes, CrossingBodiesAreUnitedAndTold) {
  const TriMesh box = geometry::box_mesh({0.1, 0.1, 0.1}, 1.0);
  const SolidModes found = modes_of(joined(box, moved(box, {0.03, 0.02, 0.01})), steel, 0.0, 1);
  EXPECT_THAT(found.notices, testing::Contains(testing::HasSubstr("cross")));
}

TEST(BadMeshes, MillimetresInsteadOfMetresAreTold) {
  EXPECT_THAT(said_about(geometry::box_mesh({100, 100, 100}, 1000.0)),
              testing::AllOf(testing::StartsWith("notice"), testing::HasSubstr("millimetres")));
}

TEST(BadMeshes, OneTriangleIsRefused) {
  TriMesh mesh;
  mesh.vertices = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}};
  mesh.triangles = {{0, 1, 2}};
  EXPECT_THAT(said_about(mesh),
              testing::AllOf(testing::StartsWith("refused"), testing::HasSubstr("hole")));
}

TEST(BadMeshes, AnEmptyMeshIsRefused) {
  EXPECT_THAT(said_about({}),
              testing::AllOf(testing::StartsWith("refused"), testing::HasSubstr("no triangles")));
}

}  // namespace
}  // namespace peal::vibration
