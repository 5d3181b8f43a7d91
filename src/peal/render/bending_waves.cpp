#include <peal/render/bending_waves.h>
#include <peal/vibration/shell_modes.h>
#include <peal/wave/grid/discretisation.h>

#include <fmt/format.h>

#include <algorithm>

namespace peal::render {

namespace {

/// Cells to a bending wave for which what it radiates is within 1 dB.
constexpr double cells_per_bending_wave = 5.0;

}  // namespace

void mention_bending_waves(const scene::Scene& scene, const base::World& world,
                           std::vector<std::string>& notices) {
  if (scene.radiation.model != scene::Radiation::Model::wave) return;
  const base::WaveSettings& settings = scene.radiation.wave;
  for (const scene::Object& object : scene.objects) {
    const auto body = std::ranges::find(world.bodies, object.name, &base::Body::name);
    if (!object.shell || !object.material || body == world.bodies.end() || body->sources.empty())
      continue;
    const double cell =
        wave::choose_discretisation(settings, world.rate, world.medium,
                                    wave::cell_for_bodies(world, settings.viscosity))
            .cell_size;
    const double thickness = *std::ranges::min_element(object.shell->thickness);
    const double shortest =
        vibration::bending_wavelength(*object.material, thickness, settings.max_frequency);
    const double part = shortest / (cells_per_bending_wave * cell);
    if (part >= 1.0) continue;
    // Bending waves are as long as the root of their period.
    notices.push_back(fmt::format(
        "\"{}\": its bending waves are shorter than {:g} cells of {:.2g} mm above {:.0f} Hz; cells "
        "hear their mean from there on, and less of what edges radiate. \"cell_size\": {:.2g} "
        "resolves them",
        object.name, cells_per_bending_wave, 1e3 * cell, part * part * settings.max_frequency,
        shortest / cells_per_bending_wave));
  }
}

}  // namespace peal::render
