#include <peal/geometry/mesh/tri_mesh.h>

#include <gtest/gtest.h>

namespace peal::geometry {
namespace {

TriMesh one_triangle() {
  return {.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .triangles = {{0, 1, 2}}};
}

TEST(TriMesh, AreaVectorPointsOutwardByCounterClockwiseOrder) {
  EXPECT_EQ(area_vector(one_triangle(), 0), Vec3(0, 0, 0.5));
}

TEST(TriMesh, MirroringKeepsNormalsConsistentWithTheMirroredSolid) {
  Affine mirror = Affine::Identity();
  mirror.linear()(2, 2) = -1.0;
  EXPECT_EQ(area_vector(transformed(one_triangle(), mirror), 0), Vec3(0, 0, -0.5));
}

TEST(TriMesh, JoiningKeepsGroupsOfBothHalves) {
  TriMesh named = one_triangle();
  named.groups = {"rim"};
  named.triangle_group = {0};
  const TriMesh both = joined(one_triangle(), named);
  ASSERT_EQ(both.triangles.size(), 2u);
  EXPECT_EQ(both.triangles[1], (Triangle{3, 4, 5}));
  EXPECT_EQ(both.groups[both.triangle_group[1]], "rim");
  EXPECT_EQ(both.groups[both.triangle_group[0]], "");
}

}  // namespace
}  // namespace peal::geometry
