#include <peal/base/plausible_size.h>
#include <peal/geometry/shapes/shapes.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace peal::base {
namespace {

using testing::ElementsAre;

constexpr double steel = 7850.0, wood = 700.0;  // [kg/m^3]

TEST(PlausibleSize, ThingsThatPeopleStrikeAreNotQuestioned) {
  EXPECT_TRUE(check_size(geometry::box_mesh({0.016, 0.016, 0.016}, 1.0), 1200.0).is_plausible);
  EXPECT_TRUE(check_size(geometry::box_mesh({2.4, 0.04, 0.04}, 1.0), wood).is_plausible);
  EXPECT_TRUE(check_size(geometry::sphere_mesh(0.15, 0.05), steel).is_plausible);
}

TEST(PlausibleSize, ABodyInMillimetresIsRecognised) {
  const SizeCheck mug = check_size(geometry::box_mesh({80, 95, 80}, 100.0), 2400.0);
  EXPECT_TRUE(mug.is_wrong);
  EXPECT_THAT(mug.factors, testing::Contains(0.001));
  EXPECT_NEAR(mug.mass, 2400.0 * 80 * 80 * 95, 1.0);
  EXPECT_EQ(mug.describe(), "1,459,000,000 kg and 95 m long");
  EXPECT_THAT(mug.question(), testing::HasSubstr("millimetres"));
}

TEST(PlausibleSize, ABodyInCentimetresMayHaveAPlausibleLengthButNotThatMass) {
  const SizeCheck anvil = check_size(geometry::box_mesh({2.0, 1.0, 0.8}, 2.0), steel);
  EXPECT_FALSE(anvil.is_plausible);
  EXPECT_FALSE(anvil.is_wrong);  // 12.6 t: it could be meant
}

TEST(PlausibleSize, LargeThingsThatExistAreQuestionedButNotRefused) {
  const SizeCheck beam = check_size(geometry::box_mesh({6.0, 0.1, 0.1}, 1.0), wood);
  EXPECT_FALSE(beam.is_plausible);
  EXPECT_FALSE(beam.is_wrong);
}

TEST(PlausibleSize, ABodyScaledTwiceIsRecognised) {
  const SizeCheck mug = check_size(geometry::box_mesh({8e-5, 9.5e-5, 8e-5}, 1.0), 2400.0);
  EXPECT_TRUE(mug.is_wrong);
  EXPECT_THAT(mug.factors, ElementsAre(1000.0));
}

TEST(PlausibleSize, AnOpenSurfaceHasNoMass) {
  geometry::TriMesh open = geometry::box_mesh({0.1, 0.1, 0.1}, 1.0);
  open.triangles.resize(open.triangles.size() - 2);
  EXPECT_EQ(check_size(open, steel).mass, 0.0);
}

}  // namespace
}  // namespace peal::base
