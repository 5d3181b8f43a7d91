#include <peal/bubbles/extension.h>

#include <algorithm>
#include <cmath>

namespace peal::bubbles {

namespace {

constexpr double extension_duration = 0.03;  ///< [s]
constexpr double extension_step = 5e-4;      ///< between keys [s]
constexpr double steepest_rise = 1e6;        ///< [rad/s^2]
constexpr double constant_radius = 1e-3;     ///< relative change that is none

}  // namespace

bool extend(std::vector<OscillatorKey>& keys, std::size_t count, double highest) {
  if (count < 3 || keys.size() < 3) return false;
  const OscillatorKey last = keys.back();
  const OscillatorKey& before = keys[keys.size() - 2];
  const OscillatorKey& first = keys[keys.size() - 3];
  const double slope = (last.omega - before.omega) / (last.time - before.time);
  const auto has_last_radius = [&](const OscillatorKey& key) {
    return std::abs(key.radius - last.radius) <= constant_radius * last.radius;
  };
  if (!(slope > 0.0) || slope >= steepest_rise) return false;
  if (!has_last_radius(before) || !has_last_radius(first)) return false;
  const int steps = static_cast<int>(std::lround(extension_duration / extension_step));
  bool is_extended = false;
  for (int i = 1; i <= steps; ++i) {
    OscillatorKey key = last;
    key.time = last.time + i * extension_step;
    const double rise = std::exp(slope * i * extension_step / last.omega);
    if (last.omega * rise > highest) break;
    key.omega = last.omega * rise;
    // The frequency rises because more of the liquid's mass is gone; so does the capacitance.
    key.capacitance = last.capacitance * rise * rise;
    keys.push_back(key);
    is_extended = true;
  }
  return is_extended;
}

}  // namespace peal::bubbles
