#include <peal/geometry/mesh/surface_match.h>
#include <peal/geometry/shapes/shapes.h>

#include <gtest/gtest.h>

namespace peal::geometry {
namespace {

TriMesh moved_by(TriMesh mesh, const Vec3& way) {
  return transformed(std::move(mesh), Affine(Eigen::Translation3d(way)));
}

TEST(SurfaceMatch, ASphereThatMovesMeetsItsNextTrianglesAlongTheNormal) {
  const Vec3 way(0.004, 0, 0);
  const SurfaceQuery before(sphere_mesh(0.1, 0.012)), after(moved_by(sphere_mesh(0.1, 0.01), way));
  const std::vector<Vec3> onward = displacements_onto(before, after);
  for (std::size_t i = 0; i < onward.size(); ++i) {
    const Vec3& from = before.mesh().vertices[i];
    const double height = (from + onward[i] - way).norm();
    EXPECT_NEAR(height, 0.1, 0.0003) << "facets lie up to 0.2 mm within the sphere";
    EXPECT_NEAR(onward[i].dot(from.normalized()), way.dot(from.normalized()), 0.0004);
  }
}

TEST(SurfaceMatch, FlatFacesWithOtherTrianglesStayWhereTheyAre) {
  const SurfaceQuery before(box_mesh({0.2, 0.1, 0.05}, 0.03)),
      after(box_mesh({0.2, 0.1, 0.05}, 0.02));
  for (const Vec3& step : displacements_onto(before, after)) EXPECT_LT(step.norm(), 1e-15);
}

TEST(SurfaceMatch, APartThatIsNotThereLaterRests) {
  const TriMesh pool = sphere_mesh(0.1, 0.02),
                drop = moved_by(sphere_mesh(0.01, 0.004), {0, 0.2, 0});
  const SurfaceQuery before(joined(pool, drop)), after(moved_by(pool, {0, 0.001, 0}));
  const std::vector<Vec3> onward = displacements_onto(before, after);
  for (std::size_t i = pool.vertices.size(); i < onward.size(); ++i)
    EXPECT_EQ(onward[i], Vec3::Zero());
}

}  // namespace
}  // namespace peal::geometry
