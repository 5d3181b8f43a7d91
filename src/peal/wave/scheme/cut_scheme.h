#pragma once

namespace peal::wave {

struct CutScheme {
  double lambda = 0.5;  ///< c dt / h, at most 1/sqrt(3)
  /// Damping of grid-scale noise at partly open faces: 0 for bodies at rest, 0.1 for moving ones.
  double gamma = 0;
  /// alpha / (c dt), of air damping (Wang et al. 2018, equation (1)): acts like gamma, on all of
  /// every face.
  double viscous = 0;
  /// For geometry that never moves: volume that the stability rule adds to small cells is taken
  /// from their cut neighbours, as far as those can spare it, so that cavities keep their volume.
  bool borrow = false;
};

/// Faces and links with less are closed: round-off must not open a cell.
inline constexpr double closed_area = 1e-9;

}  // namespace peal::wave
