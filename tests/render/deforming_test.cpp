#include <peal/geometry/shapes/shapes.h>
#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/util/measure.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "scene/gltf_builder.h"

/// Surfaces that change their shape, from files, in waves.
namespace peal::render {
namespace {

using nlohmann::json;

constexpr double kSmall = 0.04, kLarge = 0.06;        // radii of a ball that swells [m]
constexpr double kFirst = 0.01, kLast = 0.03;         // while it does [s]
constexpr double kTone = 1000, kAcceleration = 10.0;  // [Hz, m/s^2]

/// A folder with the ball as three OBJ files and as a glTF file with a morph target.
class Files {
 public:
  Files()
      : folder_(std::filesystem::temp_directory_path() /
                ("peal-swell-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    const geometry::TriMesh ball = geometry::sphere_mesh(1, 0.2);
    const double radius[] = {kSmall, 0.5 * (kSmall + kLarge), kLarge};
    for (int i = 0; i < 3; ++i) {
      std::ofstream file(folder_ / ("ball." + std::to_string(i + 1) + ".obj"));
      file.precision(9);
      for (const geometry::Vec3& v : ball.vertices)
        file << "v " << radius[i] * v.x() << ' ' << radius[i] * v.y() << ' ' << radius[i] * v.z()
             << '\n';
      for (const geometry::Triangle& t : ball.triangles)
        file << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
    }
    std::ofstream(folder_ / "ball.gltf") << morphing(ball);
  }
  ~Files() { std::filesystem::remove_all(folder_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  static std::string morphing(const geometry::TriMesh& ball) {
    std::vector<float> position, swell;
    for (const geometry::Vec3& v : ball.vertices)
      for (int d = 0; d < 3; ++d) {
        position.push_back(static_cast<float>(kSmall * v[d]));
        swell.push_back(static_cast<float>((kLarge - kSmall) * v[d]));
      }
    std::vector<std::uint32_t> indices;
    for (const geometry::Triangle& t : ball.triangles)
      indices.insert(indices.end(), t.begin(), t.end());
    scene::GltfBuilder b;
    json primitive = {{"attributes", {{"POSITION", b.floats(position, "VEC3")}}},
                      {"indices", b.accessor(indices, "SCALAR", 5125)}};
    primitive["targets"] = {json{{"POSITION", b.floats(swell, "VEC3")}}};
    b.push("meshes", {{"primitives", {primitive}}});
    b.push("nodes", {{"name", "ball"}, {"mesh", 0}});
    b.push("scenes", {{"nodes", {0}}});
    b.animate(0, "weights", {static_cast<float>(kFirst), static_cast<float>(kLast)}, {0, 1});
    return b.text();
  }

  std::filesystem::path folder_;
};

/// The ball in waves, heard 0.4 m away.
std::vector<double> hear_ball(const Files& files, json ball, bool sounds) {
  ball["name"] = "ball";
  ball["motion"] = {{"position", {0.0023, 0.0041, -0.0013}}};
  if (sounds)
    ball["sound"] = {
        {{"speaker",
          {{"tone", {{"frequency", kTone}, {"fade", 0.002}}}, {"acceleration", kAcceleration}}}}};
  const json scene = {
      {"peal", 1},
      {"duration", 0.04},
      {"objects", {ball}},
      {"listeners", {{{"mono", {{"position", {0.4023, 0.0041, -0.0013}}}}}}},
      {"radiation", {{"model", "wave"}, {"max_frequency", 2500}, {"cell_size", 0.012}}}};
  util::Silent silent;
  const auto parsed = scene::parse_scene(scene.dump(), "swell", files.folder());
  return util::as_double(render(parsed, silent).listeners.at(0).audio.channels.at(0));
}

/// Amplitude at distance r of a sphere of radius b whose surface accelerates by a tone.
double swelling_sphere(double b, double r) {
  const double k = 2 * std::numbers::pi * kTone / 343.2;
  return 1.2041 * kAcceleration * b * b / (r * std::hypot(1.0, k * b));
}

json sequence() {
  return {
      {"mesh_sequence",
       {{"pattern", "ball.#.obj"}, {"first", 1}, {"last", 3}, {"fps", 100}, {"frame_start", 0}}}};
}

json morph() {
  return {{"mesh", "ball.gltf#ball"}};
}

TEST(DeformingAnalytic, AMeshSequenceThatSwellsGetsLouderAsItsSurfaceGrows) {
  const Files files;
  const std::vector<double> listener_audio = hear_ball(files, sequence(), true);
  const auto amplitude = [&](double from) {
    const auto part =
        std::span(listener_audio).subspan(static_cast<std::size_t>(48000 * from), 240);
    return util::tone_at(part, 48000, kTone).amplitude;
  };
  EXPECT_NEAR(amplitude(0.0055) / swelling_sphere(kSmall, 0.4), 1, 0.04);
  EXPECT_NEAR(amplitude(0.0335) / swelling_sphere(kLarge, 0.4), 1, 0.04);
}

TEST(Deforming, MorphTargetsSoundLikeTheSameShapesInASequence) {
  const Files files;
  const std::vector<double> a = hear_ball(files, sequence(), true),
                            b = hear_ball(files, morph(), true);
  ASSERT_EQ(a.size(), b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  EXPECT_LT(worst, 1e-3 * util::peak(a));
}

TEST(Deforming, AShapeThatOnlyChangesIsSilent) {
  const Files files;
  EXPECT_EQ(util::peak(hear_ball(files, sequence(), false)), 0);
  EXPECT_EQ(util::peak(hear_ball(files, morph(), false)), 0);
}

}  // namespace
}  // namespace peal::render
