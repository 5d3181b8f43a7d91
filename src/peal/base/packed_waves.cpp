#include <peal/base/packed_waves.h>
#include <peal/base/spherical_waves.h>
#include <peal/util/error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace peal::base {

namespace {

/// Numbers have at most so many bits: what is smaller against the largest of an order is rounded.
constexpr int most_bits = 20;
/// Exponents of powers of two are stored with this added, in 9 bits.
constexpr int exponent_offset = 256;
constexpr int exponent_bits = 9, parameter_bits = 5;
constexpr std::uint32_t all_zero = 31;  ///< in place of a Rice parameter

constexpr int kind_bits = 2;  ///< of WavePredictor::Kind

/// Calls `visit` with the sound, the harmonic and the value of each coefficient of order l in a
/// block of several sounds.
template <class Block, class Visit>
void visit_order(int order, int l, Block block, const Visit& visit) {
  const auto harmonics = static_cast<std::size_t>(harmonics_up_to(order));
  const auto first = static_cast<std::size_t>(l) * static_cast<std::size_t>(l);
  for (std::size_t sound = 0; sound < block.size() / harmonics; ++sound)
    for (std::size_t i = first; i < first + 2 * static_cast<std::size_t>(l) + 1; ++i)
      visit(sound, i, block[sound * harmonics + i]);
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

float value_of(std::int32_t number, int exponent) {
  return static_cast<float>(std::ldexp(static_cast<double>(number), exponent));
}

}  // namespace

std::complex<float> WavePredictor::Block::at(std::size_t sound, std::size_t harmonic) const {
  return harmonic < harmonics ? values[sound * harmonics + harmonic] : std::complex<float>(0.0f);
}

std::int32_t WavePredictor::expected(Kind kind, std::size_t sound, std::size_t harmonic, int part,
                                     int exponent) const {
  if (kind == nothing) return 0;
  const auto part_of = [&](const Block& block) {
    const std::complex<float> value = block.at(sound, harmonic);
    return static_cast<double>(part == 0 ? value.real() : value.imag());
  };
  const double last = part_of(last_);
  const double value = kind == constant ? last : 2.0 * last - part_of(one_before_);
  constexpr double most = 1 << most_bits;
  return static_cast<std::int32_t>(
      std::lround(std::clamp(std::ldexp(value, -exponent), -most, most)));
}

bool WavePredictor::was_zero(std::size_t sound, std::size_t harmonic) const {
  return last_.at(sound, harmonic) == std::complex<float>(0.0f);
}

void WavePredictor::take(int order, std::span<const std::complex<float>> block) {
  std::swap(one_before_, last_);
  last_.harmonics = static_cast<std::size_t>(harmonics_up_to(order));
  last_.values.assign(block.begin(), block.end());
}

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
  std::vector<std::complex<float>> packed(block.begin(), block.end());
  for (int l = 0; l <= order; ++l) put_order(order, l, packed);
  predictor_.take(order, packed);
}

/// Writes the coefficients of an order and replaces them by what will be read.
void WavePacker::put_order(int order, int l, std::span<std::complex<float>> block) {
  float largest = 0.0f;
  int finest = 127;
  visit_order(order, l, block, [&](std::size_t, std::size_t, const std::complex<float>& g) {
    for (const float part : {g.real(), g.imag()}) {
      if (part == 0.0f) continue;
      largest = std::max(largest, std::abs(part));
      finest = std::min(finest, exponent_of(part));
    }
  });
  if (largest == 0.0f) {
    put(all_zero, parameter_bits);
    return;
  }
  const int exponent = std::clamp(std::max(finest, std::ilogb(largest) - most_bits),
                                  -exponent_offset, exponent_offset - 1);
  // Differences from what each kind of prediction expects, and where zeros are.
  std::array<std::vector<std::int32_t>, WavePredictor::kinds> differences;
  std::vector<bool> zeros;
  bool is_as_before = true;
  visit_order(order, l, block, [&](std::size_t sound, std::size_t i, std::complex<float>& g) {
    const auto number = [&](float part) {
      return static_cast<std::int32_t>(
          std::lround(std::ldexp(static_cast<double>(part), -exponent)));
    };
    const std::array<std::int32_t, 2> numbers = {number(g.real()), number(g.imag())};
    zeros.push_back(numbers[0] == 0 && numbers[1] == 0);
    is_as_before = is_as_before && zeros.back() == predictor_.was_zero(sound, i);
    g = {value_of(numbers[0], exponent), value_of(numbers[1], exponent)};
    if (zeros.back()) return;
    for (std::uint32_t kind = 0; kind < WavePredictor::kinds; ++kind) {
      for (const int part : {0, 1}) {
        differences[kind].push_back(
            numbers[static_cast<std::size_t>(part)] -
            predictor_.expected(static_cast<WavePredictor::Kind>(kind), sound, i, part, exponent));
      }
    }
  });
  int best = 0;
  std::uint32_t best_kind = 0;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint32_t kind = 0; kind < WavePredictor::kinds; ++kind) {
    for (int parameter = 0; parameter <= most_bits; ++parameter) {
      std::uint64_t bits = 0;
      for (const std::int32_t number : differences[kind])
        bits += (folded(number) >> parameter) + 1u + static_cast<std::uint64_t>(parameter);
      if (bits >= least) continue;
      least = bits;
      best = parameter;
      best_kind = kind;
    }
  }
  put(static_cast<std::uint32_t>(best), parameter_bits);
  put(static_cast<std::uint32_t>(exponent + exponent_offset), exponent_bits);
  put(best_kind, kind_bits);
  put(is_as_before ? 1u : 0u, 1);
  std::size_t next = 0;
  for (const bool is_zero : zeros) {
    if (!is_as_before) put(is_zero ? 0u : 1u, 1);
    if (is_zero) continue;
    put_number(differences[best_kind][next++], best);
    put_number(differences[best_kind][next++], best);
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
  if (quotient >> (most_bits + 3 - parameter) != 0)
    throw util::InputError({}, "a table with a number out of range");
  const std::uint32_t value = (quotient << parameter) + take(parameter);
  const auto half = static_cast<std::int32_t>(value / 2u);
  return value % 2u == 0u ? half : -half - 1;
}

void WaveUnpacker::read(int order, std::span<std::complex<float>> block) {
  for (int l = 0; l <= order; ++l) read_order(order, l, block);
  predictor_.take(order, block);
}

void WaveUnpacker::read_order(int order, int l, std::span<std::complex<float>> block) {
  const std::uint32_t parameter = take(parameter_bits);
  if (parameter == all_zero) {
    visit_order(order, l, block,
                [](std::size_t, std::size_t, std::complex<float>& g) { g = 0.0f; });
    return;
  }
  if (parameter > static_cast<std::uint32_t>(most_bits))
    throw util::InputError({}, "a table with a number out of range");
  const int exponent = static_cast<int>(take(exponent_bits)) - exponent_offset;
  const std::uint32_t kind = take(kind_bits);
  if (kind >= WavePredictor::kinds)
    throw util::InputError({}, "a table with an unknown kind of prediction");
  const bool is_as_before = take(1) == 1u;
  visit_order(order, l, block, [&](std::size_t sound, std::size_t i, std::complex<float>& g) {
    g = 0.0f;
    if (is_as_before ? predictor_.was_zero(sound, i) : take(1) == 0u) return;
    const auto part = [&](int which) {
      const std::int32_t number =
          take_number(static_cast<int>(parameter)) +
          predictor_.expected(static_cast<WavePredictor::Kind>(kind), sound, i, which, exponent);
      const float value = value_of(number, exponent);
      if (!std::isfinite(value)) throw util::InputError({}, "a table with a number out of range");
      return value;
    };
    const float real = part(0);
    g = {real, part(1)};
  });
}

}  // namespace peal::base
