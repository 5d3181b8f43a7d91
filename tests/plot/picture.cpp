#include "plot/picture.h"

#include <cairo.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace peal::plot {

namespace {

cairo_status_t read_some(void* closure, unsigned char* data, unsigned length) {
  auto& rest = *static_cast<std::string_view*>(closure);
  if (rest.size() < length) return CAIRO_STATUS_READ_ERROR;
  std::memcpy(data, rest.data(), length);
  rest.remove_prefix(length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Colour Picture::at(int column, int row) const {
  const std::uint32_t pixel = pixels.at(static_cast<std::size_t>(row) * width + column);
  return {(pixel >> 16 & 255) / 255.0, (pixel >> 8 & 255) / 255.0, (pixel & 255) / 255.0};
}

Picture decode_png(const std::string& bytes) {
  std::string_view rest = bytes;
  cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(read_some, &rest);
  if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy(surface);
    throw std::runtime_error("not a PNG");
  }
  Picture picture{
      cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), {}};
  const unsigned char* data = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  for (int row = 0; row < picture.height; ++row) {
    std::vector<std::uint32_t> line(picture.width);
    std::memcpy(line.data(), data + row * stride, 4 * line.size());
    for (const std::uint32_t pixel : line) picture.pixels.push_back(pixel & 0xFFFFFF);
  }
  cairo_surface_destroy(surface);
  return picture;
}

}  // namespace peal::plot
