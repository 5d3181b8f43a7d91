#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/scene/scene.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::shaders {

/// The surface of a body with speakers, cut so that each triangle is driven by a speaker or not.
struct SpeakerPatches {
  geometry::TriMesh mesh;  ///< the same surface, cut where boxes mark a patch
  /// For each speaker, whether each triangle of `mesh` belongs to it.
  std::vector<std::vector<bool>> patches;
  /// For each triangle a number for the set of speakers that drive it; 0: none. Empty without
  /// speakers.
  std::vector<std::uint32_t> triangle_part;
};

/// Finds the faces of each speaker of a body. Throws InputError if a speaker has none,
/// or none with an area.
SpeakerPatches speaker_patches(const geometry::TriMesh& mesh, std::span<const scene::Faces> faces);

/// The surface of an object that has one, with its speakers in the order of its sounds.
SpeakerPatches speaker_patches(const scene::Object& object);

/// The same patches on another mesh, whose triangles lie on those given by `source`. Throws
/// InputError if a speaker has none of them.
void hand_over(SpeakerPatches& patches, const std::vector<std::uint32_t>& source,
               const scene::Object& object);

/// Size of a patch, for messages.
struct PatchSize {
  std::size_t triangles = 0;
  double area = 0.0;  ///< [m^2]
};
PatchSize patch_size(const geometry::TriMesh& mesh, const std::vector<bool>& patch);

}  // namespace peal::shaders
