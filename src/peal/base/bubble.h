#pragma once

#include <peal/base/motion.h>
#include <peal/base/time.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace peal::base {

/// A bubble at one time.
struct Bubble {
  double time = 0.0;             ///< [s] on the scene's clock
  Vec3 position = Vec3::Zero();  ///< of its centre [m], in the liquid's frame
  double radius = 0.0;           ///< of the sphere of its volume [m]
  /// Natural frequency [Hz], if somebody has computed it; otherwise it follows from the radius and
  /// the surroundings.
  std::optional<double> frequency = {};
};

/// How a bubble begins.
enum class BubbleStart { entrained, merged, split };
/// How a bubble ends: at the surface, in a larger bubble, in its parts, or with its data.
enum class BubbleEnd { collapsed, merged, split, unknown };

/// What a bubble was given when it began, in place of what the type of its start implies.
struct BubbleExcitation {
  /// Largest volume acceleration of the forcing [m^3/s^2].
  std::optional<double> amplitude;
  /// Steepness eta of the air cone that closes (Deane & Stokes 2008), dimensionless.
  std::optional<double> cone;
};

/// The life of one bubble.
struct BubbleTrack {
  std::int64_t id = 0;
  BubbleStart start = BubbleStart::entrained;
  BubbleEnd end = BubbleEnd::unknown;
  std::vector<std::int64_t> parents;  ///< ids of those that merged, or of the one that split
  std::vector<Bubble> samples;        ///< at least one; times ascend
  BubbleExcitation excitation;

  double begin_time() const { return samples.front().time; }  ///< [s]
  double end_time() const { return samples.back().time; }     ///< [s]
};

/// All bubbles of a liquid, in the order of their starts. Ids are unique; parents are part of the
/// population and end when their child starts.
struct BubblePopulation {
  std::vector<BubbleTrack> tracks;
};

/// What surrounds bubbles and shifts their frequencies. All functions may be called from several
/// threads.
class BubbleSurroundings {
 public:
  virtual ~BubbleSurroundings() = default;

  /// Distance to the nearest point of the free surface at t [s]; negative outside the liquid,
  /// infinite if there is none [m].
  virtual double depth(const Vec3& position, double t) const = 0;
  /// The nearest point of the free surface.
  virtual Vec3 surface_point(const Vec3& position, double t) const = 0;
  /// Height of liquid above the position, which adds to the pressure [m].
  virtual double head(const Vec3& position, double t) const { return depth(position, t); }
  /// Distance to the nearest rigid wall; infinite if there is none [m].
  virtual double wall_distance(const Vec3&, double) const {
    return std::numeric_limits<double>::infinity();
  }
};

/// A liquid below a plane at rest: y <= height.
class FlatSurface : public BubbleSurroundings {
 public:
  explicit FlatSurface(double height = 0.0) : height_(height) {}

  double depth(const Vec3& position, double) const override { return height_ - position.y(); }
  Vec3 surface_point(const Vec3& position, double) const override {
    return {position.x(), height_, position.z()};
  }

 private:
  double height_;  ///< [m]
};

/// Free oscillation of constant frequency and damping, in closed form: V' = Re(w s^k) and V'' =
/// Re(lambda w s^k) at its sample k, with s = e^(lambda h).
struct FreeRinging {
  std::complex<double> velocity = 0.0;  ///< w [m^3/s]
  std::complex<double> rate = 0.0;      ///< lambda [1/s]
  std::complex<double> step = 0.0;      ///< s
  std::int64_t samples = 0;

  /// V'' and V' of its samples from `first` on; the lists are of equal length.
  void read(std::int64_t first, std::span<float> acceleration, std::span<float> velocities) const;
  /// Adds `gain` times V'' of its samples from `first` on.
  void add_acceleration(std::int64_t first, float gain, std::span<float> out) const;
  /// Leaves out its first samples.
  void skip(std::int64_t count);
  /// The sums of the squares of V' and of V'' over all samples.
  double velocity_squares() const;
  double acceleration_squares() const;
};

/// The oscillation of one bubble, or of a chain of bubbles that continue it: its volume V changes
/// by v(t), and the liquid around it moves by as much. In air, a small part of a flat surface that
/// moves so radiates p = rho v''(t - r/c) / (2 pi r).
struct BubbleSound {
  std::int64_t bubble = 0;  ///< id of the first bubble of the chain
  std::int64_t start = 0;   ///< index of the first sample on the scene's clock
  /// v'' [m^3/s^2] and v' [m^3/s] at the samples start, start + 1, ...: zero before.
  std::vector<float> volume_acceleration, volume_velocity;
  FreeRinging ringing;  ///< after these; then zero
  /// Where the bubbles of the chain are, with ascending times; before and after they rest.
  std::vector<Bubble> path;

  /// First sample of the ringing.
  std::int64_t ringing_start() const {
    return start + static_cast<std::int64_t>(volume_acceleration.size());
  }
  std::int64_t end() const { return ringing_start() + ringing.samples; }
  /// Adds `gain` times v'' from the sample `first` on.
  void add_acceleration(std::int64_t first, float gain, std::span<float> out) const;
  /// v'' and v' from the sample `first` on, also beyond the sound, where they are zero.
  void read(std::int64_t first, std::span<float> acceleration, std::span<float> velocity) const;
  /// Has samples in place of the ringing.
  void expand();
  /// Position and radius at t [s], straight between the samples of the path.
  Bubble at(double t) const;
};

/// The energy of bubbles [J]: what forces and the changes of their surroundings gave them, what
/// damping took, and what oscillates still when they are no longer heard.
struct BubbleEnergy {
  double given = 0.0;
  double dissipated = 0.0;
  double remaining = 0.0;
  double radiated = 0.0;  ///< of the dissipated, into the air above a flat surface

  BubbleEnergy& operator+=(const BubbleEnergy& other);
};

/// What the bubbles of a liquid play.
struct BubbleSounds {
  Rate rate;
  std::vector<BubbleSound> sounds;
  BubbleEnergy energy;
};

}  // namespace peal::base
