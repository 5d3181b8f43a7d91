#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/scene/body_mass.h>
#include <peal/util/files.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <numbers>
#include <string>

#include "scene/gltf_builder.h"
#include "scene/scene_text.h"

namespace peal::scene {
namespace {

using testing::HasSubstr;

std::string walled(const std::string& keys) {
  return scene_with_objects(R"({"name": "wall", )" + keys + "}");
}

const Object& first(const Scene& scene) {
  return scene.objects.at(0);
}

/// A folder of its own for files.
class ReadThickness : public testing::Test {
 protected:
  ReadThickness() { std::filesystem::create_directories(folder_); }
  ~ReadThickness() override { std::filesystem::remove_all(folder_); }

  Scene read(const std::string& text) const { return parse_scene(text, "scene.json", folder_); }
  std::string refusal(const std::string& text) const {
    try {
      read(text);
    } catch (const util::InputError& error) {
      return error.what();
    }
    return {};
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("peal-thickness-" + std::to_string(::getpid()));
};

TEST_F(ReadThickness, ASheetBecomesASolidAroundItsMiddle) {
  const Scene scene = parse(walled(R"("shape": {"plane": [0.3, 0.2]}, "thickness": 0.002,
                                    "material": "steel")"));
  const Object& object = first(scene);
  ASSERT_NE(object.shell, nullptr);
  EXPECT_FALSE(object.is_sheet);
  EXPECT_TRUE(geometry::check_mesh(*object.mesh).watertight);
  EXPECT_NEAR(geometry::signed_volume(*object.mesh), 0.3 * 0.2 * 0.002, 1e-10);
  EXPECT_NEAR(body_mass(object).mass, 7850 * 0.3 * 0.2 * 0.002, 1e-6);
  EXPECT_THAT(object.mesh_source, HasSubstr("2 mm thick"));
}

TEST_F(ReadThickness, ALatheWithAThicknessIsTheMiddleOfItsWall) {
  const Scene scene = parse(walled(R"("shape": {"lathe": {"profile": [[0.01, 0], [0.1, 0.02]]}},
                                    "thickness": 0.001, "material": "bronze")"));
  const Object& object = first(scene);
  ASSERT_NE(object.shell, nullptr);
  const double slant = std::hypot(0.09, 0.02);
  EXPECT_NEAR(geometry::signed_volume(*object.mesh), std::numbers::pi * 0.11 * slant * 0.001,
              0.02 * std::numbers::pi * 0.11 * slant * 0.001);
}

TEST_F(ReadThickness, AHollowBallFallsWithTheMassOfItsWall) {
  const Scene scene = parse(walled(R"("shape": {"sphere": {"radius": 0.02, "edge_length": 0.002}},
      "thickness": 0.0004, "material": {"base": "abs", "density": 1000},
      "motion": {"rigid": {"position": [0, 1, 0]}})"));
  const Object& object = first(scene);
  EXPECT_NEAR(body_mass(object).mass, 1000 * 4 * std::numbers::pi * 4e-4 * 4e-4, 3e-5);
  ASSERT_TRUE(object.collision_shape.has_value());
}

TEST_F(ReadThickness, AProfileMakesItThinnerOutside) {
  const Scene scene = parse(walled(R"("shape": {"disc": 0.2},
      "thickness": {"profile": [[0.05, 0.002], [0.15, 0.001]]}, "material": "bronze")"));
  const geometry::ShellMesh& shell = *first(scene).shell;
  for (std::size_t v = 0; v < shell.middle.vertices.size(); ++v) {
    const double r = std::hypot(shell.middle.vertices[v].x(), shell.middle.vertices[v].z());
    const double part = std::clamp((r - 0.05) / 0.1, 0.0, 1.0);
    EXPECT_NEAR(shell.thickness[v], 0.002 - 0.001 * part, 1e-12);
  }
}

const std::string ply_header =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
    "property float z\nproperty float wall\nelement face 2\n"
    "property list uchar int vertex_indices\nend_header\n";

TEST_F(ReadThickness, APlyFileMayGiveItAtItsVertices) {
  util::write_file(folder_ / "sheet.ply",
                   ply_header + "0 0 0 1\n100 0 0 1\n100 0 100 2\n0 0 100 2\n3 0 2 1\n3 0 3 2\n");
  const Scene scene = read(walled(R"("mesh": "sheet.ply", "scale": 0.001,
                                   "thickness": {"attribute": "wall"}, "material": "steel")"));
  const geometry::ShellMesh& shell = *first(scene).shell;
  ASSERT_EQ(shell.thickness.size(), 4u);
  for (std::size_t v = 0; v < 4; ++v)
    EXPECT_NEAR(shell.thickness[v], shell.middle.vertices[v].z() > 0.05 ? 0.002 : 0.001, 1e-9);
  EXPECT_THAT(refusal(walled(R"("mesh": "sheet.ply", "thickness": {"attribute": "wal"})")),
              HasSubstr("\"wall\""));
  // In metres, a wall of 1 mm would be a metre thick, and one of 2 too thick for any wall.
  EXPECT_THAT(refusal(walled(R"("mesh": "sheet.ply", "thickness": {"attribute": "wall"})")),
              HasSubstr("is 2 m at vertex 2"));
}

TEST_F(ReadThickness, AGltfMeshMayGiveItAtItsVertices) {
  GltfBuilder builder;
  const int positions = builder.floats(
      {0, 0, 0, 0.1f, 0, 0, 0.1f, 0, 0.1f, 0, 0, 0, 0.1f, 0, 0.1f, 0, 0, 0.1f}, "VEC3");
  const int walls = builder.floats({0.001f, 0.001f, 0.002f, 0.001f, 0.002f, 0.002f}, "SCALAR");
  nlohmann::json primitive;
  primitive["attributes"]["POSITION"] = positions;
  primitive["attributes"]["_WALL"] = walls;
  nlohmann::json mesh;
  mesh["primitives"] = nlohmann::json::array({primitive});
  builder.push("meshes", mesh);
  builder.push("nodes", {{"name", "sheet"}, {"mesh", 0}});
  nlohmann::json whole;
  whole["nodes"] = nlohmann::json::array({0});
  builder.push("scenes", whole);
  builder.json["scene"] = 0;
  util::write_file(folder_ / "sheet.gltf", builder.text());
  const Scene scene = read(
      walled(R"("mesh": "sheet.gltf", "thickness": {"attribute": "_WALL"}, "material": "steel")"));
  const geometry::ShellMesh& shell = *first(scene).shell;
  ASSERT_EQ(shell.thickness.size(), 4u);
  for (std::size_t v = 0; v < 4; ++v)
    EXPECT_NEAR(shell.thickness[v], shell.middle.vertices[v].z() > 0.05 ? 0.002 : 0.001, 1e-7);
  EXPECT_THAT(refusal(walled(R"("mesh": "sheet.gltf", "thickness": {"attribute": "_wall"})")),
              HasSubstr("It has _WALL"));
}

TEST_F(ReadThickness, RepairsAreNotices) {
  util::write_file(folder_ / "sheet.obj",
                   "v 0 0 0\nv 0.1 0 0\nv 0.1 0 0.1\nv 0 0 0.1\nf 1 3 2\nf 1 3 4\n");
  const Scene scene =
      read(walled(R"("mesh": "sheet.obj", "thickness": 0.001, "material": "steel")"));
  EXPECT_THAT(scene.notices,
              testing::Contains(HasSubstr("\"wall\": 1 triangle that faced the other way")));
}

TEST_F(ReadThickness, WhatCannotHaveOneIsRefusedWithPlaceAndFix) {
  const auto says = [](const std::string& keys) { return complaint(walled(keys)); };
  EXPECT_THAT(says(R"("shape": {"plane": [1, 1]}, "thickness": 0)"),
              HasSubstr("objects[0].thickness"));
  EXPECT_THAT(says(R"("shape": {"plane": [1, 1]}, "thickness": -0.001)"),
              HasSubstr("objects[0].thickness"));
  EXPECT_THAT(says(R"("thickness": 0.001)"), HasSubstr("no surface"));
  EXPECT_THAT(says(R"("shape": {"plate": {"radius": 0.1, "thickness": 0.001}}, "thickness": 0.001,
                      "material": "steel")"),
              HasSubstr("ideal shape"));
  EXPECT_THAT(
      says(R"("shape": {"lathe": {"profile": [[0, 0], [0.1, 0], [0.1, 0.1]], "wall": 0.001}},
                      "thickness": 0.001)"),
      HasSubstr("has a \"wall\" already"));
  EXPECT_THAT(says(R"("shape": {"sphere": 0.01}, "thickness": 0.025)"),
              HasSubstr("would cross itself near ("));
  EXPECT_THAT(
      says(R"("shape": {"disc": 0.1}, "thickness": {"profile": [[0.1, 0.001], [0, 0.002]]})"),
      HasSubstr("thickness.profile[1]"));
  EXPECT_THAT(says(R"("shape": {"disc": 0.1}, "thickness": {"attribute": "wall"})"),
              HasSubstr("has no attributes"));
}

TEST_F(ReadThickness, MovingAndRingingSheetsAreAccepted) {
  for (const char* keys :
       {R"("motion": {"rigid": {}})", R"("sound": ["modal"])", R"("motion": {"deformable": {}})"}) {
    const std::string by_rays = R"("radiation": {"model": "rays"},)";
    EXPECT_EQ(complaint(scene_with_objects(
                  R"({"name": "wall", "shape": {"plane": [0.3, 0.2]}, "thickness": 0.001,
                      "material": "steel", )" +
                      std::string(keys) + "}",
                  by_rays)),
              "")
        << keys;
  }
}

}  // namespace
}  // namespace peal::scene
