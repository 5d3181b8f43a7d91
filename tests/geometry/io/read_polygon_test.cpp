#include <peal/geometry/io/read_polygon.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

namespace peal::geometry {
namespace {

struct Cut {
  std::string_view problem;
  std::vector<Triangle> triangles;
};

std::vector<std::uint32_t> all_corners(std::size_t count) {
  std::vector<std::uint32_t> corners(count);
  std::iota(corners.begin(), corners.end(), 0u);
  return corners;
}

Cut cut(const std::vector<Vec3>& outline) {
  Cut result;
  result.problem =
      PolygonTriangulator().append(all_corners(outline.size()), outline, result.triangles);
  return result;
}

Vec3 outline_area(const std::vector<Vec3>& outline) {
  Vec3 area = Vec3::Zero();
  for (std::size_t k = 0; k < outline.size(); ++k) {
    area += 0.5 * outline[k].cross(outline[(k + 1) % outline.size()]);
  }
  return area;
}

/// The triangles cover a flat outline exactly: all face the same way, their areas add up, and each
/// edge is used once in each direction but for the outline's own.
void expect_exact_cover(const std::vector<Vec3>& outline, bool allow_flat = false) {
  const Cut result = cut(outline);
  ASSERT_EQ(result.problem, "");
  ASSERT_EQ(result.triangles.size(), outline.size() - 2);
  const TriMesh mesh{.vertices = outline, .triangles = result.triangles};
  const Vec3 normal = outline_area(outline).normalized();
  double area = 0.0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const double part = area_vector(mesh, t).dot(normal);
    if (allow_flat) {
      EXPECT_GE(part, -1e-15);
    } else {
      EXPECT_GT(part, 0.0);
    }
    area += part;
    const auto& [a, b, c] = mesh.triangles[t];
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
      ++edges[{from, to}];
    }
  }
  EXPECT_NEAR(area, outline_area(outline).norm(), 1e-12 * area);
  const auto count = static_cast<std::uint32_t>(outline.size());
  for (const auto& [edge, uses] : edges) {
    EXPECT_EQ(uses, 1);
    const bool on_outline = edge.second == (edge.first + 1) % count;
    EXPECT_EQ(edges.contains({edge.second, edge.first}), !on_outline);
  }
}

/// Turned out of every coordinate plane.
std::vector<Vec3> tilted(std::vector<Vec3> outline) {
  const Quat turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  for (Vec3& corner : outline) corner = turn * corner + Vec3(0.3, -0.2, 5.0);
  return outline;
}

TEST(PolygonTriangulator, FansAConvexPolygon) {
  const Cut square = cut({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
  EXPECT_EQ(square.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(PolygonTriangulator, CutsAnArrowheadQuadAlongItsInnerDiagonal) {
  const std::vector<Vec3> arrow = {{0, 0, 0}, {2, 1, 0}, {0, 2, 0}, {0.5, 1, 0}};
  for (std::size_t first = 0; first < 4; ++first) {
    std::vector<Vec3> turned = arrow;
    std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(first), turned.end());
    expect_exact_cover(turned);
    expect_exact_cover(tilted(turned));
  }
}

TEST(PolygonTriangulator, CoversACombAndASpiral) {
  std::vector<Vec3> comb = {{0, -1, 0}, {20, -1, 0}};
  for (int tooth = 10; tooth > 0; --tooth) {
    comb.emplace_back(2.0 * tooth - 1, 3.0, 0);
    comb.emplace_back(2.0 * tooth - 2, tooth % 3, 0);
  }
  comb.pop_back();
  comb.emplace_back(0, 2, 0);
  expect_exact_cover(comb);
  expect_exact_cover(tilted(comb));

  std::vector<Vec3> spiral;
  for (int k = 0; k <= 60; ++k) {
    const double angle = 0.25 * k;
    spiral.emplace_back((1 + angle) * std::cos(angle), (1 + angle) * std::sin(angle), 0);
  }
  for (int k = 60; k >= 0; --k) {
    const double angle = 0.25 * k;
    spiral.emplace_back((0.5 + angle) * std::cos(angle), (0.5 + angle) * std::sin(angle), 0);
  }
  expect_exact_cover(spiral);
  std::reverse(spiral.begin(), spiral.end());
  expect_exact_cover(tilted(spiral));
}

TEST(PolygonTriangulator, KeepsCornersOnAStraightEdgeWithoutFlatTriangles) {
  expect_exact_cover({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {0, 3, 0}});
  expect_exact_cover({{1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 0}});
}

TEST(PolygonTriangulator, CoversASquareWithAHoleJoinedByABridge) {
  const std::vector<Vec3> frame = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {0, 0, 0},
                                   {1, 1, 0}, {1, 2, 0}, {2, 2, 0}, {2, 1, 0}, {1, 1, 0}};
  const Cut result = cut(frame);
  ASSERT_EQ(result.problem, "");
  const TriMesh mesh{.vertices = frame, .triangles = result.triangles};
  EXPECT_NEAR(surface_area(mesh), 8.0, 1e-12);
}

TEST(PolygonTriangulator, DoesNotTakeAStarForConvex) {
  std::vector<Vec3> star;  // turns left at each of its five points, but goes round twice
  for (int k = 0; k < 5; ++k) {
    const double angle = 4.0 * std::numbers::pi * k / 5.0;
    star.emplace_back(std::cos(angle), std::sin(angle), 0);
  }
  EXPECT_EQ(cut(star).problem, "crosses itself");
}

TEST(PolygonTriangulator, NamesPolygonsItCannotCut) {
  EXPECT_EQ(cut({{0, 0, 0}, {2, 1, 0}, {2, 0, 0}, {0, 1.5, 0}}).problem, "crosses itself");
  EXPECT_FALSE(cut({{0, 0, 0}, {1e200, 0, 0}, {1e200, 1e200, 0}, {0, 1e200, 0}}).problem.empty());
}

TEST(PolygonTriangulator, KeepsAPolygonWithoutAreaClosed) {
  const Cut line = cut({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}});
  EXPECT_EQ(line.problem, "");
  EXPECT_EQ(line.triangles.size(), 2u);
}

TEST(PolygonTriangulator, BoundsTheSizeOfPolygonsThatAreNotConvex) {
  std::vector<Vec3> circle;
  for (int k = 0; k < 5000; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / 5000.0;
    circle.emplace_back(std::cos(angle), std::sin(angle), 0);
  }
  EXPECT_EQ(cut(circle).triangles.size(), 4998u);
  circle[100] *= 0.5;
  EXPECT_NE(cut(circle).problem, "");
  circle.resize(4096);
  expect_exact_cover(circle);
}

}  // namespace
}  // namespace peal::geometry
