#include <peal/util/error.h>
#include <peal/validation/validation.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace peal::validation {
namespace {

TEST(Validation, AClaimHoldsOnlyWithinItsTolerance) {
  EXPECT_TRUE((Claim{"q", "", 1.0, 1.05, 0.1}.holds()));
  EXPECT_FALSE((Claim{"q", "", 1.0, 1.2, 0.1}.holds()));
  EXPECT_FALSE((Claim{"q", "", 1.0, std::nan(""), 0.1}.holds()));
}

TEST(Validation, AnEntryWithoutClaimsProvesNothing) {
  EXPECT_FALSE(Outcome{}.holds());
}

TEST(Validation, KeysAreUniqueFolders) {
  std::set<std::string> keys;
  for (const Entry& entry : entries()) {
    EXPECT_TRUE(keys.insert(entry.key).second) << entry.key;
    EXPECT_FALSE(entry.source.empty());
  }
}

TEST(ValidationAnalytic, EveryQuickEntryAgrees) {
  util::Silent silent;
  for (const Entry& entry : entries()) {
    if (entry.cost == Cost::slow) continue;
    const auto results = run(entry.key, silent);
    for (const Claim& claim : results[0].outcome.claims) {
      EXPECT_TRUE(claim.holds()) << entry.key << ": " << claim.quantity << ": published "
                                 << claim.published << ", ours " << claim.ours;
    }
  }
}

TEST(Validation, AnUnknownNameSuggestsAKnownOne) {
  util::Silent silent;
  try {
    run("moving-monopol", silent);
    FAIL();
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("moving-monopole"));
  }
}

}  // namespace
}  // namespace peal::validation
