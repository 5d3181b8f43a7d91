#pragma once

#include <peal/wave/grid/portable.h>
#include <peal/wave/scheme/cut_scheme.h>

namespace peal::wave {

// The arithmetic of a step of the field, for single values on any device and for vectors of them.
// Every sum has one order, so that results are the same to the last bit everywhere.

/// p_new = 2 p - p_old + lambda^2 L (Wang et al. 2018, equation (3)), summed from small to large
/// terms, so that only one rounding is of the size of p.
template <class Value, class Real>
PEAL_PORTABLE inline Value leapfrog(const Value& p, const Value& p_old, Real courant2,
                                    const Value& lap) {
  return p + ((p - p_old) + courant2 * lap);
}

/// h^2 times the Laplacian (Wang et al. 2018, equation (5)). A sum of six equal values rounds like
/// six times the value, so the Laplacian of a constant field is exactly 0; otherwise its mean would
/// drift.
template <class Real, class Value>
PEAL_PORTABLE inline Value laplacian_of_six(const Value& west, const Value& east,
                                            const Value& south, const Value& north,
                                            const Value& below, const Value& above,
                                            const Value& centre) {
  return ((west + east) + (south + north) + (below + above)) - Real(6) * centre;
}
/// The same where a layer adds the part of one axis; a and b are the neighbours along the others.
template <class Real, class Value>
PEAL_PORTABLE inline Value laplacian_of_four(const Value& a_low, const Value& a_high,
                                             const Value& b_low, const Value& b_high,
                                             const Value& centre, const Value& layer) {
  return (((a_low + a_high) + (b_low + b_high)) - Real(4) * centre) + layer;
}
/// The same where layers add the parts of two axes.
template <class Real, class Value>
PEAL_PORTABLE inline Value laplacian_of_two(const Value& low, const Value& high,
                                            const Value& centre, const Value& layer_y,
                                            const Value& layer_z) {
  return ((low + high) - Real(2) * centre) + (layer_y + layer_z);
}

/// The recursion of an absorbing layer (cpml.h): psi <- b psi + a D at a face, xi <- b xi + a v in
/// a cell.
template <class Value, class Coefficient>
PEAL_PORTABLE inline Value layer_memory(const Coefficient& b, const Value& memory,
                                        const Coefficient& a, const Value& driving) {
  return b * memory + a * driving;
}
/// v of a cell: `up` and `down` are D at its faces to higher and lower coordinates, and `bend` is
/// the difference of their psi.
template <class Value>
PEAL_PORTABLE inline Value layer_divergence(const Value& up, const Value& down, const Value& bend) {
  return (up - down) + bend;
}

/// The flux through partly open faces, one or a vector of them (cut_cells.h): A times the
/// difference of the pressures, with damping by its change since the last step.
template <class Value, class Real>
PEAL_PORTABLE inline Value damped_difference(const Value& area, const Value& difference,
                                             const Value& before, Real gamma, Real viscous) {
  return difference + (gamma * (1 - area) + viscous) * (difference - before);
}
/// The flux through a link (subcell_links.h).
template <class Real>
PEAL_PORTABLE inline Real link_flux(Real area, Real difference, Real before, Real gamma,
                                    Real viscous) {
  const Real closed = 1 - (area < Real(1) ? area : Real(1));
  const Real damping = gamma * closed + viscous;
  return area * (difference + damping * (difference - before));
}
/// The next pressure of a node.
template <class Real>
PEAL_PORTABLE inline Real next_pressure(Real here, Real here_old, Real inertia, Real gain,
                                        Real flux) {
  const Real next = here + (inertia * (here - here_old) + gain * flux);
  return gain > 0 ? next : 0;
}

/// The open area of a face or link at a time of its interval; almost closed ones are closed.
PEAL_PORTABLE inline double open_area_at(double area, double change, double t) {
  const double open = area + t * change;
  return open < closed_area ? 0 : open;
}
/// The part of a face or link of open area `a` in G of its node (cut_cells.h).
PEAL_PORTABLE inline double stability_weight(double a, double gamma, double viscous) {
  const double closed = a < 1 ? 1 - a : 0;
  return a * (1 + 2 * gamma * closed + 2 * viscous);
}
/// Vs of a node whose volume is `volume`, and whose smallest stable volume is `floor`.
PEAL_PORTABLE inline double stable_volume(double floor, double volume) {
  return floor > 0 ? (volume < floor ? floor : volume) : 0;
}
/// Vs^old / Vs^new, at most `largest_inertia` for a cell that closes quickly (cut_cells.h).
PEAL_PORTABLE inline double inertia_of(double before, double now) {
  if (!(now > 0)) return 0;
  const double ratio = before / now;
  return largest_inertia < ratio ? largest_inertia : ratio;
}

}  // namespace peal::wave
