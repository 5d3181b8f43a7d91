#include <peal/elastic/surface_broad_phase.h>
#include <peal/geometry/mesh/triangle.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

namespace peal::elastic {

namespace {

using geometry::Vec3;
using Surfaces = std::vector<ContactSurface>;

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
void SurfaceBroadPhase::update(const Surfaces& surfaces, const State& state,
                               const std::function<void(std::uint32_t, std::uint32_t)>& is_away) {
  const double far = 0.25 * margin_;
  bool has_moved = listed_at_.empty();
  double fastest = 0.0;
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    for (const std::uint32_t node : surfaces[s].surface_node) {
      fastest = std::max(fastest, state.velocity[s].at(node).squaredNorm());
      if (has_moved) continue;
      const Vec3 way = state.position[s].at(node) - listed_at_[s].at(node);
      has_moved = way.squaredNorm() > far * far;
    }
  }
  fastest_ = std::sqrt(fastest);
  if (!has_moved) return;
  samples_.clear();
  edges_.clear();
  listed_at_ = state.position;
  for (std::uint32_t p = 0; p < pairs_.size(); ++p) {
    list_samples(p, surfaces, state, is_away);
    if (pairs_[p].solid <= pairs_[p].other) list_edges(pairs_[p], surfaces, state);
  }
}

void SurfaceBroadPhase::list_samples(
    std::uint32_t pair, const Surfaces& surfaces, const State& state,
    const std::function<void(std::uint32_t, std::uint32_t)>& is_away) {
  const auto [solid, other] = pairs_[pair];
  const ContactSurface &a = surfaces[solid], &b = surfaces[other];
  const Nodes &x = state.position[solid], &y = state.position[other];
  const bool is_itself = solid == other;
  const geometry::Box all = box_of(y);
  std::vector<Vec3> centres;
  double widest = 0.0;
  for (const ContactSurface::Face& face : b.faces) {
    const geometry::Corners corners = corners_at(face.nodes, y);
    centres.push_back((corners[0] + corners[1] + corners[2]) / 3.0);
    widest = std::max(widest, 1.5 * face.reach + margin_);
  }
  const SweptPoints swept(centres);
  for (std::uint32_t i = 0; i < a.samples.size(); ++i) {
    const ContactSurface::Sample& sample = a.samples[i];
    const Vec3 at = point_at(sample.spot, x);
    if (all.squaredExteriorDistance(at) > margin_ * margin_) {
      is_away(pair, i);
      continue;
    }
    SampleCandidate candidate{.pair = pair, .sample = i, .faces = {}};
    swept.near(at, widest, [&](std::uint32_t f) {
      const double near = 1.5 * b.faces[f].reach + margin_;
      if ((centres[f] - at).squaredNorm() > near * near) return;
      if (is_itself) {
        const Vec3 between = geometry::triangle_centre(b.mesh, f) - sample.rest;
        if (between.norm() < b.faces[f].reach + near_at_rest * b.size) return;
      }
      candidate.faces.push_back(f);
    });
    if (!candidate.faces.empty()) samples_.push_back(std::move(candidate));
  }
}

void SurfaceBroadPhase::list_edges(const SurfacePair& pair, const Surfaces& surfaces,
                                   const State& state) {
  const auto [solid, other] = pair;
  const ContactSurface &a = surfaces[solid], &b = surfaces[other];
  const auto number = static_cast<std::uint32_t>(solid), its = static_cast<std::uint32_t>(other);
  const auto middle = [](const ContactSurface::Edge& edge, const Nodes& x) -> Vec3 {
    return 0.5 * (x.at(edge.nodes[0]) + x.at(edge.nodes[1]));
  };
  std::vector<Vec3> middles;
  double longest = 0.0;
  for (const ContactSurface::Edge& edge : b.edges) {
    middles.push_back(middle(edge, state.position[other]));
    longest = std::max(longest, edge.length);
  }
  const SweptPoints swept(middles);
  for (std::uint32_t e = 0; e < a.edges.size(); ++e) {
    const ContactSurface::Edge& edge = a.edges[e];
    const Vec3 at = middle(edge, state.position[solid]);
    swept.near(at, 0.75 * (edge.length + longest) + margin_, [&](std::uint32_t f) {
      const double near = 0.75 * (edge.length + b.edges[f].length) + margin_;
      if ((middles[f] - at).squaredNorm() > near * near) return;
      if (number == its) {
        const double apart = (edge.rest - b.edges[f].rest).norm();
        if (f <= e || apart < 0.5 * (edge.length + b.edges[f].length) + near_at_rest * b.size)
          return;
      }
      edges_.push_back({.solid = number, .other = its, .edge = e, .other_edge = f});
    });
  }
}

void SurfaceBroadPhase::serialize(util::Archive& archive) {
  archive.number(fastest_);
  samples_.resize(archive.count(samples_.size()));
  for (SampleCandidate& candidate : samples_) {
    archive.number(candidate.pair, candidate.sample, candidate.next_look);
    archive.list(candidate.faces);
  }
  archive.list(edges_);
  listed_at_.resize(archive.count(listed_at_.size()));
  for (Nodes& nodes : listed_at_) nodes.serialize(archive);
}

}  // namespace peal::elastic
