#include <peal/dynamics/mesh_sequence.h>
#include <peal/util/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

namespace peal::dynamics {
namespace {

using geometry::TriMesh;
using geometry::Vec3;

TriMesh triangle_at(double height) {
  return {.vertices = {{0, height, 0}, {1, height, 0}, {0, height, 1}}, .triangles = {{0, 1, 2}}};
}

/// Frame n is a triangle at height n^2, at time n / 10.
struct Frames {
  std::map<std::string, int> loads;
  scene::MeshSequence sequence;

  explicit Frames(int count) {
    for (int i = 0; i < count; ++i) {
      sequence.files.push_back(std::to_string(i));
      sequence.times.push_back(0.1 * i);
    }
  }
  MeshSequenceDeformation::Loader loader() {
    return [this](const std::filesystem::path& path) {
      ++loads[path.string()];
      const double n = std::stod(path.string());
      return triangle_at(n * n);
    };
  }
};

double height(const MeshSequenceDeformation& deformation, double t) {
  std::vector<Vec3> out(3);
  deformation.vertices(t, out);
  return out[2].y();
}

TEST(MeshSequence, GoesStraightFromFrameToFrameAndRestsOutside) {
  Frames frames(4);
  const MeshSequenceDeformation deformation(frames.sequence, triangle_at(0), frames.loader());
  EXPECT_EQ(height(deformation, -1.0), 0.0);
  EXPECT_EQ(height(deformation, 0.1), 1.0);
  EXPECT_NEAR(height(deformation, 0.15), 2.5, 1e-12);
  EXPECT_NEAR(height(deformation, 0.3), 9.0, 1e-12);
  EXPECT_EQ(height(deformation, 7.0), 9.0);
}

TEST(MeshSequence, FramesAreScaledLikeTheFirstOne) {
  Frames frames(3);
  frames.sequence.transform *= 0.001;
  const MeshSequenceDeformation deformation(frames.sequence, triangle_at(0), frames.loader());
  EXPECT_NEAR(height(deformation, 0.2), 0.004, 1e-15);
}

TEST(MeshSequence, EachFrameIsReadOnceWhenTimeRunsForward) {
  Frames frames(50);
  const MeshSequenceDeformation deformation(frames.sequence, triangle_at(0), frames.loader());
  EXPECT_TRUE(frames.loads.empty());
  for (int i = 0; i < 4900; ++i) height(deformation, 0.001 * i);
  EXPECT_EQ(frames.loads.size(), 50u);
  for (const auto& [name, count] : frames.loads) EXPECT_EQ(count, 1) << name;
}

TEST(MeshSequence, FrameWithOtherTrianglesIsNamed) {
  Frames frames(3);
  const auto load = [](const std::filesystem::path& path) {
    TriMesh mesh = triangle_at(0);
    if (path == "1") mesh.triangles[0] = {0, 2, 1};
    if (path == "2") mesh.vertices.emplace_back(0, 0, 0);
    return mesh;
  };
  const MeshSequenceDeformation deformation(frames.sequence, triangle_at(0), load);
  EXPECT_EQ(height(deformation, 0.0 - 1e-9), 0.0);
  for (const double t : {0.05, 0.15, 5.0}) {
    try {
      height(deformation, t);
      ADD_FAILURE() << t;
    } catch (const util::InputError& error) {
      EXPECT_EQ(error.location().file, t > 1.0 ? "2" : "1");
    }
  }
}

TEST(MeshSequence, SeveralThreadsMayAskAtOnce) {
  Frames frames(30);
  const MeshSequenceDeformation deformation(frames.sequence, triangle_at(0), frames.loader());
  std::vector<std::thread> threads;
  std::array<double, 4> worst{};
  for (std::size_t k = 0; k < 4; ++k) {
    threads.emplace_back([&, k] {
      for (int i = 0; i < 290; ++i) {
        const double n = i / 10, f = (i % 10) / 10.0;
        const double exact = (1 - f) * n * n + f * (n + 1) * (n + 1);
        const double got = height(deformation, (n + f) * 0.1);
        worst[k] = std::max(worst[k], std::abs(got - exact));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const double w : worst) EXPECT_LT(w, 1e-9);
}

}  // namespace
}  // namespace peal::dynamics
