#pragma once

#include <peal/base/world.h>
#include <peal/radiation/surface_samples.h>

#include <memory>
#include <vector>

namespace peal::radiation {

/// The places of a body's surface at one time, in the world.
struct PlacedSurface {
  std::vector<base::Vec3> places, normals, velocities;  ///< [m], unit, [m/s]
  std::vector<base::Vec3> own_normals;                  ///< in the body's frame
  std::vector<double> area;                             ///< [m^2]
  geometry::Box box;                                    ///< around the places

  /// Whether sound takes the same ways from there.
  bool is_same_as(const PlacedSurface& other) const {
    return this == &other ||
           (places == other.places && velocities == other.velocities && normals == other.normals);
  }
};

/// The places of a body's surface that are heard, and where they are at any time.
class SoundingSurface {
 public:
  /// The body is kept; `wavelength` is the shortest one that is heard [m].
  SoundingSurface(const base::Body& body, double wavelength);

  const base::Body& body() const { return body_; }
  std::size_t places() const { return samples_.points.size(); }
  /// Of the shape that was taken last.
  const SurfaceSamples& samples() const { return samples_; }
  /// l of air_lengths(), of the shape at rest [m].
  const std::vector<double>& air_lengths() const { return air_lengths_; }
  /// That of a sphere with as much surface [m].
  double radius() const { return radius_; }
  bool is_still() const { return body_.motion->is_still() && !body_.deformation; }

  /// Moves the places to where they are, in the body's frame, in the shape that it has at t.
  void take_shape(double t);
  /// Where the surface is at t, and how it moves.
  std::shared_ptr<const PlacedSurface> at(double t);
  /// Points that go as far as the surface does at t, in the world, always the same ones.
  void outline(double t, std::vector<base::Vec3>& points) const;
  /// How far the surface gets from the origin of its frame until `end` [s], at most [m].
  double reach(double end) const;

 private:
  void add_shape_velocities(double t, const base::Pose& pose, PlacedSurface& surface) const;

  const base::Body& body_;
  SurfaceSamples samples_;
  std::vector<double> air_lengths_;
  double radius_;
  std::shared_ptr<const PlacedSurface> resting_;  ///< if it is still
};

}  // namespace peal::radiation
