#include <peal/fem/lanczos_iteration.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace peal::fem {
namespace {

/// A chain of n equal masses between walls: eigenvalues 2 - 2 cos(k pi / (n + 1)).
void chain(const std::vector<double>& p, std::vector<double>& q) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    q[i] = 2.0 * p[i] - (i > 0 ? p[i - 1] : 0.0) - (i + 1 < p.size() ? p[i + 1] : 0.0);
  }
}

TEST(LanczosIteration, FindsTheLargestEigenvalueOfAChain) {
  const std::size_t n = 30;
  std::vector<double> start(n);
  start[0] = 1.0;
  LanczosIteration lanczos(chain, start);
  for (std::size_t k = 0; k < n; ++k) lanczos.step();
  EXPECT_NEAR(lanczos.largest(), 2.0 - 2.0 * std::cos(n * std::numbers::pi / (n + 1.0)), 1e-12);
}

TEST(LanczosIteration, ASpaceThatIsExhaustedEndsIt) {
  // An eigenvector spans an invariant space of dimension one.
  LanczosIteration lanczos(chain, {std::numbers::sqrt2 / 2.0, std::numbers::sqrt2 / 2.0});
  EXPECT_FALSE(lanczos.step());
  EXPECT_NEAR(lanczos.largest(), 1.0, 1e-12);
}

}  // namespace
}  // namespace peal::fem
