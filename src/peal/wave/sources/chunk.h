#pragma once

#include <peal/base/world.h>
#include <peal/wave/boundary/body_shape.h>

#include <optional>
#include <vector>

namespace peal::wave {

/// An interval of the scene whose sources are rendered by one run of the solver (Wang et al. 2018,
/// section 6). By linearity the sound of the scene is the sum over chunks. Neighbours share their
/// sources by weights that add up to 1 and change smoothly: a box window, as in the paper, makes a
/// bang at each cut that must cancel with that of the next chunk.
struct Chunk {
  double begin = 0.0, end = 0.0;              ///< [s]
  bool continues = false, continued = false;  ///< whether a neighbour shares sources at its ends
  base::MotionSegment segment;  ///< without jumps of motions, or bodies that begin or end

  /// The fraction of the sources at time t that belongs to this chunk, 0 to 1.
  double weight(double t) const;
  double first_source() const { return continues ? begin - half_fade : begin; }
  double last_source() const { return continued ? end + half_fade : end; }

  static constexpr double half_fade = 0.0025;  ///< [s]
};

/// The intervals in which anything sounds, divided into chunks of `longest` seconds from their
/// start (by default 0.25 s, 0.5 s if sounds last more than 3 s, 1 s if more than 6 s), and where a
/// motion jumps or a body begins or ends. The last chunk of an interval is shorter, or longer by
/// less than a fade.
std::vector<Chunk> chunks_of(const base::World& world, std::optional<double> longest);

}  // namespace peal::wave
