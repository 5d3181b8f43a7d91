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

/// Finds the frames of a mesh sequence after the first whose triangles differ from those of the
/// frame before, in ascending order; none if all are the same. Reads every frame; `load` is called
/// from several threads. Throws InputError that names the file of a frame that cannot be read or is
/// empty.
std::vector<std::size_t> frames_with_other_triangles(const scene::MeshSequence& sequence,
                                                     const MeshSequenceDeformation::Loader& load);

/// A surface whose shapes at given times are meshes in files, not all with the same triangles.
///
/// Consecutive frames that share their triangles are one mesh, whose vertices are interpolated
/// linearly from frame to frame. Where the triangles change from one frame to the next, the
/// vertices of the earlier frame move linearly towards the nearest points of the later surface, up
/// to half way; there the later mesh replaces it, whose vertices come from the nearest points of
/// the earlier surface in the same way. Vertices without a counterpart rest until then
/// (displacements_onto()). A surface at rest stays where it is, except for the difference between
/// its facets. Everything rests before the first and after the last frame.
class ChangingMeshSequence : public base::SurfaceSequence {
 public:
  using Loader = MeshSequenceDeformation::Loader;

  /// `changed` is the result of frames_with_other_triangles(), not empty. Throws InputError that
  /// names the file if a surface has no area. Faces with the wrong orientation are flipped.
  ChangingMeshSequence(scene::MeshSequence sequence, const std::vector<std::size_t>& changed,
                       Loader load);

  std::span<const double> changes() const override { return changes_; }
  std::shared_ptr<const geometry::TriMesh> mesh(std::size_t number) const override;
  void vertices(std::size_t number, double t, std::span<base::Vec3> out) const override;
  bool is_sheet() const override;

 private:
  using Mesh = std::shared_ptr<const geometry::TriMesh>;
  /// The interval from one frame to the next.
  struct Leg {
    Mesh from, to;
    /// Displacements of the vertices of each mesh to the other, if their triangles differ [m].
    std::vector<base::Vec3> onward, back;
  };
  std::shared_ptr<const Leg> leg(std::size_t frame) const;
  std::shared_ptr<const Leg> make_leg(std::size_t frame, Mesh from, Mesh to) const;
  Mesh read(std::size_t frame) const;
  bool begins_mesh(std::size_t frame) const;
  void check_surfaces();

  scene::MeshSequence sequence_;
  Loader load_;
  std::vector<std::size_t> first_frames_;  ///< first frame of each mesh
  std::vector<double> changes_;            ///< times at which the mesh changes [s]
  bool is_sheet_ = false;                  ///< whether the first mesh is a sheet
  std::optional<util::InputError> mixed_;  ///< error of the first mesh that differs in that
  std::size_t kept_;                       ///< number of legs and meshes kept in memory

  mutable std::mutex mutex_;
  mutable std::list<std::pair<std::size_t, std::shared_ptr<const Leg>>> legs_;  ///< last used first
  mutable std::list<std::pair<std::size_t, Mesh>> meshes_;                      ///< last used first
};

}  // namespace peal::dynamics
