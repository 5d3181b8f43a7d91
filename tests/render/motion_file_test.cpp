#include <peal/dynamics/keyframed_motion.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/render/motion_file.h>
#include <peal/scene/gltf.h>

#include <gtest/gtest.h>

#include <cmath>

namespace peal::render {
namespace {

using base::Vec3;

/// Turns about y and rises.
class Screwing : public base::Motion {
 public:
  base::Pose pose(double t) const override {
    return {.position = Vec3(0.1, t * t, -0.2),
            .orientation = geometry::Quat(Eigen::AngleAxisd(9 * t, Vec3::UnitY()))};
  }
  bool is_still() const override { return false; }
};

class Swelling : public base::Deformation {
 public:
  explicit Swelling(std::vector<Vec3> rest) : rest_(std::move(rest)) {}
  void vertices(double t, std::span<Vec3> out) const override {
    for (std::size_t i = 0; i < rest_.size(); ++i) out[i] = (1 + std::sin(3 * t)) * rest_[i];
  }

 private:
  std::vector<Vec3> rest_;
};

TEST(MotionFile, WhatIsReadBackMovesAsItWasWritten) {
  const geometry::TriMesh box = geometry::box_mesh({0.2, 0.1, 0.05}, 1);
  const auto motion = std::make_shared<Screwing>();
  const std::vector<MovingMesh> meshes{
      {.name = "screw", .mesh = std::make_shared<geometry::TriMesh>(box), .motion = motion}};
  const auto file = scene::parse_gltf(motion_glb(meshes, 1.0, 100.0), "motion.glb", "");
  EXPECT_TRUE(file.notices.empty());
  EXPECT_NEAR(file.duration, 1.0, 1e-6);
  const int node = scene::find_node(file, "screw");
  ASSERT_EQ(file.meshes.size(), 1u);
  EXPECT_EQ(file.meshes[0].triangles.size(), box.triangles.size());
  const dynamics::KeyframedMotion read(scene::motion_of(file, node));
  for (const double t : {0.0, 0.25, 0.5, 0.733, 1.0}) {
    const base::Pose a = motion->pose(t), b = read.pose(t);
    EXPECT_LT((a.position - b.position).norm(), 3e-5) << t;  // straight between frames
    EXPECT_LT(a.orientation.angularDistance(b.orientation), 1e-5) << t;
  }
}

TEST(MotionFile, ADeformingMeshKeepsItsShapeInEveryFrame) {
  const geometry::TriMesh ball = geometry::sphere_mesh(0.1, 0.08);
  const std::vector<MovingMesh> meshes{{.name = "ball",
                                        .mesh = std::make_shared<geometry::TriMesh>(ball),
                                        .motion = std::make_shared<Screwing>(),
                                        .deformation = std::make_shared<Swelling>(ball.vertices)}};
  const auto file = scene::parse_gltf(motion_glb(meshes, 0.4, 25.0), "motion.glb", "");
  const int node = scene::find_node(file, "ball");
  ASSERT_EQ(file.morphs[0].displacements.size(), 10u);
  const auto& weights = file.nodes[static_cast<std::size_t>(node)].weights;
  ASSERT_EQ(weights.values.size(), 11u);
  for (std::size_t frame = 0; frame < 11; ++frame) {
    const double size = 0.1 * (1 + std::sin(3 * static_cast<double>(frame) / 25.0));
    for (std::size_t i = 0; i < file.meshes[0].vertices.size(); ++i) {
      Vec3 vertex = file.meshes[0].vertices[i];
      for (std::size_t k = 0; k < 10; ++k) {
        vertex += weights.values[frame][static_cast<Eigen::Index>(k)] *
                  file.morphs[0].displacements[k][i];
      }
      EXPECT_NEAR(vertex.norm(), size, 1e-6);
    }
  }
}

TEST(MotionFile, APlaceWithoutAShapeIsANodeToo) {
  const std::vector<MovingMesh> meshes{{.name = "bee", .motion = std::make_shared<Screwing>()}};
  const auto file = scene::parse_gltf(motion_glb(meshes, 0.1, 30.0), "motion.glb", "");
  EXPECT_EQ(file.nodes[0].mesh, -1);
  EXPECT_EQ(file.nodes[0].name, "bee");
}

}  // namespace
}  // namespace peal::render
