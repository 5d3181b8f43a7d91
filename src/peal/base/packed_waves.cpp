#include <peal/base/packed_waves.h>
#include <peal/base/spherical_waves.h>
#include <peal/util/error.h>

#include <algorithm>
#include <cmath>

namespace peal::base {

namespace {

/// Numbers have at most so many bits: what is smaller against the largest of an order is rounded.
constexpr int most_bits = 20;
/// Exponents of powers of two are stored with this added, in 9 bits.
constexpr int exponent_offset = 256;
constexpr int exponent_bits = 9, parameter_bits = 5;
constexpr std::uint32_t all_zero = 31;  ///< in place of a Rice parameter

/// Calls `visit` with each coefficient of order l in a block of several sounds.
template <class Block, class Visit>
void visit_order(int order, int l, Block block, const Visit& visit) {
  const auto harmonics = static_cast<std::size_t>(harmonics_up_to(order));
  for (std::size_t sound = 0; sound < block.size(); sound += harmonics) {
    const auto first = sound + static_cast<std::size_t>(l * l);
    for (std::size_t i = first; i < first + 2 * static_cast<std::size_t>(l) + 1; ++i)
      visit(block[i]);
  }
}

/// The exponent of the largest power of two of which a number is a whole multiple.
int exponent_of(float x) {
  int exponent = 0;
  float fraction = std::frexp(x, &exponent);
  while (fraction != std::floor(fraction)) {
    fraction *= 2.0f;
    --exponent;
  }
  return exponent;
}

std::uint32_t folded(std::int32_t number) {
  return number < 0 ? 2u * static_cast<std::uint32_t>(-number) - 1u
                    : 2u * static_cast<std::uint32_t>(number);
}

}  // namespace

void WavePacker::put(std::uint32_t bits, int count) {
  for (int i = count - 1; i >= 0; --i) {
    if (free_ == 0) {
      bytes_.push_back(0);
      free_ = 8;
    }
    --free_;
    if ((bits >> i & 1u) != 0)
      bytes_.back() = static_cast<std::uint8_t>(bytes_.back() | 1u << free_);
  }
}

/// A Rice code: the quotient by 2^parameter as ones that end with a zero, then the rest.
void WavePacker::put_number(std::int32_t number, int parameter) {
  const std::uint32_t value = folded(number);
  for (std::uint32_t i = 0; i < value >> parameter; ++i) put(1, 1);
  put(0, 1);
  put(value & ((1u << parameter) - 1u), parameter);
}

void WavePacker::add(int order, std::span<const std::complex<float>> block) {
  for (int l = 0; l <= order; ++l) {
    float largest = 0.0f;
    int finest = 127;
    visit_order(order, l, block, [&](const std::complex<float>& g) {
      for (const float part : {g.real(), g.imag()}) {
        if (part == 0.0f) continue;
        largest = std::max(largest, std::abs(part));
        finest = std::min(finest, exponent_of(part));
      }
    });
    if (largest == 0.0f) {
      put(all_zero, parameter_bits);
      continue;
    }
    const int exponent = std::clamp(std::max(finest, std::ilogb(largest) - most_bits),
                                    -exponent_offset, exponent_offset - 1);
    const auto number = [&](float part) {
      return static_cast<std::int32_t>(
          std::lround(std::ldexp(static_cast<double>(part), -exponent)));
    };
    std::vector<std::int32_t> numbers;
    visit_order(order, l, block, [&](const std::complex<float>& g) {
      numbers.push_back(number(g.real()));
      numbers.push_back(number(g.imag()));
    });
    const auto is_zero = [&](std::size_t i) { return numbers[i] == 0 && numbers[i + 1] == 0; };
    int best = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (int parameter = 0; parameter <= most_bits; ++parameter) {
      std::uint64_t bits = 0;
      for (std::size_t i = 0; i < numbers.size(); i += 2) {
        if (is_zero(i)) continue;
        for (const std::size_t k : {i, i + 1})
          bits += (folded(numbers[k]) >> parameter) + 1u + static_cast<std::uint64_t>(parameter);
      }
      if (bits >= least) continue;
      least = bits;
      best = parameter;
    }
    put(static_cast<std::uint32_t>(best), parameter_bits);
    put(static_cast<std::uint32_t>(exponent + exponent_offset), exponent_bits);
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
      put(is_zero(i) ? 0u : 1u, 1);
      if (is_zero(i)) continue;
      put_number(numbers[i], best);
      put_number(numbers[i + 1], best);
    }
  }
}

std::uint32_t WaveUnpacker::take(int count) {
  std::uint32_t bits = 0;
  for (int i = 0; i < count; ++i, ++next_) {
    if (next_ / 8 >= bytes_.size()) throw util::InputError({}, "a table that ends too soon");
    bits = 2u * bits + (bytes_[next_ / 8] >> (7u - next_ % 8) & 1u);
  }
  return bits;
}

std::int32_t WaveUnpacker::take_number(int parameter) {
  std::uint32_t quotient = 0;
  while (take(1) == 1u) ++quotient;
  if (quotient >> (most_bits + 2 - parameter) != 0)
    throw util::InputError({}, "a table with a number out of range");
  const std::uint32_t value = (quotient << parameter) + take(parameter);
  const auto half = static_cast<std::int32_t>(value / 2u);
  return value % 2u == 0u ? half : -half - 1;
}

void WaveUnpacker::read(int order, std::span<std::complex<float>> block) {
  for (int l = 0; l <= order; ++l) {
    const std::uint32_t parameter = take(parameter_bits);
    if (parameter == all_zero) {
      visit_order(order, l, block, [](std::complex<float>& g) { g = 0.0f; });
      continue;
    }
    if (parameter > static_cast<std::uint32_t>(most_bits))
      throw util::InputError({}, "a table with a number out of range");
    const int exponent = static_cast<int>(take(exponent_bits)) - exponent_offset;
    const auto part = [&] {
      const std::int32_t number = take_number(static_cast<int>(parameter));
      const auto value = static_cast<float>(std::ldexp(static_cast<double>(number), exponent));
      if (!std::isfinite(value)) throw util::InputError({}, "a table with a number out of range");
      return value;
    };
    visit_order(order, l, block, [&](std::complex<float>& g) {
      g = 0.0f;
      if (take(1) == 0u) return;
      const float real = part();
      g = {real, part()};
    });
  }
}

}  // namespace peal::base
