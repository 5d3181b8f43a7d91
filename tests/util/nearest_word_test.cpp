#include <peal/util/nearest_word.h>

#include <gtest/gtest.h>

#include <vector>

namespace peal::util {
namespace {

const std::vector<std::string> materials = {"brass", "ceramic", "glass", "steel"};

TEST(NearestWord, CountsSingleLetterEdits) {
  EXPECT_EQ(edit_distance("steel", "steel"), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("steel", "stel"), 1u);
  EXPECT_EQ(edit_distance("steel", "stteel"), 1u);
  EXPECT_EQ(edit_distance("steel", "stool"), 2u);
  EXPECT_EQ(edit_distance("steel", "tseel"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(NearestWord, IsSymmetric) {
  for (const std::string& a : materials) {
    for (const std::string& b : materials) EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
  }
}

TEST(NearestWord, FindsWhatWasMeant) {
  EXPECT_EQ(nearest_word("steal", materials), "steel");
  EXPECT_EQ(nearest_word("cermaic", materials), "ceramic");
  EXPECT_EQ(nearest_word("glass", materials), "glass");
}

TEST(NearestWord, StaysSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_word("wood", materials), "");
  EXPECT_EQ(nearest_word("", materials), "");
  EXPECT_EQ(nearest_word(std::string(100000, 's'), materials), "");
  EXPECT_EQ(nearest_word("steel", {}), "");
}

TEST(NearestWord, SuggestsTheNearestAndListsAll) {
  EXPECT_EQ(suggest("steal", materials),
            "Did you mean \"steel\"? Known: brass, ceramic, glass, steel.");
  EXPECT_EQ(suggest("wood", materials), "Known: brass, ceramic, glass, steel.");
}

}  // namespace
}  // namespace peal::util
