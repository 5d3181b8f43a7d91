#include <peal/geometry/io/read_number.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>

namespace peal::geometry {
namespace {

/// The number that fills the whole text, if it is one.
std::optional<double> number(const std::string& text) {
  const std::string line = text + "\n";
  double value = 0.0;
  const char* const end = scan_number(line.c_str(), value);
  if (end == nullptr || *end != '\n') return std::nullopt;
  return value;
}

TEST(ReadNumber, TakesEveryDecimalForm) {
  EXPECT_EQ(number("1"), 1.0);
  EXPECT_EQ(number("-1."), -1.0);
  EXPECT_EQ(number("+.5"), 0.5);
  EXPECT_EQ(number("2.5e-1"), 0.25);
  EXPECT_EQ(number("25E+2"), 2500.0);
  EXPECT_EQ(number("0e999"), 0.0);
  EXPECT_TRUE(std::signbit(*number("-0.0")));
}

TEST(ReadNumber, RefusesWhatIsNoDecimalNumber) {
  for (const char* const text : {"", "-", ".", "e5", "1e", "1e+", "nan", "inf", "-inf", "0x10",
                                 "1,5", "1.2.3", "--1", "1d5"}) {
    EXPECT_FALSE(number(text)) << text;
  }
}

TEST(ReadNumber, GivesInfinityBeyondDoubleAndZeroBelow) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(number("1e400"), infinity);
  EXPECT_EQ(number("-1e400"), -infinity);
  EXPECT_EQ(number("1e99999999999999999999999"), infinity);
  EXPECT_EQ(number("1e-99999999999999999999999"), 0.0);
  EXPECT_EQ(number("1e-400"), 0.0);
  EXPECT_EQ(number(std::string(400, '9')), infinity);
  EXPECT_EQ(number("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(number("0." + std::string(400, '0') + "1e401"), 1.0);
  EXPECT_EQ(number("1" + std::string(400, '0') + "e-400"), 1.0);
}

TEST(ReadNumber, RoundsAsTheCLibraryDoesForRandomTexts) {
  std::mt19937_64 random(1);
  for (int k = 0; k < 200000; ++k) {
    std::string text = random() % 2 ? "-" : "";
    for (auto n = random() % 22; n > 0; --n) text += static_cast<char>('0' + random() % 10);
    text += fmt::format("{}.", random() % 10);
    for (auto n = random() % 22; n > 0; --n) text += static_cast<char>('0' + random() % 10);
    if (random() % 2) text += fmt::format("e{}", static_cast<int>(random() % 60) - 30);
    ASSERT_EQ(number(text), std::strtod(text.c_str(), nullptr)) << text;
  }
}

TEST(ReadNumber, ReadsBackTheShortestTextOfAnyDouble) {
  std::mt19937_64 random(2);
  for (int k = 0; k < 100000; ++k) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(number(fmt::format("{}", value)), value);
  }
}

}  // namespace
}  // namespace peal::geometry
