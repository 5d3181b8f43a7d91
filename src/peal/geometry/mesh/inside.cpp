#include <peal/geometry/mesh/inside.h>

#include <cmath>
#include <numbers>

namespace peal::geometry {
namespace {

constexpr std::uint32_t leaf_size = 8;
constexpr double full_sphere = 4.0 * std::numbers::pi;

/// The ten index triples i <= j <= k of a symmetric third-order tensor.
constexpr std::array<std::array<int, 3>, 10> triples = {{{0, 0, 0},
                                                         {0, 0, 1},
                                                         {0, 0, 2},
                                                         {0, 1, 1},
                                                         {0, 1, 2},
                                                         {0, 2, 2},
                                                         {1, 1, 1},
                                                         {1, 1, 2},
                                                         {1, 2, 2},
                                                         {2, 2, 2}}};

/// Symmetric part of v (x) m for a symmetric matrix m, scaled and added to `sum`.
void add_symmetric(std::array<double, 10>& sum, const Vec3& v, const Mat3& m, double scale) {
  for (std::size_t n = 0; n < triples.size(); ++n) {
    const auto [i, j, k] = triples[n];
    sum[n] += scale / 3.0 * (v[i] * m(j, k) + v[j] * m(i, k) + v[k] * m(i, j));
  }
}

Mat3 symmetric_product(const Vec3& a, const Vec3& b) {
  return 0.5 * (a * b.transpose() + b * a.transpose());
}

Vec3 trace(const std::array<double, 10>& s) {
  return {s[0] + s[3] + s[5], s[1] + s[6] + s[8], s[2] + s[7] + s[9]};
}

/// s contracted with r three times.
double cubed(const std::array<double, 10>& s, const Vec3& r) {
  const double x = r.x(), y = r.y(), z = r.z();
  return x * (x * (s[0] * x + 3.0 * (s[1] * y + s[2] * z)) + 3.0 * y * (s[3] * y + 2.0 * s[4] * z) +
              3.0 * s[5] * z * z) +
         y * (y * (s[6] * y + 3.0 * s[7] * z) + 3.0 * s[8] * z * z) + s[9] * z * z * z;
}

}  // namespace

double winding_number(const TriMesh& mesh, const Vec3& p) {
  double sum = 0.0;
  for (const auto& [a, b, c] : mesh.triangles)
    sum += solid_angle({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]}, p);
  return sum / full_sphere;
}

InsideTest::InsideTest(TriMesh mesh, double accuracy)
    : tree_(mesh, leaf_size), clusters_(tree_.nodes().size()) {
  corners_.reserve(mesh.triangles.size());
  for (const std::uint32_t t : tree_.order()) {
    const auto& [a, b, c] = mesh.triangles[t];
    corners_.push_back({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]});
  }
  const auto& nodes = tree_.nodes();
  for (std::size_t i = nodes.size(); i-- > 0;) {  // children before parents
    Cluster& cluster = clusters_[i];
    cluster = nodes[i].is_leaf() ? leaf_cluster(nodes[i])
                                 : merged(clusters_[i + 1], clusters_[nodes[i].right]);
    // The corner of the box farthest from the centre bounds the cluster's radius.
    const Vec3 reach = (nodes[i].box.max() - cluster.centre)
                           .cwiseAbs()
                           .cwiseMax((nodes[i].box.min() - cluster.centre).cwiseAbs());
    cluster.far2 = accuracy * accuracy * reach.squaredNorm();
    cluster.octupole_trace = trace(cluster.octupole);
  }
}

InsideTest::Cluster InsideTest::leaf_cluster(const TriangleTree::Node& node) const {
  Cluster cluster;
  for (std::uint32_t i = node.begin; i < node.end; ++i) {
    const auto& [a, b, c] = corners_[i];
    const double area = 0.5 * (b - a).cross(c - a).norm();
    cluster.area += area;
    cluster.centre += area / 3.0 * (a + b + c);
  }
  if (cluster.area > 0.0) {
    cluster.centre /= cluster.area;
  } else {
    cluster.centre = node.box.center();
  }
  for (std::uint32_t i = node.begin; i < node.end; ++i) {
    const Vec3 a = corners_[i][0] - cluster.centre;
    const Vec3 b = corners_[i][1] - cluster.centre;
    const Vec3 c = corners_[i][2] - cluster.centre;
    const Vec3 area_vector = 0.5 * (b - a).cross(c - a);
    const Vec3 sum = a + b + c;
    cluster.dipole += area_vector;
    cluster.quadrupole += symmetric_product(sum / 3.0, area_vector);
    // Exact mean of y y^T over a triangle.
    const Mat3 spread =
        (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose()) / 12.0;
    add_symmetric(cluster.octupole, area_vector, spread, 1.0);
  }
  return cluster;
}

InsideTest::Cluster InsideTest::merged(const Cluster& a, const Cluster& b) {
  Cluster both;
  both.area = a.area + b.area;
  both.centre = both.area > 0.0 ? Vec3((a.area * a.centre + b.area * b.centre) / both.area)
                                : Vec3(0.5 * (a.centre + b.centre));
  for (const Cluster* part : {&a, &b}) {
    const Vec3 shift = part->centre - both.centre;
    both.dipole += part->dipole;
    both.quadrupole += part->quadrupole + symmetric_product(shift, part->dipole);
    for (std::size_t n = 0; n < triples.size(); ++n) both.octupole[n] += part->octupole[n];
    add_symmetric(both.octupole, shift, part->quadrupole, 2.0);
    add_symmetric(both.octupole, part->dipole, shift * shift.transpose(), 1.0);
  }
  return both;
}

/// Taylor series of the kernel r / |r|^3 about the cluster's centre, contracted with its moments.
double InsideTest::far_sum(const Cluster& cluster, const Vec3& p) const {
  const Vec3 r = cluster.centre - p;
  const double inverse2 = 1.0 / r.squaredNorm();
  const double inverse3 = inverse2 * std::sqrt(inverse2);
  const double first = cluster.dipole.dot(r);
  const double second = cluster.quadrupole.trace() - 3.0 * inverse2 * r.dot(cluster.quadrupole * r);
  const double third =
      0.5 * inverse2 *
      (15.0 * inverse2 * cubed(cluster.octupole, r) - 9.0 * cluster.octupole_trace.dot(r));
  return inverse3 * (first + second + third);
}

double InsideTest::near_sum(const TriangleTree::Node& node, const Vec3& p) const {
  double sum = 0.0;
  for (std::uint32_t i = node.begin; i < node.end; ++i) sum += solid_angle(corners_[i], p);
  return sum;
}

double InsideTest::winding_number(const Vec3& p) const {
  if (clusters_.empty()) return 0.0;
  const auto& nodes = tree_.nodes();
  double sum = 0.0;
  std::array<std::uint32_t, 64> pending;  // the tree is balanced: at most 32 deep
  std::size_t count = 0;
  pending[count++] = 0;
  while (count > 0) {
    const std::uint32_t i = pending[--count];
    const Cluster& cluster = clusters_[i];
    if ((p - cluster.centre).squaredNorm() > cluster.far2) {
      sum += far_sum(cluster, p);
    } else if (nodes[i].is_leaf()) {
      sum += near_sum(nodes[i], p);
    } else {
      pending[count++] = nodes[i].right;
      pending[count++] = i + 1;
    }
  }
  return sum / full_sphere;
}

double signed_distance(const SurfaceQuery& surface, const InsideTest& solid, const Vec3& p) {
  const double distance = surface.closest_point(p).distance;
  return solid.inside(p) ? -distance : distance;
}

}  // namespace peal::geometry
