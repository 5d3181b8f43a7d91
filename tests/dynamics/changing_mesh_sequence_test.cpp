#include <peal/dynamics/changing_mesh_sequence.h>
#include <peal/geometry/shapes/shapes.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace peal::dynamics {
namespace {

using geometry::TriMesh;
using geometry::Vec3;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Frame n is at n / 10; its mesh is made by a function of n.
struct NumberedFrames {
  scene::MeshSequence sequence;
  MeshSequenceDeformation::Loader load;

  NumberedFrames(int count, std::function<TriMesh(int)> make)
      : load([make = std::move(make)](const std::filesystem::path& path) {
          return make(std::stoi(path.string()));
        }) {
    for (int i = 0; i < count; ++i) {
      sequence.files.push_back(std::to_string(i));
      sequence.times.push_back(0.1 * i);
    }
  }
  ChangingMeshSequence surfaces() const {
    return {sequence, frames_with_other_triangles(sequence, load), load};
  }
};

/// A sphere whose triangles are others in each frame, at a height.
TriMesh tessellated_ball(int frame, double height) {
  TriMesh ball = geometry::sphere_mesh(0.1, 0.012 + 0.002 * (frame % 3));
  for (Vec3& v : ball.vertices) v.y() += height;
  return ball;
}

std::vector<Vec3> vertices_at(const base::SurfaceSequence& surfaces, double t) {
  return base::shape_at(surfaces, t).vertices;
}

/// How far vertices are from a sphere of 0.1 m at a height, at most [m].
double distance_from_ball(const std::vector<Vec3>& vertices, double height) {
  double most = 0.0;
  for (const Vec3& v : vertices)
    most = std::max(most, std::abs((v - Vec3(0, height, 0)).norm() - 0.1));
  return most;
}

TEST(ChangingMeshSequence, FramesThatShareTheirTrianglesAreOneMesh) {
  const NumberedFrames frames(7, [](int n) { return tessellated_ball(n < 4 ? 0 : 1, n * 0.01); });
  EXPECT_THAT(frames_with_other_triangles(frames.sequence, frames.load), ElementsAre(4u));
  const ChangingMeshSequence surfaces = frames.surfaces();
  ASSERT_EQ(surfaces.size(), 2u);
  EXPECT_NEAR(surfaces.changes()[0], 0.35, 1e-12);
  for (const double t : {-1.0, 0.0, 0.17, 0.3, 0.4, 0.56, 0.6, 2.0}) {
    const double height = 0.1 * std::clamp(t, 0.0, 0.6);
    EXPECT_LT(distance_from_ball(vertices_at(surfaces, t), height), 1e-9) << t;
  }
}

TEST(ChangingMeshSequence, ASequenceThatKeepsItsTrianglesHasNoChanges) {
  const NumberedFrames frames(5, [](int n) { return tessellated_ball(0, n * 0.01); });
  EXPECT_THAT(frames_with_other_triangles(frames.sequence, frames.load), IsEmpty());
}

TEST(ChangingMeshSequence, ASurfaceAtRestStaysWhateverItsTriangles) {
  const NumberedFrames frames(6, [](int n) { return tessellated_ball(n, 0.0); });
  const ChangingMeshSequence surfaces = frames.surfaces();
  ASSERT_EQ(surfaces.size(), 6u);
  // Facets of 16 mm lie at most e^2 / (6 R) = 0.43 mm within the sphere, and half of that is gone
  // to.
  for (double t = 0.0; t < 0.6; t += 0.013)
    EXPECT_LT(distance_from_ball(vertices_at(surfaces, t), 0.0), 0.00022) << t;
}

TEST(ChangingMeshSequence, AMovingSurfaceGoesOnBetweenFramesWithOtherTriangles) {
  const NumberedFrames frames(6, [](int n) { return tessellated_ball(n, n * 0.002); });
  const ChangingMeshSequence surfaces = frames.surfaces();
  for (double t = 0.0; t < 0.5; t += 0.007)
    EXPECT_LT(distance_from_ball(vertices_at(surfaces, t), 0.02 * t), 0.0003) << t;
}

TEST(ChangingMeshSequence, FacesThatAreTurnedTheWrongWayAreTurnedBack) {
  const NumberedFrames frames(2, [](int n) {
    TriMesh ball = tessellated_ball(n, 0.0);
    if (n == 1)
      for (geometry::Triangle& t : ball.triangles) std::swap(t[0], t[1]);
    return ball;
  });
  const ChangingMeshSequence surfaces = frames.surfaces();
  for (const double t : {0.0, 0.2}) {
    const TriMesh shape = base::shape_at(surfaces, t);
    EXPECT_GT(geometry::area_vector(shape, 0).dot(geometry::triangle_centre(shape, 0)), 0.0);
  }
}

TEST(ChangingMeshSequence, AFrameIsReadOnceWhenTimeRunsForward) {
  std::vector<int> loads(30);
  const NumberedFrames frames(30, [&](int n) {
    ++loads[static_cast<std::size_t>(n)];
    return tessellated_ball(n, 0.0);
  });
  std::vector<std::size_t> changed;
  for (std::size_t i = 1; i < 30; ++i) changed.push_back(i);
  const ChangingMeshSequence surfaces(frames.sequence, changed, frames.load);
  std::ranges::fill(loads, 0);
  std::vector<Vec3> vertices;
  for (int i = 0; i < 290; ++i) {
    const double t = 0.01 * i;
    const std::size_t number = surfaces.number_at(t);
    vertices.resize(surfaces.mesh(number)->vertices.size());
    surfaces.vertices(number, t, vertices);
  }
  // Once for its triangles, and once for the way to it and from it.
  for (const int count : loads) EXPECT_LE(count, 2);
}

TEST(ChangingMeshSequence, SeveralThreadsSeeTheSameShapes) {
  const NumberedFrames frames(12, [](int n) { return tessellated_ball(n, n * 0.002); });
  const ChangingMeshSequence surfaces = frames.surfaces(), alone = frames.surfaces();
  std::array<std::vector<std::vector<Vec3>>, 3> seen;
  std::vector<std::thread> threads;
  for (auto& shapes : seen) {
    threads.emplace_back([&] {
      for (int i = 0; i < 37; ++i) shapes.push_back(vertices_at(surfaces, 0.03 * i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& shapes : seen) {
    for (int i = 0; i < 37; ++i)
      EXPECT_EQ(shapes[static_cast<std::size_t>(i)], vertices_at(alone, 0.03 * i)) << i;
  }
}

/// What a sequence with a wrong frame 2 is refused for.
util::InputError refusal(const std::function<TriMesh()>& wrong) {
  const NumberedFrames frames(4,
                              [&](int n) { return n == 2 ? wrong() : tessellated_ball(n, 0.0); });
  try {
    frames.surfaces().is_sheet();
  } catch (const util::InputError& error) {
    return error;
  }
  ADD_FAILURE() << "it was accepted";
  return {{}, ""};
}

TEST(ChangingMeshSequence, AWrongFrameIsNamedWithWhatToDo) {
  const util::InputError empty = refusal([] { return TriMesh{}; });
  EXPECT_EQ(empty.location().file, "2");
  EXPECT_THAT(empty.what(), HasSubstr("has no triangles"));
  EXPECT_THAT(empty.what(), HasSubstr("\"exists\""));

  const util::InputError vanished = refusal([] {
    TriMesh ball = tessellated_ball(2, 0.0);
    for (Vec3& v : ball.vertices) v *= 1e-9;
    return ball;
  });
  EXPECT_EQ(vanished.location().file, "2");
  EXPECT_THAT(vanished.what(), HasSubstr("vanishes in this frame"));
  EXPECT_THAT(vanished.what(), HasSubstr("\"exists\""));

  const util::InputError open = refusal([] {
    TriMesh ball = tessellated_ball(2, 0.0);
    ball.triangles.pop_back();
    return ball;
  });
  EXPECT_EQ(open.location().file, "2");
  EXPECT_THAT(open.what(), HasSubstr("has 1 hole in this frame"));
  EXPECT_THAT(open.what(), HasSubstr("Close the surface in this frame"));
}

TEST(ChangingMeshSequence, OpenSurfacesAreSheetsInAllFrames) {
  const NumberedFrames frames(3,
                              [](int n) { return geometry::plane_mesh(1.0, 1.0, 0.2 + 0.1 * n); });
  EXPECT_TRUE(frames.surfaces().is_sheet());
  const NumberedFrames mixed(3, [](int n) {
    return n == 1 ? tessellated_ball(0, 0.0) : geometry::plane_mesh(1.0, 1.0, 0.2 + 0.1 * n);
  });
  EXPECT_THROW(mixed.surfaces().is_sheet(), util::InputError);
}

}  // namespace
}  // namespace peal::dynamics
