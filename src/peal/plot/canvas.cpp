#include <peal/plot/canvas.h>

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#ifdef __SANITIZE_ADDRESS__
// Fontconfig keeps its patterns in a cache for the life of the process, reachable only through
// pointers that the leak sanitizer cannot follow. Every program that draws gets this exception,
// without a note on stderr.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig\n";
}
extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options() {
  return "print_suppressions=0";
}
#endif

namespace peal::plot {

namespace {

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) {
    throw std::runtime_error(std::string("cannot draw: ") + cairo_status_to_string(status));
  }
}

/// Bytes of the UTF-8 sequence that starts at text[i], or 0 if it is not valid (RFC 3629).
std::size_t sequence_length(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
  };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  unsigned code = length == 1 ? first : first & (0x7Fu >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(k) & 0x3F);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool forbidden = (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF;
  return overlong || forbidden ? 0 : length;
}

}  // namespace

std::string printable(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    const auto first = static_cast<unsigned char>(text[i]);
    if (length == 0) {
      result += '?';
    } else if (first < 0x20 || first == 0x7F) {
      result += ' ';
    } else {
      result.append(text, i, length);
    }
    i += std::max<std::size_t>(length, 1);
  }
  return result;
}

void Canvas::Destroy::operator()(_cairo* context) const {
  cairo_destroy(context);
}
void Canvas::Destroy::operator()(_cairo_surface* surface) const {
  cairo_surface_destroy(surface);
}

Canvas::Canvas(int width, int height)
    : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)),
      context_(cairo_create(surface_.get())) {
  check(cairo_surface_status(surface_.get()));
  cairo_set_line_join(context_.get(), CAIRO_LINE_JOIN_ROUND);
  fill({0, 0}, width, height, {1, 1, 1});
  // The user's font settings must not change the picture.
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(context_.get(), options);
  cairo_font_options_destroy(options);
}

void Canvas::use(const Colour& colour) {
  cairo_set_source_rgba(context_.get(), colour.red, colour.green, colour.blue, colour.alpha);
}

void Canvas::fill(Point top_left, double width, double height, const Colour& colour) {
  use(colour);
  cairo_rectangle(context_.get(), top_left.x, top_left.y, width, height);
  cairo_fill(context_.get());
}

void Canvas::outline(Point top_left, double width, double height, const Colour& colour,
                     double line) {
  use(colour);
  cairo_set_line_width(context_.get(), line);
  cairo_rectangle(context_.get(), top_left.x, top_left.y, width, height);
  cairo_stroke(context_.get());
}

void Canvas::polyline(std::span<const Point> points, const Colour& colour, double line,
                      std::span<const double> dashes) {
  use(colour);
  cairo_set_line_width(context_.get(), line);
  cairo_set_dash(context_.get(), dashes.data(), static_cast<int>(dashes.size()), 0.0);
  for (const Point& point : points) cairo_line_to(context_.get(), point.x, point.y);
  cairo_stroke(context_.get());
  cairo_set_dash(context_.get(), nullptr, 0, 0.0);
}

void Canvas::polygon(std::span<const Point> points, const Colour& colour) {
  use(colour);
  for (const Point& point : points) cairo_line_to(context_.get(), point.x, point.y);
  cairo_close_path(context_.get());
  cairo_fill(context_.get());
}

void Canvas::disc(Point centre, double radius, const Colour& colour) {
  use(colour);
  cairo_arc(context_.get(), centre.x, centre.y, radius, 0.0, 2.0 * std::numbers::pi);
  cairo_fill(context_.get());
}

void Canvas::image(std::span<const std::uint32_t> pixels, int columns, int rows, Point top_left,
                   double width, double height) {
  const std::unique_ptr<_cairo_surface, Destroy> picture(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows));
  check(cairo_surface_status(picture.get()));
  cairo_surface_flush(picture.get());
  unsigned char* data = cairo_image_surface_get_data(picture.get());
  const int stride = cairo_image_surface_get_stride(picture.get());
  for (int row = 0; row < rows; ++row) {
    const auto line = pixels.subspan(static_cast<std::size_t>(row) * columns, columns);
    std::copy(line.begin(), line.end(), reinterpret_cast<std::uint32_t*>(data + row * stride));
  }
  cairo_surface_mark_dirty(picture.get());

  cairo_save(context_.get());
  cairo_rectangle(context_.get(), top_left.x, top_left.y, width, height);
  cairo_clip(context_.get());
  cairo_translate(context_.get(), top_left.x, top_left.y);
  cairo_scale(context_.get(), width / columns, height / rows);
  cairo_set_source_surface(context_.get(), picture.get(), 0, 0);
  cairo_pattern_set_extend(cairo_get_source(context_.get()), CAIRO_EXTEND_PAD);
  cairo_pattern_set_filter(cairo_get_source(context_.get()), CAIRO_FILTER_BILINEAR);
  cairo_paint(context_.get());
  cairo_restore(context_.get());
}

void Canvas::use_font(const TextStyle& style) {
  cairo_select_font_face(context_.get(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context_.get(), style.size);
}

double Canvas::text_width(const std::string& utf8, const TextStyle& style) {
  use_font(style);
  cairo_text_extents_t extents;
  cairo_text_extents(context_.get(), printable(utf8).c_str(), &extents);
  return extents.x_advance;
}

void Canvas::text(Point at, const std::string& utf8, const TextStyle& style) {
  const std::string shown = printable(utf8);
  const double width = text_width(shown, style);
  const double cap_height = 0.72 * style.size;
  cairo_save(context_.get());
  cairo_translate(context_.get(), at.x, at.y);
  if (style.upward) cairo_rotate(context_.get(), -0.5 * std::numbers::pi);
  cairo_move_to(context_.get(), -style.align_x * width, style.align_y * cap_height);
  if (style.halo) {
    cairo_text_path(context_.get(), shown.c_str());
    use({1, 1, 1, 0.85});
    cairo_set_line_width(context_.get(), 4.0);
    cairo_stroke(context_.get());
    cairo_move_to(context_.get(), -style.align_x * width, style.align_y * cap_height);
  }
  use(style.colour);
  cairo_show_text(context_.get(), shown.c_str());
  cairo_new_path(context_.get());  // the text leaves its end as the start of the next line
  cairo_restore(context_.get());
}

void Canvas::clip(Point top_left, double width, double height) {
  cairo_save(context_.get());
  cairo_rectangle(context_.get(), top_left.x, top_left.y, width, height);
  cairo_clip(context_.get());
}

void Canvas::unclip() {
  cairo_restore(context_.get());
}

std::string Canvas::png() {
  check(cairo_status(context_.get()));
  std::string bytes;
  const auto append = [](void* closure, const unsigned char* data, unsigned length) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  };
  cairo_surface_flush(surface_.get());
  check(cairo_surface_write_to_png_stream(surface_.get(), append, &bytes));
  return bytes;
}

}  // namespace peal::plot
