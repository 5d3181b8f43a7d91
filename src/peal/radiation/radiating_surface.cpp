#include <peal/radiation/added_mass.h>
#include <peal/radiation/radiating_surface.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace peal::radiation {

namespace {

using base::Vec3;

constexpr double instant_step = 1e-5;  ///< half width of a velocity difference [s]
constexpr double shape_look = 0.01;    ///< interval at which the extent of a shape is sampled [s]

double radius_of(const base::Body& body) {
  const double sides = body.is_sheet ? 2.0 : 1.0;
  return std::sqrt(sides * geometry::surface_area(body.mesh) / (4.0 * std::numbers::pi));
}

std::vector<RadiatingSurface::TriangleSamples> samples_by_triangle(const SurfaceSamples& samples,
                                                                   std::size_t triangles) {
  std::vector<RadiatingSurface::TriangleSamples> faces(triangles);
  for (std::uint32_t i = 0; i < samples.points.size(); ++i) {
    RadiatingSurface::TriangleSamples& face = faces[samples.points[i].triangle];
    if (face.end == 0) face.begin = i;
    face.end = i + 1;
  }
  return faces;
}

}  // namespace

RadiatingSurface::RadiatingSurface(const base::Body& body, double wavelength, bool has_patches)
    : body_(body),
      bounds_(geometry::bounds(body.mesh)),
      samples_(sample_surface(body.mesh, wavelength)),
      triangle_samples_(samples_by_triangle(samples_, body.mesh.triangles.size())),
      all_triangles_(triangle_samples_.size()),
      radius_(radius_of(body)) {
  std::iota(all_triangles_.begin(), all_triangles_.end(), 0u);
  for (const double length : radiation::added_mass_lengths(samples_))
    added_mass_lengths_.push_back(static_cast<float>(length));
  added_mass_lengths_.resize(Coordinates::padded(sample_points()));
  barycentric_.resize(sample_points());
  for (std::size_t i = 0; i < sample_points(); ++i)
    barycentric_.set(i, samples_.points[i].barycentric);
  if (has_patches) take_patches();
}

void RadiatingSurface::take_patches() {
  patches_.emplace(body_.mesh);
  for (std::size_t patch = 0; patch < patches_->size(); ++patch) {
    first_patch_sample_.push_back(static_cast<std::uint32_t>(patch_samples_.size()));
    for (const SurfacePatches::Corner& corner : patches_->around(patch)) {
      const TriangleSamples& face = triangle_samples_[corner.triangle];
      for (std::uint32_t i = face.begin; i < face.end; ++i)
        patch_samples_.push_back({i, 3 * corner.triangle + corner.number,
                                  static_cast<float>(barycentric_.of[corner.number][i])});
    }
  }
  first_patch_sample_.push_back(static_cast<std::uint32_t>(patch_samples_.size()));
}

std::vector<std::uint32_t> RadiatingSurface::channels_of(
    std::span<const std::uint32_t> faces) const {
  std::vector<char> is_among(patches_ ? patches_->size() : sample_points());
  for (const std::uint32_t number : faces) {
    const TriangleSamples& face = triangle_samples_[number];
    if (!patches_) std::fill(is_among.begin() + face.begin, is_among.begin() + face.end, char{1});
    for (std::size_t k = 0; k < 3 && patches_; ++k) is_among[patches_->corners(number)[k]] = 1;
  }
  std::vector<std::uint32_t> channels;
  for (std::uint32_t c = 0; c < is_among.size(); ++c) {
    if (is_among[c] != 0) channels.push_back(c);
  }
  return channels;
}

void RadiatingSurface::take_shape(double t) {
  if (!body_.deformation) return;
  shape_at(t, shape_);
  move_to(samples_, body_.mesh, shape_);
}

/// Computes the vertices in the body's frame.
void RadiatingSurface::shape_at(double t, std::vector<Vec3>& vertices) const {
  if (!body_.deformation) {
    vertices = body_.mesh.vertices;
    return;
  }
  vertices.resize(body_.mesh.vertices.size());
  body_.deformation->vertices(t, vertices);
}

Vec3 RadiatingSurface::middle(double t) {
  const base::Pose pose = body_.motion->pose(t);
  if (!body_.deformation) return pose.to_world(bounds_.center());
  shape_at(t, shape_);
  Vec3 sum = Vec3::Zero();
  for (const Vec3& vertex : shape_) sum += vertex;
  return pose.to_world(sum / static_cast<double>(shape_.size()));
}

void RadiatingSurface::take_outline(PlacedSurface& surface) const {
  const base::Pose pose = body_.motion->pose(surface.time);
  const geometry::Mat3 turn = pose.orientation.toRotationMatrix();
  if (body_.deformation) {
    shape_at(surface.time, surface.points);
    for (Vec3& point : surface.points) point = pose.position + turn * point;
    return vector_areas(body_.mesh, surface.points, surface.facets);
  }
  surface.points.clear();
  for (int k = 0; k < 8; ++k)
    surface.points.push_back(
        pose.to_world(bounds_.corner(static_cast<geometry::Box::CornerType>(k))));
  surface.facets = {turn.col(0), turn.col(1), turn.col(2)};
}

/// The vertices in the world.
const std::vector<Vec3>& RadiatingSurface::vertices_of(const PlacedSurface& surface) {
  if (body_.deformation) return surface.points;
  const base::Pose pose = body_.motion->pose(surface.time);
  const geometry::Mat3 turn = pose.orientation.toRotationMatrix();
  shape_ = body_.mesh.vertices;
  for (Vec3& vertex : shape_) vertex = pose.position + turn * vertex;
  return shape_;
}

/// Area times normal of each triangle, in the world.
const std::vector<Vec3>& RadiatingSurface::areas_of(const PlacedSurface& surface) {
  if (body_.deformation) return surface.facets;
  vector_areas(body_.mesh, vertices_of(surface), areas_);
  return areas_;
}

void RadiatingSurface::take_patch_normals(PlacedSurface& surface) {
  if (surface.patch_normals.empty()) patches_->normals(areas_of(surface), surface.patch_normals);
}

void RadiatingSurface::patch_normals(double t, std::vector<std::array<float, 3>>& out) {
  const std::shared_ptr<PlacedSurface> placed = at(t);
  take_patch_normals(*placed);
  const geometry::Mat3 back = body_.motion->pose(t).orientation.conjugate().toRotationMatrix();
  out.resize(placed->patch_normals.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Eigen::Vector3f normal = (back * placed->patch_normals[i]).cast<float>();
    out[i] = {normal.x(), normal.y(), normal.z()};
  }
}

/// A surface that is no longer in use.
PlacedSurface& RadiatingSurface::spare(std::shared_ptr<PlacedSurface>& found) {
  const auto free =
      std::ranges::find_if(placed_, [](const auto& one) { return one.use_count() == 1; });
  found = free == placed_.end() ? placed_.emplace_back(std::make_shared<PlacedSurface>()) : *free;
  return *found;
}

/// Interpolates linearly from vertices to the sample points of a triangle.
template <class Real>
void RadiatingSurface::interpolate(std::size_t face, const std::vector<Vec3>& at_vertices,
                                   CoordinatesOf<Real>& out) const {
  const geometry::Triangle& corners = body_.mesh.triangles[face];
  const Vec3 &a = at_vertices[corners[0]], &b = at_vertices[corners[1]],
             &c = at_vertices[corners[2]];
  Real *const x = out.of[0].data(), *const y = out.of[1].data(), *const z = out.of[2].data();
  for (std::size_t i = triangle_samples_[face].begin; i < triangle_samples_[face].end; ++i) {
    const double of_a = barycentric_.of[0][i], of_b = barycentric_.of[1][i],
                 of_c = barycentric_.of[2][i];
    x[i] = static_cast<Real>(of_a * a.x() + of_b * b.x() + of_c * c.x());
    y[i] = static_cast<Real>(of_a * a.y() + of_b * b.y() + of_c * c.y());
    z[i] = static_cast<Real>(of_a * a.z() + of_b * b.z() + of_c * c.z());
  }
}

std::shared_ptr<PlacedSurface> RadiatingSurface::at(double t) {
  if (resting_) return resting_;
  const auto known = std::ranges::find(placed_, t, &PlacedSurface::time);
  if (known != placed_.end()) return *known;
  std::shared_ptr<PlacedSurface> placed;
  PlacedSurface& surface = spare(placed);
  surface.time = t;
  surface.patch_normals.clear();
  surface.has_samples = false;
  take_outline(surface);
  if (!is_still()) return placed;
  complete(surface);
  return resting_ = placed;
}

void RadiatingSurface::take_samples(PlacedSurface& placed) {
  if (placed.has_samples) return;
  const std::vector<Vec3>& vertices = vertices_of(placed);
  geometry::Box box;  // a local copy, which stays in registers
  for (const Vec3& vertex : vertices) box.extend(vertex);
  placed.box = box;
  placed.sample_points.resize(sample_points());
  for (const std::uint32_t face : all_triangles_) interpolate(face, vertices, placed.sample_points);
  placed.has_samples = true;
}

void RadiatingSurface::complete(PlacedSurface& placed, std::span<const std::uint32_t> faces) {
  if (&placed == resting_.get()) return;
  take_samples(placed);
  take_normals(placed, faces);
  placed.moves = !is_still();
  if (placed.moves) take_velocities(placed, faces);
}

void RadiatingSurface::take_normals(PlacedSurface& surface, std::span<const std::uint32_t> faces) {
  surface.normals.resize(sample_points());
  surface.area.resize(Coordinates::padded(sample_points()));
  const std::vector<Vec3>& areas = areas_of(surface);
  if (patches_) {
    take_patch_normals(surface);
    surface.corner_cosines.resize(3 * body_.mesh.triangles.size());
  }
  lengths_.take(areas);
  auto& [x, y, z] = surface.normals.of;
  for (const std::uint32_t number : faces) {
    const TriangleSamples& face = triangle_samples_[number];
    const double area = lengths_.lengths[number];
    const Vec3 normal = lengths_.inverse[number] * areas[number];
    for (std::size_t i = face.begin; i < face.end; ++i) {
      x[i] = static_cast<float>(normal.x());
      y[i] = static_cast<float>(normal.y());
      z[i] = static_cast<float>(normal.z());
      surface.area[i] = static_cast<float>(samples_.share[i] * area);
    }
    if (!patches_) continue;
    const std::array<std::uint32_t, 3>& corners = patches_->corners(number);
    float* const cosines = &surface.corner_cosines[std::size_t{3} * number];
    for (std::size_t k = 0; k < 3; ++k) {
      const double cosine = normal.dot(surface.patch_normals[corners[k]]);
      cosines[k] = std::max(0.0f, static_cast<float>(cosine));
    }
  }
}

/// Velocities by finite differences, with the rotation separated: (R s + p)' = R' s + R s' + p',
/// which is exact for differences if R and s are taken at the middle.
void RadiatingSurface::take_velocities(PlacedSurface& surface,
                                       std::span<const std::uint32_t> faces) {
  constexpr double per_second = 0.5 / instant_step;
  const double early = surface.time - instant_step, late = surface.time + instant_step;
  const base::Pose from = body_.motion->pose(early), to = body_.motion->pose(late);
  const geometry::Mat3 before = from.orientation.toRotationMatrix(),
                       after = to.orientation.toRotationMatrix();
  const geometry::Mat3 turn = 0.5 * (before + after), turning = per_second * (after - before);
  const Vec3 drift = per_second * (to.position - from.position);
  shape_at(early, before_);
  shape_at(late, shape_);
  const bool frame_moves = !body_.motion->is_still();
  for (std::size_t v = 0; v < shape_.size(); ++v) {
    const Vec3 change = per_second * (shape_[v] - before_[v]);
    const Vec3 middle = 0.5 * (shape_[v] + before_[v]);
    shape_[v] = turn * change;
    if (frame_moves) shape_[v] += turning * middle + drift;
  }
  surface.velocities.resize(sample_points());
  for (const std::uint32_t number : faces) interpolate(number, shape_, surface.velocities);
}

double RadiatingSurface::reach(double end) const {
  geometry::Box box = bounds_;
  if (body_.deformation) {
    std::vector<Vec3> vertices(body_.mesh.vertices.size());
    for (double t = 0.0; t < end + shape_look; t += shape_look) {
      body_.deformation->vertices(t, vertices);
      for (const Vec3& vertex : vertices) box.extend(vertex);
    }
  }
  return box.center().norm() + 0.5 * box.diagonal().norm();
}

}  // namespace peal::radiation
