#pragma once

namespace peal::wave {

struct CutScheme {
  double lambda = 0.5;  ///< c dt / h, at most 1/sqrt(3)
  /// Damping of grid-scale noise at partly open faces: 0 for bodies at rest, 0.1 for moving ones.
  double gamma = 0;
  /// alpha / (c dt) of air damping (Wang et al. 2018, equation (1)), which acts like gamma, but on
  /// the whole of every face.
  double viscous = 0;
  /// For geometry that never moves: the volume that the stability rule adds to small cells is taken
  /// from their cut neighbours, as far as these can spare it, so that cavities keep their volume.
  bool borrow = false;
};

/// The area below which faces and links are closed, so that round-off cannot open a cell.
inline constexpr double closed_area = 1e-9;
/// The limit of Vs^old / Vs^new for a cell that closes quickly; see the head of cut_cells.h.
inline constexpr double largest_inertia = 2;

}  // namespace peal::wave
