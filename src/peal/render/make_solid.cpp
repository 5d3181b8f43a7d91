#include <peal/geometry/hex_shapes.h>
#include <peal/geometry/tet_program.h>
#include <peal/render/make_solid.h>
#include <peal/scene/recognise.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace peal::render {

namespace {

using scene::Deformable;
using Elements = Deformable::Elements;

/// Elements along the longest side of a body, unless it says otherwise: the first modes of bars and
/// plates are within 2 %.
constexpr double elements_along = 15.0;

/// Where Rayleigh's damping is as strong as the loss factor of a material [Hz]: such a factor does
/// not depend on frequency, but Rayleigh's grows with it.
constexpr double loss_frequency = 1000.0;

[[noreturn]] void refuse(const scene::Object& object, const std::string& problem,
                         const std::string& cure) {
  throw util::InputError({"", object.place + ".motion.deformable"},
                         fmt::format("\"{}\" {}", object.name, problem), cure);
}

double element_size(const scene::Object& object) {
  const geometry::Vec3 sizes = geometry::bounds(*object.mesh).sizes();
  return object.deformable->element_size.value_or(sizes.maxCoeff() / elements_along);
}

elastic::Solid box_solid(const scene::Object& object, const scene::BoxShape& box) {
  int across = 0;
  box.size.minCoeff(&across);
  std::array<int, 3> divisions{};
  for (int k = 0; k < 3; ++k) {
    divisions[static_cast<std::size_t>(k)] =
        std::max(1, static_cast<int>(std::lround(box.size[k] / element_size(object))));
  }
  if (object.deformable->divisions) divisions = *object.deformable->divisions;
  geometry::HexMesh mesh = geometry::box_hexes(box.size, divisions, across);
  for (geometry::Vec3& vertex : mesh.vertices) vertex += box.centre;
  // Bricks bend by themselves; a single layer of flat cells must not lock in shear.
  const auto layers = divisions[static_cast<std::size_t>(across)];
  return elastic::make_hexahedral_solid(
      mesh, *object.material,
      layers == 1 ? elastic::HexElement::solid_shell : elastic::HexElement::incompatible,
      object.name);
}

elastic::Solid tetrahedral_solid(const scene::Object& object, int order) {
  const double edge = element_size(object);
  const geometry::TetAttempt attempt =
      geometry::tetrahedralise(*object.mesh, edge * edge * edge / (6.0 * std::numbers::sqrt2));
  if (!attempt.fine()) {
    refuse(object, "cannot be cut into tetrahedra: " + attempt.problem,
           "peal inspect says what is wrong with its mesh.");
  }
  return elastic::make_tetrahedral_solid(attempt.mesh, *object.material, order, object.name);
}

/// Loss factors become stiffness damping that is right at one frequency.
void set_damping(elastic::Solid& solid, const base::Damping& damping) {
  base::Damping losses{.internal_friction = damping.internal_friction, .bands = damping.bands};
  const double w = 2.0 * std::numbers::pi * loss_frequency;
  solid.mass_damping = damping.mass + 2.0 * damping.external;
  solid.stiffness_damping = damping.stiffness + 2.0 * losses.decay_rate(loss_frequency) / (w * w);
}

}  // namespace

elastic::Solid make_solid(const scene::Object& object) try {
  const Elements wanted = object.deformable->elements;
  std::optional<scene::BoxShape> box;
  if (wanted == Elements::automatic || wanted == Elements::hexahedra)
    box = scene::recognised_box(*object.mesh);
  if (wanted == Elements::hexahedra && !box) {
    refuse(object, "has no mesh of hexahedra: its shape is not a box",
           "Let it have \"quadratic_tetrahedra\".");
  }
  if (object.deformable->divisions && !box) {
    refuse(object, "has divisions, but is no box of hexahedra", "Give it an \"element_size\".");
  }
  elastic::Solid solid = box ? box_solid(object, *box)
                             : tetrahedral_solid(object, wanted == Elements::tetrahedra ? 1 : 2);
  set_damping(solid, object.material->damping);
  return solid;
} catch (const util::InputError& error) {
  if (error.place().at.starts_with(object.place)) throw;
  refuse(object, "cannot be deformable: " + error.problem(), error.cure());
}

}  // namespace peal::render
