#include <peal/base/plausible_size.h>
#include <peal/geometry/repair/mesh_repair.h>
#include <peal/scene/gltf_source.h>
#include <peal/scene/read_deformable.h>
#include <peal/scene/read_dynamics.h>
#include <peal/scene/read_geometry.h>
#include <peal/scene/read_motion.h>
#include <peal/scene/read_object.h>
#include <peal/scene/read_strikes.h>
#include <peal/scene/read_thickness.h>
#include <peal/scene/slanted_box.h>
#include <peal/scene/sound.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace peal::scene {

using util::JsonObject;
using util::JsonValue;

std::string read_name(JsonObject& object, const std::string& fallback) {
  const auto value = object.find("name");
  if (!value) return fallback;
  const std::string name = value->text("a name");
  const bool is_file_name = name.find_first_of("/\\") == std::string::npos && name[0] != '.';
  if (name.size() > 100) {
    value->report(fmt::format("the name is {} bytes long", name.size()),
                  "At most 100 are allowed.");
  } else if (!name.empty() && !is_file_name) {
    value->report(fmt::format("\"{}\" cannot be part of a file name", name),
                  "A name has no / or \\ and does not start with a dot.");
  }
  return name;
}

void refuse_keys_of_node(JsonObject& object, std::span<const std::string> keys) {
  for (const std::string& key : keys) {
    if (const auto value = object.find(key)) {
      value->report("the glTF node already says where it is", "Remove this key, or move the node.");
    }
  }
}

namespace {

/// An element of an object's `sound` list; null if it is of no kind, which is reported.
std::shared_ptr<const Sound> read_sound(const JsonValue& value, const SoundingSurface& surface,
                                        const ReadContext& context) {
  static const auto keys_of = [](bool words_only) {
    std::vector<std::string> keys;
    for (const SoundKind& kind : sound_kinds()) {
      if (kind.may_be_word || !words_only) keys.push_back(kind.key);
    }
    return keys;
  };
  static const std::vector<std::string> words = keys_of(true), keys = keys_of(false);
  if (value.json().is_string()) {
    const std::size_t before = value.problems().count();
    const auto kind = std::ranges::find(sound_kinds(), value.word(words), &SoundKind::key);
    return value.problems().count() == before ? kind->read(value, surface, context) : nullptr;
  }
  JsonObject object(value, "a sound, {\"point\": {...}}");
  const auto given = object.one_of(keys, "{\"point\": {\"tone\": 440}}");
  std::shared_ptr<const Sound> sound;
  if (given) {
    const auto kind = std::ranges::find(sound_kinds(), given->key, &SoundKind::key);
    if (kind->may_be_word && given->value.json().is_string()) {
      given->value.report_kind("the settings of the sound: { ... }",
                               fmt::format("\"{}\": {{}}", kind->key));
    }
    sound = kind->read(given->value, surface, context);
  }
  object.finish();
  return sound;
}

/// {"rigid": {...}}, {"deformable": {...}}, or a motion that is given.
void read_object_motion(const JsonValue& value, Object& object, ReadContext& context) {
  const bool is_object = value.json().is_object();
  if (is_object && value.json().contains("rigid")) {
    JsonObject keys(value, "a motion");
    object.motion = read_rigid(*keys.find("rigid"), object.path, context);
    keys.finish();
  } else if (is_object && value.json().contains("fracture")) {
    JsonObject keys(value, "a motion");
    read_fracture(*keys.find("fracture"), object, context);
    keys.finish();
  } else if (is_object && value.json().contains("deformable")) {
    JsonObject keys(value, "a motion");
    read_deformable(*keys.find("deformable"), object, context);
    keys.finish();
  } else {
    object.path = read_motion(value, context);
  }
}

/// "exists": [begin, end] in seconds; null is no limit.
base::TimeRange read_exists(const JsonValue& value, const Object& object) {
  const auto ends = value.list(2, "two times [begin, end] in seconds; null: no limit");
  base::TimeRange exists;
  if (ends.size() > 2) {
    value.report_kind("two times [begin, end] in seconds; null: no limit", "[0.5, null]");
  }
  if (ends.size() != 2) return exists;
  const util::NumberRange range = {.min = -1e6, .max = 1e6, .unit = "s"};
  if (!ends[0].json().is_null()) exists.begin = ends[0].number(range);
  if (!ends[1].json().is_null()) exists.end = ends[1].number(range);
  if (exists.end <= exists.begin) {
    value.report(
        fmt::format("ends at {:g} s, not after it begins at {:g} s", exists.end, exists.begin),
        "Give the earlier time first.");
  }
  if (object.fracture) {
    value.report("a body that breaks ends by itself", "Remove \"exists\".");
  } else if (object.deformable() != nullptr) {
    value.report("a deformable body cannot have \"exists\"",
                 "Remove \"exists\"; or make the body \"rigid\" or keyed.");
  }
  return exists;
}

/// The surface of a deformable body is heard as it moves; other sounds of it would be heard twice,
/// or belong to faces that its elements do not have.
void check_sounds(const Object& object, const JsonValue& sounds) {
  if (std::ranges::all_of(object.sounds, &Sound::is_point)) return;
  sounds.report("a deformable body makes sound by its own motion",
                "Remove all sounds but points; or make it \"rigid\" or \"fixed\".");
}

/// Strikes are answered by modes, or by a body that deforms.
void check_strikes(const Object& object, bool has_sound_key, const JsonValue& strikes) {
  if (object.deformable() != nullptr) {
    const bool for_modes = std::ranges::any_of(object.strikes, [&](const Strike& strike) {
      if (strike.hammer && (object.shell || !object.mesh)) return false;
      return strike.energy || strike.patch_radius || !strike.is_force();
    });
    if (!for_modes) return;
    strikes.report("a deformable body can only be struck with an \"impulse\" at a point",
                   "Give the \"impulse\" and \"contact_time\" of a force; energies, plucks and "
                   "patches are for modal sound, and hammers for that and for shells.");
    return;
  }
  // A struck body rings by default; silence is a choice.
  const bool is_body = object.mesh && (object.material || object.modal_body() != nullptr);
  if (has_sound_key ? object.sounds.empty() : is_body && !object.changes_shape()) return;
  if (std::ranges::any_of(object.sounds, &Sound::answers_strikes)) return;
  strikes.report("the object makes no sound when it is struck",
                 has_sound_key ? "Add \"modal\" to \"sound\"."
                               : "Give it a mesh or shape and a \"material\".");
}

/// The material that the names of a glTF mesh's materials mean, if they mean one.
std::optional<Material> material_of_mesh(const Object& object, ReadContext& context) {
  std::optional<Material> found;
  std::string label;
  for (const std::string& group : object.mesh->groups) {
    const std::optional<Material> material = recognised_material(group);
    if (!material) continue;
    if (found && found->name != material->name) return std::nullopt;
    found = material;
    label = group;
  }
  if (found) {
    context.notices.push_back(fmt::format("\"{}\" is made of {}, after its glTF material \"{}\"",
                                          object.name, found->name, label));
  }
  return found;
}

/// A mesh that is a box with sharp edges is cut as one, at a hundredth of the cost of tetrahedra.
void find_hexahedra(Object& object, ReadContext& context) {
  const std::optional<SlantedBox> box = recognised_slanted_box(*object.mesh);
  if (!box) return;
  object.hexahedra = geometry::HexBoxShape{box->size, box->centre};
  object.hexahedra_turn = box->turn;
  if (!box->is_mended) return;
  context.notices.push_back(
      fmt::format("\"{}\": inconsistently oriented faces were flipped", object.name));
}

/// What moves freely, is struck or sounds by contacts is likely to be picked up or struck, so its
/// size is worth a question if the file leaves the unit open. A size that is certainly wrong is an
/// error: to simulate or mesh it could take for ever.
void question_size(const Object& object, const JsonValue& value, ReadContext& context) {
  if (!object.mesh || !object.material || object.has_stated_size) return;
  const bool is_moved = object.rigid() != nullptr || object.fracture || !object.strikes.empty();
  if (!is_moved && !object.answers_contacts()) return;
  const base::SizeCheck size = base::check_size(*object.mesh, object.material->density);
  if (size.is_plausible || (size.factors.empty() && !size.is_extreme)) return;
  if (size.factors.empty()) {
    context.notices.push_back(
        fmt::format("\"{}\": {}: an unusual size. Set \"scale\", or \"scale\": 1 if it is right",
                    object.name, size.describe()));
    return;
  }
  const std::string hint =
      fmt::format("Set \"scale\": {:g}, or 1 if its size is right", size.factors.front());
  if (size.is_wrong && is_moved) {
    value.report(size.describe() + ": " + size.question(), hint + '.');
  } else {
    context.notices.push_back(
        fmt::format("\"{}\": {}: {} {}", object.name, size.describe(), size.question(), hint));
  }
}

/// The mass of a free body is that between its surfaces, so they must face out of it.
void face_outward(Object& object, ReadContext& context) {
  geometry::TriMesh mesh = *object.mesh;
  const std::size_t doubles = geometry::drop_doubled_faces(mesh);
  const geometry::TurnedParts turned = geometry::face_out_of_solid(mesh);
  if (doubles == 0 && turned.inside_out == 0 && turned.cavities == 0) return;
  object.mesh = std::make_shared<const geometry::TriMesh>(std::move(mesh));
  const auto say = [&](const std::string& text) {
    context.notices.push_back(fmt::format("\"{}\": {}", object.name, text));
  };
  if (doubles > 0) say(fmt::format("{} doubled face{} left out", doubles, doubles == 1 ? "" : "s"));
  if (turned.inside_out > 0) say("its surface was inside out and was flipped");
  if (turned.cavities > 0)
    say(turned.cavities == 1
            ? "a closed surface inside it is treated as a cavity"
            : fmt::format("{} closed surfaces inside it are treated as cavities", turned.cavities));
}

}  // namespace

Object read_object(const JsonValue& value, std::size_t index, ReadContext& context,
                   const NodeDefaults* node) {
  JsonObject keys(value, "an object");
  Object object;
  object.location = value.path();
  object.name = read_name(keys, node != nullptr ? node->name : fmt::format("object-{}", index));

  ObjectShape shape = read_geometry(keys, context);
  const bool own_mesh =
      keys.has("mesh") || keys.has("mesh_sequence") || keys.has("shape") || keys.has("liquid");
  object.mesh = std::move(shape.mesh);
  object.mesh_source = std::move(shape.source);
  object.is_sheet = shape.is_sheet;
  object.has_stated_size = shape.has_stated_size;
  object.geometry = std::move(shape.geometry);
  object.collision_shape = std::move(shape.collision);
  object.hexahedra = std::move(shape.hexahedra);
  if (node != nullptr && !own_mesh) {
    object.mesh = node->mesh;
    object.mesh_source = node->mesh_source;
    if (node->morph_targets) object.geometry = MorphedMesh{node->morph_targets};
  }
  static const std::map<std::string, std::vector<double>> no_values;
  read_thickness(keys, node != nullptr && !own_mesh ? node->vertex_values : no_values, object,
                 context);
  // What is wrong with the thickness is reported; a surface without it would be refused again.
  if (keys.has("thickness") && !object.shell) object.mesh = nullptr;

  if (const auto material = keys.find("material")) {
    object.material = read_material(*material);
    if (object.material->orthotropy && object.ideal_shape() != nullptr &&
        std::holds_alternative<IdealPlate>(*object.ideal_shape())) {
      material->report("an ideal plate cannot have a grain",
                       "Use the shape \"box\", whose modes are found by finite elements.");
    }
  } else if (object.mesh && (is_gltf_name(object.mesh_source) || (node != nullptr && !own_mesh))) {
    object.material = material_of_mesh(object, context);
  }
  if (node != nullptr) {
    static const std::vector<std::string> motion = {"motion"};
    refuse_keys_of_node(keys, motion);
    object.path = node->motion;
  }
  const auto motion = node == nullptr ? keys.find("motion") : std::nullopt;
  if (motion) read_object_motion(*motion, object, context);
  apply_motion_scale(object, value);
  if (const auto exists = keys.find("exists")) object.exists = read_exists(*exists, object);
  if (const auto contact = keys.find("contact")) object.contact = read_contact(*contact);
  const bool is_free = object.rigid() != nullptr || object.fracture;
  if (is_free && object.mesh && !object.shell && object.modal_body() == nullptr)
    face_outward(object, context);
  settle_collision(object, value);
  if (is_free) check_rigid(object, own_mesh, *motion);
  if (object.deformable() != nullptr) {
    check_deformable(object, own_mesh, *motion);
    if (!object.hexahedra && object.mesh) find_hexahedra(object, context);
  }

  if (const auto sounds = keys.find("sound")) {
    const SoundingSurface surface{
        .given = own_mesh || object.mesh,
        .mesh = object.mesh.get(),
        .deforms = object.has_keyed_shape(),
        .has_material = keys.has("material") || object.material || object.modal_body() != nullptr};
    context.silent_or_sounding.insert(index);
    for (const JsonValue& sound : sounds->list(0, "a list of sounds")) {
      if (auto read = read_sound(sound, surface, context)) object.sounds.push_back(std::move(read));
    }
    if (object.deformable() != nullptr) check_sounds(object, *sounds);
  }
  object.deformation_sounds = keys.boolean("deformation_sounds", true);
  if (const auto strikes = keys.find("strikes")) {
    object.strikes = read_strikes(*strikes, object, context);
    check_strikes(object, keys.has("sound"), *strikes);
  }
  keys.finish();
  question_size(object, value, context);
  return object;
}

}  // namespace peal::scene
