#include <peal/geometry/volume/tet_surface.h>
#include <peal/util/sort_unique.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <queue>
#include <tuple>

namespace peal::geometry {

namespace {

using EdgeKey = std::array<std::uint32_t, 2>;

/// A facet may lean this much against the surface at its corners. A fillet of a mug's radius leaves
/// room for three facets across; at 30 degrees one of the mug's modes is 1.7 % off, at 22 it is 0.2
/// %.
const double largest_lean = std::cos(20.0 * std::numbers::pi / 180.0);
/// Shape of a triangle below which joining stops: 1 is equilateral, 0 has no area.
constexpr double least_shape = 0.05;
/// Edges longer than this times the wanted length are cut.
constexpr double cut_above = 1.35;

EdgeKey key_of(std::uint32_t a, std::uint32_t b) {
  return a < b ? EdgeKey{a, b} : EdgeKey{b, a};
}

double shape(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double sides = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
  return sides > 0.0 ? 2.0 * std::sqrt(3.0) * (b - a).cross(c - a).norm() / sides : 0.0;
}

/// Sum of squared distances to planes, weighted by area.
struct Quadric {
  Mat3 a = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  double c = 0.0;

  void add_plane(const Vec3& normal, const Vec3& point, double weight) {
    const double d = -normal.dot(point);
    a += weight * normal * normal.transpose();
    b += weight * d * normal;
    c += weight * d * d;
  }
  void add(const Quadric& other) {
    a += other.a;
    b += other.b;
    c += other.c;
  }
  double at(const Vec3& x) const { return std::max(0.0, x.dot(a * x) + 2.0 * b.dot(x) + c); }
};

/// A closed surface that can be cut and joined edge by edge.
class SurfaceEditor {
 public:
  SurfaceEditor(const SmoothSurface& smooth, const std::vector<double>& edge_length)
      : smooth_(smooth),
        vertices_(smooth.mesh().vertices),
        triangles_(smooth.mesh().triangles),
        length_(edge_length) {
    const std::size_t count = vertices_.size();
    around_.resize(count);
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
      for (const std::uint32_t v : triangles_[t]) around_[v].push_back(t);
    fixed_.resize(count);
    for (std::uint32_t v = 0; v < count; ++v) {
      normals_.push_back(smooth.normals_at(v));
      fixed_[v] = smooth.is_corner(v);
    }
    for (std::uint32_t e = 0; e < smooth.topology().edges.size(); ++e)
      if (smooth.is_crease(e)) creases_.insert(smooth.topology().edges[e]);
    alive_.assign(triangles_.size(), true);
  }

  void join();
  void flip();
  void cut();
  void relax();
  FittedSurface result() const;

 private:
  struct Candidate {
    double cost;
    std::uint32_t from, to, stamp;
    bool operator<(const Candidate& other) const {
      return std::tie(other.cost, other.from, other.to) < std::tie(cost, from, to);
    }
  };

  bool is_crease(std::uint32_t a, std::uint32_t b) const {
    return creases_.count(key_of(a, b)) > 0;
  }
  bool on_crease(std::uint32_t v) const { return normals_[v].size() > 1; }

  double wanted_length(std::uint32_t a, std::uint32_t b) const {
    return std::min(length_[a], length_[b]);
  }

  Vec3 area_of(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return 0.5 * (vertices_[b] - vertices_[a]).cross(vertices_[c] - vertices_[a]);
  }

  /// The smallest cosine between a facet's normal and the surface's at its corners.
  double lean(const std::array<std::uint32_t, 3>& corners) const {
    const Vec3 area = area_of(corners[0], corners[1], corners[2]);
    const double size = area.norm();
    if (size <= 0.0) return -1.0;
    double worst = 1.0;
    for (const std::uint32_t v : corners) {
      double best = -1.0;
      for (const Vec3& n : normals_[v]) best = std::max(best, n.dot(area) / size);
      worst = std::min(worst, best);
    }
    return worst;
  }

  double shape_of(const std::array<std::uint32_t, 3>& corners) const {
    return shape(vertices_[corners[0]], vertices_[corners[1]], vertices_[corners[2]]);
  }

  std::vector<std::uint32_t> neighbours(std::uint32_t v) const {
    std::vector<std::uint32_t> all;
    for (const std::uint32_t t : around_[v])
      for (const std::uint32_t w : triangles_[t])
        if (w != v) all.push_back(w);
    util::sort_unique(all);
    return all;
  }

  void forget(std::uint32_t triangle) {
    alive_[triangle] = false;
    for (const std::uint32_t v : triangles_[triangle]) std::erase(around_[v], triangle);
  }

  void add_triangle(const Triangle& corners) {
    for (const std::uint32_t v : corners) {
      around_[v].push_back(static_cast<std::uint32_t>(triangles_.size()));
    }
    triangles_.push_back(corners);
    alive_.push_back(true);
  }

  bool may_join(std::uint32_t from, std::uint32_t to) const;
  void propose(std::uint32_t from);
  void join_edge(std::uint32_t from, std::uint32_t to);
  std::array<std::uint32_t, 2> sides_of(std::uint32_t a, std::uint32_t b) const;
  bool flip_if_better(std::uint32_t a, std::uint32_t b);
  void relax_vertex(std::uint32_t v);
  void cut_edge(std::uint32_t a, std::uint32_t b);
  std::vector<EdgeKey> edges() const;

  const SmoothSurface& smooth_;
  std::vector<Vec3> vertices_;
  std::vector<Triangle> triangles_;
  std::vector<bool> alive_;
  std::vector<double> length_;
  std::vector<std::vector<std::uint32_t>> around_;
  std::vector<std::vector<Vec3>> normals_;
  std::vector<bool> fixed_;
  std::set<EdgeKey> creases_;
  std::vector<Quadric> quadrics_;
  std::vector<std::uint32_t> stamps_;
  std::priority_queue<Candidate> queue_;
};

bool SurfaceEditor::may_join(std::uint32_t from, std::uint32_t to) const {
  if (fixed_[from]) return false;
  if (on_crease(from) && !is_crease(from, to)) return false;
  // The two fans may share no more than the two triangles of the edge.
  const auto a = neighbours(from), b = neighbours(to);
  std::vector<std::uint32_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  if (common.size() != 2) return false;
  const double reach = std::min(length_[from], length_[to]);
  // A removed point may not stand off the surface by more than a part of the edge.
  Quadric sum = quadrics_[from];
  sum.add(quadrics_[to]);
  const double weight = sum.a.trace();
  if (weight > 0.0 && sum.at(vertices_[to]) > weight * 0.0036 * reach * reach) return false;
  for (const std::uint32_t t : around_[from]) {
    std::array<std::uint32_t, 3> corners = triangles_[t];
    if (std::find(corners.begin(), corners.end(), to) != corners.end()) continue;
    const double lean_before = lean(corners), shape_before = shape_of(corners);
    const Vec3 area_before = area_of(corners[0], corners[1], corners[2]);
    std::replace(corners.begin(), corners.end(), from, to);
    for (const std::uint32_t v : corners)
      if (v != to && (vertices_[v] - vertices_[to]).norm() > cut_above * wanted_length(v, to))
        return false;
    if (shape_of(corners) < std::min(least_shape, shape_before)) return false;
    if (lean(corners) < std::min(largest_lean, lean_before)) return false;
    if (area_before.dot(area_of(corners[0], corners[1], corners[2])) <= 0.0) return false;
  }
  return true;
}

void SurfaceEditor::propose(std::uint32_t from) {
  if (fixed_[from]) return;
  for (const std::uint32_t to : neighbours(from)) {
    if (on_crease(from) && !is_crease(from, to)) continue;
    Quadric sum = quadrics_[from];
    sum.add(quadrics_[to]);
    const double length = (vertices_[from] - vertices_[to]).squaredNorm();
    queue_.push({sum.at(vertices_[to]) + 1e-4 * length * sum.a.trace(), from, to, stamps_[from]});
  }
}

void SurfaceEditor::join_edge(std::uint32_t from, std::uint32_t to) {
  quadrics_[to].add(quadrics_[from]);
  for (const std::uint32_t w : neighbours(from)) {
    if (!is_crease(from, w)) continue;
    creases_.erase(key_of(from, w));
    if (w != to) creases_.insert(key_of(to, w));
  }
  const std::vector<std::uint32_t> fan = around_[from];
  for (const std::uint32_t t : fan) {
    Triangle corners = triangles_[t];
    forget(t);
    if (std::find(corners.begin(), corners.end(), to) != corners.end()) continue;
    std::replace(corners.begin(), corners.end(), from, to);
    triangles_[t] = corners;
    alive_[t] = true;
    for (const std::uint32_t v : corners) around_[v].push_back(t);
  }
}

void SurfaceEditor::join() {
  quadrics_.assign(vertices_.size(), {});
  stamps_.assign(vertices_.size(), 0);
  for (const Triangle& corners : triangles_) {
    const Vec3 area = area_of(corners[0], corners[1], corners[2]);
    for (const std::uint32_t v : corners)
      quadrics_[v].add_plane(area.normalized(), vertices_[v], area.norm() / 3.0);
  }
  for (std::uint32_t v = 0; v < vertices_.size(); ++v) propose(v);
  while (!queue_.empty()) {
    const Candidate next = queue_.top();
    queue_.pop();
    if (next.stamp != stamps_[next.from] || around_[next.from].empty()) continue;
    if (around_[next.to].empty() || !may_join(next.from, next.to)) continue;
    join_edge(next.from, next.to);
    ++stamps_[next.from];
    ++stamps_[next.to];
    propose(next.to);
    for (const std::uint32_t v : neighbours(next.to)) {
      ++stamps_[v];
      propose(v);
    }
  }
}

/// The corners across an edge: of the triangle that runs from a to b, and of the other one.
std::array<std::uint32_t, 2> SurfaceEditor::sides_of(std::uint32_t a, std::uint32_t b) const {
  std::array<std::uint32_t, 2> sides{~0u, ~0u};
  for (const std::uint32_t t : around_[a]) {
    const Triangle& corners = triangles_[t];
    for (int k = 0; k < 3; ++k) {
      if (corners[k] == a && corners[(k + 1) % 3] == b) sides[0] = corners[(k + 2) % 3];
      if (corners[k] == b && corners[(k + 1) % 3] == a) sides[1] = corners[(k + 2) % 3];
    }
  }
  return sides;
}

/// Turns the edge between two triangles if that betters the worse of their shapes, leaves the
/// surface no worse approximated and makes no edge too long.
bool SurfaceEditor::flip_if_better(std::uint32_t a, std::uint32_t b) {
  if (is_crease(a, b)) return false;
  const auto [c, d] = sides_of(a, b);
  if (c == ~0u || d == ~0u || c == d) return false;
  const auto joined = neighbours(c);
  if (std::binary_search(joined.begin(), joined.end(), d)) return false;
  const std::array<std::uint32_t, 3> old_1{a, b, c}, old_2{b, a, d}, new_1{d, c, a}, new_2{c, d, b};
  const double shape_before = std::min(shape_of(old_1), shape_of(old_2));
  if (std::min(shape_of(new_1), shape_of(new_2)) <= shape_before + 1e-9) return false;
  const double lean_before = std::min(lean(old_1), lean(old_2));
  const double lean_after = std::min(lean(new_1), lean(new_2));
  if (lean_after < std::max(0.5, std::min(largest_lean, lean_before))) return false;
  const double reach = std::max((vertices_[a] - vertices_[b]).norm(), wanted_length(c, d));
  if ((vertices_[c] - vertices_[d]).norm() > reach * cut_above) return false;
  for (const std::uint32_t t : std::vector(around_[a])) {
    const Triangle& corners = triangles_[t];
    if (std::find(corners.begin(), corners.end(), b) != corners.end()) forget(t);
  }
  add_triangle({d, c, a});
  add_triangle({c, d, b});
  return true;
}

std::vector<EdgeKey> SurfaceEditor::edges() const {
  std::vector<EdgeKey> all;
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
    if (!alive_[t]) continue;
    for (int k = 0; k < 3; ++k) all.push_back(key_of(triangles_[t][k], triangles_[t][(k + 1) % 3]));
  }
  util::sort_unique(all);
  return all;
}

void SurfaceEditor::flip() {
  for (int sweep = 0; sweep < 8; ++sweep) {
    std::size_t flipped = 0;
    for (const auto& [a, b] : edges()) flipped += flip_if_better(a, b);
    if (flipped == 0) break;
  }
}

/// The middle of an edge on the smooth surface, with the normals there.
SmoothSurface::Point middle_of(const SmoothSurface& smooth, const Vec3& a, const Vec3& b,
                               const std::vector<Vec3>& normals_a,
                               const std::vector<Vec3>& normals_b, bool crease) {
  const Vec3 middle = 0.5 * (a + b);
  if (crease) return smooth.on_crease(middle);
  // The sheet that both ends are on: the pair of normals that agree most.
  std::array<Vec3, 2> own{normals_a[0], normals_b[0]};
  for (const Vec3& n : normals_a)
    for (const Vec3& m : normals_b)
      if (n.dot(m) > own[0].dot(own[1])) own = {n, m};
  const Vec3 normal = (own[0] + own[1]).normalized();
  if (const auto point = smooth.on_sheet(middle, normal)) {
    // A chord of a coarse mesh passes under its own facets: farther means another part.
    if ((point->position - middle).norm() < 0.25 * (b - a).norm()) return *point;
  }
  const Vec3 pull = own[0] * own[0].dot(a - middle) + own[1] * own[1].dot(b - middle);
  return {middle + 0.25 * pull, {normal}, middle};
}

void SurfaceEditor::cut_edge(std::uint32_t a, std::uint32_t b) {
  const bool crease = is_crease(a, b);
  const SmoothSurface::Point middle =
      middle_of(smooth_, vertices_[a], vertices_[b], normals_[a], normals_[b], crease);
  const auto m = static_cast<std::uint32_t>(vertices_.size());
  vertices_.push_back(middle.position);
  normals_.push_back(middle.normals);
  length_.push_back(std::max(length_[a], length_[b]));
  fixed_.push_back(false);
  around_.emplace_back();
  if (crease) {
    creases_.erase(key_of(a, b));
    creases_.insert(key_of(a, m));
    creases_.insert(key_of(b, m));
  }
  for (const std::uint32_t t : std::vector(around_[a])) {
    const Triangle corners = triangles_[t];
    if (std::find(corners.begin(), corners.end(), b) == corners.end()) continue;
    forget(t);
    Triangle one = corners, other = corners;
    std::replace(one.begin(), one.end(), a, m);
    std::replace(other.begin(), other.end(), b, m);
    add_triangle(one);
    add_triangle(other);
  }
}

void SurfaceEditor::cut() {
  for (int round = 0; round < 40; ++round) {
    std::vector<std::pair<double, EdgeKey>> long_ones;
    for (const auto& [a, b] : edges()) {
      const double excess = (vertices_[a] - vertices_[b]).norm() / wanted_length(a, b);
      if (excess > cut_above) long_ones.push_back({-excess, {a, b}});
    }
    if (long_ones.empty()) return;
    // Longest first, and only those that are still at least half as long as the longest of this
    // round, so that halves are compared with others before they are cut.
    std::sort(long_ones.begin(), long_ones.end());
    const double least = 0.7 * long_ones.front().first;
    for (const auto& [excess, edge] : long_ones) {
      if (excess > least) break;
      cut_edge(edge[0], edge[1]);
    }
    flip();
  }
}

/// Moves a vertex within its sheet toward the middle of its neighbours if that betters the worst
/// shape around it.
void SurfaceEditor::relax_vertex(std::uint32_t v) {
  if (around_[v].empty() || fixed_[v] || on_crease(v)) return;
  const auto worst = [&] {
    std::array<double, 2> least{1.0, 1.0};  // shape and lean
    for (const std::uint32_t t : around_[v]) {
      least[0] = std::min(least[0], shape_of(triangles_[t]));
      least[1] = std::min(least[1], lean(triangles_[t]));
    }
    return least;
  };
  const auto before = worst();
  const Vec3 old = vertices_[v];
  const std::vector<Vec3> old_normals = normals_[v];
  Vec3 centre = Vec3::Zero();
  const auto near = neighbours(v);
  for (const std::uint32_t w : near) centre += vertices_[w] / double(near.size());
  const auto point = smooth_.on_sheet(centre, old_normals[0]);
  if (!point || (point->position - centre).norm() > 0.5 * (centre - vertices_[near[0]]).norm())
    return;
  vertices_[v] = point->position;
  normals_[v] = point->normals;
  const auto after = worst();
  if (after[0] <= before[0] || after[1] < std::min(largest_lean, before[1])) {
    vertices_[v] = old;
    normals_[v] = old_normals;
  }
}

void SurfaceEditor::relax() {
  for (int sweep = 0; sweep < 5; ++sweep) {
    for (std::uint32_t v = 0; v < vertices_.size(); ++v) relax_vertex(v);
    flip();
  }
}

FittedSurface SurfaceEditor::result() const {
  FittedSurface fitted;
  std::vector<std::uint32_t> number(vertices_.size(), ~0u);
  for (std::uint32_t v = 0; v < vertices_.size(); ++v) {
    if (around_[v].empty()) continue;
    number[v] = static_cast<std::uint32_t>(fitted.mesh.vertices.size());
    fitted.mesh.vertices.push_back(vertices_[v]);
    fitted.normals.push_back(normals_[v]);
  }
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
    if (!alive_[t]) continue;
    const auto& [a, b, c] = triangles_[t];
    fitted.mesh.triangles.push_back({number[a], number[b], number[c]});
  }
  for (const auto& [a, b] : creases_) fitted.creases.insert(key_of(number[a], number[b]));
  return fitted;
}

}  // namespace

FittedSurface fitted_surface(const SmoothSurface& smooth, const std::vector<double>& edge_length) {
  SurfaceEditor editor(smooth, edge_length);
  editor.join();
  editor.flip();
  editor.cut();
  editor.relax();
  return editor.result();
}

Vec3 middle_of_edge(const SmoothSurface& smooth, const FittedSurface& surface, std::uint32_t a,
                    std::uint32_t b) {
  const bool crease = surface.creases.count(key_of(a, b)) > 0;
  return middle_of(smooth, surface.mesh.vertices[a], surface.mesh.vertices[b], surface.normals[a],
                   surface.normals[b], crease)
      .position;
}

}  // namespace peal::geometry
