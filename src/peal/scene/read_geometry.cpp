#include <peal/base/modes_file.h>
#include <peal/geometry/io/read_mesh.h>
#include <peal/geometry/repair/shell_repair.h>
#include <peal/scene/gltf_source.h>
#include <peal/scene/motion_scale.h>
#include <peal/scene/read_geometry.h>
#include <peal/scene/read_liquid.h>
#include <peal/scene/read_mesh_sequence.h>
#include <peal/scene/read_shape.h>

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace peal::scene {

namespace fs = std::filesystem;
using geometry::TriMesh;
using util::JsonObject;
using util::JsonValue;

namespace {

using MeshPointer = std::shared_ptr<const TriMesh>;

MeshPointer scaled(TriMesh mesh, double scale) {
  return std::make_shared<const TriMesh>(
      geometry::transformed(std::move(mesh), geometry::Affine(Eigen::Scaling(scale))));
}

/// The mesh of a node, and how it changes its shape.
ObjectShape load_gltf_mesh(const JsonValue& value, const std::string& name, double scale,
                           ReadContext& context) {
  ObjectShape shape{.source = name};
  const auto source = find_gltf_source(value, context);
  if (!source) return shape;
  MeshPointer& mesh =
      context.meshes[fmt::format("{}#{}*{}", source->file->name, source->node, scale)];
  try {
    if (!mesh) mesh = scaled(mesh_of(*source->file, source->node), scale);
    shape.mesh = mesh;
    if (const auto morph = scene_morph(*source->file, source->node, context)) {
      shape.geometry = MorphedMesh{
          std::make_shared<MorphTargets>(transformed(*morph, scale * geometry::Mat3::Identity()))};
    }
  } catch (const util::InputError& error) {
    value.report(error);
  }
  return shape;
}

/// A mesh file in metres; the same file at the same scale is read once.
MeshPointer load_mesh(const JsonValue& value, const fs::path& path, double scale,
                      ReadContext& context) {
  if (path.empty()) return {};
  MeshPointer& mesh = context.meshes[fmt::format("{}*{}", path.string(), scale)];
  if (mesh) return mesh;
  try {
    mesh = scaled(geometry::read_mesh(path), scale);
  } catch (const util::InputError& error) {
    value.report(error);
  }
  return mesh;
}

/// A body whose modes were found before, and the surface on which they are known.
ObjectShape load_modes(const JsonValue& value, const std::string& name, double scale,
                       ReadContext& context) {
  ObjectShape body{.source = name};
  const fs::path path = existing_file(value, name, context);
  if (path.empty()) return body;
  if (scale != 1.0) {
    value.report("a .modes file cannot be scaled: its modes belong to its size",
                 "Remove \"scale\", or scale the mesh and find its modes again.");
  }
  try {
    auto model = std::make_shared<const base::ModalModel>(base::read_modes(path));
    body.mesh = MeshPointer(model, &model->surface);
    body.geometry = ModalBody{std::move(model)};
  } catch (const util::InputError& error) {
    value.report(error);
  }
  return body;
}

ObjectShape read_sequence(const JsonValue& value, double scale, ReadContext& context) {
  const std::size_t problems = value.problems().count();
  ObjectShape shape;
  MeshSequence sequence = read_mesh_sequence(value, context);
  if (value.problems().count() == problems) {
    sequence.transform *= scale;
    shape.mesh = load_mesh(value, sequence.files.front(), scale, context);
    shape.source = fmt::format("{} meshes from {}", sequence.files.size(),
                               sequence.files.front().filename().string());
  }
  shape.geometry = std::move(sequence);
  return shape;
}

ObjectShape read_kind(const util::JsonChoice& kind, double factor, bool is_middle,
                      ReadContext& context) {
  if (kind.key == "shape") return read_shape(kind.value, factor, is_middle, context);
  if (kind.key == "liquid") return read_liquid(kind.value, context);
  if (kind.key == "mesh_sequence") return read_sequence(kind.value, factor, context);

  const std::string name = kind.value.text("the name of a mesh file");
  if (fs::path(name).extension() == ".modes") return load_modes(kind.value, name, factor, context);
  if (is_gltf_name(name)) return load_gltf_mesh(kind.value, name, factor, context);
  return {.mesh = load_mesh(kind.value, existing_file(kind.value, name, context), factor, context),
          .source = name};
}

/// Scales the middle of a wall, whose thickness is in metres.
void scale_shell(Object& object, const geometry::Affine& transform, const JsonValue& value) try {
  geometry::ShellMesh shell = *object.shell;
  shell.middle = geometry::transformed(std::move(shell.middle), transform);
  object.mesh = std::make_shared<const TriMesh>(geometry::solid_of(shell));
  object.shell = std::make_shared<const geometry::ShellMesh>(std::move(shell));
} catch (const std::invalid_argument& error) {
  value.report(fmt::format("as its motion scales it, {}", error.what()),
               "Give a smaller \"thickness\".");
}

}  // namespace

ObjectShape read_geometry(JsonObject& object, ReadContext& context) {
  static const std::vector<std::string> kinds = {"mesh", "mesh_sequence", "shape", "liquid"};
  const auto kind = object.one_of(kinds, "");
  const auto scale = object.find("scale");
  const double factor =
      scale ? scale->number({.min = 1e-6, .max = 1e6, .reason = "metres per unit of the mesh"})
            : 1.0;
  if (!kind) {
    if (scale) scale->report("there is nothing to scale", "Give a mesh, or remove \"scale\".");
    return {};
  }
  if (scale && kind->key == "liquid")
    scale->report("a liquid has its size in metres", "Remove \"scale\".");
  ObjectShape shape = read_kind(*kind, factor, object.has("thickness"), context);
  shape.has_stated_size = scale.has_value() || kind->key == "shape" ||
                          std::holds_alternative<ModalBody>(shape.geometry);
  return shape;
}

void apply_motion_scale(Object& object, const JsonValue& value) {
  if (!object.mesh) return;
  const MotionScale scale = motion_scale(object.path);
  if (!scale.problem.empty()) {
    value.report(fmt::format("the object cannot move like this: {}", scale.problem),
                 "A solid body keeps its shape; in Blender, apply the scale (Ctrl+A).");
    return;
  }
  const geometry::Affine transform = geometry_scale(object.path);
  if (transform.linear().isIdentity(1e-12)) return;
  if (object.ideal_shape() != nullptr || object.modal_body() != nullptr ||
      object.liquid() != nullptr) {
    value.report("the motion scales a body whose sound belongs to its size",
                 "Give the body its size in metres and remove the scale of the motion.");
    return;
  }
  if (object.shell) {
    scale_shell(object, transform, value);
  } else {
    object.mesh = std::make_shared<const TriMesh>(geometry::transformed(*object.mesh, transform));
  }
  object.collision_shape.reset();
  object.hexahedra.reset();
  if (auto* sequence = std::get_if<MeshSequence>(&object.geometry)) {
    sequence->transform = transform.linear() * sequence->transform;
  } else if (auto* morphed = std::get_if<MorphedMesh>(&object.geometry)) {
    morphed->targets = std::make_shared<MorphTargets>(
        transformed(*morphed->targets, geometry::Mat3(transform.linear())));
  }
}

}  // namespace peal::scene
