#pragma once

#include <peal/base/contact.h>
#include <peal/base/existence.h>
#include <peal/dynamics/rigid_solver.h>
#include <peal/scene/scene.h>
#include <peal/util/progress.h>

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace peal::simulate {

struct Participants;

/// A body that broke in the course of a simulation.
struct Breakage {
  std::size_t object = 0;  ///< index in the scene
  double time = 0.0;       ///< when it ends and its pieces begin: the end of a step [s]
  /// The part of the impulse of the impact that it carried until it broke.
  double share = 1.0;
  /// What the bodies that it met get back of their impulses, by the index of their object.
  std::vector<std::pair<std::size_t, dynamics::Blow>> returned;
  std::size_t first_piece = 0, pieces = 0;  ///< objects of the scene
};

/// A scene in which bodies that break end, and their pieces are objects behind all others.
struct BrokenScene {
  scene::Scene scene;
  std::vector<Breakage> breakages;  ///< in the order of their times
};

/// Whether there are bodies that may break.
bool may_break(const scene::Scene& scene);

/// Simulates the scene as far as is needed to know which of its bodies break, when and how. Adds
/// what happened to `notices`.
///
/// A body breaks in the first impact that is as strong as its limit. It carries the impact up to
/// the limit, as do those that it meets; what is left of their speeds meets again, piece by piece.
/// The pieces are its Voronoi cells (geometry/volume/voronoi_pieces.h), and move on as the whole
/// would.
BrokenScene break_bodies(const scene::Scene& scene, util::Progress& progress,
                         std::vector<std::string>& notices);

/// The names of all pieces, simulated or given.
std::set<std::string> piece_names(const scene::Scene& scene);

/// The gain of the sounds of a body that breaks, or of a piece: the whole is heard for a little
/// longer than it exists, pieces from their first instant on. Empty for other objects.
std::optional<base::FadeWindow> window_of_fragmentation(const scene::Object& object);

/// Reduces the impulses by which bodies broke to what they carried.
void reduce_breaking_impulses(const scene::Scene& scene, std::span<const Breakage> breakages,
                              base::ContactLog& log);

/// Tells a simulation what broke: whose pieces bodies are, and what they get back of the impulses
/// that they did not spend on breaking others.
void add_breakages(const scene::Scene& scene, std::span<const Breakage> breakages,
                   Participants& taking_part);

}  // namespace peal::simulate
