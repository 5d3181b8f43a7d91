#pragma once

#include <peal/base/wave_settings.h>
#include <peal/wave/grid/discretisation.h>
#include <peal/wave/grid/grid.h>
#include <peal/wave/sources/chunk.h>

#include <limits>
#include <vector>

namespace peal::wave {

/// The part of the world in which a chunk's waves are computed. All domains of a scene have their
/// cells on one lattice, so that they differ by whole cells.
struct Domain {
  Grid grid;       ///< with the absorbing layer
  Cell low, high;  ///< the listening box: cells low <= c < high are inside it
  /// The largest box that the grid has room for.
  Cell rim_low = {}, rim_high = {};
  /// Until when the listening box was chosen for what moves, the largest one for ever [s].
  double chosen_until = std::numeric_limits<double>::infinity();
  geometry::Box core;     ///< what sounds or moves, while the chunk's sources sound [m]
  geometry::Box content;  ///< that, bodies at rest, and what is near of the large ones [m]
  /// Large bodies at rest that reach through the listening box: what lies outside is not heard,
  /// unless it goes on as a plane.
  std::vector<std::size_t> crossing;  ///< numbers of bodies
};

/// Box between the cells low and high [m].
geometry::Box listening_bounds(const Domain& domain);

/// Whether what moves is a cell or more inside of the listening box at time t [s], but for what
/// leaves the whole domain.
bool holds_what_moves(const Domain& domain, const base::World& world, const base::Piece& hold,
                      double t);

/// The same domain with the largest listening box.
Domain with_largest_box(Domain domain);

/// From the middle of the listening box, beyond all content: where the radial expansion begins [m].
double expansion_start(const Domain& domain);

/// Everything the solver must surround over the time of a chunk, and what follows from it.
class DomainChooser {
 public:
  DomainChooser(const base::World& world, const base::WaveSettings& settings,
                const Discretisation& discretisation);

  /// The domain for a chunk that rings until `end` [s] at most. If what moves stays within about
  /// the same place over the whole scene, it is the same for every chunk.
  Domain domain_for(const Chunk& chunk, double end) const;

  /// Whether one domain serves the whole scene, however long a chunk rings.
  bool serves_whole_scene() const { return whole_scene_; }

 private:
  /// `is_in` says of a body by its number whether it counts.
  template <class Select>
  geometry::Box content(double begin, double end, const base::Piece& hold,
                        const Select& is_in) const;
  geometry::Box content(double begin, double end, const base::Piece& hold) const;
  void reach_out(geometry::Box& content) const;
  std::vector<bool> large_bodies() const;
  double margin_cells(const geometry::Box& content) const;
  Domain around(const geometry::Box& content) const;
  void choose_box(const Chunk& chunk, double end, Domain& domain) const;

  const base::World& world_;
  const base::WaveSettings& settings_;
  Discretisation discretisation_;
  std::vector<bool> large_;
  geometry::Box whole_;
  bool whole_scene_ = false;
};

}  // namespace peal::wave
