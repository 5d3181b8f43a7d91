#include <peal/geometry/repair/bisected_lattice.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "geometry/test_meshes.h"

namespace peal::geometry {
namespace {

double lattice_volume6(const BisectedLattice& lattice, std::size_t t) {
  const auto& [a, b, c, d] = lattice.tetrahedra()[t].corners;
  const auto& x = lattice.vertices();
  return std::abs(tetrahedron_volume6(x[a], x[b], x[c], x[d]));
}

/// Refined around a point until sides are below its distance.
BisectedLattice refined_at_a_point() {
  BisectedLattice lattice(Vec3::Zero(), 2.0);
  const Vec3 target(0.37, 1.2, 0.81);
  for (std::uint32_t t = 0; t < lattice.tetrahedra().size(); ++t) {
    const auto far = [&] {
      const Vec3& corner = lattice.vertices()[lattice.tetrahedra()[t].corners[0]];
      return std::max(0.05, 0.7 * (corner - target).norm());
    };
    while (lattice.longest_side(t) > far()) lattice.bisect(t);
  }
  return lattice;
}

TEST(BisectedLattice, FillsTheCubeAndFitsTogether) {
  const BisectedLattice lattice = refined_at_a_point();
  double volume = 0.0;
  std::map<std::array<std::uint32_t, 3>, int> faces;
  for (std::size_t t = 0; t < lattice.tetrahedra().size(); ++t) {
    volume += lattice_volume6(lattice, t) / 6.0;
    for (int without = 0; without < 4; ++without) {
      std::array<std::uint32_t, 3> face;
      for (int k = 0, n = 0; k < 4; ++k)
        if (k != without) face[n++] = lattice.tetrahedra()[t].corners[k];
      std::ranges::sort(face);
      ++faces[face];
    }
  }
  EXPECT_GT(lattice.tetrahedra().size(), 500u);
  EXPECT_NEAR(volume, 8.0, 1e-12);
  for (const auto& [face, count] : faces) {
    const bool outer = lattice.on_boundary(face[0]) && lattice.on_boundary(face[1]) &&
                       lattice.on_boundary(face[2]);
    if (!outer) {
      EXPECT_EQ(count, 2);
    }
  }
}

TEST(BisectedLattice, OnlyThreeShapesOccur) {
  const BisectedLattice lattice = refined_at_a_point();
  std::vector<double> shapes;  // volume over longest side cubed
  for (std::uint32_t t = 0; t < lattice.tetrahedra().size(); ++t) {
    const double shape = lattice_volume6(lattice, t) / std::pow(lattice.longest_side(t), 3);
    if (std::ranges::none_of(shapes, [&](double s) { return std::abs(s - shape) < 1e-9; }))
      shapes.push_back(shape);
  }
  EXPECT_LE(shapes.size(), 3u);
}

TEST(BisectedLattice, VerticesMoveOnlyAsFarAsTheTetrahedraAllow) {
  BisectedLattice lattice = refined_at_a_point();
  std::uint32_t v = 0;
  while (lattice.on_boundary(v)) ++v;
  const Vec3 before = lattice.vertices()[v];
  EXPECT_FALSE(lattice.move_vertex(v, before + Vec3(5, 0, 0), 0.1));
  EXPECT_EQ(lattice.vertices()[v], before);
  EXPECT_TRUE(lattice.move_vertex(v, before + Vec3(1e-6, 0, 0), 0.1));
}

}  // namespace
}  // namespace peal::geometry
