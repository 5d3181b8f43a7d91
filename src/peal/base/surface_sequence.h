#pragma once

#include <peal/base/motion.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <cstddef>
#include <memory>
#include <span>

namespace peal::base {

/// A surface that changes its triangles: one mesh after another, each for an interval in
/// which its vertices may move. Where one mesh takes over from the one before, only the shape goes
/// on: their vertices have nothing to do with each other. Water whose surface is triangulated anew
/// and bodies that break are such sequences. All functions may be called from several threads.
class SurfaceSequence {
 public:
  virtual ~SurfaceSequence() = default;

  /// Times at which the next mesh takes over [s], ascending: one fewer than there are meshes.
  virtual std::span<const double> changes() const = 0;

  /// The triangles of a mesh, with vertices of some time at which it is the surface [m, in the
  /// body's frame]. Triangles are counter-clockwise from outside.
  virtual std::shared_ptr<const geometry::TriMesh> mesh(std::size_t number) const = 0;

  /// Positions [m] of all vertices of a mesh at time t [s]; before and after its time they rest.
  virtual void vertices(std::size_t number, double t, std::span<Vec3> out) const = 0;

  /// Whether its meshes are open surfaces without an inside. Throws InputError if some are and some
  /// are not.
  virtual bool is_sheet() const = 0;

  std::size_t size() const { return changes().size() + 1; }
  /// The number of the mesh that is the surface at t [s].
  std::size_t number_at(double t) const;
};

/// One mesh of a sequence, as the shape of a body that keeps its triangles.
class MeshOfSequence : public Deformation {
 public:
  MeshOfSequence(std::shared_ptr<const SurfaceSequence> sequence, std::size_t number)
      : sequence_(std::move(sequence)), number_(number) {}

  void vertices(double t, std::span<Vec3> out) const override {
    sequence_->vertices(number_, t, out);
  }

 private:
  std::shared_ptr<const SurfaceSequence> sequence_;
  std::size_t number_;
};

/// The surface at t [s].
geometry::TriMesh shape_at(const SurfaceSequence& sequence, double t);

}  // namespace peal::base
