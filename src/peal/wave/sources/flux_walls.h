#pragma once

#include <peal/base/flux_source.h>
#include <peal/wave/boundary/body_surface.h>
#include <peal/wave/boundary/cut_interval.h>
#include <peal/wave/boundary/rasteriser.h>
#include <peal/wave/sources/source_decimator.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace peal::wave {

/// The walls of bodies with flux sources. Each source gets the walls of a key as one surface, with
/// the areas by which they drive their cells, so that the flux into the air is exact whatever the
/// cells are: at a key, and between keys, where areas are linear.
class FluxWalls {
 public:
  FluxWalls(const Rasteriser& rasteriser, double cell_size, const SourceDecimator& decimator);

  bool empty() const { return bodies_.empty(); }
  /// Sets the walls until the next key; `t` and `t_next` are the times of both keys [s].
  void enter(const CutInterval& interval, double t, double t_next);
  /// Adds the cells that are driven until the next key.
  void add_cells(std::vector<std::uint32_t>& cells) const;
  /// Calls `add` with the index of each driven cell and the acceleration times the driving area
  /// [m/s^2 cell face], `along` of the way from the first key to the next.
  void drive(base::SampleTime time, double along,
             const std::function<void(std::uint32_t cell, double)>& add);

 private:
  struct DrivenWall {
    std::uint32_t cell;
    double area;  ///< [cell face], negative behind a sheet
  };
  struct DrivenBody {
    const BodyShape* shape;
    std::uint32_t number;
    std::vector<BodySurface> covers;  ///< rigid solids that may cover its surface
    std::vector<DrivenWall> walls;    ///< of the first key, then of the next
    std::size_t first = 0;            ///< number of the walls of the first key
    bool moves = false;
    base::FluxEvaluator sources;
  };

  base::SampledSurface take(DrivenBody& body, std::span<const Wall> walls, double t) const;

  double cell_size_;
  std::vector<DrivenBody> bodies_;
};

}  // namespace peal::wave
