#pragma once

#include <peal/dynamics/creased_mesh.h>
#include <peal/geometry/surface_query.h>

#include <vector>

namespace peal::dynamics {

/// The smooth surface that a mesh stands for: over each triangle a cubic patch that has the
/// normals of the mesh at its corners (Vlachos, Peters, Boyd & Mitchell 2001, "Curved PN
/// triangles"), with the arcs of CubicArc as its edges so that spheres and rims become round to the
/// fourth order in the edge length. Faces that are flat stay flat, sharp edges stay sharp.
class CurvedSurface {
 public:
  /// `facet` [m]: the patches are looked up as facets of about this size.
  CurvedSurface(const CreasedMesh& mesh, double facet);

  /// Points in whose convex hull the surface lies [m]. It bulges beyond the vertices of the mesh.
  static std::vector<Vec3> hull_points(const CreasedMesh& mesh);

  struct Nearest {
    double distance;  ///< [m], without a sign
    int side;         ///< 1: p is outside, -1: inside, 0: the patch alone cannot tell
  };
  /// Of p from the surface, which is known to be within `radius` [m]; from its facets only where
  /// that is more than `far` [m].
  Nearest nearest(const Vec3& p, double radius, double far) const;
  /// The same surface as facets.
  const geometry::TriMesh& facets() const { return facets_.mesh(); }
  const geometry::SurfaceQuery& query() const { return facets_; }

 private:
  struct Patch {
    std::array<Vec3, 10> points;
    bool is_flat;

    struct Sample {
      Vec3 at, along_u, along_v;
    };
    Sample sample(double u, double v) const;
  };
  struct Facet {
    std::uint32_t patch;
    std::array<Eigen::Vector2d, 3> corners;  ///< (u, v) on it
  };
  struct Parts {
    std::vector<Patch> patches;
    std::vector<Facet> facets;
    geometry::TriMesh mesh;
  };

  static Patch make_patch(const CreasedMesh& mesh, std::uint32_t triangle);
  static Parts make_parts(const CreasedMesh& mesh, double facet);
  explicit CurvedSurface(Parts parts);

  std::vector<Patch> patches_;
  std::vector<Facet> source_;  ///< of each facet
  geometry::SurfaceQuery facets_;
};

}  // namespace peal::dynamics
