#include <peal/elastic/surface_contact.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

// Which points and edges of surfaces may come to meet before they are looked at again.

namespace peal::elastic {

namespace {

using geometry::Vec3;

constexpr double near_at_rest = 2.0;  ///< sizes of a face within which a body is itself

geometry::Box box_of(const Nodes& x) {
  geometry::Box box;
  for (std::size_t i = 0; i < x.size(); ++i) box.extend(x.at(i));
  return box;
}

/// Points in the order of one coordinate, to find those near another one.
class SweptPoints {
 public:
  explicit SweptPoints(const std::vector<Vec3>& points) : points_(points), order_(points.size()) {
    geometry::Box box;
    for (const Vec3& point : points) box.extend(point);
    if (!points.empty()) box.sizes().maxCoeff(&axis_);
    std::iota(order_.begin(), order_.end(), 0u);
    std::ranges::sort(order_, {}, [&](std::uint32_t i) { return std::pair(points_[i][axis_], i); });
  }

  /// Calls `found(i)` for all points that are not farther away along the axis.
  template <class Found>
  void near(const Vec3& at, double distance, const Found& found) const {
    const auto key = [&](std::uint32_t i) { return points_[i][axis_]; };
    for (auto i = std::ranges::lower_bound(order_, at[axis_] - distance, {}, key);
         i != order_.end() && key(*i) <= at[axis_] + distance; ++i) {
      found(*i);
    }
  }

 private:
  const std::vector<Vec3>& points_;
  std::vector<std::uint32_t> order_;
  int axis_ = 0;
};

}  // namespace

/// Lists who may meet again if something has come nearer, and finds out how fast it may.
void SurfaceContact::look_around(const State& state) {
  const double far = 0.25 * margin_;
  bool has_moved = steps_ == 0;
  double fastest = 0.0;
  for (std::size_t s = 0; s < surfaces_.size(); ++s) {
    for (const std::uint32_t node : surfaces_[s].surface_node) {
      fastest = std::max(fastest, state.velocity[s].at(node).squaredNorm());
      if (has_moved) continue;
      const Vec3 way = state.position[s].at(node) - listed_at_[s].at(node);
      has_moved = way.squaredNorm() > far * far;
    }
  }
  fastest_ = std::sqrt(fastest);
  if (has_moved) list_meetings(state);
}

void SurfaceContact::list_meetings(const State& state) {
  meetings_.clear();
  edge_meetings_.clear();
  listed_at_ = state.position;
  for (std::uint32_t p = 0; p < pairs_.size(); ++p) {
    list_meetings(p, state);
    if (pairs_[p].solid <= pairs_[p].other) list_edges(pairs_[p].solid, pairs_[p].other, state);
  }
}

void SurfaceContact::list_meetings(std::uint32_t pair, const State& state) {
  Pair& both = pairs_[pair];
  const Surface &a = surfaces_[both.solid], &b = surfaces_[both.other];
  const Nodes &x = state.position[both.solid], &y = state.position[both.other];
  const geometry::Box all = box_of(y);
  std::vector<Vec3> centres;
  double widest = 0.0;
  for (const Face& face : b.faces) {
    const geometry::Corners corners = corners_at(face.nodes, y);
    centres.push_back((corners[0] + corners[1] + corners[2]) / 3.0);
    widest = std::max(widest, 1.5 * face.reach + margin_);
  }
  const SweptPoints swept(centres);
  for (std::uint32_t i = 0; i < a.samples.size(); ++i) {
    const Sample& sample = a.samples[i];
    const Vec3 at = point_at(sample.spot, x);
    if (all.squaredExteriorDistance(at) > margin_ * margin_) {
      both.entered[i] = none;
      continue;
    }
    Meeting meeting{.pair = pair, .sample = i, .faces = {}};
    swept.near(at, widest, [&](std::uint32_t f) {
      const double near = 1.5 * b.faces[f].reach + margin_;
      if ((centres[f] - at).squaredNorm() > near * near) return;
      if (both.solid == both.other) {
        const Vec3 between = geometry::triangle_centre(b.mesh, f) - sample.rest;
        if (between.norm() < b.faces[f].reach + near_at_rest * b.size) return;
      }
      meeting.faces.push_back(f);
    });
    if (!meeting.faces.empty()) meetings_.push_back(std::move(meeting));
  }
}

void SurfaceContact::list_edges(std::size_t solid, std::size_t other, const State& state) {
  const Surface &a = surfaces_[solid], &b = surfaces_[other];
  const auto middle = [](const Edge& edge, const Nodes& x) -> Vec3 {
    return 0.5 * (x.at(edge.nodes[0]) + x.at(edge.nodes[1]));
  };
  std::vector<Vec3> middles;
  double longest = 0.0;
  for (const Edge& edge : b.edges) {
    middles.push_back(middle(edge, state.position[other]));
    longest = std::max(longest, edge.length);
  }
  const SweptPoints swept(middles);
  for (std::uint32_t e = 0; e < a.edges.size(); ++e) {
    const Edge& edge = a.edges[e];
    const Vec3 at = middle(edge, state.position[solid]);
    swept.near(at, 0.75 * (edge.length + longest) + margin_, [&](std::uint32_t f) {
      const double near = 0.75 * (edge.length + b.edges[f].length) + margin_;
      if ((middles[f] - at).squaredNorm() > near * near) return;
      if (solid == other) {
        const double apart = (edge.rest - b.edges[f].rest).norm();
        if (f <= e || apart < 0.5 * (edge.length + b.edges[f].length) + near_at_rest * b.size)
          return;
      }
      edge_meetings_.push_back({.solid = static_cast<std::uint32_t>(solid),
                                .other = static_cast<std::uint32_t>(other),
                                .edge = e,
                                .other_edge = f});
    });
  }
}

void SurfaceContact::keep(util::Archive& archive) {
  archive.number(steps_, fastest_);
  for (Pair& pair : pairs_) {
    archive.numbers(std::span(pair.entered));
    archive.numbers(std::span(pair.unpaid));
    archive.numbers(std::span(pair.paid_now));
  }
  meetings_.resize(archive.count(meetings_.size()));
  for (Meeting& meeting : meetings_) {
    archive.number(meeting.pair, meeting.sample, meeting.next_look);
    archive.list(meeting.faces);
  }
  archive.list(edge_meetings_);
  archive.list(crossed_);
  listed_at_.resize(archive.count(listed_at_.size()));
  for (Nodes& nodes : listed_at_) nodes.keep(archive);
}

}  // namespace peal::elastic
