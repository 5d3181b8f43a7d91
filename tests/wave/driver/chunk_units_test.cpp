#include <peal/base/work_units.h>
#include <peal/util/files.h>
#include <peal/wave/driver/wave_radiator.h>

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "wave/world_fixture.h"

namespace peal::wave {
namespace {

using base::Vec3;
using testing::HasSubstr;

/// Three chunks of a point, stored in a folder.
class ChunkUnitsTest : public testing::Test {
 protected:
  ChunkUnitsTest() {
    std::filesystem::remove_all(folder_);
    settings_.max_frequency = 1000.0;
    settings_.accuracy = 0.1;
    settings_.chunk = 0.05;
    settings_.domain = geometry::Box(Vec3::Constant(-0.3), Vec3::Constant(0.3));
    world_ = world_of(0.15, 8000);
    world_.sources.push_back({.name = "point",
                              .motion = resting_at(),
                              .shader = std::make_shared<Emitting>([](double t) {
                                return std::sin(2.0 * std::numbers::pi * 500.0 * t);
                              })});
    ears_ = {
        {.name = "left", .motion = resting_at(0.7, 0.3, 0.2)},
        {.name = "right", .motion = std::make_shared<Gliding>(Vec3(0.1, 0, 0), Vec3(1, 0, 0))}};
  }
  ~ChunkUnitsTest() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<WaveRadiator> radiator(std::optional<std::filesystem::path> cache) const {
    auto made = std::make_unique<WaveRadiator>(settings_, base::RadiatorOptions{.cache = cache});
    made->plan(world_, ears_);
    return made;
  }
  static void ignore(double) {}

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("peal-chunk-units-" + std::to_string(::getpid()));
  base::WaveSettings settings_;
  base::World world_;
  std::vector<base::Receiver> ears_;
};

TEST_F(ChunkUnitsTest, AddUpToTheBitsOfAWholeRenderInAnyOrder) {
  util::Silent silent;
  const auto whole = radiator({})->radiate(world_, ears_, {0, world_.samples}, silent);
  const auto sharing = radiator(folder_);
  const auto units = sharing->units(world_, ears_);
  ASSERT_EQ(units->list().size(), 3u);
  std::set<std::filesystem::path> files;
  for (const std::size_t unit : {2u, 0u, 1u}) {
    EXPECT_FALSE(units->is_done(unit));
    double done = 0.0;
    units->compute(unit, [&](double fraction) { done = fraction; });
    EXPECT_GT(done, 0.5);
    EXPECT_TRUE(units->is_done(unit));
    EXPECT_TRUE(std::filesystem::exists(units->file(unit)));
    EXPECT_GT(units->list()[unit].work, 0.0);
    files.insert(units->file(unit));
  }
  EXPECT_EQ(files.size(), 3u);
  const auto sum = units->sum({0, world_.samples}, ignore);
  ASSERT_EQ(sum.size(), whole.size());
  for (std::size_t r = 0; r < sum.size(); ++r) EXPECT_EQ(sum[r].samples, whole[r].samples);
  EXPECT_NE(whole[0].samples, std::vector<float>(whole[0].samples.size()));
}

TEST_F(ChunkUnitsTest, ThatAreMissingDamagedOrOfAnotherMotionAreNamed) {
  const auto sharing = radiator(folder_);
  const auto units = sharing->units(world_, ears_);
  for (std::size_t unit = 0; unit < 3; ++unit) units->compute(unit, ignore);
  const auto problems = [&](const base::WorkUnits& all) {
    std::vector<base::MissingUnits::Missing> missing;
    try {
      all.sum({0, world_.samples}, ignore);
    } catch (const base::MissingUnits& error) {
      missing = error.units();
    }
    return missing;
  };
  EXPECT_TRUE(problems(*units).empty());
  std::string bytes = util::read_file(units->file(1));
  bytes.back() ^= 1;
  util::write_file(units->file(1), bytes);
  std::filesystem::remove(units->file(2));
  const auto broken = problems(*units);
  ASSERT_EQ(broken.size(), 2u);
  EXPECT_EQ(broken[0].unit, 1u);
  EXPECT_THAT(broken[0].problem, HasSubstr("is damaged (wrong checksum)"));
  EXPECT_EQ(broken[1].unit, 2u);
  EXPECT_EQ(broken[1].problem, "is missing");
  // A listener on another path hears something else.
  ears_[1].motion = std::make_shared<Gliding>(Vec3(0.1, 0, 0), Vec3(-1, 0, 0));
  const auto other = radiator(folder_);
  const auto moved = problems(*other->units(world_, ears_));
  ASSERT_EQ(moved.size(), 3u);
  EXPECT_EQ(moved[0].problem, "is of another motion");
}

}  // namespace
}  // namespace peal::wave
