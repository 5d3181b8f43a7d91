#pragma once

#include <peal/base/world.h>
#include <peal/radiation/placed_surface.h>
#include <peal/radiation/surface_patches.h>
#include <peal/radiation/surface_samples.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace peal::radiation {

/// The sample points of the surface of a sounding body, and their positions at any time.
class RadiatingSurface {
 public:
  /// Keeps a reference to `body`; `wavelength` is the shortest one that is rendered [m].
  RadiatingSurface(const base::Body& body, double wavelength, bool has_patches);

  /// The sample points [begin, end) of one triangle; empty if the triangle has no area.
  struct TriangleSamples {
    std::uint32_t begin, end;
  };

  const base::Body& body() const { return body_; }
  std::size_t sample_points() const { return samples_.points.size(); }
  /// The sample points of each triangle, by the index of the triangle.
  const std::vector<TriangleSamples>& faces() const { return triangle_samples_; }
  /// A sample point that belongs to a patch.
  struct PatchSample {
    std::uint32_t sample_point;
    std::uint32_t corner;  ///< index among the corners of all triangles, three per triangle
    float part;            ///< fraction of the sample point's area
  };
  /// The sample points around a patch.
  std::span<const PatchSample> patch_samples(std::size_t patch) const {
    const std::size_t first = first_patch_sample_[patch];
    return std::span(patch_samples_).subspan(first, first_patch_sample_[patch + 1] - first);
  }
  /// The patches, or null if the sources are only evaluated at sample points.
  const SurfacePatches* patches() const { return patches_ ? &*patches_ : nullptr; }
  /// The channels that triangles contribute to, in ascending order: their patches, or without
  /// patches their sample points.
  std::vector<std::uint32_t> channels_of(std::span<const std::uint32_t> faces) const;
  /// The samples of the shape that was taken last.
  const SurfaceSamples& samples() const { return samples_; }
  /// The lengths l of added_mass_lengths() for the shape at rest [m], padded like Coordinates.
  const std::vector<float>& added_mass_lengths() const { return added_mass_lengths_; }
  /// The radius of a sphere of the same surface area [m].
  double radius() const { return radius_; }
  bool is_still() const { return body_.is_still(); }

  /// Moves the sample points to the shape that the body has at t, in its own frame.
  void take_shape(double t);
  /// The mean of the points of the outline at t, in the world [m].
  base::Vec3 middle(double t);
  /// The surface at t, with its outline. Anything else that is already known of it at that time is
  /// kept.
  std::shared_ptr<PlacedSurface> at(double t);
  /// Computes the positions of the sample points.
  void take_samples(PlacedSurface& placed);
  /// Computes the normals and velocities at the sample points of these triangles (indices) or of
  /// all.
  void complete(PlacedSurface& placed, std::span<const std::uint32_t> faces);
  void complete(PlacedSurface& placed) { complete(placed, all_triangles_); }
  /// Normals of the patches in the shape at t, in the body's frame.
  void patch_normals(double t, std::vector<std::array<float, 3>>& out);
  /// An upper bound [m] on the distance of the surface from the origin of its frame until `end`
  /// [s].
  double reach(double end) const;

 private:
  void take_patches();
  void shape_at(double t, std::vector<base::Vec3>& vertices) const;
  void take_outline(PlacedSurface& surface) const;
  const std::vector<base::Vec3>& vertices_of(const PlacedSurface& surface);
  const std::vector<base::Vec3>& areas_of(const PlacedSurface& surface);
  void take_patch_normals(PlacedSurface& surface);
  void take_normals(PlacedSurface& surface, std::span<const std::uint32_t> faces);
  void take_velocities(PlacedSurface& surface, std::span<const std::uint32_t> faces);
  template <class Real>
  void interpolate(std::size_t face, const std::vector<base::Vec3>& at_vertices,
                   CoordinatesOf<Real>& out) const;
  PlacedSurface& spare(std::shared_ptr<PlacedSurface>& found);

  const base::Body& body_;
  geometry::Box bounds_;  ///< at rest, in the body's frame [m]
  SurfaceSamples samples_;
  std::vector<TriangleSamples> triangle_samples_;
  std::vector<std::uint32_t> all_triangles_;  ///< indices
  Coordinates barycentric_;                   ///< of the sample points
  std::optional<SurfacePatches> patches_;
  std::vector<PatchSample> patch_samples_;         ///< patch by patch
  std::vector<std::uint32_t> first_patch_sample_;  ///< start of each patch, and the last end
  std::vector<float> added_mass_lengths_;
  double radius_;
  std::shared_ptr<PlacedSurface> resting_;              ///< set if the body is still
  std::vector<std::shared_ptr<PlacedSurface>> placed_;  ///< surfaces whose memory is reused
  std::vector<base::Vec3> shape_, areas_, before_;
  Lengths lengths_;  ///< of areas
};

}  // namespace peal::radiation
