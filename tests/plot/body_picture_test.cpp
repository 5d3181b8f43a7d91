#include <peal/geometry/shapes/shapes.h>
#include <peal/plot/body_picture.h>
#include <peal/plot/scene_picture.h>
#include <peal/plot/surface_raster.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "plot/picture.h"

namespace peal::plot {
namespace {

using geometry::Vec3;

/// A square sheet that moves up as a whole in the first mode, down in the second and sideways in
/// the third.
base::ModalModel moving_sheet() {
  base::ModalModel model;
  model.surface = geometry::plane_mesh(1, 1, 0.25);
  model.modes = {{100.0, 2.0, 0.0}, {200.0, 0.0, 0.0}, {300.0, 5.0, 0.0}};
  model.mass = 1.0;
  const auto vertices = static_cast<Eigen::Index>(model.surface.vertices.size());
  model.shapes = Eigen::MatrixXf::Zero(3 * vertices, 3);
  for (Eigen::Index v = 0; v < vertices; ++v) {
    model.shapes(3 * v + 1, 0) = 1.0f;
    model.shapes(3 * v + 1, 1) = -1.0f;
    model.shapes(3 * v, 2) = 1.0f;
  }
  return model;
}

/// How red (positive) or blue a part of a picture is on the whole.
double redness(const Picture& picture, int left, int right) {
  double sum = 0.0;
  for (int row = 0; row < picture.height; ++row)
    for (int column = left; column < right; ++column)
      sum += picture.at(column, row).red - picture.at(column, row).blue;
  return sum / (picture.height * (right - left));
}

TEST(BodyPicture, OutwardIsRedInwardIsBlueAndWhatOnlySlidesIsWhite) {
  const Picture picture = decode_png(draw_modes(moving_sheet(), {"sheet", "paper"}));
  const int third = picture.width / 3;
  EXPECT_GT(redness(picture, 0, third), 0.05);
  EXPECT_LT(redness(picture, third, 2 * third), -0.05);
  EXPECT_NEAR(redness(picture, 2 * third, picture.width), 0.0, 0.01);
}

TEST(BodyPicture, SameModelSameBytesAndAtMostTwelveModes) {
  base::ModalModel model = moving_sheet();
  EXPECT_EQ(draw_modes(model, {"a", "b"}), draw_modes(model, {"a", "b"}));
  const auto vertices = model.shapes.rows();
  model.modes.assign(40, {100.0, 1.0, 0.0});
  model.shapes = Eigen::MatrixXf::Ones(vertices, 40);
  const Picture many = decode_png(draw_modes(model, {"a", "b"}));
  model.keep_lowest(12);
  const Picture twelve = decode_png(draw_modes(model, {"a", "b"}));
  EXPECT_EQ(many.height, twelve.height);
  EXPECT_EQ(many.pixels, twelve.pixels);
}

TEST(BodyPicture, AMapHasItsDots) {
  const geometry::TriMesh sheet = geometry::plane_mesh(1, 1, 0.25);
  BodyMap map{.values = std::vector<double>(sheet.vertices.size(), 1.0), .label = "x", .dots = {}};
  const Picture plain = decode_png(draw_map(sheet, map, {"a", "b"}));
  map.dots = {0, 12};
  const Picture dotted = decode_png(draw_map(sheet, map, {"a", "b"}));
  int changed = 0;
  for (std::size_t i = 0; i < plain.pixels.size(); ++i)
    changed += plain.pixels[i] != dotted.pixels[i] ? 1 : 0;
  EXPECT_GT(changed, 80);
  EXPECT_LT(changed, 3000);
}

/// Pixels that are clearly red and those that are clearly blue.
std::pair<int, int> reds_and_blues(const Picture& picture) {
  std::pair<int, int> count;
  for (int row = 0; row < picture.height; ++row)
    for (int column = 0; column < picture.width; ++column) {
      const Colour c = picture.at(column, row);
      count.first += c.red > c.blue + 0.3 ? 1 : 0;
      count.second += c.blue > c.red + 0.3 ? 1 : 0;
    }
  return count;
}

TEST(ScenePicture, ANearerBodyHidesAFartherOne) {
  const auto cube = std::make_shared<const geometry::TriMesh>(geometry::box_mesh({1, 1, 1}, 1));
  const auto seen_at = [&](double z) {
    std::vector<Vec3> moved = cube->vertices;
    for (Vec3& vertex : moved) vertex += Vec3(0.8 * z, 0.9 * z, z);
    return decode_png(
        draw_scene({.room = geometry::Box(Vec3(-3, -3, -3), Vec3(3, 3, 3)),
                    .bodies = {{cube, cube->vertices, {1, 0, 0}}, {cube, moved, {0, 0, 1}}},
                    .heading = "0.100 s",
                    .subheading = "two cubes"}));
  };
  const auto [red, blue] = reds_and_blues(seen_at(2.0));
  const auto [red_before, blue_behind] = reds_and_blues(seen_at(-2.0));
  EXPECT_GT(blue, 5000);
  EXPECT_GT(red_before, red + 500) << "the blue cube in front hides part of the red one";
  EXPECT_LT(blue_behind, blue - 500);
  EXPECT_NEAR(red_before, blue, 20) << "without perspective both are of one size";
}

TEST(ScenePicture, OnlyTheRoomIsShownAndSizesAreEven) {
  const auto floor = std::make_shared<const geometry::TriMesh>(geometry::plane_mesh(100, 100, 50));
  const Picture picture =
      decode_png(draw_scene({.room = geometry::Box(Vec3(0, 0, 0), Vec3(1, 0.31, 0.7)),
                             .bodies = {{floor, floor->vertices, {0.8, 0.1, 0.1}}},
                             .heading = "",
                             .subheading = ""}));
  EXPECT_EQ(picture.width % 2, 0);
  EXPECT_EQ(picture.height % 2, 0);
  EXPECT_GT(reds_and_blues(picture).first, picture.width * picture.height / 2);
}

TEST(SurfaceRaster, HidesWhatIsBehind) {
  const geometry::TriMesh box = geometry::box_mesh({1, 1, 1}, 1);
  SurfaceRaster raster(box.vertices, 0.1, 200, 200);
  raster.draw(box, box.vertices, {1, 1, 1});
  EXPECT_TRUE(raster.sees({0.2, 0.5, 0.2}));    // on top
  EXPECT_TRUE(raster.sees({0.0, 0.0, 0.5}));    // in front
  EXPECT_FALSE(raster.sees({0.0, 0.0, -0.5}));  // behind
  EXPECT_FALSE(raster.sees({0.0, -0.5, 0.0}));  // below
  const Point top = raster.place({0, 0.5, 0}), bottom = raster.place({0, -0.5, 0});
  EXPECT_LT(top.y, bottom.y);
  EXPECT_LT(raster.place({-0.5, 0, 0}).x, raster.place({0.5, 0, 0}).x);
}

TEST(SurfaceRaster, NormalsAreSmoothOnASphereAndCreasedOnABox) {
  const geometry::TriMesh ball = geometry::sphere_mesh(1, 0.2);
  const AtCorners<Vec3> round = corner_normals(ball, ball.vertices);
  for (std::size_t t = 0; t < round.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_GT(round[t][k].dot(ball.vertices[ball.triangles[t][k]]), 0.999);
  const geometry::TriMesh box = geometry::box_mesh({1, 1, 1}, 1);
  const AtCorners<Vec3> flat = corner_normals(box, box.vertices);
  for (std::size_t t = 0; t < flat.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(flat[t][k].dot(geometry::area_vector(box, t).normalized()), 1.0, 1e-12);
}

}  // namespace
}  // namespace peal::plot
