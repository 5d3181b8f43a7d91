#include <peal/util/checksum.h>
#include <peal/util/fingerprint.h>

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace peal::util {
namespace {

std::vector<std::byte> some_bytes(std::size_t count) {
  std::mt19937 random(1);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

TEST(Checksum, SeesEveryFlippedBit) {
  for (const std::size_t count : {1, 63, 64, 65, 300}) {
    std::vector<std::byte> bytes = some_bytes(count);
    std::set<Checksum::Value> seen = {checksum(bytes)};
    for (std::size_t bit = 0; bit < 8 * count; ++bit) {
      const auto mask = static_cast<std::byte>(1 << (bit % 8));
      bytes[bit / 8] ^= mask;
      EXPECT_TRUE(seen.insert(checksum(bytes)).second) << bit;
      bytes[bit / 8] ^= mask;
    }
  }
}

TEST(Checksum, SeesHowManyZerosThereAreAndWhatChangesPlaces) {
  std::set<Checksum::Value> seen;
  const std::vector<std::byte> zeros(300);
  for (std::size_t count = 0; count <= zeros.size(); ++count)
    EXPECT_TRUE(seen.insert(checksum(std::span(zeros).first(count))).second) << count;
  std::vector<std::byte> bytes = some_bytes(400);
  const Checksum::Value before = checksum(bytes);
  for (const std::size_t apart : {1, 8, 64, 128}) {
    std::swap(bytes[100], bytes[100 + apart]);
    EXPECT_NE(checksum(bytes), before) << apart;
    std::swap(bytes[100], bytes[100 + apart]);
  }
}

TEST(Checksum, DoesNotDependOnHowTheStreamIsCut) {
  const std::vector<std::byte> bytes = some_bytes(1000);
  std::mt19937 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    Checksum sum;
    std::span<const std::byte> rest = bytes;
    while (!rest.empty()) {
      const std::size_t count = std::min<std::size_t>(rest.size(), random() % 150);
      sum.add(rest.first(count));
      rest = rest.subspan(count);
      sum.value();  // may be asked at any time
    }
    EXPECT_EQ(sum.value(), checksum(bytes));
  }
  EXPECT_EQ(hex(checksum(bytes)).size(), 32u);
}

TEST(Fingerprint, SeesEveryItemOfAListOfAnyLength) {
  for (const std::size_t count : {1, 31, 32, 33, 1000}) {
    std::vector<double> items(count, 0.25);
    std::set<std::string> seen;
    for (std::size_t i = 0; i <= count; ++i) {
      Fingerprint fingerprint;
      fingerprint.add(std::span<const double>(items));
      EXPECT_TRUE(seen.insert(fingerprint.hex()).second) << i;
      if (i < count) items[i] = 0.5;
    }
  }
}

}  // namespace
}  // namespace peal::util
