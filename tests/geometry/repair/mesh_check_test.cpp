#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/repair/self_intersection.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/test_meshes.h"

namespace peal::geometry {
namespace {

using Kind = MeshProblemKind;

std::vector<Kind> kinds(const MeshReport& report) {
  std::vector<Kind> found;
  for (const MeshProblem& problem : report.problems) found.push_back(problem.kind);
  return found;
}

std::size_t count(const MeshReport& report, Kind kind) {
  const MeshProblem* problem = report.find(kind);
  return problem == nullptr ? 0 : problem->count;
}

TEST(MeshCheck, ASoundMeshHasNoProblems) {
  const MeshReport report = check_mesh(sphere_mesh(1.0, 0.2));
  EXPECT_TRUE(report.problems.empty());
  EXPECT_TRUE(report.watertight);
  EXPECT_EQ(report.components, 1u);
}

TEST(MeshCheck, AMissingFaceIsAHoleWithPlaceAndLength) {
  TriMesh mesh = box_mesh({1, 1, 1}, 0.25);
  const Vec3 place = triangle_centre(mesh, 10);
  double length = 0.0;
  for (int k = 0; k < 3; ++k)
    length +=
        (mesh.vertices[mesh.triangles[10][k]] - mesh.vertices[mesh.triangles[10][(k + 1) % 3]])
            .norm();
  mesh.triangles.erase(mesh.triangles.begin() + 10);
  const MeshReport report = check_mesh(mesh);
  EXPECT_THAT(kinds(report), testing::ElementsAre(Kind::hole));
  ASSERT_EQ(report.holes.size(), 1u);
  EXPECT_LT((report.holes[0].centre - place).norm(), 1e-14);
  EXPECT_NEAR(report.holes[0].length, length, 1e-14);
  EXPECT_LT((report.problems[0].examples[0] - place).norm(), 1e-14);
  EXPECT_FALSE(report.watertight);
}

TEST(MeshCheck, AnInnerWallMakesNonManifoldEdges) {
  // Two boxes that share one square.
  const TriMesh box = box_mesh({1, 1, 1}, 1.0);
  const MeshReport report = check_mesh(joined(box, translated(box, {1, 0, 0})));
  EXPECT_EQ(count(report, Kind::non_manifold_edge), 4u);
  EXPECT_EQ(count(report, Kind::duplicate_vertex), 4u);
  EXPECT_EQ(count(report, Kind::duplicate_face), 2u);
}

TEST(MeshCheck, AFlippedFaceDisagreesWithItsThreeNeighbours) {
  TriMesh mesh = sphere_mesh(1.0, 0.3);
  std::swap(mesh.triangles[7][0], mesh.triangles[7][1]);
  const MeshReport report = check_mesh(mesh);
  EXPECT_THAT(kinds(report), testing::ElementsAre(Kind::flipped_face));
  EXPECT_EQ(report.problems[0].count, 3u);
}

TEST(MeshCheck, AMeshTurnedInsideOutIsTold) {
  TriMesh mesh = sphere_mesh(1.0, 0.3);
  for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
  EXPECT_THAT(kinds(check_mesh(mesh)), testing::ElementsAre(Kind::inside_out));
  mesh.triangles.pop_back();
  EXPECT_THAT(kinds(check_mesh(mesh)), testing::ElementsAre(Kind::hole, Kind::inside_out));
}

TEST(MeshCheck, ACavityIsNotInsideOut) {
  TriMesh cavity = sphere_mesh(0.5, 0.2);
  for (Triangle& t : cavity.triangles) std::swap(t[0], t[1]);
  EXPECT_THAT(kinds(check_mesh(joined(sphere_mesh(1.0, 0.2), cavity))),
              testing::ElementsAre(Kind::several_components));
}

TEST(MeshCheck, DegenerateAndDuplicateFacesAreCounted) {
  TriMesh mesh = sphere_mesh(1.0, 0.3);
  mesh.triangles.push_back({0, 0, 1});
  mesh.triangles.push_back(mesh.triangles[4]);
  mesh.triangles.push_back({mesh.triangles[5][1], mesh.triangles[5][0], mesh.triangles[5][2]});
  const MeshReport report = check_mesh(mesh);
  EXPECT_EQ(count(report, Kind::degenerate_face), 1u);
  EXPECT_EQ(count(report, Kind::duplicate_face), 2u);
  EXPECT_EQ(report.problems.size(), 2u);
}

TEST(MeshCheck, ASliverIsDegenerateAtAnyScale) {
  for (const double scale : {1e-3, 1.0, 1e1}) {
    TriMesh mesh{.vertices = {{0, 0, 0}, {scale, 0, 0}, {0.5 * scale, 1e-9 * scale, 0}},
                 .triangles = {{0, 1, 2}}};
    EXPECT_EQ(count(check_mesh(mesh), Kind::degenerate_face), 1u);
    mesh.vertices[2].y() = 1e-5 * scale;
    EXPECT_EQ(count(check_mesh(mesh), Kind::degenerate_face), 0u);
  }
}

TEST(MeshCheck, AnUnweldedMeshNeedsWeldingAndHasNoHoles) {
  const TriMesh sphere = sphere_mesh(1.0, 0.3);
  TriMesh soup;
  for (const Triangle& t : sphere.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.vertices.size());
    for (const std::uint32_t v : t) soup.vertices.push_back(sphere.vertices[v]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  soup.vertices.push_back({0, 0, 0});
  const MeshReport report = check_mesh(soup);
  EXPECT_THAT(kinds(report),
              testing::ElementsAre(Kind::duplicate_vertex, Kind::unreferenced_vertex));
  EXPECT_EQ(count(report, Kind::duplicate_vertex),
            3 * sphere.triangles.size() - sphere.vertices.size());
}

TEST(MeshCheck, MillimetresAreSuspected) {
  const MeshReport large = check_mesh(sphere_mesh(60.0, 20.0));
  ASSERT_NE(large.find(Kind::suspicious_units), nullptr);
  EXPECT_THAT(large.problems[0].hint, testing::HasSubstr("0.001"));
  EXPECT_NE(check_mesh(sphere_mesh(1e-4, 5e-5)).find(Kind::suspicious_units), nullptr);
  EXPECT_EQ(check_mesh(sphere_mesh(1e-3, 5e-4)).find(Kind::suspicious_units), nullptr);
}

TEST(MeshCheck, WrongIndicesAndNumbersAreSafe) {
  TriMesh mesh = sphere_mesh(1.0, 0.5);
  mesh.triangles.push_back({0, 1, 4000000000u});
  mesh.vertices[3].y() = std::nan("");
  mesh.vertices[5].x() = std::numeric_limits<double>::infinity();
  const MeshReport report = check_mesh(mesh);
  EXPECT_EQ(count(report, Kind::bad_index), 1u);
  EXPECT_EQ(count(report, Kind::not_finite), 2u);
  EXPECT_FALSE(report.watertight);
  EXPECT_TRUE(check_mesh(TriMesh{}).problems.empty());
  check_mesh(TriMesh{.vertices = {}, .triangles = {{0, 0, 0}, {1, 2, 3}}});
}

TEST(MeshCheck, ExamplesAreLimitedCountsAreNot) {
  TriMesh mesh = sphere_mesh(1.0, 0.1);
  for (std::size_t t = 0; t < 100; ++t) mesh.triangles.push_back(mesh.triangles[t]);
  const MeshReport report = check_mesh(mesh, {.examples = 3});
  EXPECT_EQ(report.problems[0].count, 100u);
  EXPECT_EQ(report.problems[0].examples.size(), 3u);
}

Corners flat(double x, double y, double z) {
  return {Vec3(x, y, z), Vec3(x + 1, y, z), Vec3(x, y + 1, z)};
}

TEST(TrianglesCross, PiercingCountsTouchingDoesNot) {
  const Corners base = flat(0, 0, 0);
  EXPECT_TRUE(triangles_cross(base, {Vec3(0.2, 0.2, -1), Vec3(0.3, 0.2, 1), Vec3(0.2, 0.3, 1)}));
  EXPECT_FALSE(triangles_cross(base, {Vec3(0.2, 0.2, 0), Vec3(0.3, 0.2, 1), Vec3(0.2, 0.3, 1)}));
  EXPECT_FALSE(triangles_cross(base, {Vec3(0.8, 0.8, -1), Vec3(0.9, 0.8, 1), Vec3(0.8, 0.9, 1)}));
  EXPECT_FALSE(triangles_cross(base, flat(0, 0, 1e-6)));
  // A side that lies in the other's face.
  EXPECT_TRUE(triangles_cross(base, {Vec3(0.1, 0.2, 0), Vec3(0.5, 0.2, 0), Vec3(0.2, 0.2, 1)}));
  // Sides on top of each other, at an angle and in one plane.
  EXPECT_FALSE(triangles_cross(base, {Vec3(0.2, 0, 0), Vec3(0.6, 0, 0), Vec3(0.3, 0, 1)}));
  EXPECT_FALSE(triangles_cross(base, {Vec3(0.2, 0, 0), Vec3(0.6, 0, 0), Vec3(0.3, -1, 0)}));
  // In one plane.
  EXPECT_TRUE(triangles_cross(base, flat(0.1, 0.1, 0)));
  EXPECT_FALSE(triangles_cross(base, flat(1.5, 0.1, 0)));
}

TEST(SelfIntersections, PairsMatchBruteForce) {
  TriMesh mesh = triangle_soup(400, 9);
  mesh = joined(mesh, sphere_mesh(0.5, 0.2));
  const SelfIntersections found = self_intersections(mesh, 100000);
  std::vector<std::array<std::uint32_t, 2>> expected;
  const auto corners = [&](const Triangle& t) {
    return Corners{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
  };
  for (std::uint32_t s = 0; s < mesh.triangles.size(); ++s)
    for (std::uint32_t t = s + 1; t < mesh.triangles.size(); ++t) {
      const Triangle &a = mesh.triangles[s], &b = mesh.triangles[t];
      if (std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end()) continue;
      if (triangles_cross(corners(a), corners(b))) expected.push_back({s, t});
    }
  EXPECT_TRUE(found.complete);
  EXPECT_GT(expected.size(), 100u);
  EXPECT_EQ(found.pairs, expected);
}

TEST(SelfIntersections, TwoSpheresCrossAlongACircle) {
  const TriMesh ball = sphere_mesh(1.0, 0.2);
  const MeshReport report = check_mesh(joined(ball, translated(ball, {0.7, 0.1, 0.2})));
  EXPECT_THAT(kinds(report),
              testing::ElementsAre(Kind::self_intersection, Kind::several_components));
  for (const Vec3& place : report.find(Kind::self_intersection)->examples) {
    EXPECT_NEAR(place.norm(), 1.0, 0.15);
    EXPECT_NEAR((place - Vec3(0.7, 0.1, 0.2)).norm(), 1.0, 0.15);
  }
}

TEST(SelfIntersections, FlatFinelyMeshedFacesAreNotReported) {
  // Coplanar neighbours, turned and moved so that coordinates are rounded.
  Affine motion = Affine::Identity();
  motion.translate(Vec3(100.0, 0.3, -20.0));
  motion.rotate(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  for (const TriMesh& mesh : {box_mesh({1, 1, 1}, 0.03), cylinder_mesh(0.3, 0.2, 0.02)})
    EXPECT_TRUE(self_intersections(transformed(mesh, motion), 10).pairs.empty());
}

TEST(SelfIntersections, CountingStopsAtTheCap) {
  const TriMesh soup = triangle_soup(2000, 21);
  const MeshReport report = check_mesh(soup, {.max_self_intersections = 20});
  const MeshProblem* problem = report.find(Kind::self_intersection);
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(problem->count, 20u);
  EXPECT_FALSE(problem->count_is_complete);
  EXPECT_THAT(problem->sentence, testing::HasSubstr("at least 20"));
}

TEST(MeshCheckSlow, AMillionTrianglesTakeSeconds) {
  const TriMesh mesh = sphere_mesh(0.5, 0.003);
  ASSERT_GT(mesh.triangles.size(), 900'000u);
  EXPECT_TRUE(check_mesh(mesh).problems.empty());
}

}  // namespace
}  // namespace peal::geometry
