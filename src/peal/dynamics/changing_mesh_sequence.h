#pragma once

#include <peal/base/surface_sequence.h>
#include <peal/dynamics/mesh_sequence.h>
#include <peal/util/error.h>

#include <list>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace peal::dynamics {

/// Frames of a mesh sequence, but for the first one, whose triangles are not those of the frame
/// before, ascending: none if all have the same. Reads every frame; `load` is called from several
/// threads. Throws InputError that names the file of a frame that cannot be read or is empty.
std::vector<std::size_t> frames_with_other_triangles(const scene::MeshSequence& sequence,
                                                     const MeshSequenceDeformation::Loader& load);

/// A surface whose shapes at given times are meshes in files, not all with the same triangles.
///
/// Frames that follow each other and share their triangles are one mesh, whose vertices go straight
/// from frame to frame. Where the triangles change from one frame to the next, the vertices of the
/// earlier frame go straight towards the nearest points of the later surface, as far as half way;
/// there the later mesh takes over, whose vertices come from the nearest points of the earlier
/// surface in the same way. What has no counterpart rests until then (displacements_onto()). A
/// surface at rest stays where it is, but for what its facets cut off. Before the first and after
/// the last frame all rests.
class ChangingMeshSequence : public base::SurfaceSequence {
 public:
  using Loader = MeshSequenceDeformation::Loader;

  /// `changed`: frames_with_other_triangles(), not empty. Throws InputError that names the file if
  /// a surface has no area. Faces that are turned the wrong way are turned back.
  ChangingMeshSequence(scene::MeshSequence sequence, const std::vector<std::size_t>& changed,
                       Loader load);

  std::span<const double> changes() const override { return changes_; }
  std::shared_ptr<const geometry::TriMesh> mesh(std::size_t number) const override;
  void vertices(std::size_t number, double t, std::span<base::Vec3> out) const override;
  bool is_sheet() const override;

 private:
  using Mesh = std::shared_ptr<const geometry::TriMesh>;
  /// From one frame to the next.
  struct Leg {
    Mesh from, to;
    /// Displacements of their vertices from each to the other, if their triangles differ [m].
    std::vector<base::Vec3> onward, back;
  };
  std::shared_ptr<const Leg> leg(std::size_t frame) const;
  std::shared_ptr<const Leg> make_leg(std::size_t frame, Mesh from, Mesh to) const;
  Mesh read(std::size_t frame) const;
  bool begins_mesh(std::size_t frame) const;
  void check_surfaces();

  scene::MeshSequence sequence_;
  Loader load_;
  std::vector<std::size_t> first_frames_;  ///< of each mesh
  std::vector<double> changes_;            ///< [s]
  bool is_sheet_ = false;                  ///< of the first mesh
  std::optional<util::InputError> mixed_;  ///< about the first mesh that is not as open as that
  std::size_t kept_;                       ///< legs and meshes in memory

  mutable std::mutex mutex_;
  mutable std::list<std::pair<std::size_t, std::shared_ptr<const Leg>>> legs_;  ///< last used first
  mutable std::list<std::pair<std::size_t, Mesh>> meshes_;                      ///< last used first
};

}  // namespace peal::dynamics
