#include <peal/geometry/shapes/planar_mesh.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace peal::geometry {
namespace {

constexpr std::uint32_t no_face = std::numeric_limits<std::uint32_t>::max();
/// Inner edges longer than this are halved; lower values give slivers a chance to come back after
/// each smoothing, higher ones break the promised bound.
constexpr double longest_inner_edge = 1.35;
constexpr int smoothing_rounds = 5;

/// A triangulation that can be flipped and split. Edge k of a face joins its corners k and k + 1;
/// edges without a face across are sides of the polygon and are never flipped.
class Triangulation {
 public:
  Triangulation(std::vector<Vec2> points,
                const std::vector<std::array<std::uint32_t, 3>>& triangles)
      : points_(std::move(points)) {
    for (const auto& corners : triangles) faces_.push_back({corners, {no_face, no_face, no_face}});
    connect();
    for (std::uint32_t f = 0; f < faces_.size(); ++f) push_edges(f);
    make_delaunay();
  }

  void split_sides(double edge_length) {
    for (bool any = true; any;) {  // flips may move a long side to a face already passed
      any = false;
      for (std::uint32_t f = 0; f < faces_.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
          if (faces_[f].across[k] != no_face) continue;
          const double pieces = std::ceil(length(f, k) / edge_length * (1.0 - 1e-9));
          if (pieces < 2.0) continue;
          split(f, k, 1.0 / pieces);
          make_delaunay();
          any = true;
        }
      }
    }
  }

  /// Halves the longest edges first, in rounds; true if any was halved.
  bool split_long_edges(double limit) {
    struct LongEdge {
      double length;
      std::uint32_t face, a, b;
    };
    bool any = false;
    for (;;) {
      std::vector<LongEdge> long_edges;
      for (std::uint32_t f = 0; f < faces_.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
          const std::uint32_t other = faces_[f].across[k];
          if (other == no_face || other < f || length(f, k) <= limit) continue;
          long_edges.push_back({length(f, k), f, corner(f, k), corner(f, k + 1)});
        }
      }
      if (long_edges.empty()) return any;
      any = true;
      std::stable_sort(long_edges.begin(), long_edges.end(),
                       [](const LongEdge& x, const LongEdge& y) { return x.length > y.length; });
      for (const LongEdge& edge : long_edges) {
        for (int k = 0; k < 3; ++k) {  // gone if an earlier one of this round flipped it
          if (corner(edge.face, k) != edge.a || corner(edge.face, k + 1) != edge.b) continue;
          if (faces_[edge.face].across[k] == no_face) continue;
          split(edge.face, k, 0.5);
          make_delaunay();
          break;
        }
      }
    }
  }

  /// Moves inner points to the middle of their neighbours where that does not spoil the worst
  /// triangle around them.
  void smooth() {
    std::vector<std::vector<std::uint32_t>> around(points_.size());
    std::vector<bool> fixed(points_.size(), false);
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      for (int k = 0; k < 3; ++k) {
        around[corner(f, k)].push_back(f);
        if (faces_[f].across[k] == no_face) fixed[corner(f, k)] = fixed[corner(f, k + 1)] = true;
      }
    }
    for (std::uint32_t v = 0; v < points_.size(); ++v)
      if (!fixed[v]) move_to_middle(v, around[v]);
    for (std::uint32_t f = 0; f < faces_.size(); ++f) push_edges(f);
    make_delaunay();
  }

  PlanarMesh take() {
    PlanarMesh mesh{std::move(points_), {}};
    mesh.triangles.reserve(faces_.size());
    for (const Face& face : faces_) mesh.triangles.push_back(face.corners);
    return mesh;
  }

 private:
  struct Face {
    std::array<std::uint32_t, 3> corners;
    std::array<std::uint32_t, 3> across;
  };

  std::uint32_t corner(std::uint32_t f, int k) const { return faces_[f].corners[k % 3]; }
  const Vec2& point(std::uint32_t f, int k) const { return points_[corner(f, k)]; }
  double length(std::uint32_t f, int k) const { return (point(f, k + 1) - point(f, k)).norm(); }

  void connect() {
    struct Half {
      std::uint32_t low, high, face;
      int k;
    };
    std::vector<Half> halves;
    for (std::uint32_t f = 0; f < faces_.size(); ++f)
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t a = corner(f, k), b = corner(f, k + 1);
        halves.push_back({std::min(a, b), std::max(a, b), f, k});
      }
    std::sort(halves.begin(), halves.end(), [](const Half& x, const Half& y) {
      return std::tie(x.low, x.high, x.face) < std::tie(y.low, y.high, y.face);
    });
    for (std::size_t i = 0; i + 1 < halves.size(); ++i) {
      const Half &x = halves[i], &y = halves[i + 1];
      if (x.low != y.low || x.high != y.high) continue;
      faces_[x.face].across[x.k] = y.face;
      faces_[y.face].across[y.k] = x.face;
    }
  }

  int side_towards(std::uint32_t f, std::uint32_t other) const {
    const auto& across = faces_[f].across;
    return across[0] == other ? 0 : across[1] == other ? 1 : 2;
  }

  void replace_neighbour(std::uint32_t f, std::uint32_t from, std::uint32_t to) {
    if (f != no_face) faces_[f].across[side_towards(f, from)] = to;
  }

  void push_edges(std::uint32_t f) {
    for (int k = 0; k < 3; ++k) suspects_.push_back({f, k});
  }

  /// Flips suspect edges until every inner edge is locally Delaunay.
  void make_delaunay() {
    while (!suspects_.empty()) {
      const auto [f, k] = suspects_.back();
      suspects_.pop_back();
      if (faces_[f].across[k] != no_face && should_flip(f, k)) flip(f, k);
    }
  }

  /// The edge is not Delaunay if the two angles that face it sum to more than pi. The margin
  /// keeps four points on a circle from flipping for ever.
  bool should_flip(std::uint32_t f, int k) const {
    const std::uint32_t g = faces_[f].across[k];
    const int m = side_towards(g, f);
    const Vec2 &a = point(f, k), &b = point(f, k + 1), &c = point(f, k + 2), &d = point(g, m + 2);
    if (orientation(c, d, b) <= 0 || orientation(d, c, a) <= 0) return false;
    const Vec2 ca = a - c, cb = b - c, da = a - d, db = b - d;
    const double sin_c = ca.x() * cb.y() - ca.y() * cb.x(), cos_c = ca.dot(cb);
    const double sin_d = db.x() * da.y() - db.y() * da.x(), cos_d = db.dot(da);
    const double scale = ca.norm() * cb.norm() * da.norm() * db.norm();
    return sin_c * cos_d + cos_c * sin_d < -1e-10 * scale;
  }

  /// Quadrilateral a d b c: the edge a-b becomes the edge c-d.
  void flip(std::uint32_t f, int k) {
    const std::uint32_t g = faces_[f].across[k];
    const int m = side_towards(g, f);
    const std::uint32_t a = corner(f, k), b = corner(f, k + 1), c = corner(f, k + 2);
    const std::uint32_t d = corner(g, m + 2);
    const std::uint32_t bc = faces_[f].across[(k + 1) % 3], ca = faces_[f].across[(k + 2) % 3];
    const std::uint32_t ad = faces_[g].across[(m + 1) % 3], db = faces_[g].across[(m + 2) % 3];
    faces_[f] = {{c, a, d}, {ca, ad, g}};
    faces_[g] = {{d, b, c}, {db, bc, f}};
    replace_neighbour(bc, f, g);
    replace_neighbour(ad, g, f);
    suspects_.insert(suspects_.end(), {{f, 0}, {f, 1}, {g, 0}, {g, 1}});
  }

  /// New point on edge k of f, at the given fraction of the way from its first corner.
  void split(std::uint32_t f, int k, double fraction) {
    const std::uint32_t a = corner(f, k), b = corner(f, k + 1), c = corner(f, k + 2);
    const std::uint32_t g = faces_[f].across[k];
    const auto m = static_cast<std::uint32_t>(points_.size());
    points_.push_back(points_[a] + fraction * (points_[b] - points_[a]));
    const auto f2 = static_cast<std::uint32_t>(faces_.size());
    const std::uint32_t g2 = g == no_face ? no_face : f2 + 1;
    const std::uint32_t bc = faces_[f].across[(k + 1) % 3], ca = faces_[f].across[(k + 2) % 3];
    faces_.push_back({{m, b, c}, {g, bc, f}});
    replace_neighbour(bc, f, f2);
    if (g != no_face) {
      const int n = side_towards(g, f);
      const std::uint32_t d = corner(g, n + 2);
      const std::uint32_t ad = faces_[g].across[(n + 1) % 3], db = faces_[g].across[(n + 2) % 3];
      faces_.push_back({{m, a, d}, {f, ad, g}});
      replace_neighbour(ad, g, g2);
      faces_[g] = {{b, m, d}, {f2, g2, db}};
      push_edges(g);
      push_edges(g2);
    }
    faces_[f] = {{a, m, c}, {g2, f2, ca}};
    push_edges(f);
    push_edges(f2);
  }

  /// Smallest over the faces of 2 area / longest side^2; not positive if one is turned over.
  double worst_shape(const std::vector<std::uint32_t>& faces) const {
    double worst = std::numeric_limits<double>::infinity();
    for (const std::uint32_t f : faces) {
      const Vec2 ab = point(f, 1) - point(f, 0), ac = point(f, 2) - point(f, 0);
      const double longest2 =
          std::max({ab.squaredNorm(), ac.squaredNorm(), (ac - ab).squaredNorm()});
      worst = std::min(worst, (ab.x() * ac.y() - ab.y() * ac.x()) / longest2);
    }
    return worst;
  }

  void move_to_middle(std::uint32_t v, const std::vector<std::uint32_t>& faces) {
    Vec2 sum = Vec2::Zero();
    for (const std::uint32_t f : faces)
      for (const std::uint32_t corner : faces_[f].corners)
        if (corner != v) sum += points_[corner];
    const double before = worst_shape(faces);
    const Vec2 old = points_[v];
    points_[v] = sum / (2.0 * static_cast<double>(faces.size()));
    if (!(worst_shape(faces) > std::min(before, 0.5))) points_[v] = old;
  }

  std::vector<Vec2> points_;
  std::vector<Face> faces_;
  std::vector<std::pair<std::uint32_t, int>> suspects_;
};

}  // namespace

PlanarMesh mesh_polygon(const Polygon& outline, const std::vector<Polygon>& holes,
                        double edge_length) {
  std::vector<Vec2> corners = outline;
  for (const Polygon& hole : holes) corners.insert(corners.end(), hole.begin(), hole.end());
  Triangulation triangulation(std::move(corners), ear_clipping(outline, holes));
  triangulation.split_sides(edge_length);
  triangulation.split_long_edges(longest_inner_edge * edge_length);
  for (int round = 0; round < smoothing_rounds; ++round) {
    triangulation.smooth();
    triangulation.split_long_edges(longest_inner_edge * edge_length);
  }
  return triangulation.take();
}

}  // namespace peal::geometry
