#pragma once

#include <peal/base/listener.h>
#include <peal/base/rays_settings.h>
#include <peal/radiation/occluders.h>
#include <peal/radiation/surface_samples.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace peal::radiation {

/// What the places of a body's surface send to a receiver, sample by sample, from their normal
/// acceleration a_n when it left them:
///
///     monopole  sum of A a_n / (R D^2)              [m^2/s^2]
///     dipole    sum of A a_n cos / (R D^2)          [m^2/s^2]
///     near      sum of A a_n cos / (R^2 D^2)        [m/s^2]
///     slow_dipole, slow_near: the same two with A l in place of A, [m^3/s^2] and [m^2/s^2]
///
/// A area, R distance, cos that of the angle between normal and ray, D = 1 - Mach number towards
/// the receiver, l of air_lengths().
struct SurfaceSums {
  std::vector<double> monopole, dipole, near, slow_dipole, slow_near;

  std::array<std::vector<double>*, 5> all() {
    return {&monopole, &dipole, &near, &slow_dipole, &slow_near};
  }
};

/// Follows rays from the places of one body's surface to the receivers.
///
/// Time is cut into blocks of leaving. Where rays arrive is exact at their ends and a straight line
/// in between, as are distance, angle and visibility, which so fades within a block (1.3 ms at 192
/// kHz). Where a body or receiver jumps, the old rays fade and new ones rise.
class SurfaceRays {
 public:
  /// `body` is a number in the world; all references are kept.
  SurfaceRays(const base::World& world, std::size_t body, std::span<const base::Receiver> receivers,
              Occluders& occluders, const base::RaysSettings& settings, base::Rate rate);

  std::size_t places() const { return samples_.points.size(); }
  /// Stretches, at the rate, in which the surface moves.
  std::vector<base::SampleRange> sounding(base::SampleRange range) const;

  /// The sums of each receiver over `heard`, at the rate; `done` is told the part of it that is
  /// finished.
  std::vector<SurfaceSums> sums(base::SampleRange heard, const std::function<void(double)>& done);

 private:
  /// A ray that leaves at one instant.
  struct Ray {
    double delay = 0.0;  ///< until it arrives [samples]
    float monopole = 0.0f, dipole = 0.0f, near = 0.0f;
    float air = 0.0f;  ///< l of the place [m]
  };
  /// Rays of all places to all receivers that leave at one instant.
  using Rays = std::vector<std::vector<Ray>>;
  class Window;

  void place_surface(double t);
  void take_shape(double t);
  void add_shape_velocities(double t, const base::Pose& pose);
  double reach() const;
  Rays rays_at(std::int64_t index);
  Ray ray(std::size_t place, const base::Receiver& receiver, std::int64_t index) const;
  bool is_seen(std::size_t place, const base::Vec3& ear, double cosine) const;
  void bind(double t);
  void record(std::int64_t first, std::int64_t begin, std::int64_t end);
  bool record_block(std::int64_t first);
  Window heard_of(std::size_t low, std::size_t high, const std::vector<Ray>& from,
                  const std::vector<Ray>& to, std::int64_t start) const;
  void add_place(std::size_t place, const Ray& from, const Ray& to, std::int64_t start,
                 Window& window) const;

  const base::World& world_;
  const base::Body& body_;
  std::size_t number_;
  std::span<const base::Receiver> receivers_;
  Occluders& occluders_;
  base::RaysSettings::Form form_;
  base::Rate rate_;
  bool is_still_;  ///< nothing changes the rays
  SurfaceSamples samples_;
  std::vector<double> air_lengths_;  ///< of the places of the shape at rest [m]
  std::vector<base::Vec3> places_, normals_, velocities_;  ///< in the world
  std::vector<std::unique_ptr<base::BoundShader>> shaders_;
  std::vector<float> series_;                                         ///< a_n, place by place
  std::int64_t recorded_ = std::numeric_limits<std::int64_t>::min();  ///< where they end
  std::vector<float> instants_;  ///< the same of a few instants, instant by instant
};

}  // namespace peal::radiation
