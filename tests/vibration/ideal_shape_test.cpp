#include <peal/fem/quadrature.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/vibration/ideal_disc.h>
#include <peal/vibration/ideal_line.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

/// Ideal shapes against the exact and converged references S01, S02, S07, S09, S11 to S15.
namespace peal::vibration {
namespace {

using std::numbers::pi;

void expect_frequencies(const IdealShape& shape, const std::vector<double>& expected, double unit,
                        double tolerance) {
  ASSERT_GE(shape.modes().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double exact = unit * expected[i];
    EXPECT_NEAR(shape.modes()[i].frequency, exact, tolerance * exact) << i;
  }
}

/// Integrals of products of displacements over the shape by the midpoint rule, times `density`.
Eigen::MatrixXd gram(const IdealShape& shape, const Vec2& size, double density, int n,
                     bool is_line = false) {
  const auto count = static_cast<Eigen::Index>(shape.modes().size());
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(count, count);
  const int rows = is_line ? 1 : n;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < rows; ++j) {
      const Vec2 at(((i + 0.5) / n - 0.5) * size.x(),
                    is_line ? 0.0 : ((j + 0.5) / n - 0.5) * size.y());
      const std::vector<double> u = shape.displacement(at);
      const Eigen::Map<const Eigen::VectorXd> v(u.data(), count);
      sum += v * v.transpose();
    }
  }
  return sum * density * (is_line ? size.x() / n : size.prod() / (n * n));
}

/// The same over a disc: Gauss along the radius, even steps around.
Eigen::MatrixXd disc_gram(const IdealShape& shape, double radius, double density) {
  const auto count = static_cast<Eigen::Index>(shape.modes().size());
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(count, count);
  const fem::Quadrature rule = fem::gauss_legendre(30);
  const int around = 60;
  for (std::size_t i = 0; i < rule.points.size(); ++i) {
    const double r = radius * (0.5 + 0.5 * rule.points[i]);
    for (int j = 0; j < around; ++j) {
      const double angle = 2 * pi * j / around;
      const std::vector<double> u = shape.displacement({r * std::cos(angle), r * std::sin(angle)});
      const Eigen::Map<const Eigen::VectorXd> v(u.data(), count);
      sum += 0.5 * radius * rule.weights[i] * r * 2 * pi / around * v * v.transpose();
    }
  }
  return sum * density;
}

double distance_from_identity(const Eigen::MatrixXd& m) {
  return (m - Eigen::MatrixXd::Identity(m.rows(), m.cols())).cwiseAbs().maxCoeff();
}

TEST(IdealShapeAnalytic, AStringIsHarmonic) {
  const auto string = string_modes(0.65, 73.9, 0.0031, {.max_frequency = 1200});
  EXPECT_EQ(string->modes().size(), 10u);
  EXPECT_FALSE(string->is_cut());
  expect_frequencies(*string, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 118.767610783639, 1e-13);
  EXPECT_LT(distance_from_identity(gram(*string, {0.65, 1}, 0.0031, 100, true)), 1e-12);
  // Struck at a fifth of its length it lacks every fifth harmonic.
  const auto shape = string->displacement({0.65 * (0.2 - 0.5), 0.0});
  EXPECT_NEAR(shape[4], 0.0, 1e-14 * shape[0]);
  EXPECT_NEAR(shape[9], 0.0, 1e-14 * shape[0]);
  EXPECT_EQ(string->displacement({0.4, 0.0})[0], 0.0) << "beyond the end";
}

TEST(IdealShapeAnalytic, BarsHaveTheRootsOfTheirEnds) {
  using enum BarEnd;
  struct Case {
    BarEnd left, right;
    std::vector<double> beta;
  };
  const std::vector<double> free_free = {4.730040744862704,  7.853204624095838, 10.995607838001671,
                                         14.137165491257464, 17.27875965739948, 20.42035224562606};
  const std::vector<double> pinned_clamped = {3.926602312047919, 7.068582745628732,
                                              10.21017612281303, 13.351768777754094,
                                              16.49336143134641, 19.634954084936208};
  const std::vector<double> clamped_free = {1.8751040687119611, 4.694091132974175,
                                            7.854757438237613,  10.995540734875467,
                                            14.13716839104647,  17.278759532088237};
  // Half of a symmetric bar: tan x = -tanh x, half the roots of free-free's odd numbers.
  const std::vector<double> clamped_sliding = {free_free[0] / 2, free_free[2] / 2,
                                               free_free[4] / 2};
  const Case cases[] = {
      {free, free, free_free},
      {clamped, clamped, free_free},
      {clamped, free, clamped_free},
      {free, clamped, clamped_free},
      {pinned, pinned, {pi, 2 * pi, 3 * pi, 4 * pi}},
      {clamped, pinned, pinned_clamped},
      {pinned, free, pinned_clamped},
      {sliding, sliding, {pi, 2 * pi, 3 * pi}},
      {pinned, sliding, {pi / 2, 3 * pi / 2, 5 * pi / 2}},
      {clamped, sliding, clamped_sliding},
      {sliding, free, clamped_sliding},
  };
  const double length = 0.3, stiffness = 13.0, density = 0.7;
  const double unit = std::sqrt(stiffness / density) / (2 * pi * length * length);
  for (const Case& one : cases) {
    SCOPED_TRACE(testing::Message() << int(one.left) << int(one.right));
    const auto bar =
        bar_modes(length, stiffness, density, one.left, one.right, {.max_frequency = 450 * unit});
    std::vector<double> squares;
    for (const double beta : one.beta) squares.push_back(beta * beta);
    expect_frequencies(*bar, squares, unit, 1e-12);
    EXPECT_LT(distance_from_identity(gram(*bar, {length, 1}, density, 4000, true)), 2e-5);
  }
}

TEST(IdealShapeAnalytic, HighModesOfABarKeepTheirDigits) {
  const auto bar = bar_modes(1, 1, 1, BarEnd::clamped, BarEnd::free, {.max_frequency = 1e5});
  const double n = 200;
  EXPECT_NEAR(std::sqrt(bar->modes()[199].frequency * 2 * pi), (n - 0.5) * pi, 1e-10);
  EXPECT_NEAR(std::abs(bar->displacement({0.5, 0.0})[199]), 2.0, 1e-9);  // at the free end
  EXPECT_NEAR(bar->displacement({-0.5, 0.0})[199], 0.0, 1e-9);
}

TEST(IdealShapeAnalytic, ARectangularMembraneHasProductModes) {
  const auto membrane = rectangular_membrane({1.0, 0.8}, 1.0, 1.0, {.max_frequency = 2.6});
  expect_frequencies(*membrane,
                     {5.02900201608545, 7.40943145464344, 8.45899709823203, 10.0580040321709,
                      10.2101761241668, 12.1926582947038, 12.2683115022652, 13.1656723069554,
                      13.3517687777566, 14.8188629092869, 15.0870060482563, 16.0190422444141},
                     0.5 / pi, 1e-13);
  EXPECT_LT(distance_from_identity(gram(*membrane, {1.0, 0.8}, 1.0, 60)), 1e-12);
}

TEST(IdealShapeAnalytic, DegeneratePairsStayPairs) {
  const auto square = rectangular_membrane({1.0, 1.0}, 1.0, 1.0, {.max_frequency = 5.0});
  EXPECT_EQ(square->modes()[1].frequency, square->modes()[2].frequency);
  const auto disc = circular_membrane(1.0, 1.0, 1.0, {.max_frequency = 2.0});
  EXPECT_EQ(disc->modes()[1].frequency, disc->modes()[2].frequency);
  const auto plate = rectangular_plate(
      {.size = {1, 1}, .bending_stiffness = 1, .poisson_ratio = 0.3, .areal_density = 1},
      {.max_frequency = 15});
  EXPECT_NEAR(plate->modes()[3].frequency, plate->modes()[4].frequency,
              1e-12 * plate->modes()[3].frequency);
}

TEST(IdealShapeAnalytic, TheLowestModesAreKeptIfThereAreTooMany) {
  const auto all = rectangular_membrane({1.3, 0.9}, 1.0, 1.0, {.max_frequency = 40});
  const auto some = rectangular_membrane({1.3, 0.9}, 1.0, 1.0, {.max_frequency = 40, .most = 500});
  EXPECT_GT(all->modes().size(), 5000u);
  EXPECT_FALSE(all->is_cut());
  ASSERT_EQ(some->modes().size(), 500u);
  EXPECT_TRUE(some->is_cut());
  EXPECT_EQ(some->modes()[499].frequency, all->modes()[499].frequency);
  const auto disc = circular_membrane(1.0, 1.0, 1.0, {.max_frequency = 1000, .most = 300});
  EXPECT_TRUE(disc->is_cut());
  EXPECT_GE(disc->modes().size(), 299u);
}

TEST(IdealShapeAnalytic, ACircularMembraneHasBesselsZeros) {
  const auto disc = circular_membrane(1.0, 1.0, 1.0, {.max_frequency = 2.9});
  expect_frequencies(*disc,
                     {2.404825557695773, 3.8317059702075125, 3.8317059702075125, 5.135622301840683,
                      5.135622301840683, 5.520078110286311, 6.380161895923983, 6.380161895923983,
                      7.015586669815619, 7.015586669815619, 7.588342434503804, 7.588342434503804,
                      8.417244140399864, 8.417244140399864, 8.653727912911013},
                     0.5 / pi, 1e-12);
  // Counted against Weyl's law: x^2 / 4 - x / 2.
  const double x = 2.9 * 2 * pi;
  EXPECT_NEAR(static_cast<double>(disc->modes().size()), x * x / 4 - x / 2, 4);
  EXPECT_LT(distance_from_identity(disc_gram(*disc, 1.0, 1.0)), 1e-9);
}

TEST(IdealShapeAnalytic, CircularPlatesKnowTheirEdge) {
  const auto plate = [](PlateEdge edge, double nu) {
    return circular_plate(1.0, 1.0, nu, 1.0, edge, {.max_frequency = 125 / (2 * pi)});
  };
  const auto clamped = plate(PlateEdge::clamped, 0.3);
  expect_frequencies(
      *clamped,
      {10.2158262298673, 21.2603976946146, 21.2603976946146, 34.8770354203197, 34.8770354203197,
       39.7711482364571, 51.0300354837761, 51.0300354837761, 60.8286718200205},
      0.5 / pi, 1e-12);
  EXPECT_LT(distance_from_identity(disc_gram(*clamped, 1.0, 1.0)), 1e-9);
  const auto free = plate(PlateEdge::free, 0.33);
  expect_frequencies(
      *free,
      {5.26203696029707, 5.26203696029707, 9.06889866178618, 12.2438942579542, 12.2438942579542,
       20.5130869056765, 20.5130869056765, 21.5272172153407, 21.5272172153407},
      0.5 / pi, 1e-12);
  EXPECT_LT(distance_from_identity(disc_gram(*free, 1.0, 1.0)), 1e-9);
  const auto supported = plate(PlateEdge::supported, 0.3);
  expect_frequencies(*supported,
                     {4.93514904257491, 13.8981650730487, 13.8981650730487, 25.6132967208,
                      25.6132967208, 29.7200047320761, 39.9573141177955, 39.9573141177955},
                     0.5 / pi, 1e-12);
}

std::unique_ptr<IdealShape> square_plate(PlateEdge edge, double highest, double nu = 0.3) {
  return rectangular_plate({.size = {1, 1},
                            .bending_stiffness = 1,
                            .poisson_ratio = nu,
                            .areal_density = 1,
                            .low_x = edge,
                            .high_x = edge,
                            .low_z = edge,
                            .high_z = edge},
                           {.max_frequency = highest / (2 * pi)});
}

TEST(IdealShapeAnalytic, SquarePlatesAreConvergedToAMillionth) {
  const auto supported = square_plate(PlateEdge::supported, 130);
  expect_frequencies(*supported,
                     {19.7392088021787, 49.3480220054468, 49.3480220054468, 78.9568352087149,
                      98.6960440108936, 98.6960440108936, 128.304857214162, 128.304857214162},
                     0.5 / pi, 1e-13);
  const auto clamped = square_plate(PlateEdge::clamped, 170);
  expect_frequencies(*clamped,
                     {35.9851911159299, 73.3938455259661, 73.3938455259661, 108.216501693523,
                      131.580772614479, 132.20479020154, 165.000406196886, 165.000406196886},
                     0.5 / pi, 1e-6);
  const auto free = square_plate(PlateEdge::free, 70);
  expect_frequencies(
      *free,
      {13.4681973118204, 19.596137340585, 24.2702009072775, 34.8008911149033, 34.8008911149033,
       61.0932340561587, 61.0932340561587, 63.6861329912644, 69.2654054065439},
      0.5 / pi, 1e-6);
  for (const auto* plate : {clamped.get(), free.get()}) {
    EXPECT_LT(distance_from_identity(gram(*plate, {1, 1}, 1.0, 80)), 1e-2);
    for (const base::Mode& mode : plate->modes()) EXPECT_LT(mode.relative_error, 1e-6);
  }
}

TEST(IdealShapeAnalytic, APlateOnTwoSupportsFulfilsLevysEquation) {
  const RectangularPlate plate{.size = {1.0, 0.7},
                               .bending_stiffness = 1,
                               .poisson_ratio = 0.3,
                               .areal_density = 1,
                               .low_x = PlateEdge::supported,
                               .high_x = PlateEdge::supported,
                               .low_z = PlateEdge::clamped,
                               .high_z = PlateEdge::clamped};
  const auto modes = rectangular_plate(plate, {.max_frequency = 60});
  // Even modes in z for one half wave in x: w = cosh(p z)/cosh(p b) - cos(q z)/cos(q b) with
  // p^2 = k^2 + pi^2, q^2 = k^2 - pi^2, b = 0.35: p tanh(p b) + q tan(q b) = 0.
  const double k2 = 2 * pi * modes->modes()[0].frequency;
  const double p = std::sqrt(k2 + pi * pi), q = std::sqrt(k2 - pi * pi), b = 0.35;
  EXPECT_NEAR(p * std::tanh(p * b) + q * std::tan(q * b), 0.0, 1e-5);
}

TEST(IdealShapeAnalytic, UnequalEdgesAreEachHeldAsTheyShould) {
  const auto plate = rectangular_plate({.size = {0.6, 0.4},
                                        .bending_stiffness = 1,
                                        .poisson_ratio = 0.25,
                                        .areal_density = 2,
                                        .low_x = PlateEdge::clamped,
                                        .high_x = PlateEdge::free,
                                        .low_z = PlateEdge::supported,
                                        .high_z = PlateEdge::free},
                                       {.max_frequency = 80});
  ASSERT_GT(plate->modes().size(), 3u);
  const double inner = std::abs(plate->displacement({0.3, 0.2})[0]);
  EXPECT_GT(inner, 0.1);
  EXPECT_NEAR(plate->displacement({-0.3, 0.1})[0], 0.0, 1e-10);
  EXPECT_NEAR(plate->displacement({0.1, -0.2})[0], 0.0, 1e-10);
  const double slope_low_x = plate->displacement({-0.3 + 1e-4, 0.1})[0] / 1e-4;
  EXPECT_NEAR(slope_low_x, 0.0, 0.05 * inner);
}

TEST(IdealShape, TheSameModesOnASurfaceAreAModalModel) {
  const auto membrane = rectangular_membrane({1.0, 1.0}, 4.0, 1.0, {.max_frequency = 3});
  const geometry::TriMesh sheet = geometry::plane_mesh(1.0, 1.0, 0.5);
  const base::ModalModel model = modal_model(*membrane, sheet, {.external = 2.0});
  ASSERT_EQ(model.modes.size(), membrane->modes().size());
  EXPECT_EQ(model.modes[0].decay_rate, 2.0);
  ASSERT_EQ(model.shapes.rows(), 3 * static_cast<Eigen::Index>(sheet.vertices.size()));
  for (std::size_t v = 0; v < sheet.vertices.size(); ++v) {
    const geometry::Vec3& x = sheet.vertices[v];
    const auto row = static_cast<Eigen::Index>(3 * v);
    EXPECT_EQ(model.shapes(row, 0), 0.0f);
    EXPECT_NEAR(model.shapes(row + 1, 0), 2 * std::cos(pi * x.x()) * std::cos(pi * x.z()), 1e-6);
  }
}

TEST(IdealShapeAnalytic, AStiffStringIsStretched) {
  // A piano string: f_n = n f_1 sqrt((1 + B n^2) / (1 + B)), between string and pinned bar.
  const double length = 1.2, tension = 700.0, density = 0.006, stiffness = 0.02;
  const double B = std::pow(std::numbers::pi / length, 2) * stiffness / tension;
  const ModeLimits limits{.max_frequency = 5000.0};
  const auto stiff = string_modes(length, tension, density, limits, stiffness);
  const auto plain = string_modes(length, tension, density, limits);
  const auto bar = bar_modes(length, stiffness, density, BarEnd::pinned, BarEnd::pinned, limits);
  ASSERT_GT(stiff->modes().size(), 20u);
  EXPECT_LT(stiff->modes().size(), plain->modes().size());
  for (std::size_t n = 1; n <= 20; ++n) {
    const double f = stiff->modes()[n - 1].frequency;
    const double k = static_cast<double>(n);
    EXPECT_NEAR(f / plain->modes()[n - 1].frequency, std::sqrt(1.0 + B * k * k), 1e-12);
    EXPECT_NEAR(f, std::hypot(plain->modes()[n - 1].frequency, bar->modes()[n - 1].frequency),
                1e-6 * f);
  }
}

}  // namespace
}  // namespace peal::vibration
