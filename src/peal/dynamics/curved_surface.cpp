#include <peal/dynamics/curved_surface.h>
#include <peal/util/disjoint_sets.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace peal::dynamics {

namespace {

// Bezier points of a triangle as they are numbered here: u^i v^j w^k with (i, j, k) of
// 300 030 003 | 210 120 021 012 102 201 | 111; u belongs to the first corner, v to the second.
constexpr int most_pieces = 16;      ///< of an edge
constexpr double same_point = 1e-6;  ///< of the distance

}  // namespace

CurvedSurface::Patch CurvedSurface::make_patch(const CreasedMesh& source, std::uint32_t triangle) {
  const geometry::Triangle& corners = source.mesh.triangles[triangle];
  const auto& normals = source.normals[triangle];
  Patch patch;
  for (int k = 0; k < 3; ++k) patch.points[k] = source.mesh.vertices[corners[k]];
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const Vec3 &a = patch.points[k], &b = patch.points[next];
    const std::uint32_t edge = source.topology.triangle_edges[triangle][k];
    const bool is_sharp = source.edges[edge] != CreasedMesh::Edge::smooth;
    const auto tangent = [&](int corner, const Vec3& to) -> Vec3 {
      if (is_sharp) return source.tangent(edge, corners[corner]);
      return (to - to.dot(normals[corner]) * normals[corner]).normalized();
    };
    const CubicArc arc(a, b, tangent(k, b - a), tangent(next, a - b));
    patch.points[3 + 2 * k] = arc.points[1];
    patch.points[4 + 2 * k] = arc.points[2];
  }
  Vec3 edges = Vec3::Zero(), middle = Vec3::Zero();
  for (int k = 0; k < 6; ++k) edges += patch.points[3 + k] / 6.0;
  for (int k = 0; k < 3; ++k) middle += patch.points[k] / 3.0;
  patch.points[9] = 1.5 * edges - 0.5 * middle;

  for (int k = 0; k < 3; ++k) {
    const bool is_smooth =
        source.edges[source.topology.triangle_edges[triangle][k]] == CreasedMesh::Edge::smooth;
    patch.neighbours[k] =
        is_smooth ? source.topology.triangle_neighbours[triangle][k] : geometry::MeshTopology::none;
  }
  patch.face = triangle;

  const Vec3 normal = geometry::area_vector(source.mesh, triangle).normalized();
  double off = 0.0;
  for (const Vec3& p : patch.points) off = std::max(off, std::abs(normal.dot(p - patch.points[0])));
  patch.is_flat = off < 1e-7 * (patch.points[1] - patch.points[0]).norm();
  return patch;
}

std::vector<Vec3> CurvedSurface::hull_points(const CreasedMesh& mesh) {
  std::vector<Vec3> result;
  for (std::uint32_t t = 0; t < mesh.mesh.triangles.size(); ++t) {
    const Patch patch = make_patch(mesh, t);
    result.insert(result.end(), patch.points.begin(), patch.points.end());
  }
  return result;
}

CurvedSurface::Patch::Sample CurvedSurface::Patch::sample(double u, double v) const {
  const double w = 1.0 - u - v;
  // de Casteljau, down to the quadratic points of each corner.
  const auto& p = points;
  const auto down = [&](int a, int b, int c, int d, int e, int f) -> Vec3 {
    // Quadratic triangle: corners a (u), b (v), c (w), edges d (uv), e (vw), f (wu).
    return u * u * p[a] + v * v * p[b] + w * w * p[c] +
           2.0 * (u * v * p[d] + v * w * p[e] + w * u * p[f]);
  };
  const Vec3 at_u = down(0, 4, 7, 3, 9, 8);
  const Vec3 at_v = down(3, 1, 6, 4, 5, 9);
  const Vec3 at_w = down(8, 5, 2, 9, 6, 7);
  return {u * at_u + v * at_v + w * at_w, 3.0 * (at_u - at_w), 3.0 * (at_v - at_w)};
}

CurvedSurface::Parts CurvedSurface::make_parts(const CreasedMesh& source, double facet) {
  Parts parts;
  for (std::uint32_t t = 0; t < source.mesh.triangles.size(); ++t) {
    parts.patches.push_back(make_patch(source, t));
    const Patch& patch = parts.patches.back();
    double longest = 0.0;
    for (int k = 0; k < 3; ++k) {
      longest = std::max(longest, (patch.points[(k + 1) % 3] - patch.points[k]).norm());
    }
    const int n = patch.is_flat
                      ? 1
                      : std::clamp(static_cast<int>(std::ceil(longest / facet)), 1, most_pieces);
    // Rows of constant u; point (i, j) has u = i / n, v = j / n.
    const auto first = static_cast<std::uint32_t>(parts.mesh.vertices.size());
    const auto index = [&](int i, int j) {
      return first + static_cast<std::uint32_t>(i * (n + 1) - i * (i - 1) / 2 + j);
    };
    const auto at = [&](int i, int j) { return Eigen::Vector2d(double(i) / n, double(j) / n); };
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; i + j <= n; ++j) {
        parts.mesh.vertices.push_back(patch.sample(double(i) / n, double(j) / n).at);
      }
    }
    const auto add = [&](int i0, int j0, int i1, int j1, int i2, int j2) {
      parts.mesh.triangles.push_back({index(i0, j0), index(i1, j1), index(i2, j2)});
      parts.facets.push_back({t, {at(i0, j0), at(i1, j1), at(i2, j2)}});
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; i + j < n; ++j) {
        add(i + 1, j, i, j + 1, i, j);
        if (i + j + 1 < n) add(i + 1, j, i + 1, j + 1, i, j + 1);
      }
    }
    if (!patch.is_flat) {
      // Of the middles of its edges from the chords, over the square of the pieces.
      for (int k = 0; k < 3; ++k) {
        const Vec3 chord = 0.5 * (patch.points[k] + patch.points[(k + 1) % 3]);
        const Vec3 arc = 0.125 * (patch.points[k] + patch.points[(k + 1) % 3]) +
                         0.375 * (patch.points[3 + 2 * k] + patch.points[4 + 2 * k]);
        parts.sag = std::max(parts.sag, 2.0 * (arc - chord).norm() / (n * n));
      }
    }
  }
  util::DisjointSets faces(parts.patches.size());
  for (std::uint32_t t = 0; t < parts.patches.size(); ++t) {
    for (const std::uint32_t next : parts.patches[t].neighbours) {
      if (next != geometry::MeshTopology::none) faces.join(t, next);
    }
  }
  for (Patch& patch : parts.patches) patch.face = faces.root(patch.face);
  return parts;
}

CurvedSurface::CurvedSurface(const CreasedMesh& mesh, double facet)
    : CurvedSurface(make_parts(mesh, facet)) {}

CurvedSurface::CurvedSurface(Parts parts)
    : patches_(std::move(parts.patches)),
      source_(std::move(parts.facets)),
      facets_(std::move(parts.mesh)),
      sag_(parts.sag) {}

/// Gauss-Newton, which stays on the patch; by shorter steps where it would get farther away, as it
/// does from a ball at more than its radius.
CurvedSurface::OnPatch CurvedSurface::on_patch(const Vec3& p, const Patch& patch,
                                               const Eigen::Vector2d& start) const {
  const auto look = [&](const Eigen::Vector2d& at) -> OnPatch {
    const Patch::Sample sample = patch.sample(at.x(), at.y());
    return {at, sample, (p - sample.at).norm()};
  };
  OnPatch best = look(start);
  for (int i = 0; i < 40; ++i) {
    const Patch::Sample& s = best.sample;
    const Vec3 off = p - s.at;
    const double uu = s.along_u.squaredNorm(), vv = s.along_v.squaredNorm(),
                 uv = s.along_u.dot(s.along_v), det = uu * vv - uv * uv;
    const double u = s.along_u.dot(off), v = s.along_v.dot(off);
    Eigen::Vector2d step = Eigen::Vector2d(vv * u - uv * v, uu * v - uv * u) / det;
    bool is_nearer = false;
    for (; !is_nearer && step.norm() > 1e-10; step *= 0.5) {
      Eigen::Vector2d next = (best.at + step).cwiseMax(0.0);
      if (const double sum = next.sum(); sum > 1.0) next /= sum;
      if ((next - best.at).norm() < 1e-10) break;  // it is there, or at the border
      const OnPatch there = look(next);
      is_nearer = there.distance < best.distance;
      if (is_nearer) best = there;
    }
    if (!is_nearer) break;
  }
  return best;
}

/// Nearest point on the patch of a facet, or on the next patch if that is nearer.
CurvedSurface::NearestPoint CurvedSurface::from_facet(const Vec3& p,
                                                      const geometry::SurfacePoint& near) const {
  const Facet& facet = source_[near.triangle];
  const Patch& patch = patches_[facet.patch];
  if (patch.is_flat) {
    NearestPoint place{near.point, near.distance, 0, patch.face};
    if (near.barycentrics.minCoeff() >= 1e-6) {
      const double out = (p - near.point).dot(geometry::area_vector(facets_.mesh(), near.triangle));
      place.side = out > 0.0 ? 1 : -1;
    }
    return place;
  }
  Eigen::Vector2d start = Eigen::Vector2d::Zero();
  for (int k = 0; k < 3; ++k) start += near.barycentrics[k] * facet.corners[k];
  OnPatch best = on_patch(p, patch, start);
  const Vec3 weights(best.at.x(), best.at.y(), 1.0 - best.at.sum());
  for (int k = 0; k < 3; ++k) {
    // The edge from corner k to the next lies across from the third.
    const std::uint32_t next = patch.neighbours[k];
    if (weights[(k + 2) % 3] > 1e-9 || next == geometry::MeshTopology::none) continue;
    const OnPatch other = on_patch(p, patches_[next], {1.0 / 3.0, 1.0 / 3.0});
    if (other.distance < best.distance) best = other;
  }
  const Vec3 off = p - best.sample.at;
  const double out = off.dot(best.sample.along_u.cross(best.sample.along_v).normalized());
  return {best.sample.at, best.distance,
          std::abs(out) > 0.99 * best.distance ? (out > 0.0 ? 1 : -1) : 0, patch.face};
}

CurvedSurface::NearestPoint CurvedSurface::nearest(const Vec3& p, double radius) const {
  const auto found = facets_.closest_point_within(p, radius);
  return from_facet(p, found ? *found : facets_.closest_point(p));
}

std::vector<CurvedSurface::NearestPoint> CurvedSurface::nearest_of_faces(const Vec3& p,
                                                                         double radius) const {
  std::map<std::uint32_t, geometry::SurfacePoint> of_face;
  // Facets lie off their patches.
  for (const geometry::SurfacePoint& near : facets_.all_within(p, radius + sag_)) {
    const auto [best, is_first] =
        of_face.try_emplace(patches_[source_[near.triangle].patch].face, near);
    if (!is_first && near.distance < best->second.distance) best->second = near;
  }
  std::vector<NearestPoint> points;
  for (const auto& [face, near] : of_face) {
    const NearestPoint place = from_facet(p, near);
    if (place.distance > radius) continue;
    const bool is_known = std::ranges::any_of(points, [&](const NearestPoint& other) {
      return (other.point - place.point).norm() < same_point * radius;
    });
    if (is_known) continue;
    // On the border of a face: the next face must not be nearer.
    if (place.side == 0) {
      const double little = 0.02 * place.distance;
      const Vec3 above = place.point + 0.02 * (p - place.point);
      if (nearest(above, 1.1 * little).distance < 0.99 * little) continue;
    }
    points.push_back(place);
  }
  return points;
}

}  // namespace peal::dynamics
