#include <peal/geometry/repair/mesh_check.h>
#include <peal/scene/default_sounds.h>

#include <fmt/format.h>

#include <algorithm>

namespace peal::scene {

namespace {

template <class T>
bool changes(const Track<T>& track) {
  return std::ranges::any_of(track.values,
                             [&](const T& value) { return value != track.values.front(); });
}

bool is_keyed_to_move(const Object& object) {
  return std::ranges::any_of(object.path.chain, [](const AnimatedTransform& link) {
    return changes(link.translation) || changes(link.rotation);
  });
}

bool moves_by_itself(const Object& object) {
  return object.rigid() != nullptr || object.fracture || is_keyed_to_move(object);
}

/// Whether bodies that meet this one can have an impact on it.
bool can_hit(const Object& object) {
  return object.mesh && !object.changes_shape() &&
         (object.rigid() != nullptr || (object.material && is_keyed_to_move(object)));
}

bool is_open(const Object& object) {
  if (object.ideal_shape() != nullptr || object.modal_body() != nullptr) return false;
  return object.is_sheet ||
         geometry::is_open_surface(
             geometry::check_mesh(*object.mesh, {.self_intersections = false}), *object.mesh);
}

}  // namespace

void add_default_sounds(Scene& scene, ReadContext& context) {
  const bool is_logged = scene.dynamics.contacts.has_value();
  const auto hitting = std::ranges::count_if(scene.objects, can_hit);
  const double band =
      scene.radiation.radiates_surfaces() ? scene.radiation.max_frequency() : 20000.0;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    Object& object = scene.objects[i];
    const bool is_body = object.mesh && !object.mesh->triangles.empty() &&
                         (object.material || object.modal_body() != nullptr);
    if (context.silent_or_sounding.contains(i) || !is_body || object.changes_shape()) continue;
    const bool moves = moves_by_itself(object);
    const bool is_hit = !object.strikes.empty() || is_logged || hitting > (can_hit(object) ? 1 : 0);
    if (!moves && !is_hit) continue;
    // A sheet at rest is a floor or a wall.
    if (is_open(object)) {
      if (!object.is_sheet && (moves || !object.strikes.empty())) {
        context.notices.push_back(fmt::format(
            "\"{}\" makes no sound of its own: its surface is open, so it is not a solid",
            object.name));
      }
      continue;
    }
    object.sounds = default_sounds(
        object,
        {.moves = moves || is_logged, .max_frequency = std::min(band, 0.9 * scene.rate.nyquist())});
  }
}

}  // namespace peal::scene
