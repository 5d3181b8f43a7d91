#pragma once

#include <peal/geometry/mesh/surface_query.h>
#include <peal/geometry/mesh/triangle_tree.h>

namespace peal::geometry {

/// Generalised winding number of a triangle surface about p (Jacobson, Kavan & Sorkine-Hornung
/// 2013, eq. 5): the sum of solid angles over 4 pi. It is 1 inside a closed surface, 0 outside, and
/// between them near holes. This function is exact but slow.
double winding_number(const TriMesh& mesh, const Vec3& p);

/// Inside test for a solid whose surface may have holes, cracks, doubled or crossing faces.
///
/// The winding number is summed over a tree: far clusters through their multipole expansion of
/// second order, near triangles by the exact formula (Barill, Dickson, Schmidt, Levin & Jacobson
/// 2018, section 3). A cluster is far if p is more than `accuracy` times its radius from its
/// centre; measured errors on a closed sphere are below 3e-3 at 2 (the default, as in the paper)
/// and fall with about the third power.
class InsideTest {
 public:
  explicit InsideTest(TriMesh mesh, double accuracy = 2.0);

  double winding_number(const Vec3& p) const;
  bool inside(const Vec3& p) const { return winding_number(p) > 0.5; }

 private:
  /// Moments of a cluster's area vectors about its centre. With y = x - centre and dA the area
  /// vector: the integrals of dA, y dA and y y dA, symmetrised because only the symmetric part
  /// contributes to the far field (the kernel's derivatives are symmetric).
  struct Cluster {
    Vec3 centre = Vec3::Zero();          ///< area-weighted [m]
    double far2 = 0.0;                   ///< (accuracy * radius)^2 [m^2]
    double area = 0.0;                   ///< [m^2]
    Vec3 dipole = Vec3::Zero();          ///< [m^2]
    Mat3 quadrupole = Mat3::Zero();      ///< [m^3]
    std::array<double, 10> octupole{};   ///< xxx xxy xxz xyy xyz xzz yyy yyz yzz zzz [m^4]
    Vec3 octupole_trace = Vec3::Zero();  ///< [m^4]
  };

  Cluster leaf_cluster(const TriangleTree::Node& node) const;
  static Cluster merged(const Cluster& a, const Cluster& b);
  double far_sum(const Cluster& cluster, const Vec3& p) const;
  double near_sum(const TriangleTree::Node& node, const Vec3& p) const;

  TriangleTree tree_;
  std::vector<Corners> corners_;  ///< in the tree's order
  std::vector<Cluster> clusters_;
};

/// Distance to the surface, negative inside [m].
double signed_distance(const SurfaceQuery& surface, const InsideTest& solid, const Vec3& p);

}  // namespace peal::geometry
