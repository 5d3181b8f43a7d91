#pragma once

#include <peal/base/motion.h>

#include <limits>
#include <vector>

namespace peal::radiation {

/// A stretch of time in which a motion does not jump: begin <= t < end [s].
struct Piece {
  double begin = -std::numeric_limits<double>::infinity();
  double end = std::numeric_limits<double>::infinity();

  /// The time in the piece nearest to t: beyond its ends the motion is held.
  double clamp(double t) const;
  /// 1 inside, falling smoothly to 0 over the last `edge_time` before each end: what jumps is
  /// faded out and in again, because a cut would click.
  double fade(double t) const;

  static constexpr double edge_time = 0.005;  ///< [s]
};

/// The pieces between the jumps of a motion; one endless piece if it never jumps.
std::vector<Piece> pieces(const base::Motion& motion);

}  // namespace peal::radiation
