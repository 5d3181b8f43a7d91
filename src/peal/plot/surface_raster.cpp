#include <peal/plot/surface_raster.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace peal::plot {

namespace {

using geometry::Mat3;
using geometry::Vec3;

constexpr double crease = 40.0 * std::numbers::pi / 180.0;
constexpr double elevation = 32.0 * std::numbers::pi / 180.0;  ///< of the viewer
constexpr double aside = 28.0 * std::numbers::pi / 180.0;      ///< from the broad side
constexpr float nothing_drawn = -std::numeric_limits<float>::infinity();

Vec3 face_vector(std::span<const Vec3> positions, const geometry::Triangle& corners) {
  return (positions[corners[1]] - positions[corners[0]])
      .cross(positions[corners[2]] - positions[corners[0]]);
}

/// Rows are right, up and towards the viewer.
Mat3 view_turn(const geometry::Box& box) {
  const bool broad_along_x = box.sizes().x() >= box.sizes().z();
  const double azimuth = broad_along_x ? aside : 0.5 * std::numbers::pi - aside;
  const Vec3 near(std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                  std::cos(azimuth) * std::cos(elevation));
  const Vec3 right = Vec3::UnitY().cross(near).normalized();
  Mat3 turn;
  turn << right.transpose(), near.cross(right).transpose(), near.transpose();
  return turn;
}

geometry::Box bounds_of(std::span<const Vec3> points) {
  geometry::Box box;
  for (const Vec3& point : points) box.extend(point);
  return box;
}

geometry::Box turned_bounds(std::span<const Vec3> points, const Mat3& turn) {
  geometry::Box box;
  for (const Vec3& point : points) box.extend(turn * point);
  return box;
}

std::uint32_t shaded_pixel(const Colour& colour, double light) {
  const auto byte = [&](double x) {
    return static_cast<std::uint32_t>(std::lround(255.0 * std::clamp(x * light, 0.0, 1.0)));
  };
  return byte(colour.red) << 16 | byte(colour.green) << 8 | byte(colour.blue);
}

}  // namespace

AtCorners<Vec3> corner_normals(const geometry::TriMesh& mesh, std::span<const Vec3> positions) {
  std::vector<std::vector<std::uint32_t>> faces(positions.size());
  std::vector<Vec3> vectors;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    vectors.push_back(face_vector(positions, mesh.triangles[t]));
    for (const std::uint32_t v : mesh.triangles[t]) faces[v].push_back(t);
  }
  AtCorners<Vec3> normals(mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3 sum = Vec3::Zero();
      for (const std::uint32_t other : faces[mesh.triangles[t][k]]) {
        const double sizes = vectors[t].norm() * vectors[other].norm();
        if (vectors[t].dot(vectors[other]) > std::cos(crease) * sizes) sum += vectors[other];
      }
      normals[t][k] = sum.normalized();
    }
  }
  return normals;
}

SurfaceRaster::SurfaceRaster(std::span<const Vec3> points, double reach, int width, int height)
    : width_(fine * width),
      height_(fine * height),
      turn_(view_turn(bounds_of(points))),
      size_(bounds_of(points).diagonal().norm()),
      depth_(static_cast<std::size_t>(width_ * height_), nothing_drawn),
      pixels_(depth_.size(), 0xFFFFFF) {
  const geometry::Box box = turned_bounds(points, turn_);
  centre_ = box.center();
  const Vec3 room = box.sizes().array() + 2.0 * reach;
  scale_ = std::min((width_ - 2.0) / room.x(), (height_ - 2.0) / room.y());
}

double SurfaceRaster::aspect(std::span<const Vec3> points, double reach) {
  const Vec3 room =
      turned_bounds(points, view_turn(bounds_of(points))).sizes().array() + 2.0 * reach;
  return room.y() / room.x();
}

Vec3 SurfaceRaster::seen(const Vec3& point) const {
  const Vec3 turned = turn_ * point - centre_;
  return {0.5 * width_ + scale_ * turned.x(), 0.5 * height_ - scale_ * turned.y(), turned.z()};
}

/// Pixels whose centres lie in the triangle. Both of two triangles may take a pixel on their edge.
void SurfaceRaster::cover(const std::array<Vec3, 3>& corners,
                          const std::function<void(const Covered&)>& use) const {
  const Vec3 &a = corners[0], &b = corners[1], &c = corners[2];
  const double area = (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
  if (area == 0.0) return;
  const auto lowest = [](double x, double y, double z) { return std::min({x, y, z}); };
  const auto highest = [](double x, double y, double z) { return std::max({x, y, z}); };
  const int left = std::max(0, static_cast<int>(lowest(a.x(), b.x(), c.x()) - 0.5));
  const int right = std::min(width_ - 1, static_cast<int>(highest(a.x(), b.x(), c.x()) + 0.5));
  const int top = std::max(0, static_cast<int>(lowest(a.y(), b.y(), c.y()) - 0.5));
  const int bottom = std::min(height_ - 1, static_cast<int>(highest(a.y(), b.y(), c.y()) + 0.5));
  for (int row = top; row <= bottom; ++row) {
    for (int column = left; column <= right; ++column) {
      const double x = column + 0.5, y = row + 0.5;
      const double v = ((x - a.x()) * (c.y() - a.y()) - (y - a.y()) * (c.x() - a.x())) / area;
      const double w = ((b.x() - a.x()) * (y - a.y()) - (b.y() - a.y()) * (x - a.x())) / area;
      if (v < 0.0 || w < 0.0 || v + w > 1.0) continue;
      use({row * width_ + column,
           a.z() + v * (b.z() - a.z()) + w * (c.z() - a.z()),
           {1.0 - v - w, v, w}});
    }
  }
}

void SurfaceRaster::draw(const geometry::TriMesh& mesh, std::span<const Vec3> positions,
                         const AtCorners<double>& values,
                         const std::function<Colour(double)>& colour) {
  std::vector<Colour> table;
  constexpr int colours_in_table = 512;
  for (int i = 0; i < colours_in_table; ++i)
    table.push_back(colour(static_cast<double>(i) / (colours_in_table - 1)));
  const AtCorners<Vec3> normals = corner_normals(mesh, positions);
  const Vec3 lamp = turn_.transpose() * Vec3(-0.4, 0.6, 0.7).normalized();
  const Vec3 viewer = turn_.row(2).transpose();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<Vec3, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = seen(positions[mesh.triangles[t][k]]);
    cover(corners, [&](const Covered& pixel) {
      const auto at = static_cast<std::size_t>(pixel.at);
      if (static_cast<float>(pixel.depth) <= depth_[at]) return;
      depth_[at] = static_cast<float>(pixel.depth);
      Vec3 normal = Vec3::Zero();
      double value = 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double weight = pixel.barycentrics[static_cast<Eigen::Index>(k)];
        normal += weight * normals[t][k];
        value += weight * values[t][k];
      }
      normal.normalize();
      if (normal.dot(viewer) < 0.0) normal = -normal;
      const double light = 0.68 + 0.34 * std::max(0.0, normal.dot(lamp));
      pixels_[at] = shaded_pixel(table[static_cast<std::size_t>(std::lround(
                                     std::clamp(value, 0.0, 1.0) * (colours_in_table - 1)))],
                                 light);
    });
  }
}

void SurfaceRaster::draw(const geometry::TriMesh& mesh, std::span<const Vec3> positions,
                         const Colour& colour) {
  draw(mesh, positions, AtCorners<double>(mesh.triangles.size()), [&](double) { return colour; });
}

void SurfaceRaster::draw_shadow(const geometry::TriMesh& mesh, std::span<const Vec3> positions,
                                const Colour& tint) {
  const std::uint32_t pixel_of_tint = shaded_pixel(tint, 1.0);
  for (const geometry::Triangle& triangle : mesh.triangles) {
    std::array<Vec3, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = seen(positions[triangle[k]]);
    cover(corners, [&](const Covered& pixel) {
      const auto at = static_cast<std::size_t>(pixel.at);
      if (depth_[at] == nothing_drawn) pixels_[at] = pixel_of_tint;
    });
  }
}

Point SurfaceRaster::place(const Vec3& point) const {
  const Vec3 at = seen(point) / fine;
  return {at.x(), at.y()};
}

bool SurfaceRaster::sees(const Vec3& point) const {
  const Vec3 at = seen(point);
  const int column = static_cast<int>(at.x()), row = static_cast<int>(at.y());
  if (column < 0 || column >= width_ || row < 0 || row >= height_) return false;
  const float before = depth_[static_cast<std::size_t>(row * width_ + column)];
  return static_cast<double>(before) <= at.z() + 0.01 * size_;
}

void SurfaceRaster::put(Canvas& canvas, Point top_left) const {
  canvas.image(pixels_, width_, height_, top_left, static_cast<double>(width_) / fine,
               static_cast<double>(height_) / fine);
}

}  // namespace peal::plot
