#include <peal/elastic/solid.h>

#include <utility>

namespace peal::elastic {

Solid bare_solid(std::span<const geometry::Vec3> nodes, const base::Material& material,
                 const std::string& name) {
  Solid solid{.name = name,
              .material = material,
              .mass_damping = material.damping.mass,
              .stiffness_damping = material.damping.stiffness};
  for (const geometry::Vec3& node : nodes) solid.rest.push_back(node);
  solid.mass.assign(nodes.size(), 0.0);
  return solid;
}

void set_surface(Solid& solid, geometry::SolidSurface surface) {
  solid.surface = std::move(surface.mesh);
  solid.surface_node = std::move(surface.vertex);
}

}  // namespace peal::elastic
