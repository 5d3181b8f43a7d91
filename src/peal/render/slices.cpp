#include <peal/render/numbered_files.h>
#include <peal/render/slices.h>
#include <peal/render/vti.h>
#include <peal/util/files.h>
#include <peal/util/parallel.h>
#include <peal/wave/boundary/body_shape.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

namespace peal::render {

namespace {

using base::PressureSlice;
using geometry::Vec3;

constexpr const char* axis_names = "xyz";

/// View of a slice in a picture: seen against its axis, with y up; from above where y is the axis.
struct SliceView {
  int right, up;               ///< axes
  bool right_flips, up_flips;  ///< the axis points the other way
  const char* directions;
};

SliceView view_across(int axis) {
  if (axis == 0) return {2, 1, true, false, "\u2190 z   \u2191 y"};
  if (axis == 1) return {0, 2, false, true, "\u2192 x   \u2193 z"};
  return {0, 1, false, false, "\u2192 x   \u2191 y"};
}

/// A slice's place in its picture.
class Placing {
 public:
  explicit Placing(const PressureSlice& slice)
      : slice_(slice), view_(view_across(slice.axis)), axes_(slice.plane_axes(slice.axis)) {}

  const SliceView& view() const { return view_; }
  int columns() const { return cells(view_.right); }
  int rows() const { return cells(view_.up); }

  /// Index in the slice's values.
  std::size_t index(int column, int row) const {
    const int a = view_.right_flips ? columns() - 1 - column : column;
    const int b = view_.up_flips ? rows() - 1 - row : row;
    const int u = view_.right == axes_[0] ? a : b, v = view_.right == axes_[0] ? b : a;
    return static_cast<std::size_t>(v) * static_cast<std::size_t>(slice_.width) +
           static_cast<std::size_t>(u);
  }

  /// Position relative to the lower left corner of the picture [m].
  plot::Point point(const Vec3& position) const {
    return {along(position, view_.right, view_.right_flips, columns()),
            along(position, view_.up, view_.up_flips, rows())};
  }

 private:
  int cells(int axis) const { return axis == axes_[0] ? slice_.width : slice_.height; }
  double along(const Vec3& position, int axis, bool flips, int count) const {
    const double x = position[axis] - slice_.origin[axis];
    return flips ? count * slice_.cell_size - x : x;
  }

  const PressureSlice& slice_;
  SliceView view_;
  std::array<int, 2> axes_;
};

/// Cross section of the triangles with the slice's plane.
plot::Section section_of(const std::vector<Vec3>& vertices,
                         const std::vector<geometry::Triangle>& triangles, bool is_sheet,
                         const PressureSlice& slice) {
  const Placing placing(slice);
  plot::Section section{.is_solid = !is_sheet};
  const auto height = [&](std::uint32_t v) { return vertices[v][slice.axis] - slice.position(); };
  for (const geometry::Triangle& triangle : triangles) {
    std::vector<plot::Point> ends;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto a = triangle[i], b = triangle[(i + 1) % 3];
      const double ha = height(a), hb = height(b);
      if ((ha < 0) == (hb < 0)) continue;
      ends.push_back(placing.point(vertices[a] + ha / (ha - hb) * (vertices[b] - vertices[a])));
    }
    if (ends.size() == 2) section.segments.push_back({ends[0], ends[1]});
  }
  return section;
}

/// Absolute pressure that 99 % of the cells with air do not exceed [Pa].
double strong_pressure(const PressureSlice& slice) {
  std::vector<float> air;
  for (std::size_t i = 0; i < slice.values.size(); ++i) {
    if ((*slice.solid)[i] >= 0.5f || std::isnan(slice.values[i])) continue;
    air.push_back(std::abs(slice.values[i]));
  }
  if (air.empty()) return 0.0;
  const auto at = air.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(air.size()));
  std::nth_element(air.begin(), at, air.end());
  return static_cast<double>(*at);
}

/// The next of a few round numbers; 1 for silence.
double rounded_up(double value) {
  if (value <= 0.0) return 1.0;
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : {1.0, 1.2, 1.6, 2.0, 3.0, 4.0, 6.0, 8.0}) {
    if (step * power >= value) return step * power;
  }
  return 10.0 * power;
}

plot::FieldPicture picture_of(const Slices& slices, std::size_t frame, const std::string& title) {
  const PressureSlice& slice = slices.frames[frame];
  const Placing placing(slice);
  plot::FieldPicture picture{.columns = placing.columns(),
                             .rows = placing.rows(),
                             .cell_size = slice.cell_size,
                             .full = slices.full,
                             .unit = "Pa",
                             .directions = placing.view().directions,
                             .sections = sections_at(slices.world, slice)};
  picture.heading = fmt::format("{:.3f} ms", 1e3 * slice.time);
  picture.subheading = fmt::format("pressure at {} = {:.4g} m,  {}", axis_names[slice.axis],
                                   slice.position(), title);
  for (int row = 0; row < picture.rows; ++row) {
    for (int column = 0; column < picture.columns; ++column) {
      const std::size_t index = placing.index(column, row);
      picture.values.push_back(slice.values[index]);
      picture.unknown.push_back((*slice.solid)[index] > 0.999f);
    }
  }
  return picture;
}

NumberedFiles slice_grids() {
  return {"slice-", ".vti"};
}

}  // namespace

std::vector<plot::Section> sections_at(const base::World& world, const PressureSlice& slice) {
  std::vector<plot::Section> sections;
  std::vector<Vec3> vertices;
  for (const base::Body& body : world.bodies) {
    const wave::BodyShape shape(body, {});
    shape.vertices(slice.time, vertices);
    sections.push_back(
        section_of(vertices, shape.mesh(slice.time)->triangles, body.is_sheet, slice));
  }
  return sections;
}

Slices make_slices(std::vector<PressureSlice> frames, double rate, base::World world) {
  Slices slices{.rate = rate, .frames = std::move(frames), .world = std::move(world)};
  double strongest = 0.0;
  for (const PressureSlice& slice : slices.frames) {
    strongest = std::max(strongest, strong_pressure(slice));
  }
  slices.full = rounded_up(strongest);
  return slices;
}

void remove_slices(const std::filesystem::path& folder) {
  movie_frames().remove_from(folder / slices_name);
  slice_grids().remove_from(folder / slices_name);
}

void write_slices(const std::filesystem::path& folder, const Slices& slices,
                  const std::string& title, util::Progress& progress) {
  std::mutex mutex;
  double done = 0.0;
  const auto count = static_cast<double>(slices.frames.size());
  progress.begin("draw slices", 0.0);
  util::parallel_for(static_cast<std::int64_t>(slices.frames.size()), [&](std::int64_t frame) {
    const auto i = static_cast<std::size_t>(frame);
    util::write_file(folder / slices_name / movie_frames().name(i),
                     plot::draw_field(picture_of(slices, i, title)));
    util::write_file(folder / slices_name / slice_grids().name(i), vti(slices.frames[i]));
    const std::lock_guard lock(mutex);
    done += 1.0;
    progress.update(done / count);
  });
  progress.end();
}

}  // namespace peal::render
