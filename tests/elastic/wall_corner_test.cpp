#include <peal/elastic/wall_corner.h>

#include <elastic/trial_solids.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace peal::elastic {
namespace {

/// Two walls 1 m thick of two cells each that meet at an angle, and the block in their corner,
/// which is the first cell.
geometry::HexMesh walls_in_corner(double cell_length, double turn) {
  geometry::HexMesh mesh;
  const auto add_column = [&](double x, double y) {  // of nodes, along s
    for (const double s : {0.0, 1.0}) mesh.vertices.emplace_back(x, s, y);
    return static_cast<std::uint32_t>(mesh.vertices.size() - 2);
  };
  const auto add_cell = [&](const std::array<std::uint32_t, 4>& columns) {  // by r and t
    geometry::Hex& hex = mesh.hexes.emplace_back();
    for (std::uint32_t c = 0; c < 8; ++c) hex[c] = columns[(c & 1) + c / 4 * 2] + (c >> 1 & 1);
  };
  const std::uint32_t inner = add_column(0, 0), floor = add_column(0, -1),
                      outer = add_column(std::tan(0.5 * turn), -1),
                      wall = add_column(std::sin(turn), -std::cos(turn));
  add_cell({floor, outer, inner, wall});
  std::array<std::uint32_t, 2> end = {floor, inner};
  for (const double x : {-cell_length, -2.0 * cell_length}) {
    const std::uint32_t low = add_column(x, -1), high = add_column(x, 0);
    add_cell({low, end[0], high, end[1]});
    end = {low, high};
  }
  end = {wall, inner};
  for (const double along : {cell_length, 2.0 * cell_length}) {
    const double x = along * std::cos(turn), y = along * std::sin(turn);
    const std::uint32_t low = add_column(x + std::sin(turn), y - std::cos(turn));
    const std::uint32_t high = add_column(x, y);
    add_cell({end[0], low, end[1], high});
    end = {low, high};
  }
  return mesh;
}

double kept(double cell_length, double poisson_ratio, double degrees) {
  base::Material material = trial_steel();
  material.poisson_ratio = poisson_ratio;
  const auto mesh = walls_in_corner(cell_length, degrees * std::numbers::pi / 180.0);
  const auto shears =
      corner_shears(mesh, geometry::HexNeighbours(mesh), 0, fem::checked_lame(material, ""));
  EXPECT_EQ(shears[0], 1.0);
  EXPECT_EQ(shears[1], 1.0);
  return shears[2];
}

TEST(WallCornerAnalytic, BlocksGiveWayAsFineMeshesOfACornerDo) {
  // By a program of its own for plane strain, with cells of these lengths, against graded meshes of
  // 24 cells across, under moments at both ends.
  EXPECT_NEAR(kept(0.5, 0.3, 90.0), 0.536, 0.004);
  EXPECT_NEAR(kept(1.0, 0.3, 90.0), 0.490, 0.004);
  EXPECT_NEAR(kept(2.0, 0.3, 90.0), 0.438, 0.004);
  EXPECT_NEAR(kept(1.0, 0.0, 90.0), 0.350, 0.004);
  EXPECT_NEAR(kept(1.0, 0.45, 90.0), 0.609, 0.004);
}

TEST(WallCorner, KeepsMoreOfItsShearTheLessWallsTurn) {
  EXPECT_GT(kept(1.0, 0.3, 60.0), kept(1.0, 0.3, 90.0));
  EXPECT_GT(kept(1.0, 0.3, 90.0), kept(1.0, 0.3, 120.0));
}

}  // namespace
}  // namespace peal::elastic
