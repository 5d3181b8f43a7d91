#include <peal/elastic/forced_strain.h>
#include <peal/elastic/shell_solid.h>

#include <elastic/trial_shells.h>
#include <elastic/trial_solids.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace peal::elastic {
namespace {

using geometry::Affine;
using geometry::Vec3;

constexpr double sheet_length = 0.2;

Constraint grip_of(const Solid& sheet, bool is_left) {
  Constraint grip;
  for (std::uint32_t node = 0; node < sheet.rest.size(); ++node)
    if (is_left ? sheet.rest.x[node] < 1e-9 : sheet.rest.x[node] > sheet_length - 1e-9)
      grip.nodes.push_back(node);
  return grip;
}

Solid strip() {
  return make_shell_solid(
      uniform_shell(flat_sheet(sheet_length, 0.1, 10, 5, Triangulation::alternating), 0.001),
      trial_steel(), "strip");
}

TEST(ForcedStrain, IsThatOfHandsThatPart) {
  const Solid sheet = strip();
  std::vector<Constraint> grips = {grip_of(sheet, true), grip_of(sheet, false)};
  grips[1].motion = rigid_grip([](double t) -> Affine {
    // 6 mm apart at 30 ms, then back.
    return Affine(Eigen::Translation3d(0.006 * std::sin(std::numbers::pi * t / 0.06), 0.0, 0.0));
  });
  const ForcedStrain found = forced_strain(sheet, grips, Affine::Identity(), 0.06);
  EXPECT_NEAR(found.strain, 0.006 / sheet_length, 1e-9);
  EXPECT_NEAR(found.time, 0.03, 1e-9);
  EXPECT_NE(found.constraints[0], found.constraints[1]);
}

TEST(ForcedStrain, IsNothingWhenASheetIsBentOrMovesAsAWhole) {
  const Solid sheet = strip();
  const Affine start(Eigen::Translation3d(1.0, 2.0, 3.0));
  std::vector<Constraint> grips = {grip_of(sheet, true), grip_of(sheet, false)};
  for (Constraint& one : grips)
    one.motion = rigid_grip([&](double t) -> Affine {
      return Affine(Eigen::Translation3d(t, 0.0, 0.0)) * Eigen::AngleAxisd(t, Vec3::UnitZ()) *
             start;
    });
  EXPECT_LT(forced_strain(sheet, grips, start, 1.0).strain, 1e-9);
  // About its own place, and towards the other: bent.
  grips[0].motion = {};
  grips[1].motion = rigid_grip([&](double t) -> Affine {
    return start * Eigen::Translation3d(sheet_length - 0.05 * t, 0.0, 0.0) *
           Eigen::AngleAxisd(-t, Vec3::UnitZ()) * Eigen::Translation3d(-sheet_length, 0.0, 0.0);
  });
  EXPECT_LT(forced_strain(sheet, grips, start, 1.0).strain, 1e-9);
  // About a place that is far from it: torn.
  grips[1].motion = rigid_grip([&](double t) -> Affine {
    return start * Eigen::Translation3d(0.0, 1.0, 0.0) * Eigen::AngleAxisd(t, Vec3::UnitZ()) *
           Eigen::Translation3d(0.0, -1.0, 0.0);
  });
  EXPECT_GT(forced_strain(sheet, grips, start, 1.0).strain, 2.0);
}

}  // namespace
}  // namespace peal::elastic
