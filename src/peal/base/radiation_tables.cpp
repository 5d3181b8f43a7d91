#include <peal/base/packed_waves.h>
#include <peal/base/radiation_tables.h>
#include <peal/util/error.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::base {

namespace {

using geometry::Vec3;
using std::numbers::pi;

constexpr double rounded_to = 1e-3;  ///< of the largest coefficient at `rounded_at`
constexpr double rounded_at = 1.2;   ///< [R]
constexpr int highest_order = 100;

/// Rounds the coefficients of one frequency so that none is wrong by more than `rounded_to` of the
/// largest at 1.2 R, to whole multiples of a power of two for each order. Smaller ones become zero.
/// `values` has the harmonics up to `order` for each sound.
void round_small(int order, double k, double radius, std::span<RadiationCoefficient> values) {
  std::vector<std::complex<double>> ratios(static_cast<std::size_t>(order) + 1);
  outgoing_ratios(order, k, rounded_at * radius, radius, ratios);
  const auto harmonics = static_cast<std::size_t>(harmonics_up_to(order));
  const auto ratio_of = [&](std::size_t i) {
    const auto l = static_cast<std::size_t>(std::sqrt(static_cast<double>(i % harmonics)));
    return std::abs(ratios[l]);
  };
  double largest = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i)
    largest = std::max(largest, static_cast<double>(std::abs(values[i])) * ratio_of(i));
  if (largest == 0.0) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double most = rounded_to * largest / ratio_of(i);
    if (static_cast<double>(std::abs(values[i])) < most) {
      values[i] = 0.0f;
      continue;
    }
    const double step = std::ldexp(1.0, std::ilogb(most));
    const auto rounded = [&](float part) {
      return static_cast<float>(step * std::round(static_cast<double>(part) / step));
    };
    values[i] = {rounded(values[i].real()), rounded(values[i].imag())};
  }
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

std::vector<std::uint8_t> packed(const RigidRadiation& table) {
  WavePacker packer;
  const std::vector<std::size_t> starts = table.offsets();
  for (std::size_t b = 0; b < table.orders.size(); ++b) {
    packer.add(table.orders[b],
               std::span(table.values).subspan(starts[b], block_size(table.orders[b])));
  }
  return packer.bytes();
}

std::vector<std::uint8_t> packed(const ModalRadiation& table) {
  WavePacker packer;
  for (const ModeRadiation& mode : table.modes) packer.add(mode.order, mode.values);
  return packer.bytes();
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
    round_small(orders[b], k, radius, block);
  }
}

void ModalRadiation::compact() {
  for (ModeRadiation& mode : modes) {
    round_small(mode.order, 2.0 * pi * mode.frequency / medium.speed_of_sound, radius, mode.values);
  }
}

double radiated_power(const ModeRadiation& mode, double radius, const Medium& medium) {
  const double k = 2.0 * pi * mode.frequency / medium.speed_of_sound;
  std::vector<std::complex<double>> hankel(static_cast<std::size_t>(mode.order) + 1);
  spherical_hankel_up_to(mode.order, k * radius, hankel);
  // Far away |h_l(kr)| is 1 / (kr), and harmonics are orthonormal.
  double sum = 0.0;
  for (int l = 0; l <= mode.order; ++l) {
    const double far = 1.0 / (k * k * std::norm(hankel[static_cast<std::size_t>(l)]));
    for (int i = l * l; i < (l + 1) * (l + 1); ++i)
      sum += far * static_cast<double>(std::norm(mode.values[static_cast<std::size_t>(i)]));
  }
  return sum / (2.0 * medium.density * medium.speed_of_sound);
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
  std::vector<std::uint8_t> bytes = archive.reads() ? std::vector<std::uint8_t>() : packed(table);
  archive.list(bytes);
  if (!archive.reads()) return;
  const std::vector<std::size_t> starts = table.offsets();
  WaveUnpacker reader(bytes);
  for (std::size_t b = 0; b < table.orders.size(); ++b) {
    // Memory is taken block by block: a short file may ask for high orders.
    const std::size_t size = block_size(table.orders[b]);
    table.values.resize(starts[b] + size);
    reader.read(table.orders[b], std::span(table.values).subspan(starts[b], size));
  }
}

void serialize(util::Archive& archive, ModalRadiation& table) {
  serialize_frame(archive, table.centre, table.radius, table.medium);
  table.modes.resize(archive.count(table.modes.size(), sizeof(double)));
  for (ModeRadiation& mode : table.modes) {
    archive.number(mode.frequency, mode.order);
    if (archive.reads()) check_order(mode.order);
  }
  std::vector<std::uint8_t> bytes = archive.reads() ? std::vector<std::uint8_t>() : packed(table);
  archive.list(bytes);
  if (!archive.reads()) return;
  WaveUnpacker reader(bytes);
  for (ModeRadiation& mode : table.modes) {
    mode.values.assign(static_cast<std::size_t>(harmonics_up_to(mode.order)), 0.0f);
    reader.read(mode.order, mode.values);
  }
}

std::size_t stored_bytes(const RigidRadiation& table) {
  // What is stored is the table of the shape in a ball of 1 m.
  RigidRadiation shape = table.scaled_to(Vec3::Zero(), 1.0, Medium());
  shape.compact();
  return 100 + 4 * shape.orders.size() + packed(shape).size();
}

std::size_t stored_bytes(const ModalRadiation& table) {
  return 80 + 12 * table.modes.size() + packed(table).size();
}

}  // namespace peal::base
