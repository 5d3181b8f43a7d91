#include <peal/base/radiation_tables.h>
#include <peal/util/error.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::base {

namespace {

using geometry::Vec3;
using std::numbers::pi;

constexpr double dropped_below = 1e-3;  ///< of the largest coefficient at `dropped_at`
constexpr double dropped_at = 1.2;      ///< [R]
constexpr int highest_order = 100;

/// Numbers in half precision, with a common scale, and a mask of those that are not zero.
struct PackedValues {
  float scale = 0.0f;
  std::vector<std::uint8_t> mask;    ///< a bit for each value
  std::vector<std::uint16_t> parts;  ///< real and imaginary part of each value in the mask

  void serialize(util::Archive& archive) {
    archive.number(scale);
    archive.list(mask);
    archive.list(parts);
  }
  std::size_t bytes() const { return 20 + mask.size() + 2 * parts.size(); }
};

std::uint16_t half_bits(float x) {
  return Eigen::numext::bit_cast<std::uint16_t>(Eigen::half(x));
}
float from_half(std::uint16_t bits) {
  return static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(bits));
}

PackedValues pack(std::span<const RadiationCoefficient> values) {
  PackedValues packed;
  for (const RadiationCoefficient& g : values)
    packed.scale = std::max({packed.scale, std::abs(g.real()), std::abs(g.imag())});
  packed.mask.assign((values.size() + 7) / 8, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == RadiationCoefficient(0.0f)) continue;
    packed.mask[i / 8] = static_cast<std::uint8_t>(packed.mask[i / 8] | 1u << i % 8);
    packed.parts.push_back(half_bits(values[i].real() / packed.scale));
    packed.parts.push_back(half_bits(values[i].imag() / packed.scale));
  }
  return packed;
}

void unpack(const PackedValues& packed, std::span<RadiationCoefficient> values) {
  if (packed.mask.size() != (values.size() + 7) / 8 || !std::isfinite(packed.scale))
    throw util::InputError({}, "a table of the wrong length");
  std::size_t next = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = 0.0f;
    if ((packed.mask[i / 8] >> i % 8 & 1u) == 0) continue;
    if (next + 2 > packed.parts.size()) throw util::InputError({}, "a table that ends too soon");
    values[i] = packed.scale * RadiationCoefficient(from_half(packed.parts[next]),
                                                    from_half(packed.parts[next + 1]));
    next += 2;
  }
}

void round_to_half(std::span<RadiationCoefficient> values) {
  unpack(pack(values), values);
}

/// Sets coefficients of one frequency to zero that have no share in the sound at 1.2 R. `values`
/// has the harmonics up to `order` for each motion.
void drop_small(int order, double k, double radius, std::span<RadiationCoefficient> values) {
  std::vector<std::complex<double>> ratios(static_cast<std::size_t>(order) + 1);
  outgoing_ratios(order, k, dropped_at * radius, radius, ratios);
  const auto harmonics = static_cast<std::size_t>(harmonics_up_to(order));
  const auto size_of = [&](std::size_t i) {
    const auto l = static_cast<std::size_t>(std::sqrt(static_cast<double>(i % harmonics)));
    return static_cast<double>(std::abs(values[i])) * std::abs(ratios[l]);
  };
  double largest = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) largest = std::max(largest, size_of(i));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (size_of(i) < dropped_below * largest) values[i] = 0.0f;
}

void check_order(std::int32_t order) {
  if (order < 0 || order > highest_order)
    throw util::InputError({}, "an order of expansion out of range");
}

void serialize_frame(util::Archive& archive, Vec3& centre, double& radius, Medium& medium) {
  archive.number(centre.x(), centre.y(), centre.z(), radius, medium.speed_of_sound, medium.density);
  if (!(radius > 0.0) || !(medium.speed_of_sound > 0.0) || !centre.allFinite())
    throw util::InputError({}, "a table without a ball");
}

std::size_t block_size(std::int32_t order) {
  return RigidRadiation::motions * static_cast<std::size_t>(harmonics_up_to(order));
}

}  // namespace

int radiation_order(double k, double radius) {
  return std::max(least_order, static_cast<int>(std::ceil(k * radius)) + 2);
}

int RigidRadiation::max_order() const {
  return orders.empty() ? 0 : *std::ranges::max_element(orders);
}

std::vector<std::size_t> RigidRadiation::offsets() const {
  std::vector<std::size_t> result;
  std::size_t next = 0;
  for (const std::int32_t order : orders) {
    result.push_back(next);
    next += block_size(order);
  }
  return result;
}

std::span<const RadiationCoefficient> RigidRadiation::at(std::size_t offset, std::size_t frequency,
                                                         int motion) const {
  const auto harmonics = static_cast<std::size_t>(harmonics_up_to(orders[frequency]));
  return std::span(values).subspan(offset + static_cast<std::size_t>(motion) * harmonics,
                                   harmonics);
}

RigidRadiation RigidRadiation::scaled_to(const Vec3& new_centre, double new_radius,
                                         const Medium& new_medium) const {
  RigidRadiation result = *this;
  // p / (rho a R) and p / (rho alpha R^2) are functions of kR and direction.
  const double size = new_radius / radius, linear = size * new_medium.density / medium.density;
  const double faster = new_medium.speed_of_sound / medium.speed_of_sound / size;
  result.centre = new_centre;
  result.radius = new_radius;
  result.medium = new_medium;
  result.spacing *= faster;
  result.max_frequency *= faster;
  std::size_t next = 0;
  for (const std::int32_t order : orders) {
    const auto harmonics = static_cast<std::size_t>(harmonics_up_to(order));
    for (std::size_t i = 0; i < motions * harmonics; ++i) {
      const bool turns = i >= 3 * harmonics;
      result.values[next++] *= static_cast<float>(turns ? linear * size : linear);
    }
  }
  return result;
}

void RigidRadiation::compact() {
  const std::vector<std::size_t> starts = offsets();
  for (std::size_t b = 0; b < orders.size(); ++b) {
    const double k = 2.0 * pi * spacing * static_cast<double>(b) / medium.speed_of_sound;
    const auto block = std::span(values).subspan(starts[b], block_size(orders[b]));
    drop_small(orders[b], k, radius, block);
    round_to_half(block);
  }
}

void ModalRadiation::compact() {
  for (ModeRadiation& mode : modes) {
    drop_small(mode.order, 2.0 * pi * mode.frequency / medium.speed_of_sound, radius, mode.values);
    round_to_half(mode.values);
  }
}

void serialize(util::Archive& archive, RigidRadiation& table) {
  serialize_frame(archive, table.centre, table.radius, table.medium);
  archive.number(table.spacing, table.max_frequency, table.rest);
  archive.list(table.orders);
  if (archive.reads()) {
    std::ranges::for_each(table.orders, check_order);
    if (!(table.spacing > 0.0)) throw util::InputError({}, "a table without frequencies");
    table.values.clear();
  }
  const std::vector<std::size_t> starts = table.offsets();
  for (std::size_t b = 0; b < table.orders.size(); ++b) {
    const std::size_t size = block_size(table.orders[b]);
    // Memory is taken block by block: a short file may ask for high orders.
    if (archive.reads()) table.values.resize(starts[b] + size);
    const auto block = std::span(table.values).subspan(starts[b], size);
    PackedValues packed = archive.reads() ? PackedValues{} : pack(block);
    packed.serialize(archive);
    if (archive.reads()) unpack(packed, block);
  }
}

void serialize(util::Archive& archive, ModalRadiation& table) {
  serialize_frame(archive, table.centre, table.radius, table.medium);
  table.modes.resize(archive.count(table.modes.size(), sizeof(double)));
  for (ModeRadiation& mode : table.modes) {
    archive.number(mode.frequency, mode.order);
    if (archive.reads()) {
      check_order(mode.order);
      mode.values.assign(static_cast<std::size_t>(harmonics_up_to(mode.order)), 0.0f);
    }
    PackedValues packed = archive.reads() ? PackedValues{} : pack(mode.values);
    packed.serialize(archive);
    if (archive.reads()) unpack(packed, mode.values);
  }
}

std::size_t stored_bytes(const RigidRadiation& table) {
  std::size_t bytes = 100 + 4 * table.orders.size();
  const std::vector<std::size_t> starts = table.offsets();
  for (std::size_t b = 0; b < table.orders.size(); ++b)
    bytes += pack(std::span(table.values).subspan(starts[b], block_size(table.orders[b]))).bytes();
  return bytes;
}

std::size_t stored_bytes(const ModalRadiation& table) {
  std::size_t bytes = 80;
  for (const ModeRadiation& mode : table.modes) bytes += 12 + pack(mode.values).bytes();
  return bytes;
}

}  // namespace peal::base
