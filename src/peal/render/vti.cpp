#include <peal/render/vti.h>

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace peal::render {

namespace {

static_assert(std::endian::native == std::endian::little, "the files say LittleEndian");

std::string base64(std::span<const unsigned char> bytes) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? bytes[i + k] : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

/// VTK's inline binary: the number of bytes, then the bytes, as one base64 text.
std::string encoded(std::span<const float> values) {
  const auto size = static_cast<std::uint32_t>(values.size_bytes());
  const auto* count = reinterpret_cast<const unsigned char*>(&size);
  const auto* data = reinterpret_cast<const unsigned char*>(values.data());
  std::vector<unsigned char> bytes(count, count + sizeof size);
  bytes.insert(bytes.end(), data, data + values.size_bytes());
  return base64(bytes);
}

std::string cell_data(const std::string& name, std::span<const float> values) {
  return fmt::format(
      "        <DataArray type=\"Float32\" Name=\"{}\" format=\"binary\">{}</DataArray>\n", name,
      encoded(values));
}

}  // namespace

std::string vti(const base::PressureSlice& slice) {
  std::array<int, 3> cells = {1, 1, 1};
  const auto [u, v] = slice.plane_axes(slice.axis);
  cells[static_cast<std::size_t>(u)] = slice.width;
  cells[static_cast<std::size_t>(v)] = slice.height;
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", cells[0], cells[1], cells[2]);
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt32\">\n"
      "  <ImageData WholeExtent=\"{0}\" Origin=\"{1} {2} {3}\" Spacing=\"{4} {4} {4}\">\n"
      "    <FieldData>\n"
      "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{5}</DataArray>\n"
      "    </FieldData>\n"
      "    <Piece Extent=\"{0}\">\n"
      "      <CellData Scalars=\"pressure\">\n"
      "{6}{7}"
      "      </CellData>\n"
      "    </Piece>\n"
      "  </ImageData>\n"
      "</VTKFile>\n",
      extent, slice.origin.x(), slice.origin.y(), slice.origin.z(), slice.cell_size, slice.time,
      cell_data("pressure", slice.values), cell_data("solid", *slice.solid));
}

}  // namespace peal::render
