#include <peal/base/modes_file.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/fingerprint.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace peal::base {

namespace {

constexpr std::string_view modes_magic = "PEALMODES 2\n    ";  // 16 bytes, including the version
constexpr std::string_view magic_word = "PEALMODES ";
constexpr std::size_t header_size = 48, checksum_size = 32;

template <class Number>
void put_number(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

template <class Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

std::string modes_checksum(std::string_view bytes) {
  util::Fingerprint sum;
  sum.add(bytes);
  return sum.hex();
}

[[noreturn]] void refuse_modes(const std::string& file, const std::string& problem) {
  throw util::InputError({file, ""}, problem, "Compute it again with `peal modes`.");
}

}  // namespace

std::string modes_bytes(const ModalModel& model) {
  std::string bytes(modes_magic);
  put_number(bytes, static_cast<std::uint64_t>(model.modes.size()));
  put_number(bytes, static_cast<std::uint64_t>(model.surface.vertices.size()));
  put_number(bytes, static_cast<std::uint64_t>(model.surface.triangles.size()));
  put_number(bytes, model.mass);
  for (const Mode& mode : model.modes) {
    put_number(bytes, mode.frequency);
    put_number(bytes, mode.decay_rate);
    put_number(bytes, mode.relative_error);
  }
  for (const geometry::Vec3& v : model.surface.vertices)
    for (int k = 0; k < 3; ++k) put_number(bytes, v[k]);
  for (const geometry::Triangle& corners : model.surface.triangles)
    for (const std::uint32_t v : corners) put_number(bytes, v);
  bytes.append(reinterpret_cast<const char*>(model.shapes.data()),
               static_cast<std::size_t>(model.shapes.size()) * sizeof(float));
  return bytes + modes_checksum(bytes);
}

ModalModel parse_modes(std::string_view bytes, const std::string& file) {
  if (!bytes.starts_with(magic_word)) refuse_modes(file, "it is not a .modes file");
  if (!bytes.starts_with(modes_magic)) {
    refuse_modes(file, "it was written by another version of Peal");
  }
  if (bytes.size() < header_size + checksum_size) refuse_modes(file, "it is cut short");
  const auto modes = number_at<std::uint64_t>(bytes, 16);
  const auto vertices = number_at<std::uint64_t>(bytes, 24);
  const auto triangles = number_at<std::uint64_t>(bytes, 32);
  // Each count is bounded by the file's size first, so that no product can overflow.
  const std::uint64_t most = bytes.size();
  if (modes > most || vertices > most || triangles > most ||
      (modes > 0 && vertices > most / modes)) {
    refuse_modes(file, "its counts exceed the file");
  }
  const std::uint64_t size = header_size + 24 * modes + 24 * vertices + 12 * triangles +
                             12 * modes * vertices + checksum_size;
  if (size != bytes.size()) refuse_modes(file, "it is cut short or too long");
  const std::string_view content = bytes.substr(0, bytes.size() - checksum_size);
  if (triangles == 0) refuse_modes(file, "it has no triangles");
  if (modes_checksum(content) != bytes.substr(content.size())) {
    refuse_modes(file, "its checksum is wrong: bytes were changed");
  }

  ModalModel model;
  model.mass = number_at<double>(bytes, 40);
  if (!(model.mass > 0.0) || !std::isfinite(model.mass)) refuse_modes(file, "it has no mass");
  std::size_t at = header_size;
  const auto next = [&]<class Number>(Number) {
    const Number number = number_at<Number>(bytes, at);
    at += sizeof(Number);
    return number;
  };
  for (std::uint64_t i = 0; i < modes; ++i) {
    const double frequency = next(0.0), decay = next(0.0), error = next(0.0);
    if (!(frequency > 0.0) || !std::isfinite(frequency)) {
      refuse_modes(file, "a mode has no frequency");
    }
    if (!(decay >= 0.0) || !std::isfinite(decay)) {
      refuse_modes(file, "the decay rate of a mode is negative or not a number");
    }
    if (!(error >= 0.0)) refuse_modes(file, "the error of a mode is negative or not a number");
    model.modes.push_back({frequency, decay, error});
  }
  for (std::uint64_t i = 0; i < vertices; ++i) {
    const double x = next(0.0), y = next(0.0), z = next(0.0);
    model.surface.vertices.emplace_back(x, y, z);
    if (!model.surface.vertices.back().allFinite()) refuse_modes(file, "a vertex is not a number");
  }
  for (std::uint64_t i = 0; i < triangles; ++i) {
    geometry::Triangle corners;
    for (std::uint32_t& v : corners) {
      v = next(std::uint32_t{});
      if (v >= vertices) refuse_modes(file, "a triangle names a vertex that does not exist");
    }
    model.surface.triangles.push_back(corners);
  }
  model.shapes.resize(static_cast<Eigen::Index>(3 * vertices), static_cast<Eigen::Index>(modes));
  if (model.shapes.size() > 0) {
    std::memcpy(model.shapes.data(), bytes.data() + at,
                static_cast<std::size_t>(model.shapes.size()) * sizeof(float));
  }
  if (!model.shapes.allFinite()) refuse_modes(file, "the shape of a mode is not a number");
  return model;
}

void write_modes(const std::filesystem::path& path, const ModalModel& model) {
  util::write_file(path, modes_bytes(model));
}

ModalModel read_modes(const std::filesystem::path& path) {
  if (!util::first_bytes(path, magic_word.size()).starts_with(magic_word))
    refuse_modes(path.string(), "it is not a .modes file");
  return parse_modes(util::read_file(path), path.string());
}

}  // namespace peal::base
