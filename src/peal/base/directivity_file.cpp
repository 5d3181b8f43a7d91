#include <peal/base/directivity_file.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

namespace peal::base {

namespace {

using Json = nlohmann::ordered_json;

constexpr int directivity_version = 1;

/// An array of complex64 in NumPy's format, version 1.0: a header padded to 64 bytes, then numbers
/// in C order.
std::string npy_of(std::span<const RadiationCoefficient> values,
                   const std::vector<std::size_t>& shape) {
  static_assert(std::endian::native == std::endian::little);
  std::string sizes;
  for (const std::size_t n : shape) sizes += fmt::format("{}, ", n);
  std::string header =
      fmt::format("{{'descr': '<c8', 'fortran_order': False, 'shape': ({}), }}", sizes);
  constexpr std::size_t before = 10;
  header.resize((before + header.size() + 1 + 63) / 64 * 64 - before, ' ');
  header.back() = '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  const std::size_t size = values.size_bytes(), at = bytes.size();
  bytes.resize(at + size);
  if (size > 0) std::memcpy(bytes.data() + at, values.data(), size);
  return bytes;
}

Json frame_of(const geometry::Vec3& centre, double radius, const Medium& medium,
              const std::string& array) {
  return {
      {"peal_directivity", directivity_version},
      {"field",
       "p(x, f) = sum over l, m of g[l (l + 1) + m] Y_lm(direction) h_l(kr) / h_l(kR), "
       "r >= R, time factor exp(+iwt), h_l: spherical Hankel function of the second kind"},
      {"harmonics",
       "real, orthonormal, about z, without (-1)^m: Y_00 = 1 / sqrt(4 pi), Y_1,-1 = sqrt(3 / (4 "
       "pi)) y, Y_10 = .. z, Y_11 = .. x"},
      {"centre_m", {centre.x(), centre.y(), centre.z()}},
      {"radius_m", radius},
      {"speed_of_sound_m_per_s", medium.speed_of_sound},
      {"density_kg_per_m3", medium.density},
      {"coefficients", array}};
}

}  // namespace

DirectivityFiles directivity_files(const RigidRadiation& table, const std::string& array) {
  Json json = frame_of(table.centre, table.radius, table.medium, array);
  json["signals"] = {"acceleration x",         "acceleration y",         "acceleration z",
                     "angular acceleration x", "angular acceleration y", "angular acceleration z"};
  json["axes"] = {"frequency", "signal", "harmonic"};
  json["units"] = "Pa per m/s^2 and per rad/s^2, about axes through the centre";
  json["frequency_spacing_hz"] = table.spacing;
  json["max_frequency_hz"] = table.max_frequency;
  json["orders"] = table.orders;
  json["faded_out_at"] = table.rest;
  const auto harmonics = static_cast<std::size_t>(harmonics_up_to(table.max_order()));
  std::vector<RadiationCoefficient> values(table.frequencies() * RigidRadiation::motions *
                                           harmonics);
  const std::vector<std::size_t> starts = table.offsets();
  std::size_t row = 0;
  for (std::size_t b = 0; b < table.frequencies(); ++b) {
    for (int m = 0; m < RigidRadiation::motions; ++m, ++row)
      std::ranges::copy(table.at(starts[b], b, m),
                        values.begin() + static_cast<std::ptrdiff_t>(row * harmonics));
  }
  return {json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n",
          npy_of(values, {table.frequencies(), std::size_t{RigidRadiation::motions}, harmonics})};
}

DirectivityFiles directivity_files(const ModalRadiation& table, const std::string& array) {
  Json json = frame_of(table.centre, table.radius, table.medium, array);
  json["axes"] = {"mode", "harmonic"};
  json["units"] = "Pa per unit q'' of the modal coordinate [m kg^1/2 / s^2]";
  Json frequencies = Json::array(), orders = Json::array();
  int most = 0;
  for (const ModeRadiation& mode : table.modes) {
    frequencies.push_back(mode.frequency);
    orders.push_back(mode.order);
    most = std::max<int>(most, mode.order);
  }
  json["frequencies_hz"] = frequencies;
  json["orders"] = orders;
  const auto harmonics = static_cast<std::size_t>(harmonics_up_to(most));
  std::vector<RadiationCoefficient> values(table.modes.size() * harmonics);
  for (std::size_t m = 0; m < table.modes.size(); ++m)
    std::ranges::copy(table.modes[m].values,
                      values.begin() + static_cast<std::ptrdiff_t>(m * harmonics));
  return {json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n",
          npy_of(values, {table.modes.size(), harmonics})};
}

}  // namespace peal::base
