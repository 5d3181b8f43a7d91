#include <peal/util/checkpoint.h>
#include <peal/util/files.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>
#include <vector>

#include "util/store_damage.h"

namespace peal::util {
namespace {

namespace fs = std::filesystem;

/// Something that goes on: every kind of state that an archive keeps.
struct Walk {
  std::int64_t steps = 0;
  double at = 0.5;
  std::vector<int> marks;
  std::optional<double> last;
  std::vector<double> path = {0.5};
  std::vector<char> letters;

  void step() {
    last = at;
    at = 3.9 * at * (1.0 - at);
    if (++steps % 3 == 0) marks.push_back(static_cast<int>(steps));
    if (steps % 7 == 0) marks.clear();
    path.push_back(at);
    letters.push_back(at > 0.5 ? 'h' : 'l');
  }
  void step(int count) {
    for (int i = 0; i < count; ++i) step();
  }
  void serialize(Archive& archive) {
    archive.number(steps, at);
    archive.list(marks);
    archive.maybe(last);
    archive.growing_list(path);
    archive.growing_list(letters);
  }
  Checkpoint::Serializer keeper() {
    return [this](Archive& archive) { serialize(archive); };
  }
  bool operator==(const Walk&) const = default;
};

class Checkpoints : public testing::Test {
 protected:
  Checkpoints()
      : folder_(fs::path(testing::TempDir()) / ("peal_checkpoint_" + std::to_string(::getpid()))) {}
  ~Checkpoints() override { fs::remove_all(folder_); }

  Checkpoint checkpoint(double pause = 0.0) const { return {folder_, "walk", pause}; }

  /// What one was at its last state that was killed after it.
  Walk leave_killed() const {
    Walk walk;
    Checkpoint kept = checkpoint();
    walk.step(13);
    kept.write_if_due(walk.keeper());
    walk.step(17);
    kept.write_if_due(walk.keeper());
    return walk;
  }

  std::uintmax_t bytes_of_parts() const {
    std::uintmax_t sum = 0;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() == ".part") sum += entry.file_size();
    }
    return sum;
  }

  fs::path folder_;
};

TEST_F(Checkpoints, AKilledComputationGoesOnFromItsLastState) {
  const Walk kept = leave_killed();
  Walk walk;
  Checkpoint again = checkpoint();
  ASSERT_TRUE(again.restore(walk.keeper()));
  EXPECT_EQ(walk, kept);
  // It may be killed again.
  walk.step(5);
  again.write_if_due(walk.keeper());
  Walk third;
  ASSERT_TRUE(checkpoint().restore(third.keeper()));
  third.step(7);
  Walk uninterrupted;
  uninterrupted.step(42);
  EXPECT_EQ(third, uninterrupted);
}

TEST_F(Checkpoints, WhatGrowsIsWrittenOnce) {
  leave_killed();
  EXPECT_EQ(bytes_of_parts(), 31 * sizeof(double) + 30);
}

TEST_F(Checkpoints, NothingIsWrittenBeforeItsTime) {
  Walk walk;
  Checkpoint kept = checkpoint(1000.0);
  kept.write_if_due(walk.keeper());
  EXPECT_FALSE(fs::exists(folder_));
  EXPECT_FALSE(kept.restore(walk.keeper()));
  EXPECT_EQ(kept.notice(), "");
}

TEST_F(Checkpoints, AnyFlippedByteAndAnyCutIsFoundAndLeavesAllAsItWas) {
  leave_killed();
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder_)) files.push_back(entry.path());
  ASSERT_EQ(files.size(), 3u) << "a state and two parts";
  Walk started;
  started.step(2);
  for (const fs::path& file : files) {
    const std::string whole = read_file(file);
    const auto is_refused = [&](std::string_view bytes) {
      overwrite(file, bytes);
      Walk walk = started;
      Checkpoint damaged = checkpoint();
      return !damaged.restore(walk.keeper()) && walk == started &&
             damaged.notice().starts_with("cache: the checkpoint in " + folder_.string() +
                                          " cannot be used (");
    };
    for (std::size_t i = 0; i < whole.size(); ++i) {
      std::string flipped = whole;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
      EXPECT_TRUE(is_refused(flipped)) << file << " at " << i;
      EXPECT_TRUE(is_refused(std::string_view(whole).substr(0, i))) << file << " cut at " << i;
    }
    fs::remove(file);
    Walk walk = started;
    EXPECT_FALSE(checkpoint().restore(walk.keeper())) << file << " is missing";
    EXPECT_EQ(walk, started);
    overwrite(file, whole);
  }
  Walk walk = started;
  EXPECT_TRUE(checkpoint().restore(walk.keeper())) << "all mended";
}

TEST_F(Checkpoints, TheStateOfSomethingElseIsRefused) {
  leave_killed();
  Walk walk;
  EXPECT_FALSE(Checkpoint(folder_, "another", 0.0).restore(walk.keeper()));
  // The same key, but another program: it reads more than there is, or less, or other lists.
  const auto longer = [&](Archive& archive) {
    walk.serialize(archive);
    archive.number(walk.steps);
  };
  EXPECT_FALSE(checkpoint().restore(longer));
  const auto shorter = [&](Archive& archive) { archive.growing_list(walk.path); };
  EXPECT_FALSE(checkpoint().restore(shorter));
  const auto another_length = [&](Archive& archive) {
    std::vector<double> numbers(3);
    archive.numbers(std::span(numbers));
  };
  EXPECT_FALSE(checkpoint().restore(another_length));
  EXPECT_EQ(walk, Walk());
}

TEST_F(Checkpoints, AFolderThatCannotBeIsNoFailureOfTheComputation) {
  write_file(folder_, "a file in its place");
  Walk walk;
  Checkpoint kept = checkpoint();
  kept.write_if_due(walk.keeper());
  EXPECT_TRUE(kept.has_failed());
  EXPECT_TRUE(kept.notice().starts_with("cache: the unfinished motion could not be stored in "));
}

TEST_F(Checkpoints, AreGoneWhenTheyAreRemoved) {
  leave_killed();
  Checkpoint kept = checkpoint();
  kept.remove();
  EXPECT_FALSE(fs::exists(folder_));
}

}  // namespace
}  // namespace peal::util
