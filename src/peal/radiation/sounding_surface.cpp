#include <peal/radiation/air_load.h>
#include <peal/radiation/sounding_surface.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace peal::radiation {

namespace {

using base::Vec3;

constexpr double instant_step = 1e-5;  ///< half width of a velocity [s]
constexpr double shape_look = 0.01;    ///< from one look at how far a shape gets to the next [s]

double radius_of(const base::Body& body) {
  const double sides = body.is_sheet ? 2.0 : 1.0;
  return std::sqrt(sides * geometry::surface_area(body.mesh) / (4.0 * std::numbers::pi));
}

std::vector<SoundingSurface::Piece> pieces_of(const SurfaceSamples& samples) {
  std::vector<SoundingSurface::Piece> pieces;
  for (std::uint32_t i = 0; i < samples.points.size(); ++i) {
    const std::uint32_t triangle = samples.points[i].triangle;
    if (pieces.empty() || pieces.back().triangle != triangle) pieces.push_back({triangle, i, i});
    pieces.back().end = i + 1;
  }
  return pieces;
}

}  // namespace

SoundingSurface::SoundingSurface(const base::Body& body, double wavelength, bool has_patches)
    : body_(body),
      samples_(sample_surface(body.mesh, wavelength)),
      pieces_(pieces_of(samples_)),
      all_pieces_(pieces_.size()),
      radius_(radius_of(body)) {
  std::iota(all_pieces_.begin(), all_pieces_.end(), 0u);
  if (has_patches) patches_.emplace(body.mesh);
  for (const double length : radiation::air_lengths(samples_))
    air_lengths_.push_back(static_cast<float>(length));
  air_lengths_.resize(Coordinates::padded(places()));
  barycentric_.resize(places());
  for (std::size_t i = 0; i < places(); ++i) barycentric_.set(i, samples_.points[i].barycentric);
}

void SoundingSurface::take_shape(double t) {
  if (!body_.deformation) return;
  shape_at(t, shape_);
  move_to(samples_, body_.mesh, shape_);
}

/// Vertices in the body's frame.
void SoundingSurface::shape_at(double t, std::vector<Vec3>& vertices) const {
  if (!body_.deformation) {
    vertices = body_.mesh.vertices;
    return;
  }
  vertices.resize(body_.mesh.vertices.size());
  body_.deformation->vertices(t, vertices);
}

void SoundingSurface::world_at(double t, std::vector<Vec3>& vertices) const {
  shape_at(t, vertices);
  const base::Pose pose = body_.motion->pose(t);
  const geometry::Mat3 turn = pose.orientation.toRotationMatrix();
  for (Vec3& vertex : vertices) vertex = pose.position + turn * vertex;
}

void SoundingSurface::patch_normals(double t, std::vector<Vec3>& out) const {
  std::vector<Vec3> shape, areas;
  shape_at(t, shape);
  vector_areas(body_.mesh, shape, areas);
  patches_->normals(areas, out);
}

/// One that nobody needs any longer.
PlacedSurface& SoundingSurface::spare(std::shared_ptr<PlacedSurface>& found) {
  const auto free =
      std::ranges::find_if(placed_, [](const auto& one) { return one.use_count() == 1; });
  found = free == placed_.end() ? placed_.emplace_back(std::make_shared<PlacedSurface>()) : *free;
  return *found;
}

/// What lies straight between vertices, at the places of a piece.
template <class Real>
void SoundingSurface::interpolate(const Piece& piece, const std::vector<Vec3>& at_vertices,
                                  CoordinatesOf<Real>& out) const {
  const geometry::Triangle& corners = body_.mesh.triangles[piece.triangle];
  const double *const b0 = barycentric_.of[0].data(), *const b1 = barycentric_.of[1].data(),
                      *const b2 = barycentric_.of[2].data();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    const double at0 = at_vertices[corners[0]][axis], at1 = at_vertices[corners[1]][axis],
                 at2 = at_vertices[corners[2]][axis];
    Real* const to = out.of[k].data();
    for (std::size_t i = piece.begin; i < piece.end; ++i)
      to[i] = static_cast<Real>(b0[i] * at0 + b1[i] * at1 + b2[i] * at2);
  }
}

std::shared_ptr<PlacedSurface> SoundingSurface::at(double t) {
  if (resting_) return resting_;
  std::shared_ptr<PlacedSurface> placed;
  PlacedSurface& surface = spare(placed);
  surface.time = t;
  surface.places.resize(places());
  world_at(t, vertices_);
  surface.box.setEmpty();
  for (const Vec3& vertex : vertices_) surface.box.extend(vertex);
  for (const Piece& piece : pieces_) interpolate(piece, vertices_, surface.places);
  if (!is_still()) return placed;
  complete(surface);
  return resting_ = placed;
}

void SoundingSurface::complete(PlacedSurface& placed, std::span<const std::uint32_t> pieces) {
  if (&placed == resting_.get()) return;
  take_normals(placed, pieces);
  placed.moves = !is_still();
  if (placed.moves) take_velocities(placed, pieces);
}

void SoundingSurface::take_normals(PlacedSurface& surface, std::span<const std::uint32_t> pieces) {
  surface.normals.resize(places());
  surface.area.resize(Coordinates::padded(places()));
  world_at(surface.time, vertices_);
  vector_areas(body_.mesh, vertices_, areas_);
  if (patches_) {
    patches_->normals(areas_, normals_);
    surface.corner_cosines.resize(body_.mesh.triangles.size());
  }
  for (const std::uint32_t number : pieces) {
    const Piece& piece = pieces_[number];
    const double area = areas_[piece.triangle].norm();
    const Vec3 normal = area > 0.0 ? Vec3(areas_[piece.triangle] / area) : Vec3::Zero();
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      surface.normals.set(i, normal);
      surface.area[i] = static_cast<float>(samples_.share[i] * area);
    }
    for (std::size_t k = 0; k < 3 && patches_; ++k) {
      const double cosine = normal.dot(normals_[patches_->corners(piece.triangle)[k]]);
      surface.corner_cosines[piece.triangle][k] = std::max(0.0f, static_cast<float>(cosine));
    }
  }
}

void SoundingSurface::take_velocities(PlacedSurface& surface,
                                      std::span<const std::uint32_t> pieces) {
  world_at(surface.time - instant_step, vertices_);
  world_at(surface.time + instant_step, after_);
  for (std::size_t v = 0; v < after_.size(); ++v)
    after_[v] = (after_[v] - vertices_[v]) / (2 * instant_step);
  surface.velocities.resize(places());
  for (const std::uint32_t number : pieces)
    interpolate(pieces_[number], after_, surface.velocities);
}

void SoundingSurface::outline(double t, std::vector<Vec3>& points,
                              std::vector<Vec3>& facets) const {
  if (body_.deformation) {
    world_at(t, points);
    return vector_areas(body_.mesh, points, facets);
  }
  const base::Pose pose = body_.motion->pose(t);
  const geometry::Box box = geometry::bounds(body_.mesh);
  points.clear();
  for (int k = 0; k < 8; ++k)
    points.push_back(pose.to_world(box.corner(static_cast<geometry::Box::CornerType>(k))));
  const geometry::Mat3 turn = pose.orientation.toRotationMatrix();
  facets = {turn.col(0), turn.col(1), turn.col(2)};
}

double SoundingSurface::reach(double end) const {
  geometry::Box box = geometry::bounds(body_.mesh);
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
