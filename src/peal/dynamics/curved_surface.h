#pragma once

#include <peal/dynamics/creased_mesh.h>
#include <peal/geometry/mesh/surface_query.h>

#include <vector>

namespace peal::dynamics {

/// The smooth surface that a mesh stands for: over each triangle a cubic patch that has the
/// normals of the mesh at its corners (Vlachos, Peters, Boyd & Mitchell 2001, "Curved PN
/// triangles"), with the arcs of CubicArc as its edges so that spheres and rims become round to the
/// fourth order in the edge length. Faces that are flat stay flat, sharp edges stay sharp.
class CurvedSurface {
 public:
  /// `facet` is the approximate size of the facets by which patches are looked up [m].
  CurvedSurface(const CreasedMesh& mesh, double facet);

  /// Points whose convex hull contains the surface [m]. The surface bulges beyond the vertices of
  /// the mesh.
  static std::vector<Vec3> hull_points(const CreasedMesh& mesh);

  struct NearestPoint {
    Vec3 point;          ///< on the surface [m]
    double distance;     ///< unsigned distance from it [m]
    int side;            ///< 1: outside, -1: inside, 0: on an edge, where the patch cannot tell
    std::uint32_t face;  ///< one smooth face has one number
  };
  /// The surface point nearest to p, which must be within `radius` [m].
  NearestPoint nearest(const Vec3& p, double radius) const;
  /// All local minima of the distance to p within `radius` [m], at most one a face: the points
  /// where a ball around p can touch. Sorted by face number.
  std::vector<NearestPoint> nearest_of_faces(const Vec3& p, double radius) const;
  /// The same surface as facets.
  const geometry::TriMesh& facets() const { return facets_.mesh(); }
  const geometry::SurfaceQuery& query() const { return facets_; }

 private:
  struct Patch {
    std::array<Vec3, 10> points;
    bool is_flat;
    std::uint32_t face;
    /// Patch beyond the edge from corner k to the next; none if the edge is sharp.
    std::array<std::uint32_t, 3> neighbours;

    struct Sample {
      Vec3 at, along_u, along_v;
    };
    Sample sample(double u, double v) const;
  };
  struct Facet {
    std::uint32_t patch;
    std::array<Eigen::Vector2d, 3> corners;  ///< (u, v) on the patch
  };
  struct Parts {
    std::vector<Patch> patches;
    std::vector<Facet> facets;
    geometry::TriMesh mesh;
    double sag = 0.0;  ///< height of patches over their facets [m]
  };

  static Patch make_patch(const CreasedMesh& mesh, std::uint32_t triangle);
  static Parts make_parts(const CreasedMesh& mesh, double facet);
  explicit CurvedSurface(Parts parts);
  struct OnPatch {
    Eigen::Vector2d at;  ///< (u, v)
    Patch::Sample sample;
    double distance;  ///< [m]
  };
  OnPatch on_patch(const Vec3& p, const Patch& patch, const Eigen::Vector2d& start) const;
  NearestPoint from_facet(const Vec3& p, const geometry::SurfacePoint& near) const;

  std::vector<Patch> patches_;
  std::vector<Facet> source_;  ///< patch and corners of each facet
  geometry::SurfaceQuery facets_;
  double sag_;  ///< approximate distance of patches from their facets [m]
};

}  // namespace peal::dynamics
