#pragma once

#include <peal/base/medium.h>
#include <peal/base/time.h>
#include <peal/geometry/mesh/vector.h>
#include <peal/listener/head.h>

#include <vector>

namespace peal::listener {

/// Receivers around the middle of a listener, and the filters that make of their pressures what a
/// head or an ambisonic microphone there would receive (a virtual artificial head: Rasumow et al.
/// 2016). At each frequency, the filters are the least squares over sources in all directions, with
/// bounded gain. Where the array cannot follow the phase of an ear any more, only its magnitude is
/// matched (Schoerkhuber, Zaunschirm & Hoeldrich 2018).
struct FiltersOfArray {
  std::vector<geometry::Vec3> points;  ///< in the listener's frame [m]
  std::size_t taps = 0, lead = 0;      ///< [samples]
  /// Of each output and point.
  std::vector<std::vector<std::vector<double>>> filters;
};

/// The points: the middle and two spheres around it, 64 in all.
std::vector<geometry::Vec3> array_points();

FiltersOfArray ears_of_array(const Head& head, base::Rate rate, const base::Medium& medium);
FiltersOfArray ambisonics_of_array(int order, base::Rate rate, const base::Medium& medium);

}  // namespace peal::listener
