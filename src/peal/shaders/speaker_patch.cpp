#include <peal/geometry/io/read_obj.h>
#include <peal/geometry/repair/box_split.h>
#include <peal/shaders/speaker_patch.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace peal::shaders {

using geometry::TriMesh;

namespace {

/// Marks the triangles of each kind of patch in a mesh that boxes have already cut.
struct MarkPatch {
  const TriMesh& mesh;
  const std::vector<std::uint32_t>& source;  ///< the face of the scene's mesh
  std::vector<bool>& patch;

  void operator()(const scene::WholeSurface&) const { patch.assign(mesh.triangles.size(), true); }
  void operator()(const std::string& label) const {
    patch.assign(mesh.triangles.size(), false);
    for (std::size_t t = 0; t < mesh.triangle_group.size(); ++t) {
      patch[t] = geometry::has_label(mesh.groups[mesh.triangle_group[t]], label);
    }
  }
  void operator()(std::vector<std::uint32_t> faces) const {
    patch.assign(mesh.triangles.size(), false);
    std::ranges::sort(faces);
    for (std::size_t t = 0; t < patch.size(); ++t) {
      patch[t] = std::ranges::binary_search(faces, source[t]);
    }
  }
  void operator()(const geometry::Box&) const {}  // marked when it was cut
};

/// A mark on triangles, handed on to the pieces they were cut into.
std::vector<bool> samples_by_triangle(const std::vector<bool>& patch,
                                      const std::vector<std::uint32_t>& source) {
  if (patch.empty()) return {};
  std::vector<bool> pieces;
  pieces.reserve(source.size());
  for (const std::uint32_t whole : source) pieces.push_back(patch[whole]);
  return pieces;
}

/// Numbers from 1 for the different sets of speakers, in the order of their first triangle.
std::vector<std::uint32_t> number_parts(const SpeakerPatches& found) {
  std::map<std::vector<bool>, std::uint32_t> numbers;
  numbers[std::vector<bool>(found.patches.size(), false)] = 0;
  std::vector<std::uint32_t> parts;
  std::vector<bool> drivers(found.patches.size());
  for (std::size_t t = 0; t < found.mesh.triangles.size(); ++t) {
    for (std::size_t s = 0; s < drivers.size(); ++s) drivers[s] = found.patches[s][t];
    const auto next = static_cast<std::uint32_t>(numbers.size());
    parts.push_back(numbers.try_emplace(drivers, next).first->second);
  }
  return parts;
}

}  // namespace

SpeakerPatches speaker_patches(const TriMesh& mesh, std::span<const scene::Faces> faces) {
  SpeakerPatches found{.mesh = mesh};
  std::vector<std::uint32_t> source(mesh.triangles.size());
  std::iota(source.begin(), source.end(), 0u);
  found.patches.resize(faces.size());
  for (std::size_t s = 0; s < faces.size(); ++s) {
    if (const auto* box = std::get_if<geometry::Box>(&faces[s])) {
      geometry::BoxSplit split = geometry::split_by_box(found.mesh, *box);
      for (auto& earlier : found.patches) earlier = samples_by_triangle(earlier, split.source);
      for (std::uint32_t& origin : split.source) origin = source[origin];
      found.patches[s] = std::move(split.inside);
      found.mesh = std::move(split.mesh);
      source = std::move(split.source);
    }
  }
  for (std::size_t s = 0; s < faces.size(); ++s) {
    std::visit(MarkPatch{found.mesh, source, found.patches[s]}, faces[s]);
    if (std::ranges::none_of(found.patches[s], [](bool in) { return in; })) {
      throw util::InputError({}, fmt::format("speaker {} of the object has no faces", s));
    }
    // What rounding leaves of flat triangles is no area.
    const double extent = geometry::bounds(found.mesh).diagonal().squaredNorm();
    if (patch_size(found.mesh, found.patches[s]).area <= 1e-12 * extent) {
      throw util::InputError({}, fmt::format("speaker {} of the object has no area", s),
                             "Its faces are lines or points. Choose others, or repair the mesh.");
    }
  }
  found.triangle_part = number_parts(found);
  return found;
}

SpeakerPatches speaker_patches(const scene::Object& object) {
  std::vector<scene::Faces> faces;
  for (const auto& sound : object.sounds) {
    if (const scene::Faces* const patch = sound->patch()) faces.push_back(*patch);
  }
  if (faces.empty()) return {.mesh = *object.mesh};
  try {
    return speaker_patches(*object.mesh, faces);
  } catch (const util::InputError& error) {
    throw util::InputError({"", object.location}, error.problem(), error.hint());
  }
}

void hand_over(SpeakerPatches& patches, const std::vector<std::uint32_t>& source,
               const scene::Object& object) {
  for (std::size_t s = 0; s < patches.patches.size(); ++s) {
    patches.patches[s] = samples_by_triangle(patches.patches[s], source);
    if (std::ranges::find(patches.patches[s], true) != patches.patches[s].end()) continue;
    throw util::InputError(
        {"", object.location},
        fmt::format("the mesh needs repair, and the faces of speaker {} are not on its surface", s),
        "Repair the mesh, or choose faces that bound the solid.");
  }
  if (patches.triangle_part.empty()) return;
  std::vector<std::uint32_t> parts;
  for (const std::uint32_t whole : source) parts.push_back(patches.triangle_part[whole]);
  patches.triangle_part = std::move(parts);
}

PatchSize patch_size(const TriMesh& mesh, const std::vector<bool>& patch) {
  PatchSize size;
  for (std::size_t t = 0; t < patch.size(); ++t) {
    if (!patch[t]) continue;
    ++size.triangles;
    size.area += geometry::area_vector(mesh, t).norm();
  }
  return size;
}

}  // namespace peal::shaders
