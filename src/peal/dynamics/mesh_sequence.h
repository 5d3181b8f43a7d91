#pragma once

#include <peal/base/motion.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/scene/scene.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace peal::dynamics {

/// A surface whose shapes at given times are meshes in files with the same triangles. It is
/// interpolated linearly between frames, and rests before the first and after the last. Frames are
/// read when they are needed, and only the last few are cached.
class MeshSequenceDeformation : public base::Deformation {
 public:
  using Loader = std::function<geometry::TriMesh(const std::filesystem::path&)>;

  /// `first` is the first frame; every later one must have its triangles. `load` is called from
  /// one thread at a time.
  MeshSequenceDeformation(scene::MeshSequence sequence, const geometry::TriMesh& first,
                          Loader load);

  /// Throws InputError, naming the file, if a frame does not fit.
  void vertices(double t, std::span<base::Vec3> out) const override;
  /// Reads every frame once.
  void check() const override;

 private:
  using Frame = std::shared_ptr<const std::vector<base::Vec3>>;
  Frame frame(std::size_t index) const;
  Frame read(std::size_t index) const;

  scene::MeshSequence sequence_;
  Loader load_;
  std::size_t vertex_count_;
  std::vector<geometry::Triangle> triangles_;

  mutable std::mutex mutex_;
  mutable std::list<std::pair<std::size_t, Frame>> recent_;  ///< last used first
};

}  // namespace peal::dynamics
