#pragma once

#include <peal/base/motion.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <cstddef>
#include <memory>
#include <span>

namespace peal::base {

/// A surface whose triangles change: a sequence of meshes, each for an interval in which its
/// vertices may move. At a change only the shape is continuous; the vertices of the two meshes do
/// not correspond. Examples are water whose surface is triangulated anew and bodies that break. All
/// functions may be called from several threads.
class SurfaceSequence {
 public:
  virtual ~SurfaceSequence() = default;

  /// Times at which the next mesh replaces the current one [s], ascending: one fewer than there are
  /// meshes.
  virtual std::span<const double> changes() const = 0;

  /// A mesh of the sequence, with its vertices at some time at which it is current [m, in the
  /// body's frame]. Triangles are counter-clockwise from outside.
  virtual std::shared_ptr<const geometry::TriMesh> mesh(std::size_t number) const = 0;

  /// Positions [m] of all vertices of a mesh at time t [s]; outside its interval they rest.
  virtual void vertices(std::size_t number, double t, std::span<Vec3> out) const = 0;

  /// Whether the meshes are open surfaces without an inside. Throws InputError if some are and
  /// others are not.
  virtual bool is_sheet() const = 0;

  std::size_t size() const { return changes().size() + 1; }
  /// The number of the mesh that is current at t [s].
  std::size_t number_at(double t) const;
};

/// One mesh of a sequence, as the deformation of a body with fixed triangles.
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
