#include <peal/scene/read_scene.h>
#include <peal/scene/read_sofa.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/random.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>

namespace peal::scene {
namespace {

namespace fs = std::filesystem;

class SofaFile : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path with(const std::string& bytes) const {
    const fs::path file = folder_ / "ears.sofa";
    util::write_file(file, bytes);
    return file;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("peal-sofa-" + std::to_string(::getpid()));
};

TEST_F(SofaFile, DefaultSetHasDirectionsAllAroundWithTheLeftEarOnTheLeft) {
  const base::MeasuredHead head = read_sofa(default_head());
  EXPECT_EQ(head.rate.hz, 44100);
  EXPECT_NEAR(head.distance, 1.4, 1e-6);
  EXPECT_EQ(head.responses.size(), 710u);
  const auto energy = [](const std::vector<float>& response) {
    float sum = 0.0f;
    for (const float value : response) sum += value * value;
    return sum;
  };
  for (const auto& one : head.responses) {
    EXPECT_NEAR(one.direction.norm(), 1.0, 1e-6);
    const double x = one.direction.x(), left = energy(one.left), right = energy(one.right);
    if (std::abs(x) > 0.7) {
      EXPECT_GT((right - left) * x, 0.0);
    }
  }
}

TEST_F(SofaFile, WhatIsNoSofaFileIsRefused) {
  for (const std::string& bytes : {std::string(), std::string("hello"), std::string(5000, '\0'),
                                   std::string("\x89HDF\r\n\x1a\n")})
    EXPECT_THROW(read_sofa(with(bytes)), util::InputError);
  EXPECT_THROW(read_sofa(folder_ / "missing.sofa"), util::InputError);
  EXPECT_THROW(read_sofa(folder_), util::InputError);
}

TEST_F(SofaFile, ShortenedFilesAreRefused) {
  const std::string whole = util::read_file(default_head());
  for (std::size_t part = 1; part < 24; ++part)
    EXPECT_THROW(read_sofa(with(whole.substr(0, part * whole.size() / 24))), util::InputError);
}

/// Reads bytes that may be damaged: what is read is finite, what is not is named.
void expect_harmless(const fs::path& file) {
  try {
    for (const auto& one : read_sofa(file).responses) {
      ASSERT_TRUE(std::ranges::all_of(one.left, [](float x) { return std::isfinite(x); }));
      ASSERT_TRUE(std::ranges::all_of(one.right, [](float x) { return std::isfinite(x); }));
    }
  } catch (const util::InputError& error) {
    EXPECT_NE(error.problem(), "");
  }
}

TEST_F(SofaFile, DamagedHeadersAreRefusedOrHarmless) {
  const std::string whole = util::read_file(default_head());
  for (std::uint64_t i = 0; i < 120; ++i) {
    std::string bytes = whole;
    // Half of them in the first headers, half anywhere.
    const std::size_t range = i % 2 == 0 ? 4000 : bytes.size();
    for (std::uint64_t k = 0; k < 4; ++k)
      bytes[util::random_bits(7, i, 2 * k) % range] =
          static_cast<char>(util::random_bits(7, i, 2 * k + 1));
    expect_harmless(with(bytes));
  }
}

/// libmysofa trusts sizes and addresses of a file: these are the largest ones, where each header
/// has them.
TEST_F(SofaFile, CraftedSizesAndAddressesAreRefusedOrHarmless) {
  const std::string whole = util::read_file(default_head());
  for (const char* signature : {"OHDR", "FRHP", "FSHD", "BTHD", "FADB", "TREE", "OCHK", "FHDB"}) {
    std::size_t found = 0;
    for (std::size_t at = whole.find(signature); at != std::string::npos && found < 4;
         at = whole.find(signature, at + 4), ++found) {
      for (const std::size_t offset : {5u, 8u, 12u, 16u, 24u, 40u}) {
        std::string bytes = whole;
        const std::size_t end = std::min(bytes.size(), at + offset + 8);
        std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(std::min(at + offset, end)),
                  bytes.begin() + static_cast<std::ptrdiff_t>(end), '\x7f');
        expect_harmless(with(bytes));
      }
    }
  }
}

TEST_F(SofaFile, SceneSaysWhichListenerHasABadFile) {
  with("hello");
  const std::string text = R"({"peal": 1, "duration": 1, "objects": [],
    "listeners": [{"binaural": {"hrtf": "ears.sofa"}}]})";
  util::write_file(folder_ / "scene.json", text);
  try {
    read_scene(folder_ / "scene.json");
    FAIL();
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("listeners[0].binaural.hrtf"));
    EXPECT_THAT(error.what(), testing::HasSubstr("is not a SOFA file"));
  }
}

}  // namespace
}  // namespace peal::scene
