#pragma once

#include <peal/wave/grid/field.h>
#include <peal/wave/sources/chunk.h>

#include <functional>
#include <span>
#include <vector>

namespace peal::wave {

/// How a point at any place is shared by the cells around it: smooth weights of 6 x 6 x 6 cells,
/// right to the fourth power of cell over wavelength, so that a moving point does not rattle; or
/// linear ones of 2 x 2 x 2, without the cells that hold no air, where the wide stencil touches a
/// solid.
struct PointStencil {
  std::vector<Cell> cells;
  std::vector<double> weights;  ///< add up to 1; empty if no air is near
};
PointStencil point_stencil(const Grid& grid, const Vec3& position,
                           const std::function<bool(const Cell&)>& is_air);

/// Point sources in a wave field: p_tt = c^2 Laplace p + c^2 d/dt (q delta), q = mass flow [kg/s].
///
/// A resting source adds its strength, 4 pi s = q'. A moving one adds the change of its flow from
/// half step to half step, each where the source was then: the field is that of a moving monopole
/// with its convective terms (as `direct` has it).
class MonopoleSource {
 public:
  MonopoleSource(const base::World& world, const Grid& grid, base::Rate rate, const Chunk& chunk);

  bool is_silent() const { return sources_.empty(); }

  /// Adds what the sources emit at step n to the field of step n + 1. `gain(cell)` is lambda^2 over
  /// the cell's open volume; 0 where there is no air.
  template <class Real>
  void add(std::int64_t n, const std::function<double(const Cell&)>& gain, Field<Real>& p_new);

 private:
  struct Source {
    const base::PointSource* source;
    base::Signal emission;  ///< strength [Pa m] if still, else flow [Pa m s] at n + 1/2
    PointStencil resting;   ///< of a source at rest, made at its first step
    bool still;
  };

  Vec3 position(const Source& source, double t) const;
  template <class Real>
  void add_at(const PointStencil& stencil, double amount,
              const std::function<double(const Cell&)>& gain, Field<Real>& p_new) const;

  Grid grid_;
  base::Rate rate_;
  Chunk chunk_;
  std::vector<Source> sources_;
};

}  // namespace peal::wave
