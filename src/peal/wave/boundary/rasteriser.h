#pragma once

#include <peal/wave/boundary/body_shape.h>
#include <peal/wave/boundary/cut_geometry.h>

#include <cstdint>
#include <vector>

namespace peal::wave {

/// Rasterises all bodies of the world on one grid.
class Rasteriser {
 public:
  Rasteriser(const base::World& world, const Grid& grid, const base::MotionSegment& segment);

  const std::vector<BodyShape>& shapes() const { return shapes_; }
  bool is_still() const;
  CutGeometry at(double t);
  /// The same for a key of an interval, see key_of().
  CutGeometry key_at(double t);
  /// Whether all surfaces are at t where they were at the last key or geometry.
  bool rests_until(double t);

  /// An upper bound on the distance of any surface at t1 from its position at t0, relative to
  /// another body [cells].
  double displacement(double t0, double t1) const;

  /// The longest interval from step `now`, at most `longest` (a power of two) steps of `step`
  /// seconds, in which no surface moves farther than 0.3 cells, no rigid body strays from a
  /// straight line and no surface changes its triangles more than once; at least one step. Throws
  /// InputError if something moves farther than a cell in one step.
  int steps_to_next_key(std::int64_t now, double step, int longest) const;

  /// The last key at or before step `now`, of the keys that every run of the same motion has,
  /// whenever it begins: keys are at multiples of their distance, all distances divide `key_cycle`
  /// times the longest one, and so every run has keys at multiples of that.
  std::int64_t key_before(std::int64_t now, double step, int longest) const;
  static constexpr int key_cycle = 3;

 private:
  bool bends(double t0, double t1) const;
  int steps_allowed(std::int64_t now, double step, int longest) const;
  void clip(double t);
  void refuse_too_fast(double t, double step) const;
  const std::vector<std::uint32_t>& parts_at(std::size_t body, double t);
  bool passes_meshes(double t0, double t1) const;

  Grid grid_;
  std::vector<BodyShape> shapes_;
  /// The parts of the triangles of a mesh, for a body that sounds.
  struct Parts {
    std::size_t mesh = 0;  ///< index in the body's sequence
    std::vector<std::uint32_t> of_triangles;
  };
  std::vector<Parts> parts_;  ///< by body
  /// Where a surface was.
  struct Placed {
    std::size_t mesh = 0;        ///< index in the body's sequence
    std::vector<Vec3> vertices;  ///< in the world [m]
  };
  bool has_moved(std::size_t body, double t);

  std::vector<CutFractions> fractions_;  ///< by body
  std::vector<Placed> placed_;           ///< by body, at the time of its fractions
  std::vector<Vec3> vertices_;
};

}  // namespace peal::wave
