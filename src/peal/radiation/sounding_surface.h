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

/// The places of a body's surface that are heard, and where they are at any time.
class SoundingSurface {
 public:
  /// The body is kept; `wavelength` is the shortest one that is heard [m].
  SoundingSurface(const base::Body& body, double wavelength, bool has_patches);

  /// The places [begin, end) of one triangle: none if it has no area.
  struct Piece {
    std::uint32_t begin, end;
  };

  const base::Body& body() const { return body_; }
  std::size_t places() const { return samples_.points.size(); }
  /// By the numbers of triangles.
  const std::vector<Piece>& pieces() const { return pieces_; }
  /// What a place is to a patch.
  struct Share {
    std::uint32_t place;
    std::uint32_t corner;  ///< of all triangles, three each
    float part;            ///< of the place's area
  };
  /// Of the places around a patch.
  std::span<const Share> shares(std::size_t patch) const {
    const std::size_t first = first_share_[patch];
    return std::span(shares_).subspan(first, first_share_[patch + 1] - first);
  }
  /// Null if it is only asked at places.
  const SurfacePatches* patches() const { return patches_ ? &*patches_ : nullptr; }
  /// Patches that pieces are parts of, or else their places, in ascending order.
  std::vector<std::uint32_t> channels_of(std::span<const std::uint32_t> pieces) const;
  /// Of the shape that was taken last.
  const SurfaceSamples& samples() const { return samples_; }
  /// l of air_lengths(), of the shape at rest [m]; as many as places in memory (Coordinates).
  const std::vector<float>& air_lengths() const { return air_lengths_; }
  /// That of a sphere with as much surface [m].
  double radius() const { return radius_; }
  bool is_still() const { return body_.is_still(); }

  /// Moves the places to where they are, in the body's frame, in the shape that it has at t.
  void take_shape(double t);
  /// The mean of the points of its outline at t, in the world [m].
  base::Vec3 middle(double t);
  /// Its outline at t. What is known of the surface at that time already stays.
  std::shared_ptr<PlacedSurface> at(double t);
  /// Where its places are.
  void take_places(PlacedSurface& placed);
  /// How it lies and moves there: of these pieces, by their numbers, or of all.
  void complete(PlacedSurface& placed, std::span<const std::uint32_t> pieces);
  void complete(PlacedSurface& placed) { complete(placed, all_pieces_); }
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
  void take_normals(PlacedSurface& surface, std::span<const std::uint32_t> pieces);
  void take_velocities(PlacedSurface& surface, std::span<const std::uint32_t> pieces);
  template <class Real>
  void interpolate(std::size_t piece, const std::vector<base::Vec3>& at_vertices,
                   CoordinatesOf<Real>& out) const;
  PlacedSurface& spare(std::shared_ptr<PlacedSurface>& found);

  const base::Body& body_;
  geometry::Box bounds_;  ///< at rest, in the body's frame [m]
  SurfaceSamples samples_;
  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> all_pieces_;  ///< their numbers
  Coordinates barycentric_;                ///< of the places
  std::optional<SurfacePatches> patches_;
  std::vector<Share> shares_;               ///< patch by patch
  std::vector<std::uint32_t> first_share_;  ///< of each patch, and one beyond
  std::vector<float> air_lengths_;
  double radius_;
  std::shared_ptr<PlacedSurface> resting_;              ///< if it is still
  std::vector<std::shared_ptr<PlacedSurface>> placed_;  ///< whose memory is used again
  std::vector<base::Vec3> shape_, areas_, before_;
  Lengths lengths_;  ///< of areas
};

}  // namespace peal::radiation
