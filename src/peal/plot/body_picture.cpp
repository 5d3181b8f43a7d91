#include <peal/plot/axis.h>
#include <peal/plot/body_picture.h>
#include <peal/plot/surface_raster.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace peal::plot {

namespace {

using geometry::Vec3;

constexpr std::size_t most_modes = 12;
constexpr int panel_width = 360, lowest_panel = 110, highest_panel = 330;  ///< of a mode [px]
constexpr double panel_label = 44;  ///< height of the words under it [px]
constexpr double page_margin = 24, page_head = 76, page_foot = 56;  ///< [px]
constexpr double bending = 0.07;  ///< largest displacement drawn, in diagonals of the body
constexpr Colour body_ink = {0.13, 0.13, 0.15}, body_faint = {0.42, 0.42, 0.45};
constexpr Colour rest_tint = {0.90, 0.90, 0.91};

void draw_heading(Canvas& canvas, const BodyHeading& heading) {
  canvas.text({page_margin, 36}, heading.title, {.size = 22, .bold = true, .colour = body_ink});
  canvas.text({page_margin, 60}, heading.subtitle, {.size = 14, .colour = body_faint});
}

/// A bar of colours with words at both ends.
void draw_scale(Canvas& canvas, Point left, double length, const std::string& low,
                const std::string& high, const std::function<Colour(double)>& colour) {
  const TextStyle style{.size = 13, .align_y = 0.5, .colour = body_faint};
  canvas.text(left, low, style);
  const double start = left.x + canvas.text_width(low, style) + 10;
  constexpr int steps = 128;
  std::vector<std::uint32_t> pixels;
  for (int i = 0; i < steps; ++i) {
    const Colour c = colour(static_cast<double>(i) / (steps - 1));
    const auto byte = [](double x) { return static_cast<std::uint32_t>(std::lround(255 * x)); };
    pixels.push_back(byte(c.red) << 16 | byte(c.green) << 8 | byte(c.blue));
  }
  canvas.image(pixels, steps, 1, {start, left.y - 7}, length, 14);
  canvas.text({start + length + 10, left.y}, high, style);
}

/// Inward at 0, outward at 1.
Colour in_or_out(double x) {
  return signed_colour(2.0 * x - 1.0);
}

std::string decay_text(const base::Mode& mode) {
  if (mode.decay_rate <= 0.0) return "never decays";
  return "decays in " + si_text(1.0 / mode.decay_rate, 3, "s");
}

void draw_mode(Canvas& canvas, const base::ModalModel& model, std::size_t number,
               const AtCorners<Vec3>& normals, Point corner, int panel_height) {
  const geometry::TriMesh& surface = model.surface;
  const auto column = model.shapes.col(static_cast<Eigen::Index>(number));
  const auto moved = [&](std::uint32_t v) -> Vec3 {
    return column.segment<3>(3 * static_cast<Eigen::Index>(v)).cast<double>();
  };
  double largest = 0.0;
  for (std::uint32_t v = 0; v < surface.vertices.size(); ++v)
    largest = std::max(largest, moved(v).norm());
  if (largest == 0.0) largest = 1.0;

  const double reach = bending * geometry::bounds(surface).diagonal().norm();
  std::vector<Vec3> positions = surface.vertices;
  for (std::uint32_t v = 0; v < positions.size(); ++v) positions[v] += reach / largest * moved(v);
  AtCorners<double> values(surface.triangles.size());
  for (std::size_t t = 0; t < values.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k)
      values[t][k] = 0.5 + 0.5 * normals[t][k].dot(moved(surface.triangles[t][k])) / largest;
  }
  SurfaceRaster raster(surface.vertices, reach, panel_width - 24, panel_height - 16);
  raster.draw(surface, positions, values, in_or_out);
  raster.draw_shadow(surface, surface.vertices, rest_tint);
  raster.put(canvas, {corner.x + 12, corner.y + 8});

  const base::Mode& mode = model.modes[number];
  const double middle = corner.x + 0.5 * panel_width;
  canvas.text({middle, corner.y + panel_height + 12},
              fmt::format("{}   {}", number + 1, frequency_text(mode.frequency)),
              {.size = 17, .align_x = 0.5, .bold = true, .colour = body_ink});
  canvas.text({middle, corner.y + panel_height + 31}, decay_text(mode),
              {.size = 13, .align_x = 0.5, .colour = body_faint});
}

}  // namespace

std::string draw_modes(const base::ModalModel& model, const BodyHeading& heading) {
  const std::size_t count = std::min(most_modes, model.modes.size());
  const std::size_t columns = count <= 3 ? count : count <= 4 ? 2 : count <= 9 ? 3 : 4;
  const std::size_t rows = (count + columns - 1) / columns;
  const double reach = bending * geometry::bounds(model.surface).diagonal().norm();
  const int panel_height = std::clamp(
      static_cast<int>(panel_width * SurfaceRaster::aspect(model.surface.vertices, reach)),
      lowest_panel, highest_panel);
  const double step = panel_height + panel_label;
  const int width =
      std::max(720, static_cast<int>(2 * page_margin) + panel_width * static_cast<int>(columns));
  const int height = static_cast<int>(page_head + step * static_cast<double>(rows) + page_foot);
  Canvas canvas(width, height);
  canvas.fill({0, 0}, width, height, {1, 1, 1});
  draw_heading(canvas, heading);
  const AtCorners<Vec3> normals = corner_normals(model.surface, model.surface.vertices);
  const double left = 0.5 * (width - panel_width * static_cast<double>(columns));
  for (std::size_t i = 0; i < count; ++i) {
    draw_mode(canvas, model, i, normals,
              {left + panel_width * static_cast<double>(i % columns),
               page_head + step * static_cast<double>(i / columns)},
              panel_height);
  }
  draw_scale(canvas, {page_margin, height - 26.0}, 160, "inward", "outward along the normal",
             in_or_out);
  canvas.text({width - page_margin, height - 26.0}, "grey: at rest; displacements are exaggerated",
              {.size = 13, .align_x = 1, .align_y = 0.5, .colour = body_faint});
  return canvas.png();
}

std::string draw_map(const geometry::TriMesh& surface, const BodyMap& map,
                     const BodyHeading& heading) {
  constexpr int wide = 960, high = 680;
  constexpr int width = wide + 2 * static_cast<int>(page_margin);
  constexpr int height = high + static_cast<int>(page_head + page_foot);
  Canvas canvas(width, height);
  canvas.fill({0, 0}, width, height, {1, 1, 1});
  draw_heading(canvas, heading);
  const auto [lowest, highest] = std::ranges::minmax(map.values);
  const double range = highest > lowest ? highest - lowest : 1.0;
  // The lightest and darkest tints are left to the paper and the dots.
  const auto tint = [](double x) { return level_colour(0.25 + 0.65 * x); };
  AtCorners<double> values(surface.triangles.size());
  for (std::size_t t = 0; t < values.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k)
      values[t][k] = (map.values[surface.triangles[t][k]] - lowest) / range;
  }
  SurfaceRaster raster(surface.vertices, 0.02 * geometry::bounds(surface).diagonal().norm(), wide,
                       high);
  raster.draw(surface, surface.vertices, values, tint);
  raster.put(canvas, {page_margin, page_head});
  for (const std::uint32_t dot : map.dots) {
    if (!raster.sees(surface.vertices[dot])) continue;
    const Point at = raster.place(surface.vertices[dot]);
    canvas.disc({page_margin + at.x, page_head + at.y}, 4.2, {1, 1, 1});
    canvas.disc({page_margin + at.x, page_head + at.y}, 3.0, {0.05, 0.25, 0.55});
  }
  draw_scale(canvas, {page_margin, height - 26.0}, 180, map.label + "   " + si_text(lowest, 3),
             si_text(highest, 3), tint);
  canvas.text({width - page_margin, height - 26.0},
              fmt::format("dots: the {} points of the map, where they are seen", map.dots.size()),
              {.size = 13, .align_x = 1, .align_y = 0.5, .colour = body_faint});
  return canvas.png();
}

}  // namespace peal::plot
