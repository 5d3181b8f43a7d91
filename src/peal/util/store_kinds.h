#pragma once

#include <cstdint>
#include <string_view>

namespace peal::util {

/// A kind of results that Peal stores on disk.
struct StoreKind {
  std::string_view name;       ///< the ending of its files, at most 24 letters
  std::string_view folder;     ///< in the user's cache (cache_folder()); empty: elsewhere
  std::uint32_t revision = 1;  ///< entries of another revision are computed again
};

/// Everything that Peal stores. A revision is raised when the same key gives other numbers, or when
/// the payload is laid out differently.
namespace stored {

/// A record and the state of one that is not finished come from the same simulation.
inline constexpr std::uint32_t deformation_revision = 24;

/// Finished chunks of the wave solver, in the folder of a render's output.
inline constexpr StoreKind wave_chunk = {"chunk", "", 5};
/// Vibration modes of closed meshes, found by finite elements.
inline constexpr StoreKind solid_modes = {"solid-modes", "modes", 6};
/// What deformable bodies, and free bodies among them, did.
inline constexpr StoreKind recording = {"recording", "deformed", deformation_revision};
/// The state of a simulation of these that goes on later.
inline constexpr StoreKind checkpoint = {"checkpoint", "deformed", deformation_revision};
/// Signed distances from meshes that rigid bodies collide as.
inline constexpr StoreKind distance_field = {"distance-field", "fields", 4};

}  // namespace stored

}  // namespace peal::util
