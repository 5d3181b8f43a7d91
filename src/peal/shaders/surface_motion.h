#pragma once

#include <peal/base/acoustic_shader.h>
#include <peal/base/motion.h>
#include <peal/base/time.h>
#include <peal/base/world.h>
#include <peal/geometry/tri_mesh.h>
#include <peal/scene/scene.h>

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace peal::shaders {

/// Frames at equal distances in time: those of a mesh sequence, or the keys of an animation.
struct FrameClock {
  double start = 0.0;  ///< of frame 0, on the scene's clock [s]
  double rate = 0.0;   ///< [1/s]
  std::int64_t count = 0;

  double time(std::int64_t frame) const { return start + static_cast<double>(frame) / rate; }
  double frame_at(double t) const { return (t - start) * rate; }
  /// Up to here the motion of the frames is known [Hz].
  double band() const { return rate / 3.0; }
};

/// The clock of these ascending times; none if they are not at equal distances.
std::optional<FrameClock> frame_clock(std::span<const double> times);

/// Second derivative of a signal that is known at whole numbers, up to a third of its rate: the
/// second differences d_n = x_(n-1) - 2 x_n + x_(n+1) are interpolated by a symmetric kernel g,
///   x''(u) = sum_n g(n - u) d_n,
/// whose spectrum is (pi f / sin(pi f))^2, what second differences lack, up to f = 1/3 and falls to
/// nothing at f = 1/2 (Kaiser window of 32 samples, beta 8.3). Exact within 0.01 dB up to 1/3;
/// images lie 75 dB below. x at rest or at constant velocity gives exactly 0.
class SecondDerivative {
 public:
  static constexpr int taps = 32;
  static constexpr int half = taps / 2;

  SecondDerivative();

  /// g at the samples whole - (half - 1) to whole + half, for u = whole + fraction.
  std::array<float, taps> weights(double fraction) const;

 private:
  static constexpr int phases = 128;  ///< straight lines in between: an error of -86 dB
  std::vector<float> table_;          ///< g at multiples of 1 / phases from 0 on
};

/// The acceleration of a surface that is known frame by frame, in the frame of its body.
///
/// It fades in over the first frames and out over the last ones: before and after them the surface
/// rests, and the jump of its velocity there is not part of the motion. Where a vertex moves faster
/// than sound from one frame to the next, the animation was cut: that step makes no sound.
class SurfaceMotion {
 public:
  /// Fewer frames say too little about an acceleration.
  static constexpr std::int64_t least_frames = 2 * SecondDerivative::taps;

  SurfaceMotion(std::shared_ptr<const base::Deformation> deformation, const FrameClock& frames,
                std::size_t vertices, double speed_of_sound);

  std::size_t channels() const { return 3 * vertices_; }
  /// Coordinate k of vertex v in row 3 v + k, an instant in each column [m/s^2].
  Eigen::MatrixXf accelerations(base::Rate rate, base::SampleRange range) const;
  /// Outside of it all accelerations are zero.
  base::SampleRange sounding(base::Rate rate) const;

 private:
  static constexpr std::int64_t block_frames = 64;
  using Block = std::shared_ptr<const Eigen::MatrixXf>;  ///< a column a frame

  Block block(std::int64_t index) const;
  Block make_block(std::int64_t index) const;
  double fade(std::int64_t frame) const;
  void add_instants(base::Rate rate, std::int64_t begin, Eigen::Ref<Eigen::MatrixXf> out) const;

  std::shared_ptr<const base::Deformation> deformation_;
  FrameClock frames_;
  std::size_t vertices_;
  double longest_step_;  ///< of a vertex from frame to frame [m]
  SecondDerivative derivative_;

  mutable std::mutex mutex_;
  mutable std::list<std::pair<std::int64_t, Block>> recent_;  ///< last used first
};

/// The sound of a surface that deforms by frames: a_n(x, t) = n . a(x, t).
class SurfaceMotionShader : public base::SurfaceShader, public base::VertexAccelerations {
 public:
  SurfaceMotionShader(std::shared_ptr<const SurfaceMotion> motion,
                      std::vector<geometry::Triangle> triangles, base::Rate rate);

  void add_acceleration(base::SampleTime time, std::span<const base::SurfacePoint> points,
                        std::span<float> acceleration) const override;
  std::unique_ptr<base::BoundShader> bound_to(
      std::span<const base::SurfacePoint> points) const override;
  const base::VertexAccelerations* vertices() const override { return this; }
  base::Rate rate() const override { return rate_; }
  void read(std::int64_t first, std::size_t count, float* out, std::size_t stride) const override;
  std::vector<base::SampleRange> sounding(base::Rate rate, base::SampleRange range) const override;

 private:
  std::shared_ptr<const SurfaceMotion> motion_;
  std::vector<geometry::Triangle> triangles_;
  base::Rate rate_;
};

/// The sound of the object's mesh sequence, morph targets or skin, which deform the body; null if
/// they have none in the audible band. Reports in `notices` the band that their frames give.
std::shared_ptr<const base::SurfaceShader> make_surface_motion(const scene::Object& object,
                                                               const base::Body& body,
                                                               double speed_of_sound,
                                                               base::Rate rate,
                                                               std::vector<std::string>& notices);

}  // namespace peal::shaders
