#pragma once

#include <peal/geometry/mesh/surface_query.h>

#include <vector>

namespace peal::contact {

/// How round a surface is where something touches it, whatever its mesh: triangles that meet at
/// more than 30 degrees are an edge of the body with a fillet, all others a smooth surface.
class LocalShape {
 public:
  /// `fillet` [m]: radius of the body's sharpest edges.
  LocalShape(const geometry::TriMesh& mesh, double fillet);

  /// Radius r_i for equation 8 of Chadwick et al. 2012 [m], infinite on flat faces. `point` is in
  /// the frame of the mesh.
  double radius(const geometry::Vec3& point) const;

  const geometry::SurfaceQuery& surface() const { return surface_; }

 private:
  struct SharpEdge {
    geometry::Vec3 a, b;  ///< [m]
    double curvature;     ///< of the line it is part of [1/m]
  };

  void find_sharp_edges();

  geometry::SurfaceQuery surface_;
  double fillet_;                 ///< [m]
  std::vector<SharpEdge> edges_;  ///< fillets
  std::vector<bool> is_sharp_;    ///< for each vertex, whether it lies on an edge
  std::vector<double> k1_, k2_;   ///< principal curvatures at each vertex [1/m]
};

}  // namespace peal::contact
