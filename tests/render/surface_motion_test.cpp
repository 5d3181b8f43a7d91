#include <peal/geometry/shapes/shapes.h>
#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/util/measure.h>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "scene/gltf_builder.h"

/// Surfaces that are heard by the motion of their frames.
namespace peal::render::moving_surfaces {
namespace {

using geometry::Vec3;
using nlohmann::json;
using testing::HasSubstr;

constexpr double kDensity = 1.2041, kSpeed = 343.2;  // of air at 20 degrees C
constexpr double kToneAcceleration = 10.0;           // of each tone [m/s^2]

class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("peal-surface-motion-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A sphere that pulsates, or swings along X, by tones at fractions of the rate of its frames. It
/// is as large against the wavelength of a third of that rate for every rate.
struct Ball {
  double fps;
  bool swings;

  double radius() const { return 0.3 * kSpeed / fps; }
  double distance() const { return 4.0 * radius(); }
  double frequency(int tone) const { return fps * tone / 12.0; }
  double start() const { return 0.006; }                         ///< of what is measured [s]
  double length() const { return fps < 20000 ? 0.006 : 0.001; }  ///< [s]: 12 k frames

  static constexpr int tones[] = {1, 2, 3, 4};  // twelfths of the frame rate

  /// How far it moves [m].
  double way(double t) const {
    double sum = 0.0;
    for (const int tone : tones) {
      const double omega = 2 * std::numbers::pi * frequency(tone);
      sum += kToneAcceleration / (omega * omega) * std::sin(omega * t + tone);
    }
    return sum;
  }

  /// Amplitude at the listener on the X axis.
  double exact(int tone) const {
    const double k = 2 * std::numbers::pi * frequency(tone) / kSpeed, b = radius(), r = distance();
    if (!swings) return kDensity * kToneAcceleration * b * b / (r * std::hypot(1.0, k * b));
    // Morse and Ingard 1968: rho a / k |h1(k r) / h1'(k b)|
    const double z = k * b, h = std::hypot(1.0, 1.0 / (k * r)) / (k * r);
    return kDensity * kToneAcceleration / k * h * z * z * z / std::hypot(2.0, z * z);
  }

  /// A glTF file with one morph target, keyed at every frame.
  std::string gltf() const {
    const geometry::TriMesh ball = geometry::sphere_mesh(1.0, 0.2);
    constexpr float unit = 1e-6f;  // [m] for a weight of 1
    std::vector<float> position, target, times, weights;
    for (const Vec3& v : ball.vertices) {
      for (int d = 0; d < 3; ++d) {
        position.push_back(static_cast<float>(radius() * v[d]));
        target.push_back(unit * static_cast<float>(swings ? (d == 0) : v[d]));
      }
    }
    const auto frames = static_cast<int>(fps * (start() + length() + 0.006));
    for (int i = 0; i < frames; ++i) {
      times.push_back(static_cast<float>(i / fps));
      weights.push_back(static_cast<float>(way(i / fps)) / unit);
    }
    std::vector<std::uint32_t> indices;
    for (const geometry::Triangle& t : ball.triangles)
      indices.insert(indices.end(), t.begin(), t.end());
    scene::GltfBuilder b;
    json primitive = {{"attributes", {{"POSITION", b.floats(position, "VEC3")}}},
                      {"indices", b.accessor(indices, "SCALAR", 5125)}};
    primitive["targets"] = {json{{"POSITION", b.floats(target, "VEC3")}}};
    b.push("meshes", {{"primitives", {primitive}}});
    b.push("nodes", {{"name", "ball"}, {"mesh", 0}});
    b.push("scenes", {{"nodes", {0}}});
    b.animate(0, "weights", times, weights);
    return b.text();
  }
};

scene::Scene parsed(const json& object, double duration, double distance, const json& radiation,
                    const std::filesystem::path& folder) {
  const json scene = {{"peal", 1},
                      {"duration", duration},
                      {"objects", {object}},
                      {"listeners", {{{"mono", {{"position", {distance, 0, 0}}}}}}},
                      {"radiation", radiation}};
  return scene::parse_scene(scene.dump(), "scene", folder);
}

std::vector<double> listener_audio(const scene::Scene& scene) {
  util::Silent silent;
  return util::as_double(render(scene, silent).listeners.at(0).audio.channels.at(0));
}

/// Level of each tone against the exact one [dB].
void expect_exact(const Ball& ball, const json& radiation) {
  const Folder folder;
  std::ofstream(folder.path() / "ball.gltf") << ball.gltf();
  const double delay = (ball.distance() - ball.radius()) / kSpeed;
  const double end = ball.start() + ball.length() + delay + 0.001;
  const std::vector<double> audio =
      listener_audio(parsed({{"name", "ball"}, {"mesh", "ball.gltf#ball"}}, end, ball.distance(),
                            radiation, folder.path()));
  const auto from = static_cast<std::size_t>(48000 * (ball.start() + delay + 0.0005));
  const auto part =
      std::span(audio).subspan(from, static_cast<std::size_t>(std::lround(48000 * ball.length())));
  for (const int tone : Ball::tones) {
    const double level =
        20.0 *
        std::log10(util::tone_at(part, 48000, ball.frequency(tone)).amplitude / ball.exact(tone));
    testing::Test::RecordProperty("level_" + std::to_string(std::lround(ball.frequency(tone))),
                                  std::to_string(level));
    EXPECT_NEAR(level, 0.0, 0.5) << ball.frequency(tone) << " Hz of " << ball.fps << " frames/s";
  }
}

json rays(double fps) {
  return {{"model", "rays"}, {"max_frequency", 1.1 * fps / 3.0}};
}

json wave(double fps) {
  return {{"model", "wave"},
          {"max_frequency", 1.05 * fps / 3.0},
          {"cell_size", 0.2 * Ball{fps, false}.radius()}};
}

TEST(SurfaceMotionAnalytic, APulsatingSphereThroughRaysIsExactToAThirdOfItsFrameRate) {
  for (const double fps : {8000.0, 48000.0}) expect_exact({fps, false}, rays(fps));
}

TEST(SurfaceMotionAnalytic, ASwingingSphereThroughRaysIsExactToAThirdOfItsFrameRate) {
  for (const double fps : {8000.0, 48000.0}) expect_exact({fps, true}, rays(fps));
}

TEST(SurfaceMotionAnalytic, APulsatingSphereThroughWaveIsExactToAThirdOfItsFrameRate) {
  for (const double fps : {8000.0, 48000.0}) expect_exact({fps, false}, wave(fps));
}

TEST(SurfaceMotionAnalytic, ASwingingSphereThroughWaveIsExactToAThirdOfItsFrameRate) {
  for (const double fps : {8000.0, 48000.0}) expect_exact({fps, true}, wave(fps));
}

/// A cube of 0.1 m whose faces swing by 200 Hz, 1 m/s^2 at their middles, as OBJ files.
json pulsating_cube(const Folder& folder, double fps, int frames) {
  const geometry::TriMesh cube = geometry::box_mesh({0.1, 0.1, 0.1}, 0.05);
  const double omega = 2 * std::numbers::pi * 200;
  for (int i = 0; i < frames; ++i) {
    std::ofstream file(folder.path() / ("cube." + std::to_string(i) + ".obj"));
    file.precision(12);
    const double scale = 1.0 + std::sin(omega * i / fps) / (omega * omega) / 0.05;
    for (const Vec3& v : cube.vertices)
      file << "v " << scale * v.x() << ' ' << scale * v.y() << ' ' << scale * v.z() << '\n';
    for (const geometry::Triangle& t : cube.triangles)
      file << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
  }
  return {{"name", "cube"},
          {"mesh_sequence",
           {{"pattern", "cube.#.obj"}, {"first", 0}, {"last", frames - 1}, {"fps", fps}}}};
}

TEST(SurfaceMotion, ACubeThatPulsatesAt200HertzInAThousandFramesPerSecondIsHeard) {
  const Folder folder;
  const json cube = pulsating_cube(folder, 1000, 81);
  const std::vector<double> audio = listener_audio(
      parsed(cube, 0.06, 0.5, {{"model", "rays"}, {"max_frequency", 1000}}, folder.path()));
  const auto part = std::span(audio).subspan(48 * 30, 48 * 25);  // 5 periods
  // Six faces of 0.01 m^2 at 1 m/s^2 and a wavelength of 1.7 m: a point.
  const double point = kDensity * 0.06 / (4 * std::numbers::pi * 0.5);
  EXPECT_NEAR(util::tone_at(part, 48000, 200).amplitude / point, 1.0, 0.1);
}

TEST(SurfaceMotion, NoticesSayWhichBandTheFramesGive) {
  const Folder folder;
  json cube = pulsating_cube(folder, 1000, 81);
  const json rays = {{"model", "rays"}, {"max_frequency", 1000}};
  util::Silent silent;
  const auto notices = [&](const json& object) {
    return render(parsed(object, 0.06, 0.5, rays, folder.path()), silent).notices;
  };
  EXPECT_THAT(notices(cube),
              testing::Contains(HasSubstr("1000 frames/s: its motion sounds up to 333 Hz")));
  cube["mesh_sequence"]["fps"] = 24;
  EXPECT_THAT(notices(cube),
              testing::Contains(HasSubstr("makes no sound: the mesh sequence has 24 frames/s")));
}

TEST(SurfaceMotion, SlowFramesAndWhatIsToldToBeSilentMakeNoSound) {
  const Folder folder;
  json cube = pulsating_cube(folder, 24, 81);
  const json rays = {{"model", "rays"}, {"max_frequency", 1000}};
  EXPECT_EQ(util::peak(listener_audio(parsed(cube, 0.06, 0.5, rays, folder.path()))), 0.0);
  cube = pulsating_cube(folder, 1000, 81);
  cube["deformation_sounds"] = false;
  EXPECT_EQ(util::peak(listener_audio(parsed(cube, 0.06, 0.5, rays, folder.path()))), 0.0);
}

}  // namespace
}  // namespace peal::render::moving_surfaces
