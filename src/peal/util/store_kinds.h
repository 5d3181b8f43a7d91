#pragma once

#include <cstdint>
#include <string_view>

namespace peal::util {

/// A kind of result that Peal stores on disk.
struct StoreKind {
  std::string_view name;       ///< extension of its files, at most 24 letters
  std::string_view folder;     ///< folder in the user's cache (cache_folder())
  std::uint32_t revision = 1;  ///< revision; entries of another revision are recomputed
};

/// The kinds of results that Peal stores. A revision is increased when the same key gives different
/// numbers, or when the layout of the payload changes.
namespace stored {

/// Revision of recordings and of checkpoints, which come from the same simulation.
inline constexpr std::uint32_t deformation_revision = 29;

/// Finished chunks of the wave solver.
inline constexpr StoreKind wave_chunk = {"chunk", "chunks", 8};
/// Vibration modes of closed meshes, found by finite elements.
inline constexpr StoreKind solid_modes = {"solid-modes", "modes", 9};
/// How vibration modes radiate.
inline constexpr StoreKind radiation_amplitudes = {"radiation-amplitudes", "modes", 3};
/// Recordings of deformable bodies, and of free bodies among them.
inline constexpr StoreKind recording = {"recording", "deformed", deformation_revision};
/// Checkpoints of these simulations.
inline constexpr StoreKind checkpoint = {"checkpoint", "deformed", deformation_revision};
/// Signed distances of the collision meshes of rigid bodies.
inline constexpr StoreKind distance_field = {"distance-field", "fields", 4};
/// Motion of the free bodies of a scene, and pressures at its receivers, in the folder of a render
/// that several machines share.
inline constexpr StoreKind rigid_motion = {"rigid-motion", "motion", 1};
inline constexpr StoreKind pressures = {"pressures", "pressures", 1};
/// Precomputed radiation of rigid shapes, and of the modes of bodies.
inline constexpr StoreKind rigid_radiation = {"rigid-radiation", "radiation", 3};
inline constexpr StoreKind modal_radiation = {"modal-radiation", "radiation", 3};

/// All of them, for what looks after the whole cache (cache.h).
inline constexpr StoreKind all[] = {
    wave_chunk,   solid_modes, radiation_amplitudes, recording,      checkpoint, distance_field,
    rigid_motion, pressures,   rigid_radiation,      modal_radiation};

}  // namespace stored

}  // namespace peal::util
