#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/mesh/rotation.h>
#include <peal/geometry/mesh/smooth_surface.h>
#include <peal/scene/recognise.h>
#include <peal/util/disjoint_sets.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

namespace peal::scene {

using geometry::Vec2;
using geometry::Vec3;
using std::numbers::pi;

namespace {

constexpr double exact = 1e-4;        ///< of the size: what a file with five digits leaves
constexpr double fewest_facets = 60;  ///< of a ball; a die of 20 faces is meant to have them

}  // namespace

std::optional<BallShape> recognised_ball(const geometry::TriMesh& mesh) {
  const geometry::Box box = geometry::bounds(mesh);
  if (static_cast<double>(mesh.triangles.size()) < fewest_facets) return {};
  Vec3 centre = box.center();
  const double half = 0.5 * box.sizes().maxCoeff();
  for (const Vec3& v : mesh.vertices) {
    if (std::abs((v - centre).norm() - half) > 0.1 * half) return {};  // not even nearly
  }
  double radius = 0.0;
  for (int i = 0; i < 20; ++i) {
    Vec3 shift = Vec3::Zero();
    radius = 0.0;
    for (const Vec3& v : mesh.vertices) radius += (v - centre).norm();
    radius /= static_cast<double>(mesh.vertices.size());
    for (const Vec3& v : mesh.vertices) {
      const Vec3 out = v - centre;
      shift += 3.0 * (out.norm() - radius) * out.normalized();
    }
    centre += shift / static_cast<double>(mesh.vertices.size());
  }
  for (const Vec3& v : mesh.vertices) {
    if (!(std::abs((v - centre).norm() - radius) < exact * radius)) return {};
  }
  // All of it, not a cap with a lid.
  const double volume = 4.0 / 3.0 * pi * radius * radius * radius;
  if (!(geometry::signed_volume(mesh) > 0.8 * volume)) return {};
  return BallShape{radius, centre};
}

namespace {

std::optional<BoxShape> recognised_sharp_box(const geometry::TriMesh& mesh) {
  const geometry::Box box = geometry::bounds(mesh);
  const Vec3 size = box.sizes();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 area = geometry::area_vector(mesh, t);
    Eigen::Index axis;
    const double along = area.cwiseAbs().maxCoeff(&axis);
    if (along == 0.0) continue;
    if (!(along > (1.0 - exact) * area.norm())) return {};
    for (const std::uint32_t v : mesh.triangles[t]) {
      const Vec3& p = mesh.vertices[v];
      const double off = area[axis] > 0.0 ? box.max()[axis] - p[axis] : p[axis] - box.min()[axis];
      if (!(std::abs(off) < exact * size.minCoeff())) return {};
    }
  }
  if (!(geometry::signed_volume(mesh) > (1.0 - exact) * size.prod())) return {};
  return BoxShape{.size = size, .centre = box.center()};
}

/// Whether no two neighbouring triangles meet at an edge of the body.
bool is_smooth(const geometry::TriMesh& mesh) {
  const geometry::MeshTopology topology = geometry::mesh_topology(mesh);
  for (std::uint32_t e = 0; e < topology.edges.size(); ++e) {
    if (!topology.is_manifold(e)) return false;
    const auto sides = topology.edge_triangles[e];
    const Vec3 a = geometry::area_vector(mesh, sides[0]), b = geometry::area_vector(mesh, sides[1]);
    if (a.dot(b) < std::cos(geometry::sharpest_bend) * a.norm() * b.norm()) return false;
  }
  return true;
}

/// The depths q of a point below the faces of a box with fillet f fulfil, on its surface,
/// sum max(0, f - q)^2 = f^2.
std::optional<BoxShape> recognised_rounded_box(const geometry::TriMesh& mesh) {
  const geometry::Box box = geometry::bounds(mesh);
  const Vec3 half = 0.5 * box.sizes();
  const double near = exact * half.minCoeff();
  const auto depths = [&](const Vec3& p) -> Vec3 { return half - (p - box.center()).cwiseAbs(); };
  double fillet = half.minCoeff();  // where a flat face ends, the rounding begins
  for (const Vec3& p : mesh.vertices) {
    Vec3 q = depths(p);
    std::ranges::sort(q.data(), q.data() + 3);
    if (q[0] < near) fillet = std::min(fillet, q[1]);
  }
  if (!(fillet > 10.0 * near) || !(fillet < 0.999 * half.minCoeff())) return {};
  for (const Vec3& p : mesh.vertices) {
    const Vec3 below = (Vec3::Constant(fillet) - depths(p)).cwiseMax(0.0);
    if (!(std::abs(below.norm() - fillet) < near)) return {};
  }
  if (!is_smooth(mesh)) return {};
  return BoxShape{.size = box.sizes(), .fillet = fillet, .centre = box.center()};
}

}  // namespace

std::optional<BoxShape> recognised_box(const geometry::TriMesh& mesh) {
  if (const auto sharp = recognised_sharp_box(mesh)) return sharp;
  return recognised_rounded_box(mesh);
}

namespace {

/// A mesh seen along an axis: which of its vertices lie on one circle around it.
class Circles {
 public:
  Circles(const geometry::TriMesh& mesh, const Vec3& on_axis, const geometry::Quat& turn)
      : mesh_(mesh), size_(geometry::bounds(mesh).sizes().maxCoeff()) {
    for (const Vec3& v : mesh.vertices) {
      const Vec3 local = turn.conjugate() * (v - on_axis);
      places_.push_back({std::hypot(local.x(), local.z()), local.y()});
      angles_.push_back(std::atan2(local.z(), local.x()));
    }
  }

  /// The half section, if everything is round.
  std::optional<geometry::Polygon> section() {
    if (!group() || !join() || !are_round()) return {};
    std::optional<geometry::Polygon> outline = walk();
    if (!outline || !encloses_as_much(*outline)) return {};
    return outline;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  bool is_same(const Vec2& a, const Vec2& b) const { return (a - b).norm() < exact * size_; }

  /// Vertices by circle; false if there are too many.
  bool group() {
    std::vector<std::uint32_t> order(places_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(
        order, {}, [&](std::uint32_t v) { return std::tuple(places_[v].y(), places_[v].x(), v); });
    circle_of_.assign(places_.size(), none);
    for (const std::uint32_t v : order) {
      for (std::size_t c = circles_.size(); c-- > 0 && circle_of_[v] == none;) {
        if (places_[v].y() - circles_[c].y() > exact * size_) break;  // they come by height
        if (is_same(circles_[c], places_[v])) circle_of_[v] = static_cast<std::uint32_t>(c);
      }
      if (circle_of_[v] != none) continue;
      circle_of_[v] = static_cast<std::uint32_t>(circles_.size());
      circles_.push_back(places_[v]);
      if (circles_.size() > most_circles) return false;
    }
    for (Vec2& location : circles_) {
      if (location.x() < exact * size_) location.x() = 0.0;
    }
    return true;
  }

  /// The widest circle by its gaps; on others chords may be as long as there. Points within flat
  /// faces across the axis may lie as they like.
  bool are_round() const {
    std::vector<std::vector<double>> on(circles_.size());
    std::uint32_t widest = 0;
    for (std::size_t v = 0; v < places_.size(); ++v) on[circle_of_[v]].push_back(angles_[v]);
    for (std::uint32_t c = 0; c < circles_.size(); ++c) {
      if (circles_[c].x() > circles_[widest].x()) widest = c;
    }
    const auto gap = [&](std::uint32_t c) {
      std::ranges::sort(on[c]);
      double largest = 2.0 * pi - (on[c].back() - on[c].front());
      for (std::size_t i = 1; i < on[c].size(); ++i) {
        largest = std::max(largest, on[c][i] - on[c][i - 1]);
      }
      return largest;
    };
    const double allowed = gap(widest);
    if (!(allowed < geometry::sharpest_bend * (1.0 - 1e-6))) return false;
    for (std::uint32_t c = 0; c < circles_.size(); ++c) {
      if (circles_[c].x() == 0.0 || is_within_face_[c]) continue;
      const double here = gap(c), chord = here * circles_[c].x();
      const bool is_fine =
          here < geometry::sharpest_bend || chord < 1.5 * allowed * circles_[widest].x();
      if (!is_fine || !(here < 0.7 * pi)) return false;
    }
    return true;
  }

  /// Which circles the triangles join; false if a triangle lies across others. Flat faces across
  /// the axis join their borders, or close the only one that they have.
  bool join() {
    joined_.resize(circles_.size());
    is_lid_.assign(circles_.size(), false);
    is_within_face_.assign(circles_.size(), true);
    util::DisjointSets faces(circles_.size());
    std::vector<bool> is_flat(circles_.size(), false);
    for (const geometry::Triangle& t : mesh_.triangles) {
      std::array<std::uint32_t, 3> c = {circle_of_[t[0]], circle_of_[t[1]], circle_of_[t[2]]};
      std::ranges::sort(c);
      const auto [low, high] =
          std::minmax({circles_[c[0]].y(), circles_[c[1]].y(), circles_[c[2]].y()});
      if (high - low < exact * size_) {
        for (const std::uint32_t one : c) {
          faces.join(c[0], one);
          is_flat[one] = true;
        }
        continue;
      }
      for (const std::uint32_t one : c) is_within_face_[one] = false;
      if (c[0] != c[1] && c[1] != c[2]) return false;
      joined_[c[0]].insert(c[2]);
      joined_[c[2]].insert(c[0]);
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> borders;
    for (std::uint32_t c = 0; c < circles_.size(); ++c) {
      if (is_flat[c] && !is_within_face_[c]) borders[faces.root(c)].push_back(c);
    }
    for (const auto& [face, rims] : borders) {
      if (rims.size() > 2) return false;
      if (rims.size() == 1) {
        is_lid_[rims[0]] = true;
      } else {
        joined_[rims[0]].insert(rims[1]);
        joined_[rims[1]].insert(rims[0]);
      }
    }
    return true;
  }

  /// Walks from circle to circle: from the axis to the axis, or round. A lid leads to the axis.
  std::optional<geometry::Polygon> walk() const {
    std::uint32_t start = none, some = none;
    std::size_t ends = 0, count = 0;
    for (std::uint32_t c = 0; c < circles_.size(); ++c) {
      if (is_within_face_[c]) continue;
      ++count;
      const std::size_t ways = joined_[c].size();
      const bool on_axis = circles_[c].x() == 0.0;
      if (ways > 2 || ways == 0 || (on_axis && (ways != 1 || is_lid_[c]))) return {};
      if (!on_axis && (ways == 1) != is_lid_[c]) return {};
      if (ways == 1 && ++ends == 1) start = c;
      some = c;
    }
    if (some == none || (ends != 0 && ends != 2)) return {};
    if (ends == 0) start = some;
    geometry::Polygon outline;
    const auto add_end = [&](std::uint32_t c) {
      if (ends == 2 && circles_[c].x() > 0.0) outline.emplace_back(0.0, circles_[c].y());
    };
    add_end(start);
    std::uint32_t last = none, here = start;
    for (std::size_t passed = 1; passed <= count; ++passed) {
      outline.push_back(circles_[here]);
      std::uint32_t next = none;
      for (const std::uint32_t c : joined_[here]) {
        if (c != last && next == none) next = c;
      }
      if (next == none || next == start) {
        if (passed != count) return {};  // there is another outline
        break;
      }
      last = here;
      here = next;
    }
    add_end(here);
    return outline;
  }

  /// Facets with gaps below 30 degrees leave out less than 5 % of what they stand for, coarser ones
  /// near the axis a little more.
  bool encloses_as_much(const geometry::Polygon& outline) const {
    double twice = 0.0;  // 2 pi times the integral of r over the section, by Green
    for (std::size_t i = 0; i < outline.size(); ++i) {
      const Vec2 &a = outline[i], &b = outline[(i + 1) % outline.size()];
      twice += (a.x() * a.x() + a.x() * b.x() + b.x() * b.x()) * (b.y() - a.y()) / 3.0;
    }
    const double whole = pi * std::abs(twice), found = geometry::signed_volume(mesh_);
    return found > 0.94 * whole && found < 1.001 * whole;
  }

  static constexpr std::size_t most_circles = 400;

  const geometry::TriMesh& mesh_;
  double size_;                 ///< [m]
  std::vector<Vec2> places_;    ///< of the vertices: (distance from the axis, along it) [m]
  std::vector<double> angles_;  ///< around the axis [rad]
  std::vector<Vec2> circles_;   ///< by height [m]
  std::vector<std::uint32_t> circle_of_;
  std::vector<std::set<std::uint32_t>> joined_;
  std::vector<bool> is_lid_;  ///< a flat face closes the circle
  std::vector<bool> is_within_face_;
};

}  // namespace

std::optional<TurnedShape> recognised_turned(const geometry::TriMesh& mesh) {
  if (!(geometry::signed_volume(mesh) > 0.0)) return {};
  const geometry::MassProperties mass = geometry::mass_properties(mesh, 1.0);
  // The axis is a principal one; where all moments are equal, any may be: then try those of the
  // frame, too.
  const geometry::PrincipalAxes own = geometry::principal_axes(mass.inertia);
  const Vec3& m = own.moments;
  const bool first_pair = m[1] - m[0] < 1e-3 * m[2], second_pair = m[2] - m[1] < 1e-3 * m[2];
  std::vector<Vec3> axes;
  if (first_pair && second_pair) axes = {Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX()};
  if (first_pair) axes.push_back(own.axes.col(2));
  if (second_pair) axes.push_back(own.axes.col(0));
  for (Vec3 axis : axes) {
    // As the modeller drew it, if that is nearly so: rounding turned it.
    for (int k = 0; k < 3; ++k) {
      if (std::abs(axis[k]) > 1.0 - 1e-9) axis = Vec3::Unit(k);
    }
    if (axis[1] < 0.0) axis = -axis;
    TurnedShape shape{
        .section = {}, .centre = mass.centre, .turn = geometry::least_turn(Vec3::UnitY(), axis)};
    if (auto section = Circles(mesh, shape.centre, shape.turn).section()) {
      shape.section = *std::move(section);
      return shape;
    }
  }
  return {};
}

}  // namespace peal::scene
