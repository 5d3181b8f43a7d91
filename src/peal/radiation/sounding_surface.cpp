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

std::vector<SoundingSurface::Piece> pieces_of(const SurfaceSamples& samples,
                                              std::size_t triangles) {
  std::vector<SoundingSurface::Piece> pieces(triangles);
  for (std::uint32_t i = 0; i < samples.points.size(); ++i) {
    SoundingSurface::Piece& piece = pieces[samples.points[i].triangle];
    if (piece.end == 0) piece.begin = i;
    piece.end = i + 1;
  }
  return pieces;
}

}  // namespace

SoundingSurface::SoundingSurface(const base::Body& body, double wavelength, bool has_patches)
    : body_(body),
      samples_(sample_surface(body.mesh, wavelength)),
      pieces_(pieces_of(samples_, body.mesh.triangles.size())),
      all_pieces_(pieces_.size()),
      radius_(radius_of(body)) {
  std::iota(all_pieces_.begin(), all_pieces_.end(), 0u);
  for (const double length : radiation::air_lengths(samples_))
    air_lengths_.push_back(static_cast<float>(length));
  air_lengths_.resize(Coordinates::padded(places()));
  barycentric_.resize(places());
  for (std::size_t i = 0; i < places(); ++i) barycentric_.set(i, samples_.points[i].barycentric);
  if (has_patches) take_patches();
}

void SoundingSurface::take_patches() {
  patches_.emplace(body_.mesh);
  for (std::size_t patch = 0; patch < patches_->size(); ++patch) {
    first_share_.push_back(static_cast<std::uint32_t>(shares_.size()));
    for (const SurfacePatches::Corner& corner : patches_->around(patch)) {
      const Piece& piece = pieces_[corner.triangle];
      for (std::uint32_t i = piece.begin; i < piece.end; ++i)
        shares_.push_back({i, 3 * corner.triangle + corner.number,
                           static_cast<float>(barycentric_.of[corner.number][i])});
    }
  }
  first_share_.push_back(static_cast<std::uint32_t>(shares_.size()));
}

std::vector<std::uint32_t> SoundingSurface::channels_of(
    std::span<const std::uint32_t> pieces) const {
  std::vector<char> is_among(patches_ ? patches_->size() : places());
  for (const std::uint32_t number : pieces) {
    const Piece& piece = pieces_[number];
    if (!patches_) std::fill(is_among.begin() + piece.begin, is_among.begin() + piece.end, char{1});
    for (std::size_t k = 0; k < 3 && patches_; ++k) is_among[patches_->corners(number)[k]] = 1;
  }
  std::vector<std::uint32_t> channels;
  for (std::uint32_t c = 0; c < is_among.size(); ++c) {
    if (is_among[c] != 0) channels.push_back(c);
  }
  return channels;
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
  move_to_world(t, vertices);
}

void SoundingSurface::move_to_world(double t, std::vector<Vec3>& vertices) const {
  const base::Pose pose = body_.motion->pose(t);
  const geometry::Mat3 turn = pose.orientation.toRotationMatrix();
  for (Vec3& vertex : vertices) vertex = pose.position + turn * vertex;
}

void SoundingSurface::patch_normals(double t, std::vector<Vec3>& out) {
  const auto known = std::ranges::find_if(
      placed_, [&](const auto& one) { return one->time == t && !one->patch_normals.empty(); });
  if (known != placed_.end()) {
    out = (*known)->patch_normals;
    return;
  }
  shape_at(t, shape_);
  vector_areas(body_.mesh, shape_, areas_);
  patches_->normals(areas_, out);
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
void SoundingSurface::interpolate(std::size_t piece, const std::vector<Vec3>& at_vertices,
                                  CoordinatesOf<Real>& out) const {
  const geometry::Triangle& corners = body_.mesh.triangles[piece];
  const Vec3 &a = at_vertices[corners[0]], &b = at_vertices[corners[1]],
             &c = at_vertices[corners[2]];
  Real *const x = out.of[0].data(), *const y = out.of[1].data(), *const z = out.of[2].data();
  for (std::size_t i = pieces_[piece].begin; i < pieces_[piece].end; ++i) {
    const double of_a = barycentric_.of[0][i], of_b = barycentric_.of[1][i],
                 of_c = barycentric_.of[2][i];
    x[i] = static_cast<Real>(of_a * a.x() + of_b * b.x() + of_c * c.x());
    y[i] = static_cast<Real>(of_a * a.y() + of_b * b.y() + of_c * c.y());
    z[i] = static_cast<Real>(of_a * a.z() + of_b * b.z() + of_c * c.z());
  }
}

std::shared_ptr<PlacedSurface> SoundingSurface::at(double t) {
  if (resting_) return resting_;
  std::shared_ptr<PlacedSurface> placed;
  PlacedSurface& surface = spare(placed);
  surface.time = t;
  surface.places.resize(places());
  surface.patch_normals.clear();
  shape_at(t, surface.shape);
  after_ = surface.shape;
  move_to_world(t, after_);
  geometry::Box box;  // its own: it stays in registers
  for (const Vec3& vertex : after_) box.extend(vertex);
  surface.box = box;
  for (const std::uint32_t piece : all_pieces_) interpolate(piece, after_, surface.places);
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
  vector_areas(body_.mesh, surface.shape, areas_);
  const geometry::Mat3 turn = body_.motion->pose(surface.time).orientation.toRotationMatrix();
  if (patches_) {
    patches_->normals(areas_, surface.patch_normals);
    surface.corner_cosines.resize(3 * body_.mesh.triangles.size());
  }
  for (const std::uint32_t number : pieces) {
    const Piece& piece = pieces_[number];
    const double area = areas_[number].norm();
    const Vec3 normal = area > 0.0 ? Vec3(1.0 / area * areas_[number]) : Vec3::Zero();
    const Vec3 turned = turn * normal;
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      surface.normals.set(i, turned);
      surface.area[i] = static_cast<float>(samples_.share[i] * area);
    }
    for (std::size_t k = 0; k < 3 && patches_; ++k) {
      const double cosine = normal.dot(surface.patch_normals[patches_->corners(number)[k]]);
      surface.corner_cosines[3 * number + k] = std::max(0.0f, static_cast<float>(cosine));
    }
  }
}

void SoundingSurface::take_velocities(PlacedSurface& surface,
                                      std::span<const std::uint32_t> pieces) {
  world_at(surface.time - instant_step, before_);
  world_at(surface.time + instant_step, after_);
  for (std::size_t v = 0; v < after_.size(); ++v)
    after_[v] = (after_[v] - before_[v]) * (0.5 / instant_step);
  surface.velocities.resize(places());
  for (const std::uint32_t number : pieces) interpolate(number, after_, surface.velocities);
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
