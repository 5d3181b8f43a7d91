#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/render/settle_surface.h>
#include <peal/render/stages.h>
#include <peal/sounds/speaker.h>
#include <peal/util/error.h>

#include <gmock/gmock.h>

namespace peal::render {
namespace {

using geometry::TriMesh;
using geometry::Vec3;

constexpr double wavelength = 0.5;  // [m]

TriMesh moved(TriMesh mesh, const Vec3& by) {
  for (Vec3& v : mesh.vertices) v += by;
  return mesh;
}

TriMesh crossing_boxes() {
  const TriMesh box = geometry::box_mesh({0.2, 0.2, 0.2}, 0.1);
  return joined(box, moved(box, {0.1, 0.06, 0.04}));
}

TriMesh loose_box() {
  const TriMesh box = geometry::box_mesh({0.2, 0.3, 0.2}, 0.15);
  TriMesh loose;
  for (const auto& t : box.triangles) {
    const auto first = static_cast<std::uint32_t>(loose.vertices.size());
    const double shift = 1e-4 * (first % 7);
    for (const std::uint32_t v : t)
      loose.vertices.push_back(box.vertices[v] + Vec3(shift, -shift, shift));
    loose.triangles.push_back({first, first + 1, first + 2});
  }
  return loose;
}

TEST(SettleSurface, AGoodSolidStaysAsItIs) {
  std::vector<std::string> notices;
  const TriMesh ball = geometry::sphere_mesh(0.1, 0.05);
  const SettledSurface settled = settle_surface({"ball", ball}, wavelength, notices);
  EXPECT_EQ(settled.mesh.triangles, ball.triangles);
  EXPECT_TRUE(settled.source.empty());
  EXPECT_FALSE(settled.is_sheet);
  EXPECT_TRUE(notices.empty());
}

TEST(SettleSurface, ABrokenSolidGetsANewSurfaceAndANotice) {
  std::vector<std::string> notices;
  const SettledSurface settled = settle_surface({"boxes", crossing_boxes()}, wavelength, notices);
  EXPECT_TRUE(geometry::check_mesh(settled.mesh).watertight);
  EXPECT_NEAR(geometry::signed_volume(settled.mesh), 8e-3 * (2.0 - 0.5 * 0.7 * 0.8), 1e-4);
  EXPECT_EQ(settled.source.size(), settled.mesh.triangles.size());
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_THAT(notices[0], testing::AllOf(testing::HasSubstr("\"boxes\""),
                                         testing::HasSubstr("cross each other"),
                                         testing::HasSubstr("13.7 l"), testing::HasSubstr("mm")));
}

TEST(SettleSurface, FacesThatAreJoinedNowhereAreASolidIfTheyCloseOne) {
  std::vector<std::string> notices;
  const SettledSurface settled = settle_surface({"soup", loose_box()}, wavelength, notices);
  EXPECT_FALSE(settled.is_sheet);
  EXPECT_TRUE(geometry::check_mesh(settled.mesh).watertight);
  EXPECT_NEAR(geometry::signed_volume(settled.mesh), 12e-3, 1e-4);
  EXPECT_THAT(notices, testing::ElementsAre(testing::HasSubstr("holes")));
}

TEST(SettleSurface, SheetsStaySheets) {
  const TriMesh bowl = [] {
    TriMesh mesh = geometry::sphere_mesh(0.1, 0.05);
    std::erase_if(mesh.triangles, [&](const auto& t) { return mesh.vertices[t[0]].y() > 0.02; });
    return mesh;
  }();
  TriMesh crossed = joined(geometry::plane_mesh(1, 1, 0.4), bowl);
  for (const TriMesh& mesh : {geometry::plane_mesh(1, 1, 0.4), bowl, crossed}) {
    std::vector<std::string> notices;
    EXPECT_TRUE(settle_surface({"sheet", mesh}, wavelength, notices).is_sheet);
    EXPECT_THAT(notices, testing::Contains(testing::HasSubstr("counts as a thin sheet")));
  }
}

TEST(SettleSurface, AHoleOrTwoCountAsClosed) {
  std::vector<std::string> notices;
  TriMesh ball = geometry::sphere_mesh(0.1, 0.02);
  ball.triangles.pop_back();
  const SettledSurface settled = settle_surface({"ball", ball}, wavelength, notices);
  EXPECT_EQ(settled.mesh.triangles, ball.triangles);
  EXPECT_THAT(notices, testing::ElementsAre("\"ball\" has holes, which count as closed"));
}

TEST(SettleSurface, WhatDeformsKeepsItsTrianglesAndIsMentioned) {
  std::vector<std::string> notices;
  const TriMesh boxes = crossing_boxes();
  const SettledSurface settled =
      settle_surface({.name = "boxes", .mesh = boxes, .deforms = true}, wavelength, notices);
  EXPECT_EQ(settled.mesh.triangles, boxes.triangles);
  EXPECT_THAT(notices, testing::ElementsAre(testing::HasSubstr("It deforms")));
}

TEST(SettleSurface, ASolidWithoutVolumeIsAnError) {
  std::vector<std::string> notices;
  const TriMesh flat = geometry::box_mesh({0.2, 1e-9, 0.2}, 0.1);
  try {
    settle_surface({"flat", joined(flat, flat)}, wavelength, notices);
    FAIL() << "no error";
  } catch (const util::InputError& error) {
    EXPECT_EQ(error.location().at, "flat");
    EXPECT_THAT(error.problem(), testing::HasSubstr("no volume"));
  }
}

/// Two boxes in one mesh, with a speaker on the front of the first.
TEST(SettleSurface, SpeakersKeepTheirPatchOnANewSurface) {
  scene::Scene scene;
  scene.duration = 0.1;
  scene.radiation.model = scene::Radiation::Model::wave;
  scene.radiation.wave.max_frequency = 1000.0;
  scene::Object object;
  object.name = "radio";
  object.mesh = std::make_shared<const TriMesh>(crossing_boxes());
  object.sounds.push_back(sounds::make_sound(sounds::SpeakerSound{
      .signal = scene::ToneSound{},
      .faces = geometry::Box(Vec3(-0.2, -0.2, -0.11), Vec3(0.2, 0.2, -0.09))}));
  scene.objects.push_back(object);
  std::vector<std::string> notices;
  const base::World world = make_world(scene, notices);
  const base::Body& body = world.bodies.at(0);
  ASSERT_EQ(body.triangle_part.size(), body.mesh.triangles.size());
  EXPECT_TRUE(geometry::check_mesh(body.mesh).watertight);
  double front = 0.0, other = 0.0;
  for (std::uint32_t t = 0; t < body.mesh.triangles.size(); ++t) {
    if (body.triangle_part[t] == 0) continue;
    const bool is_front = geometry::triangle_centre(body.mesh, t).z() < -0.09;
    (is_front ? front : other) += geometry::area_vector(body.mesh, t).norm();
  }
  // The front, and what of the sides the box holds.
  EXPECT_NEAR(front, 0.2 * 0.2 + 4 * 0.2 * 0.01, 0.03 * 0.048);
  EXPECT_LT(other, 0.03 * 0.048);
}

}  // namespace
}  // namespace peal::render
