#include <peal/geometry/mesh/surface_query.h>
#include <peal/simulate/keyed_motions.h>
#include <peal/simulate/surface_grip.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::simulate {

using geometry::Vec3;

namespace {

constexpr double longest_gap = 1.0 / 30.0;  ///< between keys [s]
constexpr double shortest_gap = 1e-3;       ///< keys of several tracks may almost coincide [s]

/// A place near a triangle: along two of its edges and its normal.
struct Fastening {
  geometry::Triangle triangle;
  Vec3 place;  ///< in edges, in edges, and in metres

  static geometry::Mat3 axes(const geometry::Triangle& triangle, std::span<const Vec3> vertices) {
    const Vec3 a = vertices[triangle[1]] - vertices[triangle[0]],
               b = vertices[triangle[2]] - vertices[triangle[0]];
    geometry::Mat3 axes;
    axes << a, b, a.cross(b).normalized();
    return axes;
  }
  Vec3 at(std::span<const Vec3> vertices) const {
    return vertices[triangle[0]] + axes(triangle, vertices) * place;
  }
};

/// Cubic splines of many points through the same times, with continuous acceleration. They start at
/// rest and end without acceleration.
class PointSplines {
 public:
  /// `values` has the points of each time in turn.
  PointSplines(std::vector<double> times, std::vector<Vec3> values)
      : times_(std::move(times)), values_(std::move(values)), bend_(values_.size(), Vec3::Zero()) {
    const std::size_t n = times_.size(), m = values_.size() / n;
    std::vector<double> factor(n, 0.0);
    // Thomas' algorithm for the second derivatives.
    for (std::size_t k = 0; k + 1 < n; ++k) {
      const double after = times_[k + 1] - times_[k];
      const double before = k > 0 ? times_[k] - times_[k - 1] : 0.0;
      const double pivot = 2.0 * (before + after) - (k > 0 ? before * factor[k - 1] : 0.0);
      factor[k] = after / pivot;
      for (std::size_t i = 0; i < m; ++i) {
        const Vec3 slope = (value(k + 1, i) - value(k, i)) / after;
        const Vec3 last =
            k > 0 ? Vec3((value(k, i) - value(k - 1, i)) / before) : Vec3(Vec3::Zero());
        const Vec3 carried = k > 0 ? Vec3(before * bend_[(k - 1) * m + i]) : Vec3(Vec3::Zero());
        bend_[k * m + i] = (6.0 * (slope - last) - carried) / pivot;
      }
    }
    for (std::size_t k = n - 1; k-- > 0;) {
      for (std::size_t i = 0; i < m; ++i) bend_[k * m + i] -= factor[k] * bend_[(k + 1) * m + i];
    }
  }

  void at(double t, std::span<Vec3> points) const {
    const auto later = std::ranges::upper_bound(times_, t);
    const auto k = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(
        later - times_.begin() - 1, 0, static_cast<std::ptrdiff_t>(times_.size()) - 2));
    const double h = times_[k + 1] - times_[k];
    const double b = std::clamp((t - times_[k]) / h, 0.0, 1.0), a = 1.0 - b;
    const double c = (a * a * a - a) * h * h / 6.0, d = (b * b * b - b) * h * h / 6.0;
    const std::size_t m = points.size(), from = k * m, to = from + m;
    for (std::size_t i = 0; i < m; ++i) {
      points[i] =
          a * values_[from + i] + b * values_[to + i] + c * bend_[from + i] + d * bend_[to + i];
    }
  }

 private:
  const Vec3& value(std::size_t k, std::size_t i) const {
    return values_[k * (values_.size() / times_.size()) + i];
  }

  std::vector<double> times_;
  std::vector<Vec3> values_, bend_;  ///< by time and point [m], [m/s^2]
};

}  // namespace

AnimatedSurface::AnimatedSurface(const scene::Object& object,
                                 std::shared_ptr<const base::Motion> motion)
    : object_(object), motion_(std::move(motion)) {
  const KeyedShape shape = keyed_shape(object);
  if (shape.sequence) {
    throw util::InputError(
        {"", object.location},
        fmt::format("nothing can be fastened to \"{}\", whose triangles change", object.name),
        "Give a mesh sequence whose frames have the same triangles.");
  }
  deformation_ = shape.deformation;
}

std::vector<Vec3> AnimatedSurface::vertices(double t) const {
  std::vector<Vec3> all = object_.mesh->vertices;
  if (deformation_) deformation_->vertices(t, all);
  const base::Pose pose = motion_->pose(t);
  for (Vec3& v : all) v = pose.to_world(v);
  return all;
}

std::vector<double> AnimatedSurface::times(double end) const {
  std::vector<double> keys(motion_->kinks().begin(), motion_->kinks().end());
  if (const auto* sequence = object_.mesh_sequence())
    keys.insert(keys.end(), sequence->times.begin(), sequence->times.end());
  if (const auto* morphed = object_.morphed()) {
    const std::vector<double> more = scene::key_times(*morphed->targets);
    keys.insert(keys.end(), more.begin(), more.end());
  }
  std::erase_if(keys, [&](double t) { return t <= 0.0 || t >= end; });
  keys.push_back(end);
  std::ranges::sort(keys);
  std::vector<double> times = {0.0};
  for (const double key : keys) {
    const double from = times.back();
    if (key - from < shortest_gap && key != end) continue;
    const int parts = std::max(1, static_cast<int>(std::ceil((key - from) / longest_gap - 1e-6)));
    for (int i = 1; i <= parts; ++i) times.push_back(from + (key - from) * i / parts);
  }
  return times;
}

elastic::GripMotion fastened_to(const AnimatedSurface& surface, std::span<const Vec3> points,
                                double end, util::Fingerprint& fingerprint) {
  const geometry::SurfaceQuery start(
      geometry::TriMesh{.vertices = surface.vertices(0.0), .triangles = surface.triangles()});
  std::vector<Fastening> fastened;
  for (const Vec3& point : points) {
    const geometry::Triangle& triangle = surface.triangles()[start.closest_point(point).triangle];
    const std::vector<Vec3>& vertices = start.mesh().vertices;
    fastened.push_back(
        {triangle,
         Fastening::axes(triangle, vertices).partialPivLu().solve(point - vertices[triangle[0]])});
  }
  std::vector<double> times = surface.times(end);
  std::vector<Vec3> values;
  for (const double t : times) {
    const std::vector<Vec3> vertices = surface.vertices(t);
    for (const Fastening& one : fastened) values.push_back(one.at(vertices));
  }
  fingerprint.add(std::span<const double>(times));
  for (const Vec3& value : values) fingerprint.add(std::span<const double>(value.data(), 3));
  const auto splines = std::make_shared<const PointSplines>(std::move(times), std::move(values));
  return [splines](double t, std::span<Vec3> moved) { splines->at(t, moved); };
}

}  // namespace peal::simulate
