#pragma once

#include <peal/wave/grid/field.h>
#include <peal/wave/sources/chunk.h>
#include <peal/wave/sources/source_decimator.h>

#include <functional>
#include <span>
#include <vector>

namespace peal::wave {

/// The weights with which a point source at any position is distributed to the cells around it.
/// They are smooth weights of 6 x 6 x 6 cells, accurate to the fourth power of cell size over
/// wavelength, so that a moving point does not rattle. Where this wide stencil touches a solid,
/// they are linear ones of 2 x 2 x 2 cells, without the cells that contain no air.
struct PointStencil {
  std::vector<Cell> cells;
  std::vector<double> weights;  ///< add up to 1; empty if no air is near
};
PointStencil point_stencil(const Grid& grid, const Vec3& position,
                           const std::function<bool(const Cell&)>& is_air);

/// Point sources in a wave field: p_tt = c^2 Laplace p + c^2 d/dt (q delta), q = mass flow [kg/s].
///
/// A source at rest adds its strength, 4 pi s = q'. A moving one adds the change of its flow from
/// half step to half step, each at the position of the source at that time, which gives the field
/// of a moving monopole with its convective terms (as in `direct`).
class MonopoleSource {
 public:
  MonopoleSource(const base::World& world, const Grid& grid, base::Rate rate,
                 const SourceDecimator& decimator, const Chunk& chunk);

  bool is_silent() const { return sources_.empty(); }

  /// The sources' output at step n: calls `add` with cells and the amounts by which the field of
  /// step n + 1 rises in them, in the order in which they must be added; `gain` as below.
  void output(std::int64_t n, const std::function<double(const Cell&)>& gain,
              const std::function<void(const Cell&, double)>& add);

  /// Adds the sources' output at step n to the field of step n + 1. `gain(cell)` is lambda^2 over
  /// the open volume of the cell; 0 where there is no air.
  template <class Real>
  void add(std::int64_t n, const std::function<double(const Cell&)>& gain, Field<Real>& p_new);

 private:
  struct Source {
    const base::PointSource* source;
    base::Signal emission;  ///< strength [Pa m] if still, else flow [Pa m s] at n + 1/2
    PointStencil resting;   ///< stencil of a source at rest, made at its first step
    bool still;
  };

  Vec3 position(const Source& source, double t) const;
  void output_at(const PointStencil& stencil, double amount,
                 const std::function<double(const Cell&)>& gain,
                 const std::function<void(const Cell&, double)>& add) const;

  Grid grid_;
  base::Rate rate_;
  Chunk chunk_;
  std::vector<Source> sources_;
};

}  // namespace peal::wave
