#include <peal/util/lagrange.h>
#include <peal/wave/far_field/kirchhoff_surface.h>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "wave/exact_field.h"

namespace peal::wave {
namespace {

TEST(KirchhoffSurface, weights_add_up_to_its_area) {
  FarFieldSetup setup = box_setup(20);
  setup.high = {20, 14, 23};  // 16 x 10 x 19 cells
  const KirchhoffSurface box(setup);
  double area = 0.0;
  for (const FaceGroup& group : box.groups()) {
    for (int i = 0; i < group.count; ++i) area += group.weight[i];
  }
  EXPECT_NEAR(area, 2 * (16 * 10 + 10 * 19 + 16 * 19) * 1e-4, 1e-12);
  EXPECT_EQ(box.faces(), 2u * (16 * 10 + 10 * 19 + 16 * 19));
}

TEST(KirchhoffSurface, closed_faces_are_left_out) {
  FarFieldSetup setup = box_setup(10);
  setup.open_area = [](const Cell& inside, int face) {
    return face == 2 ? 0.0 : inside[1] == 4 ? 0.25 : 1.0;
  };
  const KirchhoffSurface box(setup);
  EXPECT_EQ(box.faces(), 500u);
  double area = 0.0;
  for (const FaceGroup& group : box.groups()) {
    for (int i = 0; i < group.count; ++i) area += group.weight[i];
  }
  EXPECT_NEAR(area, (100 + 4 * (90 + 2.5)) * 1e-4, 1e-12);
}

TEST(KirchhoffSurface, reads_cubic_fields_exactly) {
  const FarFieldSetup setup = box_setup(10);
  const KirchhoffSurface box(setup);
  const auto value = [](const Vec3& x) { return 2.0 + x.x() + std::pow(x.y(), 3) - x.z() * x.z(); };
  const auto slope = [](const Vec3& x) { return Vec3(1.0, 3.0 * x.y() * x.y(), -2.0 * x.z()); };
  Field<double> field(setup.grid.size);
  for_each_cell(field.size(), [&](const Cell& c) { field[c] = value(setup.grid.centre(c)); });
  std::vector<double> read(2 * box.slots());
  box.read(field, read.data());
  const double* p = read.data();
  for (const FaceGroup& group : box.groups()) {
    for (int i = 0; i < group.count; ++i) {
      const Vec3 x = box.face_centre(group, i);
      // The other axes are at cell centres, where the field is exact.
      EXPECT_NEAR(p[i], value(x), 1e-12);
      EXPECT_NEAR(p[FaceGroup::capacity + i], group.outwards * slope(x)[group.axis], 1e-10);
    }
    p += 2 * FaceGroup::capacity;
  }
}

TEST(KirchhoffSurface, a_box_that_leaves_the_grid_is_refused) {
  FarFieldSetup setup = box_setup(10);
  setup.low[1] = 0;
  EXPECT_THROW(KirchhoffSurface{setup}, std::invalid_argument);
  setup.open_area = [](const Cell&, int face) { return face == 2 ? 0.0 : 1.0; };
  EXPECT_NO_THROW(KirchhoffSurface{setup});
}

TEST(Lagrange, reads_quintics_and_their_slopes_exactly) {
  const auto value = [](double x) { return 1.0 + x * (2.0 + x * x * (0.5 - x * (0.3 + 0.1 * x))); };
  const auto slope = [](double x) { return 2.0 + x * x * (1.5 - x * (1.2 + 0.5 * x)); };
  for (const double f : {-1.0, 0.0, 0.3, 0.99, 1.7}) {
    const util::Lagrange::Weights w = util::Lagrange::at(f);
    double p = 0.0, d = 0.0;
    for (int k = 0; k < util::Lagrange::taps; ++k) {
      p += w.value[k] * value(k - util::Lagrange::before);
      d += w.slope[k] * value(k - util::Lagrange::before);
    }
    EXPECT_NEAR(p, value(f), 1e-12);
    EXPECT_NEAR(d, slope(f), 1e-11);
  }
}

}  // namespace
}  // namespace peal::wave
