#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/repair/mesh_repair.h>

#include <gtest/gtest.h>

#include "geometry/test_meshes.h"

namespace peal::geometry {
namespace {

TriMesh exploded(const TriMesh& mesh, double jitter) {
  Random random(3);
  TriMesh soup;
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.vertices.size());
    for (const std::uint32_t v : t)
      soup.vertices.push_back(mesh.vertices[v] + random.in_cube(1.0) * jitter);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  return soup;
}

TEST(Weld, JoinsCoincidingVertices) {
  const TriMesh sphere = sphere_mesh(1.0, 0.2);
  const TriMesh welded = weld(exploded(sphere, 0.0));
  EXPECT_EQ(welded.vertices.size(), sphere.vertices.size());
  EXPECT_EQ(welded.triangles.size(), sphere.triangles.size());
  EXPECT_TRUE(check_mesh(welded).problems.empty());
}

TEST(Weld, JoinsNearVerticesWithinTheTolerance) {
  const TriMesh sphere = sphere_mesh(1.0, 0.2);
  const TriMesh soup = exploded(sphere, 1e-6);
  EXPECT_EQ(weld(soup, 1e-5).vertices.size(), sphere.vertices.size());
  EXPECT_TRUE(check_mesh(weld(soup, 1e-5)).watertight);
  EXPECT_EQ(weld(soup).vertices.size(), soup.vertices.size());
}

TEST(FaceOutOfSolid, TurnsPartsOutAndNestedOnesIntoTheirCavity) {
  const TriMesh outer = sphere_mesh(1.0, 0.3), inner = sphere_mesh(0.5, 0.2);
  const double shell = signed_volume(outer) - signed_volume(inner);
  TriMesh nested = joined(outer, inner);
  TurnedParts turned = face_out_of_solid(nested);
  EXPECT_EQ(turned.cavities, 1u);
  EXPECT_EQ(turned.inside_out, 0u);
  EXPECT_NEAR(signed_volume(nested), shell, 1e-12);
  turned = face_out_of_solid(nested);
  EXPECT_EQ(turned.cavities + turned.inside_out, 0u);

  TriMesh inside_out = exploded(outer, 0.0);
  for (Triangle& t : inside_out.triangles) std::swap(t[0], t[1]);
  turned = face_out_of_solid(inside_out);
  EXPECT_EQ(turned.inside_out, 1u);
  EXPECT_NEAR(signed_volume(inside_out), signed_volume(outer), 1e-12);
}

TEST(FaceOutOfSolid, LeavesPartsThatCrossAndSheets) {
  // The ends of the bar are inside the arms of a U, its middle is not.
  const TriMesh arm = box_mesh({0.2, 1.0, 0.2}, 2.0), bar = box_mesh({0.9, 0.1, 0.1}, 2.0);
  TriMesh crossing = joined(joined(transformed(arm, Affine(Eigen::Translation3d(-0.4, 0.0, 0.0))),
                                   transformed(arm, Affine(Eigen::Translation3d(0.4, 0.0, 0.0)))),
                            bar);
  TurnedParts turned = face_out_of_solid(crossing);
  EXPECT_EQ(turned.cavities + turned.inside_out, 0u);
  TriMesh sheet = plane_mesh(1.0, 1.0, 0.5);
  turned = face_out_of_solid(sheet);
  EXPECT_EQ(turned.cavities + turned.inside_out, 0u);
}

TEST(DropDoubledFaces, KeepsTheFirstOfEachAndItsGroup) {
  const TriMesh box = box_mesh({1.0, 1.0, 1.0}, 2.0);
  TriMesh twice = box;
  twice.triangles.insert(twice.triangles.end(), box.triangles.rbegin(), box.triangles.rend());
  std::swap(twice.triangles.back()[0], twice.triangles.back()[1]);
  twice.groups = {"a", "b"};
  twice.triangle_group.assign(box.triangles.size(), 0);
  twice.triangle_group.resize(twice.triangles.size(), 1);
  EXPECT_EQ(drop_doubled_faces(twice), box.triangles.size());
  EXPECT_EQ(twice.triangles, box.triangles);
  EXPECT_EQ(twice.triangle_group, std::vector<std::uint32_t>(box.triangles.size(), 0));
}

TEST(Weld, DropsCollapsedTrianglesAndIdleVerticesAndKeepsGroups) {
  TriMesh mesh{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1e-9, 0, 0}, {5, 5, 5}},
               .triangles = {{0, 4, 1}, {4, 1, 2}, {1, 3, 2}},
               .groups = {"a", "b", "c"},
               .triangle_group = {0, 1, 2}};
  const TriMesh welded = weld(mesh, 1e-6);
  EXPECT_EQ(welded.vertices.size(), 4u);
  ASSERT_EQ(welded.triangles.size(), 2u);
  EXPECT_EQ(welded.triangles[0], (Triangle{0, 1, 2}));
  EXPECT_EQ(welded.triangle_group, (std::vector<std::uint32_t>{1, 2}));
}

TEST(Weld, NegativeZeroIsZero) {
  const TriMesh mesh{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, -0.0, -0.0}, {0, 0, 1}},
                     .triangles = {{0, 1, 2}, {3, 4, 1}}};
  EXPECT_EQ(weld(mesh).vertices.size(), 4u);
}

TEST(Weld, DistancesMatchBruteForce) {
  Random random(41);
  TriMesh mesh;
  for (std::uint32_t i = 0; i < 900; i += 3) {
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(random.in_cube(1.0));
    mesh.triangles.push_back({i, i + 1, i + 2});
  }
  const double tolerance = 0.1;
  std::vector<std::uint32_t> kept;
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    const bool fresh = std::none_of(kept.begin(), kept.end(), [&](std::uint32_t u) {
      return (mesh.vertices[u] - mesh.vertices[v]).norm() <= tolerance;
    });
    if (fresh) kept.push_back(v);
  }
  const TriMesh welded = weld(mesh, tolerance);
  EXPECT_LT(kept.size(), 800u);
  // Collapsed triangles may leave a few of the kept vertices idle.
  EXPECT_LE(welded.vertices.size(), kept.size());
  EXPECT_GE(welded.vertices.size(), kept.size() - 20);
}

TEST(OrientConsistently, TurnsRandomlyFlippedFacesOutward) {
  Random random(43);
  TriMesh mesh = joined(torus_mesh(1.0, 0.3, 0.2), translated(sphere_mesh(0.5, 0.2), {5, 0, 0}));
  const double volume = signed_volume(mesh);
  const TriMesh original = mesh;
  for (Triangle& t : mesh.triangles)
    if (random.uniform(0, 1) < 0.6) std::swap(t[0], t[1]);
  const TriMesh oriented = orient_consistently(mesh);
  EXPECT_NEAR(signed_volume(oriented), volume, 1e-12);
  EXPECT_TRUE(check_mesh(oriented).watertight);
  EXPECT_NEAR(signed_volume(orient_consistently(original)), volume, 1e-12);
}

TEST(OrientConsistently, AnOpenSheetFollowsItsMajority) {
  TriMesh sheet = plane_mesh(1, 1, 0.1);
  for (std::size_t t = 0; t < 40; ++t) std::swap(sheet.triangles[t][0], sheet.triangles[t][1]);
  for (std::size_t t = 0; t < sheet.triangles.size(); ++t)
    EXPECT_GT(area_vector(orient_consistently(sheet), t).y(), 0.0);
}

}  // namespace
}  // namespace peal::geometry
