#include <peal/plot/field_picture.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace peal::plot {

namespace {

constexpr double longest_side = 720;  ///< of the field [px]
constexpr double least_width = 420;   ///< of heading and subheading [px]
constexpr double margin = 22;         ///< [px]
constexpr double head = 70;           ///< height of the headings with their margin [px]
constexpr double foot = 46;           ///< height of what is under the field [px]
constexpr double bar_width = 18;      ///< of the colour bar [px]
constexpr double bar_space = 112;     ///< with its labels and margin [px]
constexpr int colours = 1024;
constexpr Colour field_ink = {0.13, 0.13, 0.15};
constexpr Colour faint = {0.42, 0.42, 0.45};
constexpr std::uint32_t solid_pixel = 0xB4B6BA;
constexpr std::uint32_t not_a_number_pixel = 0xDADADA;

struct Layout {
  int width, height;              ///< of the picture, even [px]
  int field_width, field_height;  ///< [px]
  Point field;                    ///< its top left corner
  double pixels_per_metre;
};

int even(double x) {
  return 2 * static_cast<int>(std::ceil(0.5 * x));
}

Layout place(const FieldPicture& picture) {
  const double scale = longest_side / std::max(picture.columns, picture.rows);
  Layout layout{};
  layout.field_width = std::max(2, static_cast<int>(std::lround(scale * picture.columns)));
  layout.field_height = std::max(2, static_cast<int>(std::lround(scale * picture.rows)));
  const double inner = std::max(least_width, layout.field_width + bar_space);
  layout.width = even(inner + 2 * margin);
  layout.height = even(head + layout.field_height + foot);
  layout.field = {std::floor(margin + 0.5 * (inner - bar_space - layout.field_width)), head};
  layout.pixels_per_metre = scale / picture.cell_size;
  return layout;
}

std::uint32_t pixel_of(const Colour& colour) {
  const auto byte = [](double x) { return static_cast<std::uint32_t>(std::lround(255 * x)); };
  return byte(colour.red) << 16 | byte(colour.green) << 8 | byte(colour.blue);
}

/// Pixels for -1 ... 1.
const std::vector<std::uint32_t>& palette() {
  static const std::vector<std::uint32_t> pixels = [] {
    std::vector<std::uint32_t> all;
    for (int i = 0; i < colours; ++i) {
      all.push_back(pixel_of(signed_colour(2.0 * i / (colours - 1) - 1.0)));
    }
    return all;
  }();
  return pixels;
}

std::uint32_t pixel_at(double level) {
  const double at = (0.5 + 0.5 * std::clamp(level, -1.0, 1.0)) * (colours - 1);
  return palette()[static_cast<std::size_t>(std::lround(at))];
}

/// Unknown cells take the mean of known neighbours, ring after ring, so that nothing bleeds into
/// the known ones when values are interpolated.
std::vector<float> extended(const FieldPicture& picture) {
  std::vector<float> values = picture.values;
  std::vector<bool> unknown = picture.unknown;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) continue;
    values[i] = 0.0f;
    unknown[i] = true;
  }
  constexpr int rings = 2;
  for (int ring = 0; ring < rings; ++ring) {
    const std::vector<bool> before = unknown;
    for (int row = 0; row < picture.rows; ++row) {
      for (int column = 0; column < picture.columns; ++column) {
        const auto index = static_cast<std::size_t>(row * picture.columns + column);
        if (!before[index]) continue;
        double sum = 0, count = 0;
        for (int r = std::max(row - 1, 0); r <= std::min(row + 1, picture.rows - 1); ++r) {
          for (int c = std::max(column - 1, 0); c <= std::min(column + 1, picture.columns - 1);
               ++c) {
            const auto other = static_cast<std::size_t>(r * picture.columns + c);
            if (before[other]) continue;
            sum += static_cast<double>(values[other]);
            count += 1;
          }
        }
        if (count == 0) continue;
        values[index] = static_cast<float>(sum / count);
        unknown[index] = false;
      }
    }
  }
  return values;
}

/// Four values around a pixel and their weights (Catmull-Rom).
struct Taps {
  std::array<int, 4> at;
  std::array<double, 4> weight;
};

std::vector<Taps> taps_of(int pixels, int cells) {
  std::vector<Taps> all;
  for (int i = 0; i < pixels; ++i) {
    const double x = (i + 0.5) * cells / pixels - 0.5;
    const double below = std::floor(x), u = x - below;
    Taps taps{};
    for (int k = 0; k < 4; ++k) {
      const int cell = static_cast<int>(below) - 1 + k;
      taps.at[static_cast<std::size_t>(k)] = std::clamp(cell, 0, cells - 1);
    }
    taps.weight = {0.5 * u * (-1 + u * (2 - u)), 0.5 * (2 + u * u * (-5 + 3 * u)),
                   0.5 * u * (1 + u * (4 - 3 * u)), 0.5 * u * u * (u - 1)};
    all.push_back(taps);
  }
  return all;
}

/// Values at pixels, the first row at the bottom.
std::vector<double> enlarged(const FieldPicture& picture, int width, int height) {
  const std::vector<float> values = extended(picture);
  const std::vector<Taps> across = taps_of(width, picture.columns);
  const std::vector<Taps> up = taps_of(height, picture.rows);
  std::vector<double> wide(static_cast<std::size_t>(width * picture.rows));
  for (int row = 0; row < picture.rows; ++row) {
    for (int x = 0; x < width; ++x) {
      const Taps& taps = across[static_cast<std::size_t>(x)];
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        const auto index = static_cast<std::size_t>(row * picture.columns + taps.at[k]);
        sum += taps.weight[k] * static_cast<double>(values[index]);
      }
      wide[static_cast<std::size_t>(row * width + x)] = sum;
    }
  }
  std::vector<double> all(static_cast<std::size_t>(width * height));
  for (int y = 0; y < height; ++y) {
    const Taps& taps = up[static_cast<std::size_t>(y)];
    for (int x = 0; x < width; ++x) {
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        sum += taps.weight[k] * wide[static_cast<std::size_t>(taps.at[k] * width + x)];
      }
      all[static_cast<std::size_t>(y * width + x)] = sum;
    }
  }
  return all;
}

/// Fills the inside of a section: between the first and second, third and fourth, ... crossing of
/// each line of pixels.
void fill_solid(const Section& section, const Layout& layout, std::span<std::uint32_t> pixels) {
  const double scale = layout.pixels_per_metre;
  std::vector<std::vector<double>> crossings(static_cast<std::size_t>(layout.field_height));
  for (const Section::Segment& segment : section.segments) {
    Point a = {scale * segment.from.x, scale * segment.from.y};
    Point b = {scale * segment.to.x, scale * segment.to.y};
    if (a.y > b.y) std::swap(a, b);
    const double limit = layout.field_height;
    const int first = static_cast<int>(std::ceil(std::clamp(a.y - 0.5, 0.0, limit)));
    for (int y = first; y < layout.field_height && y + 0.5 < b.y; ++y) {
      const double along = (y + 0.5 - a.y) / (b.y - a.y);
      crossings[static_cast<std::size_t>(y)].push_back(a.x + along * (b.x - a.x));
    }
  }
  for (int y = 0; y < layout.field_height; ++y) {
    std::vector<double>& line = crossings[static_cast<std::size_t>(y)];
    std::ranges::sort(line);
    const int row = layout.field_height - 1 - y;
    for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
      const auto column = [&](double x) {
        return static_cast<int>(std::lround(std::clamp(x, 0.0, 1.0 * layout.field_width)));
      };
      for (int x = column(line[i]); x < column(line[i + 1]); ++x) {
        pixels[static_cast<std::size_t>(row * layout.field_width + x)] = solid_pixel;
      }
    }
  }
}

void draw_values(Canvas& canvas, const FieldPicture& picture, const Layout& layout) {
  const int width = layout.field_width, height = layout.field_height;
  const std::vector<double> values = enlarged(picture, width, height);
  std::vector<std::uint32_t> pixels(values.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int cell = y * picture.rows / height * picture.columns + x * picture.columns / width;
      pixels[static_cast<std::size_t>((height - 1 - y) * width + x)] =
          std::isnan(picture.values[static_cast<std::size_t>(cell)])
              ? not_a_number_pixel
              : pixel_at(values[static_cast<std::size_t>(y * width + x)] / picture.full);
    }
  }
  for (const Section& section : picture.sections) {
    if (section.is_solid) fill_solid(section, layout, pixels);
  }
  canvas.image(pixels, width, height, layout.field, width, height);
}

void draw_outlines(Canvas& canvas, const FieldPicture& picture, const Layout& layout) {
  const double bottom = layout.field.y + layout.field_height;
  const auto place = [&](const Point& p) {
    return Point{layout.field.x + layout.pixels_per_metre * p.x,
                 bottom - layout.pixels_per_metre * p.y};
  };
  canvas.clip(layout.field, layout.field_width, layout.field_height);
  for (const Section& section : picture.sections) {
    for (const Section::Segment& segment : section.segments) {
      const std::array<Point, 2> line = {place(segment.from), place(segment.to)};
      canvas.polyline(line, field_ink, 1.6);
    }
  }
  canvas.unclip();
  canvas.outline({layout.field.x - 0.5, layout.field.y - 0.5}, layout.field_width + 1.0,
                 layout.field_height + 1.0, faint, 1.0);
}

void draw_colour_bar(Canvas& canvas, const FieldPicture& picture, const Layout& layout) {
  const double left = layout.field.x + layout.field_width + 18;
  const int height = std::min(layout.field_height, 360);
  const double top = layout.field.y + 0.5 * (layout.field_height - height);
  std::vector<std::uint32_t> pixels;
  for (int y = 0; y < height; ++y) pixels.push_back(pixel_at(1.0 - 2.0 * (y + 0.5) / height));
  canvas.image(pixels, 1, height, {left, top}, bar_width, height);
  canvas.outline({left - 0.5, top - 0.5}, bar_width + 1, height + 1.0, faint, 1.0);
  for (const double level : {1.0, 0.5, 0.0, -0.5, -1.0}) {
    const double y = top + 0.5 * (1.0 - level) * height;
    const std::string sign = level < 0 ? "\u2212" : level > 0 ? "+" : "";
    const std::string label = fmt::format("{}{:.3g}", sign, std::abs(level) * picture.full);
    const std::array<Point, 2> tick = {Point{left + bar_width, y}, Point{left + bar_width + 5, y}};
    canvas.polyline(tick, faint, 1.0);
    canvas.text({left + bar_width + 9, y},
                std::abs(level) == 1.0 ? label + " " + picture.unit : label,
                {.size = 13, .align_y = 0.5, .colour = field_ink});
  }
}

/// The longest of 1, 2 or 5 times a power of ten [m] that fits.
double round_length(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  const double rest = most / power;
  return power * (rest >= 5 ? 5 : rest >= 2 ? 2 : 1);
}

std::string length_text(double metres) {
  if (metres >= 1.0) return fmt::format("{:.3g} m", metres);
  return metres >= 0.01 ? fmt::format("{:.3g} cm", 100 * metres)
                        : fmt::format("{:.3g} mm", 1000 * metres);
}

void draw_foot(Canvas& canvas, const FieldPicture& picture, const Layout& layout) {
  const double length = round_length(0.3 * layout.field_width / layout.pixels_per_metre);
  const double pixels = length * layout.pixels_per_metre;
  const double x = layout.field.x, y = layout.field.y + layout.field_height + 22;
  canvas.fill({x, y - 2}, pixels, 4, field_ink);
  canvas.text({x + pixels + 9, y}, length_text(length),
              {.size = 13, .align_y = 0.5, .colour = field_ink});
  canvas.text({x + layout.field_width, y}, picture.directions,
              {.size = 13, .align_x = 1, .align_y = 0.5, .colour = faint});
}

}  // namespace

std::string draw_field(const FieldPicture& picture) {
  const Layout layout = place(picture);
  Canvas canvas(layout.width, layout.height);
  canvas.text({margin, 32}, picture.heading, {.size = 20, .bold = true, .colour = field_ink});
  canvas.text({margin, 54}, picture.subheading, {.size = 13, .colour = faint});
  draw_values(canvas, picture, layout);
  draw_outlines(canvas, picture, layout);
  draw_colour_bar(canvas, picture, layout);
  draw_foot(canvas, picture, layout);
  return canvas.png();
}

}  // namespace peal::plot
