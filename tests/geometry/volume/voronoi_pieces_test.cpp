#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/plane_cut.h>
#include <peal/geometry/volume/voronoi_pieces.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace peal::geometry {
namespace {

/// Closed, consistently oriented, and not crossing itself.
bool is_clean(const TriMesh& mesh) {
  const MeshReport report = check_mesh(mesh);
  return report.watertight && report.find(MeshProblemKind::self_intersection) == nullptr;
}

double sum_of_volumes(const std::vector<TriMesh>& pieces) {
  double sum = 0.0;
  for (const TriMesh& piece : pieces) sum += signed_volume(piece);
  return sum;
}

bool is_convex(const TriMesh& mesh) {
  return recognised_polyhedron(mesh).has_value();
}

/// A plate with a foot and a raised rim.
TriMesh dinner_plate() {
  return lathe_mesh({{0.0, 0.0}, {0.053, 0.0}, {0.066, 0.005}, {0.092, 0.014}}, 0.0055, 0.012);
}

TEST(ConvexPolyhedron, LosesTheCornerThatAPlaneCutsOff) {
  const ConvexPolyhedron unit_cube = box_polyhedron(Box(Vec3::Zero(), Vec3::Ones()));
  const Vec3 diagonal = Vec3::Ones().normalized();
  // The corner at (1, 1, 1) with edges of 0.3 is a tetrahedron of volume 0.3^3 / 6.
  const ConvexPolyhedron cut = intersection(unit_cube, {diagonal, diagonal.dot(Vec3(1, 1, 0.7))});
  EXPECT_EQ(cut.faces.size(), 7u);
  EXPECT_NEAR(signed_volume(cut.mesh()), 1.0 - 0.027 / 6.0, 1e-14);
  EXPECT_TRUE(is_clean(cut.mesh()));
}

TEST(ConvexPolyhedron, CutsThroughCornersAndEdges) {
  const ConvexPolyhedron unit_cube = box_polyhedron(Box(Vec3::Zero(), Vec3::Ones()));
  const Vec3 across = Vec3(1, -1, 0).normalized();  // through two edges
  EXPECT_NEAR(signed_volume(intersection(unit_cube, {across, 0.0}).mesh()), 0.5, 1e-14);
  const Vec3 diagonal = Vec3::Ones().normalized();  // through three corners
  const TriMesh corner = intersection(unit_cube, {diagonal, diagonal.x()}).mesh();
  EXPECT_NEAR(signed_volume(corner), 1.0 / 6.0, 1e-14);
  EXPECT_TRUE(is_clean(corner));
  // A plane through a face takes all or nothing.
  EXPECT_EQ(intersection(unit_cube, {Vec3::UnitX(), 1.0}).faces.size(), 6u);
  EXPECT_TRUE(intersection(unit_cube, {Vec3::UnitX(), 0.0}).empty());
}

TEST(ConvexPolyhedron, IsRecognisedInFineMeshesOfFlatFacesOnly) {
  EXPECT_EQ(recognised_polyhedron(box_mesh({0.4, 0.3, 0.004}, 0.02))->faces.size(), 6u);
  EXPECT_FALSE(recognised_polyhedron(dinner_plate()));
  EXPECT_FALSE(recognised_polyhedron(sphere_mesh(1.0, 0.1)));  // too many
}

TEST(PlaneCut, ClosesWhatItCuts) {
  // A ring cut lengthwise has two flat faces; across, it has a face with a hole.
  const TriMesh ring = torus_mesh(0.05, 0.01, 0.004);
  const double whole = signed_volume(ring);
  for (const Vec3& normal : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 2, 3)}) {
    const HalfSpace side{normal.normalized(), 0.0013}, other{-normal.normalized(), -0.0013};
    const TriMesh a = cut_by_plane(ring, side), b = cut_by_plane(ring, other);
    EXPECT_TRUE(is_clean(a) && is_clean(b));
    EXPECT_NEAR(signed_volume(a) + signed_volume(b), whole, 1e-12 * whole);
  }
}

TEST(PlaneCut, RefusesAnOpenMesh) {
  TriMesh open = sphere_mesh(0.1, 0.05);
  open.triangles.pop_back();
  open.triangles.erase(open.triangles.begin(), open.triangles.begin() + 20);
  EXPECT_THROW(
      {
        for (int k = 0; k < 20; ++k) cut_by_plane(open, {Vec3(1, k, 2).normalized(), 0.001 * k});
      },
      std::invalid_argument);
}

TEST(VoronoiPieces, OfAPaneAreConvexAndFillIt) {
  const TriMesh pane = box_mesh({0.4, 0.3, 0.004}, 0.05);
  for (const int count : {2, 11, 71, 300}) {
    const auto sites = fracture_sites(pane, {.pieces = count, .impact = {0.2, 0.15, 0}, .seed = 3});
    const auto pieces = voronoi_pieces(pane, sites);
    EXPECT_EQ(pieces.size(), static_cast<std::size_t>(count));
    EXPECT_TRUE(std::ranges::all_of(pieces, is_clean));
    EXPECT_TRUE(std::ranges::all_of(pieces, is_convex));
    EXPECT_NEAR(sum_of_volumes(pieces), signed_volume(pane), 1e-9 * signed_volume(pane));
  }
}

TEST(VoronoiPieces, OfACurvedPlateFillIt) {
  const TriMesh plate = dinner_plate();
  const auto sites = fracture_sites(plate, {.pieces = 11, .impact = {0.09, 0.01, 0}});
  const auto pieces = voronoi_pieces(plate, sites);
  EXPECT_EQ(pieces.size(), 11u);
  EXPECT_TRUE(std::ranges::all_of(pieces, is_clean));
  EXPECT_NEAR(sum_of_volumes(pieces), signed_volume(plate), 1e-9 * signed_volume(plate));
}

TEST(VoronoiPieces, OfACurvedPlateHaveNoSlivers) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    const TriMesh plate = dinner_plate();
    const auto sites =
        fracture_sites(plate, {.pieces = 23, .impact = {0.09, 0.01, 0}, .seed = seed});
    double volume = 0.0;
    for (const TriMesh& piece : voronoi_pieces(plate, sites)) {
      EXPECT_TRUE(is_clean(piece));
      EXPECT_EQ(check_mesh(piece).find(MeshProblemKind::degenerate_face), nullptr);
      volume += signed_volume(piece);
    }
    // Welding moves vertices by up to a hundred-thousandth of the plate.
    EXPECT_NEAR(volume, signed_volume(plate), 1e-6 * signed_volume(plate));
  }
}

TEST(VoronoiPieces, OfARingThatIsCutOffPartsAreSeveral) {
  // Two sites on the axis, above and below: each has half of the ring. Two beside it: the cell of
  // the middle one has two unconnected parts.
  const TriMesh ring = torus_mesh(0.05, 0.01, 0.004);
  const std::vector<Vec3> sites = {{-0.05, 0, 0}, {0, 0, 0}, {0.05, 0, 0}};
  const auto pieces = voronoi_pieces(ring, sites);
  EXPECT_EQ(pieces.size(), 4u);
  EXPECT_NEAR(sum_of_volumes(pieces), signed_volume(ring), 1e-9 * signed_volume(ring));
}

TEST(VoronoiPieces, AreTheSameForTheSameSeed) {
  const TriMesh pane = box_mesh({0.4, 0.3, 0.004}, 0.5);
  const auto sites = [&](std::uint64_t seed) {
    return fracture_sites(pane, {.pieces = 20, .impact = {0.2, 0, 0}, .seed = seed});
  };
  EXPECT_EQ(sites(5), sites(5));
  EXPECT_NE(sites(5), sites(6));
  for (const Vec3& site : sites(5)) EXPECT_NEAR(site.z(), 0.0, 1e-12) << "thin: in its middle";
}

TEST(VoronoiPieces, AreSmallerNearTheImpact) {
  const TriMesh pane = box_mesh({0.4, 0.3, 0.004}, 0.5);
  const Vec3 impact(0.2, 0.15, 0.0);
  const auto mean_distance = [&](double concentration) {
    const auto sites =
        fracture_sites(pane, {.pieces = 200, .impact = impact, .concentration = concentration});
    double sum = 0.0;
    for (const Vec3& site : sites) sum += (site - impact).norm();
    return sum / 200.0;
  };
  EXPECT_NEAR(mean_distance(0.0), 0.265, 0.01);  // that of the whole pane
  EXPECT_LT(mean_distance(2.0), 0.8 * mean_distance(0.0));
}

}  // namespace
}  // namespace peal::geometry
