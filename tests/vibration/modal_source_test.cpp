#include <peal/geometry/shapes/shapes.h>
#include <peal/vibration/modal_source.h>

#include <gtest/gtest.h>

#include <cmath>

#include "base/accelerations_of.h"

namespace peal::vibration {
namespace {

using base::Vec3;

/// A cube that is stretched along x by its first mode and moved along y by its second.
struct RingingCube {
  std::shared_ptr<base::ModalModel> model = std::make_shared<base::ModalModel>();
  std::shared_ptr<ModalResponse> response;

  RingingCube() {
    model->surface = geometry::box_mesh({0.2, 0.2, 0.2}, 1);
    model->modes = {{1000.0, 30.0, 0.0}, {2500.0, 80.0, 0.0}};
    model->shapes.setZero(3 * static_cast<Eigen::Index>(model->surface.vertices.size()), 2);
    for (std::size_t v = 0; v < model->surface.vertices.size(); ++v) {
      const auto row = 3 * static_cast<Eigen::Index>(v);
      model->shapes(row, 0) = static_cast<float>(model->surface.vertices[v].x());
      model->shapes(row + 1, 1) = 2.0F;
    }
    response = std::make_shared<ModalResponse>(
        model->modes, std::vector<ModalForce>{{{0.01, 1e-4, 0.5}, {3.0, -2.0}}});
  }

  /// The middle of a face whose normal is `normal`.
  base::SurfacePoint middle(const Vec3& normal) const {
    const auto& mesh = model->surface;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      const auto [a, b, c] = mesh.triangles[t];
      const Vec3 &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
      if ((q - p).cross(r - p).normalized().dot(normal) < 0.99) continue;
      return {.triangle = t, .position = (p + q + r) / 3.0, .normal = normal};
    }
    throw std::logic_error("no such face");
  }
};

TEST(ModalSource, accelerates_the_surface_by_its_modes) {
  const RingingCube cube;
  const auto source = std::make_shared<ModalSource>(cube.model, cube.response);
  const std::vector<base::SurfacePoint> points = {
      cube.middle(Vec3::UnitX()), cube.middle(-Vec3::UnitX()), cube.middle(-Vec3::UnitY()),
      cube.middle(Vec3::UnitZ())};
  const base::Rate rate{96000};
  for (const std::int64_t n : {962, 963, 970, 1100, 5000}) {
    const Eigen::MatrixXf q =
        cube.response->evaluate(rate, {n, n + 1}, ModalResponse::Quantity::acceleration);
    const std::vector<float> a = base::accelerations_of(source, points, {n, rate});
    const float scale = std::abs(q(0)) + std::abs(q(1));
    EXPECT_NEAR(a[0], 0.1F * q(0), 1e-5F * scale);
    EXPECT_NEAR(a[1], 0.1F * q(0), 1e-5F * scale);
    EXPECT_NEAR(a[2], -2.0F * q(1), 1e-5F * scale);
    EXPECT_NEAR(a[3], 0.0F, 1e-5F * scale);
  }
}

TEST(ModalSource, sounds_from_the_blow_until_it_has_died_away) {
  const RingingCube cube;
  const auto source = std::make_shared<ModalSource>(cube.model, cube.response);
  const base::Rate rate{48000};
  const auto whole = source->active(rate, {0, 480000});
  ASSERT_EQ(whole.size(), 1u);
  EXPECT_EQ(whole[0].begin, 480);
  EXPECT_NEAR(rate.seconds(whole[0].end), 0.01 + std::log(1e6) / 30.0, 1e-3);
  EXPECT_TRUE(source->active(rate, {0, 480}).empty());
  const base::SurfacePoint point = cube.middle(Vec3::UnitX());
  EXPECT_EQ(base::accelerations_of(source, {&point, 1}, {479, rate})[0], 0.0F);
}

TEST(ModalSource, refuses_shapes_that_do_not_fit) {
  RingingCube cube;
  cube.model->shapes.conservativeResize(3, 2);
  EXPECT_THROW(ModalSource(cube.model, cube.response), std::invalid_argument);
}

TEST(ModalSource, coefficients_do_not_depend_on_the_range) {
  const RingingCube cube;
  const ModalSource source(cube.model, cube.response);
  base::Coefficients whole, part;
  source.coefficients({96000}, {900, 3000}, whole);
  for (const base::SampleRange range : {base::SampleRange{900, 901}, {961, 1400}, {1031, 3000}}) {
    source.coefficients({96000}, range, part);
    EXPECT_EQ(part, whole.middleCols(range.begin - 900, range.size())) << range.begin;
  }
}

TEST(ModalSource, the_hash_sees_shapes_forces_and_damping_but_no_later_blow) {
  const base::Rate rate{48000};
  const base::SampleRange range{0, 4800};
  RingingCube cube;
  const auto hash = [&](const std::vector<base::Mode>& modes,
                        const std::vector<ModalForce>& forces) {
    return base::hash_of(ModalSource(cube.model, std::make_shared<ModalResponse>(modes, forces)),
                         rate, range);
  };
  const std::vector<base::Mode> modes = cube.model->modes;
  const std::vector<ModalForce> blow = {{{0.01, 1e-4, 0.5}, {3.0, -2.0}}};
  const std::string first = hash(modes, blow);
  EXPECT_EQ(first, hash(modes, blow));
  auto damped = modes;
  damped[1].decay_rate = std::nextafter(damped[1].decay_rate, 100.0);
  EXPECT_NE(first, hash(damped, blow));
  auto harder = blow;
  harder[0].pulse.impulse = std::nextafter(0.5, 1.0);
  EXPECT_NE(first, hash(modes, harder));
  auto twice = blow;
  twice.push_back({{0.2, 1e-4, 0.5}, {3.0, -2.0}});
  EXPECT_EQ(first, hash(modes, twice)) << "the second blow comes after the range";
  cube.model->shapes(17, 1) = std::nextafter(cube.model->shapes(17, 1), 9.0F);
  EXPECT_NE(first, hash(modes, blow));
}

}  // namespace
}  // namespace peal::vibration
