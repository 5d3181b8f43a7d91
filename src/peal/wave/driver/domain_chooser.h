#pragma once

#include <peal/base/wave_settings.h>
#include <peal/wave/grid/discretisation.h>
#include <peal/wave/grid/domain.h>
#include <peal/wave/sources/chunk.h>

#include <vector>

namespace peal::wave {

/// Whether what moves is a cell or more inside of the Kirchhoff surface at time t [s], but for what
/// leaves the whole domain.
bool holds_what_moves(const Domain& domain, const base::World& world,
                      const base::MotionSegment& segment, double t);

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
  geometry::Box content(double begin, double end, const base::MotionSegment& segment,
                        const Select& is_in) const;
  geometry::Box content(double begin, double end, const base::MotionSegment& segment) const;
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
