#include <peal/fem/lame.h>
#include <peal/util/error.h>

#include <gtest/gtest.h>

namespace peal::fem {
namespace {

TEST(Lame, ConstantsGiveTheModuliOfTheMaterialBack) {
  const base::Material steel{"steel", 7800.0, 200e9, 0.29, {}};
  const Lame lame = lame_constants(steel);
  EXPECT_NEAR(rod_modulus(lame), 200e9, 1.0);
  EXPECT_NEAR(poisson_ratio(lame), 0.29, 1e-14);
  EXPECT_NEAR(wall_modulus(lame), 200e9 / (1.0 - 0.29 * 0.29), 1.0);
}

TEST(Lame, AMaterialThatElementsCannotHaveIsRefused) {
  EXPECT_THROW(checked_lame({"gel", 1000.0, 1e6, 0.4999, {}}, "body"), util::InputError);
  EXPECT_THROW(checked_lame({"dust", 0.0, 1e6, 0.3, {}}, "body"), util::InputError);
  EXPECT_NO_THROW(checked_lame({"rubber", 1000.0, 1e6, 0.49, {}}, "body"));
}

}  // namespace
}  // namespace peal::fem
