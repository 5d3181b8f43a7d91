#include <peal/geometry/shapes/shapes.h>
#include <peal/util/measure.h>
#include <peal/wave/driver/chunk_cache.h>
#include <peal/wave/driver/wave_radiator.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "util/store_damage.h"
#include "wave/cut_bodies.h"
#include "wave/world_fixture.h"

namespace peal::wave {
namespace {

using base::Vec3;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Along any path.
class Wandering : public base::Motion {
 public:
  explicit Wandering(std::function<Vec3(double)> path) : path_(std::move(path)) {}
  base::Pose pose(double t) const override { return {.position = path_(t)}; }
  bool is_still() const override { return false; }

 private:
  std::function<Vec3(double)> path_;
};

/// Renders again and again into one folder, and counts what is found there.
class ChunkCacheTest : public testing::Test {
 protected:
  ChunkCacheTest() {
    std::filesystem::remove_all(folder_);
    settings_.domain = geometry::Box(Vec3::Constant(-0.4), Vec3::Constant(0.4));
    world_ = bursts(1.2);
    follow([](double t) { return Vec3(-0.15 + 0.1 * t, -0.12, 0.05); });
    ear_ = {.name = "ear", .motion = resting_at(0.7, 0.3, 0.2)};
  }
  ~ChunkCacheTest() override { std::filesystem::remove_all(folder_); }

  /// Four points that sound one after the other, and a ball beside them.
  static base::World bursts(double seconds) {
    base::World world = world_of(seconds, 8000);
    for (const double middle : middles) {
      world.sources.push_back({.name = "point",
                               .motion = resting_at(0.11, 0.08, -0.03),
                               .shader = std::make_shared<Emitting>(
                                   [middle](double t) { return pulse(t, middle, 0.004); })});
    }
    world.bodies.push_back(body_of("ball", sphere_at(Vec3::Zero(), 0.1, 5)));
    return world;
  }

  void follow(std::function<Vec3(double)> path) {
    world_.bodies[0].motion = std::make_shared<Wandering>(std::move(path));
  }

  std::vector<float> render(const std::optional<std::filesystem::path>& cache) const {
    util::Silent silent;
    notices_.clear();
    const WaveRadiator radiator(settings_,
                                {.cache = cache, .take_notice = [this](const std::string& notice) {
                                   notices_.push_back(notice);
                                 }});
    const std::vector<base::Receiver> receivers = {ear_};
    radiator.plan(world_, receivers);
    return radiator.radiate(world_, receivers, {0, world_.samples}, silent).at(0).samples;
  }

  /// Renders with what is there, and says how many chunks were found. They must give what a render
  /// without them gives.
  std::ptrdiff_t reused() const {
    const timespec long_ago = {.tv_sec = 1000};
    const std::array<timespec, 2> both = {long_ago, long_ago};
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      ::utimensat(AT_FDCWD, entry.path().c_str(), both.data(), 0);
    }
    const std::vector<float> again = render(folder_);
    EXPECT_EQ(again, render({}));
    // Entries that were read, but not written.
    return std::ranges::count_if(std::filesystem::directory_iterator(folder_),
                                 [&](const auto& entry) {
                                   struct stat status {};
                                   ::stat(entry.path().c_str(), &status);
                                   return status.st_mtim.tv_sec == long_ago.tv_sec &&
                                          status.st_atim.tv_sec != long_ago.tv_sec;
                                 });
  }

  static constexpr std::array<double, 4> middles = {0.05, 0.35, 0.65, 0.95};  // [s]

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      (std::string("peal-") + testing::UnitTest::GetInstance()->current_test_info()->name() + "-" +
       std::to_string(::getpid()));
  base::WaveSettings settings_ = {.max_frequency = 700, .accuracy = 0.05};
  base::World world_;
  base::Receiver ear_;
  mutable std::vector<std::string> notices_;  ///< of the last render
};

TEST_F(ChunkCacheTest, a_late_change_of_motion_leaves_the_chunks_before_it) {
  EXPECT_GT(util::peak(util::as_double(render(folder_))), 0.5);
  EXPECT_EQ(reused(), 4);
  follow(
      [](double t) { return Vec3(-0.15 + 0.1 * t - 0.5 * std::max(0.0, t - 0.9), -0.12, 0.05); });
  EXPECT_EQ(reused(), 3);
  // While a chunk still rings, motion matters.
  follow(
      [](double t) { return Vec3(-0.15 + 0.1 * t - 0.5 * std::max(0.0, t - 0.7), -0.12, 0.05); });
  EXPECT_EQ(reused(), 2);
}

TEST_F(ChunkCacheTest, an_early_change_of_motion_leaves_the_chunks_after_it) {
  render(folder_);
  follow(
      [](double t) { return Vec3(-0.15 + 0.1 * t - 0.3 * std::max(0.0, 0.1 - t), -0.12, 0.05); });
  EXPECT_EQ(reused(), 3);
  // Motion matters from the key before the chunk that all chunks have.
  follow(
      [](double t) { return Vec3(-0.15 + 0.1 * t - 0.3 * std::max(0.0, 0.25 - t), -0.12, 0.05); });
  EXPECT_EQ(reused(), 2);
}

TEST_F(ChunkCacheTest, a_longer_scene_renews_what_its_end_had_cut) {
  world_.samples = 8000;  // 1 s: the last burst is over, but not yet quiet
  render(folder_);
  world_.samples = 8160;
  EXPECT_EQ(reused(), 3);
  world_.samples = 12000;
  EXPECT_EQ(reused(), 3);
  world_.samples = 16000;
  EXPECT_EQ(reused(), 4);
  world_.samples = 8000;
  EXPECT_EQ(reused(), 3);
}

TEST_F(ChunkCacheTest, names_and_what_is_silent_in_a_chunk_do_not_matter) {
  render(folder_);
  world_.bodies[0].name = "globe";
  world_.sources[1].name = "crack";
  EXPECT_EQ(reused(), 4);
  world_.sources[3].motion = resting_at(0.12, 0.1, 0.02);
  world_.sources[3].shader =
      std::make_shared<Emitting>([](double t) { return 2 * pulse(t, middles[3], 0.004); });
  EXPECT_EQ(reused(), 3);
}

TEST_F(ChunkCacheTest, a_receiver_matters_until_the_sound_has_passed) {
  render(folder_);
  const auto goes_at = [](double start) {
    return std::make_shared<Wandering>(
        [start](double t) { return Vec3(0.7 + std::max(0.0, t - start), 0.3, 0.2); });
  };
  ear_.motion = goes_at(0.9);
  EXPECT_EQ(reused(), 0) << "what rests is heard by another sum";
  ear_.motion = goes_at(0.92);
  EXPECT_EQ(reused(), 3);
  ear_.motion = goes_at(0.4);
  EXPECT_EQ(reused(), 1);
}

TEST_F(ChunkCacheTest, damaged_and_foreign_chunks_are_told_of_once_and_computed_again) {
  const auto sound = render(folder_);
  EXPECT_THAT(notices_, IsEmpty());
  const auto files = util::files_with_ending(folder_, ".chunk");
  ASSERT_EQ(files.size(), 4u);
  util::flip_byte(files[0], 0.02);
  util::flip_byte(files[1], 0.7);
  std::filesystem::resize_file(files[2], std::filesystem::file_size(files[2]) - 1);
  EXPECT_EQ(render(folder_), sound);
  EXPECT_THAT(notices_, ElementsAre(HasSubstr("3 stored results in " + folder_.string() +
                                              " are damaged, such as ")));
  EXPECT_EQ(render(folder_), sound);
  EXPECT_THAT(notices_, IsEmpty()) << "they are whole again";
  std::filesystem::copy_file(files[0], files[3], std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(render(folder_), sound);
  EXPECT_THAT(notices_, ElementsAre(HasSubstr(files[3].string() +
                                              " cannot be used (an entry of another key)")));
}

/// Accelerates vertex by vertex, and counts what it is asked.
class Counted : public base::SurfaceSource {
 public:
  Eigen::Index columns() const override { return static_cast<Eigen::Index>(values.size()); }
  base::SurfaceBasis basis(std::span<const base::SurfacePoint>) const override {
    ADD_FAILURE() << "the basis is not a part of the key";
    return {};
  }
  void coefficients(base::Rate, base::SampleRange, base::Coefficients&) const override {
    ADD_FAILURE() << "a key does not ask for the sound sample by sample";
  }
  void hash(base::Rate, base::SampleRange, util::Fingerprint& fingerprint) const override {
    ++hashed;
    fingerprint.add(std::span<const float>(values));
  }

  std::vector<float> values;
  mutable int hashed = 0;
};

TEST_F(ChunkCacheTest, a_key_hashes_all_of_a_source_and_of_its_surface_without_sounding_it) {
  const auto source = std::make_shared<Counted>();
  base::Body& ball = world_.bodies[0];
  source->values.assign(3 * ball.mesh.vertices.size(), 0.5f);
  ball.sources.push_back(source);
  const std::vector<base::Receiver> ears = {ear_};
  const ChunkRun run{.world = world_,
                     .settings = settings_,
                     .discretisation = {.cell_size = 0.05, .rate = {8000}},
                     .domain = {},
                     .chunk = {.begin = 0.0, .end = 0.1},
                     .latest_end = 1.0,
                     .receivers = ears};
  const std::string key = chunk_key(run);
  EXPECT_EQ(source->hashed, 1);
  EXPECT_EQ(chunk_key(run), key);
  std::set<std::string> keys = {key};
  for (float& value : source->values) {
    const float before = std::exchange(value, std::nextafter(value, 1.0f));
    ASSERT_TRUE(keys.insert(chunk_key(run)).second) << &value - source->values.data();
    value = before;
  }
  for (Vec3& vertex : ball.mesh.vertices) {
    const Vec3 before = vertex;
    vertex.z() = std::nextafter(vertex.z(), 1.0);
    ASSERT_TRUE(keys.insert(chunk_key(run)).second);
    vertex = before;
  }
  EXPECT_EQ(chunk_key(run), key);
}

}  // namespace
}  // namespace peal::wave
