#include <peal/scene/read_scene.h>
#include <peal/wave/driver/domain_chooser.h>
#include <peal/wave/driver/simulation.h>

#include <bench/cup_phone.h>

namespace peal::bench {

CupPhone::CupPhone(int cells)
    : scene_(scene::read_scene(PEAL_SOURCE_DIR "/scenes/2018-wave/cup-phone/scene.json")),
      world_(render::make_world(scene_, notices_)),
      listeners_(render::make_listeners(scene_)),
      ears_(render::receivers_of(listeners_)),
      settings_(scene_.radiation.wave),
      discretisation_(wave::choose_discretisation(settings_, world_.rate, world_.medium)) {
  if (cells == 0) return;
  const double half = 0.5 * (cells - 2 * settings_.layer_cells - 0.99) * discretisation_.cell_size;
  const geometry::Vec3 middle(0, -0.05, 0);
  settings_.domain = geometry::Box(middle - geometry::Vec3::Constant(half),
                                   middle + geometry::Vec3::Constant(half));
}

wave::ChunkRun CupPhone::run(int number) const {
  // It starts where the longest stretch between keys does: those before would be short, and count
  // little in all of a chunk but much here.
  const int first = 208 * wave::Simulation<float>::looks_ahead + 700 * number;
  const double begin = (static_cast<double>(first) + 0.5) * discretisation_.rate.step();
  const wave::Chunk chunk{.begin = begin, .end = begin + 0.5};
  return {.world = world_,
          .settings = settings_,
          .discretisation = discretisation_,
          .domain = wave::DomainChooser(world_, settings_, discretisation_)
                        .domain_for(chunk, scene_.duration),
          .chunk = chunk,
          .latest_end = scene_.duration,
          .receivers = ears_};
}

}  // namespace peal::bench
