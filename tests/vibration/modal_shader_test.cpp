#include <peal/geometry/shapes.h>
#include <peal/vibration/modal_shader.h>

#include <gtest/gtest.h>

#include <cmath>

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

TEST(ModalShader, accelerates_the_surface_by_its_modes) {
  const RingingCube cube;
  const ModalShader shader(cube.model, cube.response);
  const std::vector<base::SurfacePoint> points = {
      cube.middle(Vec3::UnitX()), cube.middle(-Vec3::UnitX()), cube.middle(-Vec3::UnitY()),
      cube.middle(Vec3::UnitZ())};
  const base::Rate rate{96000};
  const auto bound = shader.bound_to(points);
  for (const std::int64_t n : {962, 963, 970, 1100, 5000}) {
    const Eigen::MatrixXf q =
        cube.response->evaluate(rate, {n, n + 1}, ModalResponse::Quantity::acceleration);
    std::vector<float> a(4, 1.0F), again(4, 1.0F);
    bound->add_acceleration({n, rate}, a);
    shader.add_acceleration({n, rate}, points, again);
    EXPECT_EQ(a, again);
    const float scale = std::abs(q(0)) + std::abs(q(1));
    EXPECT_NEAR(a[0] - 1.0F, 0.1F * q(0), 1e-5F * scale);
    EXPECT_NEAR(a[1] - 1.0F, 0.1F * q(0), 1e-5F * scale);
    EXPECT_NEAR(a[2] - 1.0F, -2.0F * q(1), 1e-5F * scale);
    EXPECT_NEAR(a[3] - 1.0F, 0.0F, 1e-5F * scale);
  }
}

TEST(ModalShader, sounds_from_the_blow_until_it_has_died_away) {
  const RingingCube cube;
  const ModalShader shader(cube.model, cube.response);
  const base::Rate rate{48000};
  const auto whole = shader.sounding(rate, {0, 480000});
  ASSERT_EQ(whole.size(), 1u);
  EXPECT_EQ(whole[0].begin, 480);
  EXPECT_NEAR(rate.seconds(whole[0].end), 0.01 + std::log(1e6) / 30.0, 1e-3);
  EXPECT_TRUE(shader.sounding(rate, {0, 480}).empty());
  std::vector<float> a(1, 0.0F);
  const base::SurfacePoint point = cube.middle(Vec3::UnitX());
  shader.add_acceleration({479, rate}, {&point, 1}, a);
  EXPECT_EQ(a[0], 0.0F);
}

TEST(ModalShader, refuses_shapes_that_do_not_fit) {
  RingingCube cube;
  cube.model->shapes.conservativeResize(3, 2);
  EXPECT_THROW(ModalShader(cube.model, cube.response), std::invalid_argument);
}

}  // namespace
}  // namespace peal::vibration
