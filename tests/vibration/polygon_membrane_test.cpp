#include <peal/fem/triangle_element.h>
#include <peal/vibration/graded_mesh.h>
#include <peal/vibration/ideal_rectangle.h>
#include <peal/vibration/polygon_membrane.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace peal::vibration {
namespace {

using std::numbers::pi;

const geometry::Polygon l_shape = {{-1, -1}, {0, -1}, {0, 0}, {1, 0}, {1, 1}, {-1, 1}};

/// (w / c)^2 of each mode.
std::vector<double> eigenvalues(const IdealShape& shape) {
  std::vector<double> values;
  for (const base::Mode& mode : shape.modes())
    values.push_back(std::pow(2 * pi * mode.frequency, 2));
  return values;
}

TEST(PolygonMembraneAnalytic, TheLHasItsPublishedEigenvalues) {
  const auto membrane = polygon_membrane(l_shape, 1, 1, {.max_frequency = 1.22});
  const std::vector<double> expected = {
      9.63972384402194, 15.1972519264543, 19.7392088021787, 29.5214811141447, 31.912635957138,
      41.4745098902152, 44.9484877813511, 49.3480220054467, 49.3480220054467, 56.7096098873847};
  const std::vector<double> values = eigenvalues(*membrane);
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i], 2e-7 * expected[i]) << i;
    EXPECT_GT(values[i], expected[i] * (1 - 1e-10)) << "an upper bound";
    EXPECT_LT(membrane->modes()[i].relative_error, 1e-6);
  }
}

TEST(PolygonMembraneAnalytic, TheEquilateralTriangleIsLames) {
  const geometry::Polygon triangle = {{0, 0}, {1, 0}, {0.5, std::sqrt(0.75)}};
  const auto membrane = polygon_membrane(triangle, 1, 1, {.max_frequency = 3.0});
  const std::vector<double> expected = {52.6378901391432, 122.821743658001, 122.821743658001,
                                        210.551560556573, 228.097523936287, 228.097523936287,
                                        333.373304214574, 333.373304214574};
  const std::vector<double> values = eigenvalues(*membrane);
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i], 1e-9 * expected[i]) << i;
  }
}

TEST(PolygonMembraneAnalytic, ARectangleGivenAsAPolygonIsThatRectangle) {
  const geometry::Polygon corners = {{-0.5, -0.4}, {0.5, -0.4}, {0.5, 0.4}, {-0.5, 0.4}};
  const auto polygon = polygon_membrane(corners, 4.0, 0.5, {.max_frequency = 10});
  const auto exact = rectangular_membrane({1.0, 0.8}, 4.0, 0.5, {.max_frequency = 10});
  ASSERT_EQ(polygon->modes().size(), exact->modes().size());
  EXPECT_FALSE(polygon->is_cut());
  const Vec2 at(0.13, -0.21);
  const auto a = polygon->displacement(at), b = exact->displacement(at);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(polygon->modes()[i].frequency, exact->modes()[i].frequency,
                1e-8 * exact->modes()[i].frequency);
    if (i < 20) {  // before the first pair
      EXPECT_NEAR(std::abs(a[i]), std::abs(b[i]), 1e-5) << i;
    }
  }
  EXPECT_EQ(polygon->displacement({0.6, 0.0})[0], 0.0) << "outside";
}

TEST(PolygonMembraneAnalytic, SeveralSingularCornersAreNoTrouble) {
  // Eigenfunctions behave as r^(3/2) at each corner of a regular hexagon.
  geometry::Polygon hexagon;
  for (int i = 0; i < 6; ++i) hexagon.emplace_back(std::cos(pi * i / 3), std::sin(pi * i / 3));
  const auto membrane = polygon_membrane(hexagon, 1, 1, {.max_frequency = 0.95});
  const std::vector<double> values = eigenvalues(*membrane);
  ASSERT_GE(values.size(), 5u);
  EXPECT_NEAR(values[0], 7.15533913, 1e-7 * 7.15533913);  // Jones 2017
  EXPECT_NEAR(values[1], values[2], 1e-6 * values[1]);
  EXPECT_NEAR(values[3], values[4], 1e-6 * values[3]);
  EXPECT_GT(values[3], 1.1 * values[2]);
}

TEST(PolygonMembrane, ShapesAreMassNormalised) {
  const auto membrane = polygon_membrane(l_shape, 1, 3.0, {.max_frequency = 0.6});
  const auto count = static_cast<Eigen::Index>(membrane->modes().size());
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(count, count);
  const int n = 60;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const auto u = membrane->displacement({2 * (i + 0.5) / n - 1, 2 * (j + 0.5) / n - 1});
      const Eigen::Map<const Eigen::VectorXd> v(u.data(), count);
      gram += 3.0 * 4.0 / (n * n) * v * v.transpose();
    }
  }
  EXPECT_LT((gram - Eigen::MatrixXd::Identity(count, count)).cwiseAbs().maxCoeff(), 2e-3);
}

TEST(TriangleElement, FunctionsVanishWhereTheyShould) {
  const fem::TriangleElement element(6);
  const Eigen::MatrixX3d f = element.at(0.3, 0.0);  // on edge 0-1
  EXPECT_EQ(element.size(), 28);
  for (int n = 0; n < 5; ++n) {
    EXPECT_NEAR(f(element.edge_function(1, n), 0), 0.0, 1e-14);
    EXPECT_NEAR(f(element.edge_function(2, n), 0), 0.0, 1e-14);
  }
  for (Eigen::Index i = element.first_inner(); i < element.size(); ++i) {
    EXPECT_NEAR(f(i, 0), 0.0, 1e-14);
  }
  const Eigen::MatrixX3d here = element.at(0.2, 0.3), right = element.at(0.2 + 1e-6, 0.3);
  EXPECT_LT(((right.col(0) - here.col(0)) * 1e6 - here.col(1)).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(GradedMesh, CoversThePolygonAndIsFineOnlyAtTheCorner) {
  const geometry::PlanarMesh mesh = graded_mesh(l_shape, {}, 0.5, 1e-9);
  double area = 0.0, smallest = 1.0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec2 u = mesh.points[b] - mesh.points[a], v = mesh.points[c] - mesh.points[a];
    const double twice = u.x() * v.y() - u.y() * v.x();
    EXPECT_GT(twice, 0.0);
    area += 0.5 * twice;
    const double distance = mesh.points[a].norm();
    EXPECT_TRUE(distance <= 0.3 || u.norm() > 0.1);
    smallest = std::min(smallest, u.norm());
  }
  EXPECT_NEAR(area, 3.0, 1e-12);
  EXPECT_LT(smallest, 1e-6);
}

}  // namespace
}  // namespace peal::vibration
