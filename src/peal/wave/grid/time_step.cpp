#include <peal/wave/grid/time_step.h>

#include <cmath>

namespace peal::wave {

double stable_step(double cell_size, double speed_of_sound, double viscosity) {
  // This is sqrt(alpha^2 + h^2 / 3) - alpha without the cancellation for large alpha.
  const double third = cell_size * cell_size / 3.0;
  const double reach = third / (std::sqrt(viscosity * viscosity + third) + viscosity);
  return reach / speed_of_sound;
}

base::Rate choose_rate(base::Rate audio, double cell_size, double speed_of_sound, double viscosity,
                       double margin) {
  const double step = margin * stable_step(cell_size, speed_of_sound, viscosity);
  return base::commensurate_at_least(audio, 1.0 / step);
}

}  // namespace peal::wave
