#include <peal/geometry/shapes/shapes.h>
#include <peal/validation/cup_on_floor.h>
#include <peal/wave/scheme/sealed_cavities.h>

#include <gtest/gtest.h>

namespace peal::wave {
namespace {

TEST(SealedCavitiesSlow, a_cup_lowered_on_a_floor_and_lifted_neither_drifts_nor_bangs) {
  const validation::CupOnFloor cup = validation::lower_and_lift_cup();
  EXPECT_LT(cup.bang(), 10.0);
  EXPECT_LT(cup.drift(), 0.05);
  EXPECT_LT(cup.leak(), 2e-3);
}

TEST(SealedCavities, only_air_without_a_way_out_is_a_cavity) {
  const Grid grid{Vec3::Zero(), 0.01, {30, 30, 30}};
  const FieldLayout layout = FieldLayout::packed(grid);
  const auto found = [&](const geometry::TriMesh& mesh) {
    geometry::TriMesh moved = mesh;
    for (Vec3& v : moved.vertices) v += Vec3(0.1513, 0.1507, 0.1521);
    const CutFractions body = cut_fractions(grid, moved);
    const CutGeometry geometry = combined(grid, std::span(&body, 1));
    const CutInterval rest = interval(grid, geometry, geometry);
    CutCells<double> cells(grid, layout, {.lambda = 0.5});
    cells.index(geometry);
    SealedCavities<double> cavities(grid, layout, 1e-5);
    cavities.find(rest, cells.nodes());
    return cavities.count();
  };
  geometry::TriMesh hollow = geometry::box_mesh({0.12, 0.12, 0.12}, 1);
  const geometry::TriMesh inner = geometry::box_mesh({0.08, 0.08, 0.08}, 1);
  EXPECT_EQ(found(hollow), 0u);
  for (geometry::Triangle t : inner.triangles) {
    const auto n = static_cast<std::uint32_t>(8);
    hollow.triangles.push_back({t[0] + n, t[2] + n, t[1] + n});
  }
  hollow.vertices.insert(hollow.vertices.end(), inner.vertices.begin(), inner.vertices.end());
  EXPECT_EQ(found(hollow), 1u);
}

}  // namespace
}  // namespace peal::wave
