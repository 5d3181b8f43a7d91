#include <peal/fem/elasticity.h>
#include <peal/fem/quadrature.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/vibration/solid_modes.h>

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace peal::vibration {
namespace {

/// Frequencies of a free block by the method of Ritz with products of Legendre polynomials
/// (Visscher et al. 1991 with powers): exact elasticity, converged from above. The grain is along
/// x, the radial direction along y, so that functions of different parity do not couple.
class FreeBlock {
 public:
  FreeBlock(const geometry::Vec3& size, const base::Material& material,
            const std::array<int, 3>& orders)
      : size_(size), material_(material), orders_(orders) {
    const int most = *std::ranges::max_element(orders_);
    const fem::Quadrature rule = fem::gauss_legendre(most + 2);
    for (int d = 0; d < 3; ++d) products_[d] = Eigen::MatrixXd::Zero(most + 1, most + 1);
    for (std::size_t q = 0; q < rule.points.size(); ++q) {
      const double x = rule.points[q];
      Eigen::VectorXd value(most + 1), slope(most + 1);
      for (int n = 0; n <= most; ++n) {
        value[n] = std::legendre(static_cast<unsigned>(n), x);
        slope[n] = n == 0 ? 0.0 : n * (x * value[n] - value[n - 1]) / (x * x - 1.0);
      }
      products_[0] += rule.weights[q] * value * value.transpose();
      products_[1] += rule.weights[q] * slope * value.transpose();
      products_[2] += rule.weights[q] * slope * slope.transpose();
    }
  }

  /// Ascending, without rigid motion [Hz].
  std::vector<double> frequencies() const {
    std::vector<double> all;
    for (int parity = 0; parity < 8; ++parity) {
      for (const double value : squares(parity))
        if (value > 1.0) all.push_back(std::sqrt(value) / (2.0 * std::numbers::pi));
    }
    std::ranges::sort(all);
    return all;
  }

 private:
  struct Function {
    int component;
    std::array<int, 3> n;
  };

  std::vector<double> squares(int parity) const {
    std::vector<Function> functions;
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i <= orders_[0]; ++i)
        for (int j = 0; j <= orders_[1]; ++j)
          for (int k = 0; k <= orders_[2]; ++k) {
            const std::array<int, 3> n{i, j, k};
            // A component along an axis is odd where the others are even.
            bool fits = true;
            for (int d = 0; d < 3; ++d)
              fits &= (n[d] + (d == c ? 1 : 0)) % 2 == ((parity >> d) & 1);
            if (fits) functions.push_back({c, n});
          }
    const auto count = static_cast<Eigen::Index>(functions.size());
    const fem::Elasticity elasticity(material_);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(count, count), M = K;
    const double volume = 0.125 * size_.prod();
    for (Eigen::Index a = 0; a < count; ++a) {
      for (Eigen::Index b = 0; b <= a; ++b) {
        const Function &f = functions[a], &g = functions[b];
        std::array<double, 9> s{};
        for (int p = 0; p < 3; ++p)
          for (int q = 0; q < 3; ++q) {
            double product = volume;
            for (int d = 0; d < 3; ++d) {
              const int of_f = d == p ? 1 : 0, of_g = d == q ? 1 : 0;
              const Eigen::MatrixXd& table = products_[of_f + of_g];
              product *= of_f == 0 && of_g == 1 ? table(g.n[d], f.n[d]) : table(f.n[d], g.n[d]);
            }
            s[3 * p + q] = product * 4.0 / (size_[p] * size_[q]);
          }
        geometry::Mat3 block = geometry::Mat3::Zero();
        elasticity.add_stiffness(s, block);
        K(a, b) = K(b, a) = block(f.component, g.component);
        if (f.component == g.component) {
          double product = volume * material_.density;
          for (int d = 0; d < 3; ++d) product *= products_[0](f.n[d], g.n[d]);
          M(a, b) = M(b, a) = product;
        }
      }
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(K, M,
                                                                           Eigen::EigenvaluesOnly);
    return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
  }

  geometry::Vec3 size_;
  base::Material material_;
  std::array<int, 3> orders_;
  std::array<Eigen::MatrixXd, 3> products_;  ///< of values; of a slope and a value; of slopes
};

base::Material spruce() {
  base::Material material{
      .name = "spruce", .density = 450.0, .young_modulus = 10.8e9, .poisson_ratio = 0.37};
  material.orthotropy = base::Orthotropy{.young_moduli = {11.88e9, 0.927e9, 0.511e9},
                                         .shear_moduli = {0.76e9, 0.725e9, 0.0356e9},
                                         .poisson_ratios = {0.372, 0.467, 0.435}};
  // A quarter-sawn board: rings stand upright in it.
  material.orthotropy->radial = geometry::Vec3::UnitZ();
  return material;
}

TEST(WoodModesSlow, AnOrthotropicPlateRingsAsTheorySays) {
  const geometry::Vec3 size(0.3, 0.005, 0.12);
  const base::Material wood = spruce();
  const std::vector<double> exact = FreeBlock(size, wood, {13, 3, 11}).frequencies();
  util::Silent silent;
  const SolidModes found =
      solid_modes(geometry::box_mesh(size, 1.0), wood, {.max_frequency = 1500.0}, silent, "plate");
  ASSERT_GE(found.model.modes.size(), 8u);
  for (std::size_t i = 0; i < found.model.modes.size(); ++i) {
    const base::Mode& mode = found.model.modes[i];
    EXPECT_NEAR(mode.frequency, exact[i], 0.005 * exact[i]) << i;
    EXPECT_LT(mode.relative_error, 0.006) << i;
  }
}

TEST(WoodModesSlow, ABarAcrossTheGrainIsLow) {
  const geometry::Vec3 size(0.2, 0.012, 0.02);
  base::Material along = spruce(), across = spruce();
  across.orthotropy->grain = geometry::Vec3::UnitZ();
  across.orthotropy->radial = geometry::Vec3::UnitX();
  util::Silent silent;
  const auto lowest = [&](const base::Material& material) {
    return solid_modes(geometry::box_mesh(size, 1.0), material, {.count = 1}, silent, "bar")
        .model.modes[0]
        .frequency;
  };
  // Bending goes with the root of the modulus along it, and somewhat lower for the shear.
  EXPECT_NEAR(lowest(across) / lowest(along), std::sqrt(0.927 / 11.88), 0.03);
}

}  // namespace
}  // namespace peal::vibration
