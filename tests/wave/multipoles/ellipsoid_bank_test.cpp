#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/util/store.h>
#include <peal/util/store_kinds.h>
#include <peal/wave/multipoles/ellipsoid_bank.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>

namespace peal::wave {
namespace {

using geometry::Mat3;
using geometry::Vec3;

TEST(StandIn, OfAnEllipsoidIsItself) {
  geometry::TriMesh body = geometry::sphere_mesh(1.0, 0.05);
  const Mat3 turn = geometry::Quat(0.9, 0.1, -0.3, 0.2).normalized().toRotationMatrix();
  for (Vec3& v : body.vertices) v = turn * v.cwiseProduct(Vec3(0.01, 0.03, 0.02)) + Vec3(1, 2, 3);
  const StandIn found = stand_in(body);
  EXPECT_LT((found.centre - Vec3(1, 2, 3)).norm(), 1e-9);
  EXPECT_NEAR(found.half.x(), 0.03, 3e-5);
  EXPECT_NEAR(found.half.y(), 0.02, 3e-5);
  EXPECT_NEAR(found.half.z(), 0.01, 3e-5);
  EXPECT_NEAR(std::abs(found.axes.col(0).dot(turn.col(1))), 1.0, 1e-6);
  EXPECT_NEAR(std::abs(found.axes.col(2).dot(turn.col(0))), 1.0, 1e-6);
}

TEST(StandIn, OfABoxHasItsVolumeAndProportions) {
  const StandIn found = stand_in(geometry::box_mesh({0.04, 0.01, 0.02}, 0.01));
  EXPECT_NEAR(4.0 / 3.0 * std::numbers::pi * found.half.prod(), 8e-6, 1e-12);
  EXPECT_NEAR(found.half.x() / found.half.z(), 4.0, 1e-9);
  EXPECT_NEAR(found.half.x() / found.half.y(), 2.0, 1e-9);
}

TEST(EllipsoidBank, CoversWhatIsSmallAndNotTooThin) {
  StandIn body{.half = {0.03, 0.02, 0.01}};
  EXPECT_TRUE(EllipsoidBank::covers(body, 343.2, 16000.0));
  body.half = {0.06, 0.05, 0.02};
  EXPECT_FALSE(EllipsoidBank::covers(body, 343.2, 16000.0));
  EXPECT_TRUE(EllipsoidBank::covers(body, 343.2, 8000.0));
  // Chunks turn against the air by their edges.
  body.half = {0.012, 0.011, 0.01};
  EXPECT_FALSE(EllipsoidBank::covers(body, 343.2, 16000.0));
  body.half = {0.008, 0.007, 0.006};
  EXPECT_TRUE(EllipsoidBank::covers(body, 343.2, 16000.0));
  body.half = {0.03, 0.02, 0.001};
  EXPECT_FALSE(EllipsoidBank::covers(body, 343.2, 16000.0));
}

// The round one of the bank is the sphere of theory.
TEST(EllipsoidBankAnalytic, ASphereOfAnySizeIsADipole) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("peal-bank-" + std::to_string(::getpid()));
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  {
    const util::Store store(util::stored::rigid_radiation);
    const EllipsoidBank bank(store);
    const double a = 0.013;
    geometry::TriMesh ball = geometry::sphere_mesh(a, 0.1 * a);
    for (Vec3& v : ball.vertices) v += Vec3(0.1, 0.2, 0.3);
    EXPECT_GT(bank.missing_work(stand_in(ball)), 0.0);
    const base::Medium air;
    const base::RigidRadiation table = bank.radiation(ball, air, 16000.0, [](double) {});
    EXPECT_LT((table.centre - Vec3(0.1, 0.2, 0.3)).norm(), 1e-6);
    EXPECT_EQ(table.max_frequency, 16000.0);
    const std::vector<std::size_t> starts = table.offsets();
    double worst = 0.0;
    for (std::size_t b = 1; table.spacing * double(b) < 16000.0; ++b) {
      const double k = 2 * std::numbers::pi * table.spacing * double(b) / air.speed_of_sound;
      std::vector<std::complex<double>> h(2);
      base::spherical_hankel_up_to(1, k * a, h);
      const std::complex<double> exact = -air.density * h[1] / (k * (h[0] - 2.0 * h[1] / (k * a))) /
                                         std::sqrt(3.0 / (4.0 * std::numbers::pi));
      const int of_axis[3] = {3, 1, 2};
      for (int m = 0; m < 3; ++m) {
        const auto values = table.at(starts[b], b, m);
        for (std::size_t i = 0; i < values.size(); ++i) {
          const std::complex<double> is(values[i].real(), values[i].imag());
          const auto should = int(i) == of_axis[m] ? exact : 0.0;
          worst = std::max(worst, std::abs(is - should) / std::abs(exact));
        }
      }
    }
    EXPECT_LT(worst, 0.02);
    EXPECT_EQ(bank.missing_work(stand_in(ball)), 0.0) << "it is known now";
    EXPECT_EQ(EllipsoidBank(store).missing_work(stand_in(ball)), 0.0) << "and stored";
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace peal::wave
