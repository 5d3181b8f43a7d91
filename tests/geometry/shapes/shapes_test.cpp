#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/repair/backed_sheet.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/shapes/shapes.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/test_meshes.h"

namespace peal::geometry {
namespace {

using std::numbers::pi;

const Polygon l_outline = {{0, 0}, {1, 0}, {1, 0.4}, {0.4, 0.4}, {0.4, 1}, {0, 1}};
const Polygon square = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};

Polygon circle(double radius, const Vec2& centre, int n) {
  Polygon polygon;
  for (int i = 0; i < n; ++i)
    polygon.push_back(centre + radius * Vec2(std::cos(2 * pi * i / n), std::sin(2 * pi * i / n)));
  return polygon;
}

double polygon_area(double radius, int n) {
  return 0.5 * n * radius * radius * std::sin(2 * pi / n);
}

/// A bowl of constant wall: half of a spherical shell, drawn with many points.
std::vector<Vec2> bowl_profile(double radius, int n) {
  std::vector<Vec2> profile;
  for (int i = 0; i <= n; ++i)
    profile.push_back({i == 0 ? 0.0 : radius * std::sin(0.5 * pi * i / n),
                       i == n ? 0.0 : -radius * std::cos(0.5 * pi * i / n)});
  return profile;
}

/// Outer and inner surface of that bowl, its wall measured across the sides of the profile.
Polygon bowl_section(double radius, double wall, int n) {
  Polygon section = bowl_profile(radius, n);
  const double inner = radius - wall / std::cos(0.25 * pi / n);
  const Vec2 last = (section[n] - section[n - 1]).normalized();
  section.push_back(section[n] + wall * Vec2(-last.y(), last.x()));
  const Polygon inside = bowl_profile(inner, n);
  section.insert(section.end(), inside.rbegin() + 1, inside.rend());
  return section;
}

/// Exact volume of a counter-clockwise section turned about the axis (Pappus).
double turned_volume(const Polygon& section) {
  double sum = 0.0;
  for (std::size_t i = 0; i < section.size(); ++i) {
    const Vec2 &a = section[i], &b = section[(i + 1) % section.size()];
    sum += (a.x() * a.x() + a.x() * b.x() + b.x() * b.x()) * (b.y() - a.y());
  }
  return pi / 3 * sum;
}

const std::vector<Vec2> mug_profile = {{0, 0}, {0.04, 0}, {0.04, 0.1}};

/// Half section of a wine glass with a solid stem, drawn from the axis at the foot.
const Polygon wine_glass = {{0, 0},        {0.035, 0},    {0.035, 0.002}, {0.004, 0.006},
                            {0.004, 0.08}, {0.03, 0.11},  {0.034, 0.14},  {0.03, 0.18},
                            {0.029, 0.18}, {0.033, 0.14}, {0.029, 0.111}, {0, 0.085}};

struct ShapeCase {
  const char* name;
  std::function<TriMesh(double)> mesh;
  double edge_length;
  double volume;     ///< exact [m^3]
  bool polyhedral;   ///< the volume is exact at any resolution
  double min_angle;  ///< [degree]
};

std::vector<ShapeCase> shape_cases() {
  const double rounded_volume = 0.6 * 0.4 * 0.2 +                                // core
                                2 * 0.1 * (0.6 * 0.4 + 0.4 * 0.2 + 0.2 * 0.6) +  // slabs
                                pi * 0.01 * (0.6 + 0.4 + 0.2) + 4.0 / 3 * pi * 0.001;
  return {
      {"box",
       [](double h) {
         return box_mesh({0.5, 1.0, 0.25}, h);
       },
       0.06, 0.125, true, 35},
      {"rounded_box",
       [](double h) {
         return rounded_box_mesh({0.8, 0.6, 0.4}, 0.1, h);
       },
       0.04, rounded_volume, false, 25},
      {"ball_as_rounded_box",
       [](double h) {
         return rounded_box_mesh({1, 1, 1}, 0.5, h);
       },
       0.1, pi / 6, false, 35},
      {"sphere", [](double h) { return sphere_mesh(0.5, h); }, 0.1, pi / 6, false, 45},
      {"cylinder", [](double h) { return cylinder_mesh(0.4, 1.2, h); }, 0.1, pi * 0.16 * 1.2, false,
       20},
      {"frustum", [](double h) { return cone_mesh(0.5, 0.2, 1.0, h); }, 0.1,
       pi / 3 * (0.25 + 0.1 + 0.04), false, 20},
      {"cone", [](double h) { return cone_mesh(0.5, 0.0, 1.0, h); }, 0.1, pi / 3 * 0.25, false, 12},
      {"tip_down", [](double h) { return cone_mesh(0.0, 0.5, 1.0, h); }, 0.1, pi / 3 * 0.25, false,
       12},
      {"torus", [](double h) { return torus_mesh(0.5, 0.2, h); }, 0.05, 2 * pi * pi * 0.5 * 0.04,
       false, 20},
      {"bowl", [](double h) { return lathe_mesh(bowl_profile(0.1, 24), 0.02, h); }, 0.01,
       turned_volume(bowl_section(0.1, 0.02, 24)), false, 10},
      {"mug", [](double h) { return lathe_mesh(mug_profile, 0.004, h); }, 0.008,
       pi * (0.0016 * 0.1 - 0.036 * 0.036 * 0.096), false, 15},
      {"tube",
       [](double h) {
         return lathe_mesh({{0.04, 0}, {0.04, 0.1}}, 0.01, h);
       },
       0.005, pi * (0.0016 - 0.0009) * 0.1, false, 20},
      {"l_prism", [](double h) { return extruded_mesh(l_outline, {}, 0.3, h); }, 0.05, 0.64 * 0.3,
       true, 20},
      {"plate_with_holes",
       [](double h) {
         return extruded_mesh(square, {circle(0.1, {0.2, 0.2}, 24), circle(0.15, {-0.2, 0.1}, 32)},
                              0.05, h);
       },
       0.05, 0.05 * (1 - polygon_area(0.1, 24) - polygon_area(0.15, 32)), true, 15},
  };
}

class ClosedShape : public testing::TestWithParam<ShapeCase> {};

TEST_P(ClosedShape, HasNoProblems) {
  for (const double factor : {1.0, 0.37, 3.0}) {
    const MeshReport report = check_mesh(GetParam().mesh(factor * GetParam().edge_length));
    EXPECT_TRUE(report.watertight);
    for (const MeshProblem& problem : report.problems) ADD_FAILURE() << problem.sentence;
  }
}

TEST_P(ClosedShape, VolumeIsExactOrConvergesWithOrderTwo) {
  const ShapeCase& shape = GetParam();
  const auto error = [&](double h) {
    return std::abs(signed_volume(shape.mesh(h)) / shape.volume - 1.0);
  };
  if (shape.polyhedral) {
    EXPECT_LT(error(shape.edge_length), 1e-13);
    return;
  }
  EXPECT_LT(error(0.5 * shape.edge_length), 0.01);
  EXPECT_NEAR(order(error(shape.edge_length), error(0.5 * shape.edge_length)), 2.0, 0.25);
}

TEST_P(ClosedShape, EdgesAndAnglesAreWithinBounds) {
  for (const double h : {GetParam().edge_length, 0.5 * GetParam().edge_length}) {
    const TriMesh mesh = GetParam().mesh(h);
    double longest = 0.0, smallest = 180.0;
    for (const Triangle& t : mesh.triangles) {
      for (int k = 0; k < 3; ++k) {
        const Vec3 a = mesh.vertices[t[(k + 1) % 3]] - mesh.vertices[t[k]];
        const Vec3 b = mesh.vertices[t[(k + 2) % 3]] - mesh.vertices[t[k]];
        longest = std::max(longest, a.norm());
        smallest = std::min(smallest, std::atan2(a.cross(b).norm(), a.dot(b)) * 180 / pi);
      }
    }
    EXPECT_LE(longest, 1.5 * h) << longest / h;
    EXPECT_GE(longest, 0.4 * h) << "much finer than asked for";
    EXPECT_GE(smallest, GetParam().min_angle);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ClosedShape, testing::ValuesIn(shape_cases()),
                         [](const auto& test) { return test.param.name; });

TEST(Shapes, AWineGlassFromItsClosedSectionIsWatertight) {
  const MeshReport report = check_mesh(lathe_mesh(wine_glass, 0.004));
  EXPECT_TRUE(report.watertight);
  for (const MeshProblem& problem : report.problems) ADD_FAILURE() << problem.sentence;
  Polygon other_way(wine_glass.rbegin(), wine_glass.rend());
  EXPECT_NEAR(signed_volume(lathe_mesh(other_way, 0.004)),
              signed_volume(lathe_mesh(wine_glass, 0.004)), 1e-15);
}

TEST(Shapes, AWallGrowsToTheInsideOfACup) {
  const Box box = bounds(lathe_mesh(mug_profile, 0.004, 0.01));
  EXPECT_NEAR(box.max().x(), 0.04, 1e-12);
  EXPECT_NEAR(box.min().y(), 0.0, 1e-12);
  EXPECT_NEAR(box.max().y(), 0.1, 1e-12);
}

TEST(Shapes, AShellWithBothEndsOnTheAxisHasACavity) {
  std::vector<Vec2> arc;
  for (int i = 0; i <= 40; ++i) {
    const bool end = i == 0 || i == 40;
    arc.push_back({end ? 0.0 : 0.1 * std::sin(pi * i / 40), -0.1 * std::cos(pi * i / 40)});
  }
  const TriMesh shell = lathe_mesh(arc, 0.01, 0.008);
  const MeshReport report = check_mesh(shell);
  EXPECT_TRUE(report.watertight);
  EXPECT_EQ(report.components, 2u);
  EXPECT_NEAR(signed_volume(shell) / (4.0 / 3 * pi * (1e-3 - 0.729e-3)), 1.0, 0.02);
}

TEST(Shapes, PlaneAndDiscAreOpenSheetsFacingUp) {
  for (const TriMesh& sheet : {plane_mesh(0.4, 0.7, 0.1), disc_mesh(0.3, 0.05)}) {
    for (std::size_t t = 0; t < sheet.triangles.size(); ++t)
      EXPECT_GT(area_vector(sheet, t).y(), 0.0);
    const MeshReport report = check_mesh(sheet);
    ASSERT_EQ(report.problems.size(), 1u);
    EXPECT_EQ(report.problems[0].kind, MeshProblemKind::hole);
    EXPECT_EQ(report.holes.size(), 1u);
  }
  EXPECT_NEAR(surface_area(plane_mesh(0.4, 0.7, 0.1)), 0.28, 1e-14);
  EXPECT_NEAR(surface_area(disc_mesh(0.3, 0.02)), pi * 0.09, 5e-4);
}

TEST(Shapes, SizesAreAsAskedAndCentred) {
  const auto expect_box = [](const TriMesh& mesh, const Vec3& size) {
    EXPECT_LT((bounds(mesh).sizes() - size).norm(), 1e-12);
    EXPECT_LT(bounds(mesh).center().norm(), 1e-12);
  };
  expect_box(box_mesh({1, 2, 3}, 0.5), {1, 2, 3});
  expect_box(rounded_box_mesh({1, 2, 3}, 0.2, 0.1), {1, 2, 3});
  EXPECT_NEAR(bounds(cylinder_mesh(0.5, 2.0, 0.1)).max().y(), 1.0, 1e-12);
  EXPECT_NEAR(bounds(extruded_mesh(l_outline, {}, 0.3, 0.1)).max().y(), 0.15, 1e-12);
  EXPECT_NEAR(bounds(extruded_mesh(l_outline, {}, 0.3, 0.1)).max().x(), 1.0, 1e-12);
}

TEST(Shapes, AnEdgeLengthLargerThanTheShapeStillGivesASolid) {
  for (const TriMesh& mesh :
       {box_mesh({1, 1, 1}, 10), rounded_box_mesh({1, 1, 1}, 0.1, 10), sphere_mesh(1, 10),
        cylinder_mesh(1, 1, 10), cone_mesh(1, 0, 1, 10), torus_mesh(1, 0.4, 10),
        extruded_mesh(square, {circle(0.1, {0, 0}, 5)}, 1, 10), lathe_mesh(mug_profile, 0.004, 10)})
    EXPECT_TRUE(check_mesh(mesh).problems.empty());
  EXPECT_EQ(sphere_mesh(1, 10).triangles.size(), 20u);
}

void expect_refused(const std::function<TriMesh()>& make, const char* words) {
  try {
    make();
    ADD_FAILURE() << "accepted, but: " << words;
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(words));
  }
}

TEST(Shapes, ImpossibleSizesAreRefusedWithASentence) {
  expect_refused([] { return sphere_mesh(0.0, 0.1); }, "radius of a sphere must be a positive");
  expect_refused([] { return sphere_mesh(1.0, -0.1); }, "edge length must be a positive");
  expect_refused([] { return sphere_mesh(std::nan(""), 0.1); }, "positive");
  expect_refused([] { return box_mesh({1, 0, 1}, 0.1); }, "y size of a box");
  expect_refused([] { return rounded_box_mesh({1, 0.5, 1}, 0.3, 0.1); }, "at most half");
  expect_refused([] { return cone_mesh(0, 0, 1, 0.1); }, "radius of a cone");
  expect_refused([] { return torus_mesh(0.2, 0.3, 0.1); }, "less than the major radius");
  for (const auto& make : std::vector<std::function<TriMesh()>>{
           [] { return sphere_mesh(1.0, 1e-5); },
           [] {
             return box_mesh({1, 1, 1}, 1e-6);
           },
           [] { return cylinder_mesh(1, 1, 1e-6); }, [] { return torus_mesh(1, 0.5, 1e-12); },
           [] { return plane_mesh(1e9, 1e9, 1e-9); }, [] { return disc_mesh(1e300, 1e-300); },
           [] { return extruded_mesh(square, {}, 1.0, 1e-6); },
           [] {
             return rounded_box_mesh({1, 1, 1}, 0.2, 1e-6);
           }})
    expect_refused(make, "20 million");
}

TEST(Shapes, ImpossibleProfilesAreRefusedWithASentence) {
  expect_refused(
      [] {
        return lathe_mesh({{0, 0}, {0.01, 0}, {0.01, 0.1}}, 0.02, 0.01);
      },
      "thicker than the profile's radius");
  expect_refused([] { return lathe_mesh({{0, 0}, {0.1, 0}, {0.1, 0.01}}, 0.05, 0.01); }, "wall");
  expect_refused([] { return lathe_mesh({{0, 0}, {0, 0.1}, {0.1, 0.1}}, 0.01, 0.01); }, "axis");
  expect_refused([] { return lathe_mesh({{0.1, 0}}, 0.01, 0.01); }, "at least 2 points");
  expect_refused([] { return lathe_mesh({{0.1, 0}, {-0.1, 1}}, 0.01, 0.01); }, "negative");
  expect_refused(
      [] {
        return lathe_mesh({{0.5, 0}, {0.5, 1}, {0.501, 0}}, 0.01, 0.1);
      },
      "turns back");
  expect_refused([] { return lathe_mesh({{0, 0}, {1, 1}, {1, 0}, {0, 1}}, 0.1); }, "crosses");
  expect_refused([] { return lathe_mesh({{0, 0}, {0, 1}, {0, 2}}, 0.1); }, "section");
  expect_refused([] { return lathe_mesh({{0, 0}, {1, 0}, {1, 0}, {0, 1}}, 0.1); }, "twice");
}

TEST(Shapes, ImpossiblePolygonsAreRefusedWithASentence) {
  expect_refused(
      [] {
        return extruded_mesh({{0, 0}, {1, 1}, {1, 0}, {0, 1}}, {}, 1, 0.1);
      },
      "crosses");
  expect_refused(
      [] {
        return extruded_mesh(square, {circle(0.1, {3, 0}, 8)}, 1, 0.1);
      },
      "hole 0 of an extrusion lies outside");
  expect_refused(
      [] {
        return extruded_mesh(square, {circle(0.1, {0.45, 0}, 8)}, 1, 0.1);
      },
      "crosses or touches");
  expect_refused(
      [] {
        return extruded_mesh(square, {circle(0.3, {0, 0}, 8), circle(0.1, {0, 0}, 8)}, 1, 0.1);
      },
      "hole 1 of an extrusion lies inside hole 0");
  expect_refused([] { return extruded_mesh({{0, 0}, {1, 1}}, {}, 1, 0.1); }, "at least 3 corners");
  expect_refused([] { return extruded_mesh({{0, 0}, {1, 1}, {2, 2}}, {}, 1, 0.1); }, "crosses");
  expect_refused(
      [] {
        return extruded_mesh({{0, 0}, {1, 1}, {std::nan(""), 2}}, {}, 1, 0.1);
      },
      "not finite");
}

TEST(BackedSheet, IsTheSolidBelowAGroundWhicheverWayItLooks) {
  TriMesh hill = plane_mesh(2.0, 1.0, 0.1);
  const double area = surface_area(hill);
  for (Vec3& v : hill.vertices) v.y() += 0.05 * std::sin(3.0 * v.x());
  TriMesh turned = hill;
  for (Triangle& t : turned.triangles) std::swap(t[0], t[1]);
  for (const TriMesh& ground : {hill, turned}) {
    const auto solid = backed_sheet(ground, {0, -9.81, 0});
    ASSERT_TRUE(solid);
    EXPECT_TRUE(check_mesh(*solid).problems.empty());
    EXPECT_NEAR(signed_volume(*solid), 0.1 * area, 0.02 * area);
    EXPECT_LT(bounds(*solid).min().y(), -0.1);
    EXPECT_FALSE(backed_sheet(*solid, Vec3::Zero()));  // closed
  }
  // A wall is solid behind its faces.
  EXPECT_GT(bounds(*backed_sheet(turned, {1, 0, 0})).max().y(), 0.1);
  // What stands steep, or looks both ways.
  TriMesh cup = lathe_mesh(wall_section({{0, 0}, {0.04, 0}, {0.04, 0.1}}, 0.003), 0.02);
  cup.triangles.resize(cup.triangles.size() / 2);
  EXPECT_FALSE(backed_sheet(cup, {0, -1, 0}));
}

}  // namespace
}  // namespace peal::geometry
