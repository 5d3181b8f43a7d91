#pragma once

#include <array>
#include <cstdint>

namespace peal::geometry {

/// Correctly rounded value of the unsigned decimal number [first, last); infinity if it is too
/// large for a double, zero if too small.
double exact_number(const char* first, const char* last);

inline bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') < 10;
}

/// Reads a decimal number (sign, digits, point, exponent) at `p` and returns the position after it,
/// or nullptr if there is none. The text must continue with a byte that ends any number, such as a
/// line feed. The value is correctly rounded; too large a number gives infinity. "nan", "inf" and
/// hexadecimal numbers are not accepted.
///
/// Fast path (Clinger 1990): a mantissa up to 2^53 and a power of ten up to 10^22 are exact
/// doubles, so one operation rounds correctly.
inline const char* scan_number(const char* p, double& value) {
  static constexpr std::array<double, 23> powers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  const char* const first = p;

  std::uint64_t mantissa = 0;  // wraps beyond 19 digits; the slow path then takes over
  while (is_digit(*p)) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p++ - '0');
  std::int64_t digits = p - first;
  std::int64_t exponent = 0;
  if (*p == '.') {
    const char* const fraction = ++p;
    while (is_digit(*p)) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p++ - '0');
    exponent = fraction - p;
    digits -= exponent;
  }
  if (digits == 0) return nullptr;

  if (*p == 'e' || *p == 'E') {
    ++p;
    const bool downward = *p == '-';
    if (*p == '-' || *p == '+') ++p;
    if (!is_digit(*p)) return nullptr;
    std::int64_t power = 0;
    for (; is_digit(*p); ++p) {
      if (power < 100000) power = power * 10 + (*p - '0');
    }
    exponent += downward ? -power : power;
  }

  if (digits <= 19 && mantissa <= (std::uint64_t{1} << 53) && exponent >= -22 && exponent <= 22) {
    const auto exact = static_cast<double>(mantissa);
    value = exponent < 0 ? exact / powers[static_cast<std::size_t>(-exponent)]
                         : exact * powers[static_cast<std::size_t>(exponent)];
  } else {
    value = exact_number(first, p);
  }
  if (negative) value = -value;
  return p;
}

}  // namespace peal::geometry
