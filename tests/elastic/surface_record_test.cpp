#include <peal/elastic/surface_record.h>
#include <peal/util/files.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>

namespace peal::elastic {
namespace {

using geometry::Vec3;

constexpr double record_tone = 5000.0;  // [Hz]

/// One triangle whose three vertices accelerate along y by 1, 2 and 3 times a tone, for 20 ms, and
/// that moves along x at 1 m/s.
std::shared_ptr<SurfaceRecord> moving_triangle() {
  auto record = std::make_shared<SurfaceRecord>();
  record->mesh = {.vertices = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}}, .triangles = {{0, 1, 2}}};
  for (int n = 0; n < 960; ++n) {
    const double phase = 2 * std::numbers::pi * record_tone * n / 48000.0;
    for (int v = 1; v <= 3; ++v) {
      for (const double value : {0.0, v * std::sin(phase), 0.0})
        record->accelerations.push_back(static_cast<float>(value));
    }
  }
  for (int shape = 0; shape < 16; ++shape) {
    for (int v = 0; v < 3; ++v) {
      for (const double value : {shape * 64 / 48000.0, 0.0, 0.0})
        record->displacements.push_back(static_cast<float>(value));
    }
  }
  return record;
}

TEST(SurfaceRecord, AShaderReadsItAtAnyMultipleOfItsRate) {
  const RecordedShader shader(moving_triangle());
  const std::array<base::SurfacePoint, 2> points = {
      base::SurfacePoint{.barycentric = {0.5, 0.5, 0}, .normal = Vec3::UnitY()},
      base::SurfacePoint{.barycentric = {0, 0, 1}, .normal = Vec3(0, -0.6, 0.8)}};
  for (const std::int64_t factor : {1, 3, 4}) {
    const auto bound = shader.bound_to(points);
    const base::Rate rate{48000 * factor};
    for (std::int64_t n = 100 * factor; n < 140 * factor; ++n) {
      std::array<float, 2> heard = {1.0f, 0.0f};
      bound->add_acceleration({n, rate}, heard);
      const double tone = std::sin(2 * std::numbers::pi * record_tone * rate.seconds(n));
      EXPECT_NEAR(heard[0], 1.0 + 1.5 * tone, 1e-3) << factor << " " << n;
      EXPECT_NEAR(heard[1], -1.8 * tone, 1e-3) << factor << " " << n;
    }
  }
}

TEST(SurfaceRecord, SoundsOnlyWhereItMoves) {
  auto record = moving_triangle();
  std::fill_n(record->accelerations.begin(), 9 * 480, 0.0f);
  const auto parts = RecordedShader(record).sounding({96000}, {0, 96000});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_NEAR(static_cast<double>(parts[0].begin), 960, 60);
  EXPECT_NEAR(static_cast<double>(parts[0].end), 1920, 60);
}

TEST(SurfaceRecord, ShapesLieOnStraightLinesBetweenTimes) {
  const auto record = moving_triangle();
  const RecordedDeformation deformation(record);
  std::array<Vec3, 3> shape;
  for (const double t : {0.0, 0.0005, 0.01}) {
    deformation.vertices(t, shape);
    EXPECT_NEAR((shape[2] - Vec3(1 + t, 0, 0)).norm(), 0.0, 1e-6) << t;
  }
  deformation.vertices(-1.0, shape);
  EXPECT_NEAR(shape[0].x(), 0.0, 1e-9);
  deformation.vertices(1.0, shape);
  EXPECT_NEAR(shape[0].x(), 15 * 64 / 48000.0, 1e-6);
  EXPECT_NEAR(record->largest_move(), 15 * 64 / 48000.0, 1e-6);
}

TEST(SurfaceRecord, AFileGivesBackTheSameAndADamagedOneNothing) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("peal-record-" + std::to_string(::getpid()) + ".rec");
  Recording recording;
  recording.surfaces.push_back(*moving_triangle());
  recording.paths.emplace_back().add({.position = {1, 2, 3}});
  recording.findings = {"fine"};
  write_recording(file, recording);
  const auto read = read_recording(file);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->surfaces.at(0).accelerations, recording.surfaces[0].accelerations);
  EXPECT_EQ(read->surfaces.at(0).displacements, recording.surfaces[0].displacements);
  EXPECT_EQ(read->paths.at(0).pose(0).position, Vec3(1, 2, 3));
  EXPECT_EQ(read->findings, recording.findings);
  const std::string bytes = util::read_file(file);
  for (std::size_t length = 0; length < bytes.size(); length += 997) {
    util::write_file(file, std::string_view(bytes).substr(0, length));
    EXPECT_FALSE(read_recording(file)) << length;
  }
  std::filesystem::remove(file);
  EXPECT_FALSE(read_recording(file));
}

}  // namespace
}  // namespace peal::elastic
