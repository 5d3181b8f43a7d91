#include <peal/vibration/paper_loudness.h>

#include <cmath>
#include <numbers>

namespace peal::vibration {

double paper_loudness(double lowest_frequency, double area, double mass,
                      const base::Medium& medium) {
  return medium.density * medium.speed_of_sound * 2.0 * std::numbers::pi * lowest_frequency *
         std::sqrt(area / (4.0 * std::numbers::pi * mass));
}

}  // namespace peal::vibration
