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

/// The sample points of a body's surface that are heard, and where they are at any time.
class RadiatingSurface {
 public:
  /// The body is kept; `wavelength` is the shortest one that is heard [m].
  RadiatingSurface(const base::Body& body, double wavelength, bool has_patches);

  /// The sample points [begin, end) of one triangle: none if it has no area.
  struct TriangleSamples {
    std::uint32_t begin, end;
  };

  const base::Body& body() const { return body_; }
  std::size_t sample_points() const { return samples_.points.size(); }
  /// By the numbers of triangles.
  const std::vector<TriangleSamples>& faces() const { return triangle_samples_; }
  /// What a sample point is to a patch.
  struct PatchSample {
    std::uint32_t sample_point;
    std::uint32_t corner;  ///< of all triangles, three each
    float part;            ///< of the sample point's area
  };
  /// Of the sample points around a patch.
  std::span<const PatchSample> patch_samples(std::size_t patch) const {
    const std::size_t first = first_patch_sample_[patch];
    return std::span(patch_samples_).subspan(first, first_patch_sample_[patch + 1] - first);
  }
  /// Null if it is only asked at sample points.
  const SurfacePatches* patches() const { return patches_ ? &*patches_ : nullptr; }
  /// Patches that triangles are parts of, or else their sample points, in ascending order.
  std::vector<std::uint32_t> channels_of(std::span<const std::uint32_t> faces) const;
  /// Of the shape that was taken last.
  const SurfaceSamples& samples() const { return samples_; }
  /// l of added_mass_lengths(), of the shape at rest [m]; as many as sample points in memory
  /// (Coordinates).
  const std::vector<float>& added_mass_lengths() const { return added_mass_lengths_; }
  /// That of a sphere with as much surface [m].
  double radius() const { return radius_; }
  bool is_still() const { return body_.is_still(); }

  /// Moves the sample points to where they are, in the body's frame, in the shape that it has at t.
  void take_shape(double t);
  /// The mean of the points of its outline at t, in the world [m].
  base::Vec3 middle(double t);
  /// Its outline at t. What is known of the surface at that time already stays.
  std::shared_ptr<PlacedSurface> at(double t);
  /// Where its places are.
  void take_samples(PlacedSurface& placed);
  /// How it lies and moves there: of these triangles, by their numbers, or of all.
  void complete(PlacedSurface& placed, std::span<const std::uint32_t> faces);
  void complete(PlacedSurface& placed) { complete(placed, all_triangles_); }
  /// Normals of the patches in the shape at t, in the body's frame.
  void patch_normals(double t, std::vector<std::array<float, 3>>& out);
  /// How far the surface gets from the origin of its frame until `end` [s], at most [m].
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
  std::vector<std::uint32_t> all_triangles_;  ///< their numbers
  Coordinates barycentric_;                   ///< of the sample points
  std::optional<SurfacePatches> patches_;
  std::vector<PatchSample> patch_samples_;         ///< patch by patch
  std::vector<std::uint32_t> first_patch_sample_;  ///< of each patch, and one beyond
  std::vector<float> added_mass_lengths_;
  double radius_;
  std::shared_ptr<PlacedSurface> resting_;              ///< if it is still
  std::vector<std::shared_ptr<PlacedSurface>> placed_;  ///< whose memory is used again
  std::vector<base::Vec3> shape_, areas_, before_;
  Lengths lengths_;  ///< of areas
};

}  // namespace peal::radiation
