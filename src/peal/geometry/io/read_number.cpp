#include <peal/geometry/io/read_number.h>

#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>

namespace peal::geometry {

namespace {

/// Whether a number outside the range of a double is too small rather than too large. Its decimal
/// exponent is then far from zero, so the place of the first significant digit decides.
bool is_tiny(std::string_view number) {
  const std::size_t mark = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t significant = mantissa.find_first_of("123456789");
  if (significant == std::string_view::npos) return true;
  std::int64_t exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view power = number.substr(mark + 1);
    if (power.front() == '+') power.remove_prefix(1);
    const auto [end, error] = std::from_chars(power.begin(), power.end(), exponent);
    if (error != std::errc{}) return power.front() == '-';
  }
  return static_cast<std::int64_t>(point) - static_cast<std::int64_t>(significant) + exponent < 0;
}

}  // namespace

double exact_number(const char* first, const char* last) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(first, last, value);
  if (error == std::errc{}) return value;
  const std::string_view number(first, static_cast<std::size_t>(last - first));
  return is_tiny(number) ? 0.0 : std::numeric_limits<double>::infinity();
}

}  // namespace peal::geometry
