#pragma once

#include <peal/base/wave_settings.h>
#include <peal/wave/grid/discretisation.h>
#include <peal/wave/grid/domain.h>
#include <peal/wave/sources/chunk.h>

#include <vector>

namespace peal::wave {

/// Whether all moving bodies are a cell or more inside of the Kirchhoff surface at time t [s],
/// except for those that leave the whole domain.
bool holds_what_moves(const Domain& domain, const base::World& world,
                      const base::MotionSegment& segment, double t);

/// Chooses the domain of a chunk: everything that the solver must enclose during the chunk, and
/// what follows from that.
class DomainChooser {
 public:
  /// Chunks have this hold if one is given: nothing moves outside of it.
  DomainChooser(const base::World& world, const base::WaveSettings& settings,
                const Discretisation& discretisation, const base::MotionSegment& segment = {});

  /// The domain for a chunk that rings until `end` [s] at most. It is the same for every chunk if
  /// all moving bodies stay in about the same region over the whole scene.
  Domain domain_for(const Chunk& chunk, double end) const;

  /// Whether one domain serves the whole scene, no matter how long a chunk rings.
  bool serves_whole_scene() const { return whole_scene_; }

 private:
  /// `is_in` decides by the index of a body whether the body counts.
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
