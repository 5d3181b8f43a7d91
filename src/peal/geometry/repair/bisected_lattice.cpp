#include <peal/geometry/repair/bisected_lattice.h>

#include <algorithm>
#include <utility>

namespace peal::geometry {

double tetrahedron_volume6(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).dot((c - a).cross(d - a));
}

BisectedLattice::BisectedLattice(const Vec3& lowest_corner, double side)
    : low_(lowest_corner), high_(lowest_corner + Vec3::Constant(side)) {
  for (int i = 0; i < 8; ++i) {
    vertices_.push_back(
        {i & 1 ? high_.x() : low_.x(), i & 2 ? high_.y() : low_.y(), i & 4 ? high_.z() : low_.z()});
  }
  around_.resize(8);
  // One tetrahedron for each order in which a path of three sides goes along x, y and z.
  std::array<std::uint32_t, 3> steps = {1, 2, 4};
  do {
    const auto t = static_cast<std::uint32_t>(tetrahedra_.size());
    tetrahedra_.push_back({{0, steps[0], steps[0] + steps[1], 7}, 3});
    for (const std::uint32_t v : tetrahedra_.back().corners) around_[v].push_back(t);
    mark_changed(t);
  } while (std::next_permutation(steps.begin(), steps.end()));
}

double BisectedLattice::longest_side(std::uint32_t t) const {
  const Tetrahedron& tet = tetrahedra_[t];
  return (vertices_[tet.corners[tet.tag]] - vertices_[tet.corners[0]]).norm();
}

/// Exact: the middle of two equal coordinates is that coordinate.
bool BisectedLattice::on_boundary(std::uint32_t v) const {
  const Vec3& p = vertices_[v];
  return (p.array() == low_.array()).any() || (p.array() == high_.array()).any();
}

std::vector<std::uint32_t> BisectedLattice::around_edge(std::uint32_t a, std::uint32_t b) const {
  if (around_[b].size() < around_[a].size()) std::swap(a, b);
  std::vector<std::uint32_t> ring;
  for (const std::uint32_t t : around_[a]) {
    const auto& corners = tetrahedra_[t].corners;
    if (std::ranges::find(corners, b) != corners.end()) ring.push_back(t);
  }
  return ring;
}

void BisectedLattice::bisect(std::uint32_t t) {
  const auto ends = [this](std::uint32_t u) {
    const Tetrahedron& tet = tetrahedra_[u];
    return std::minmax({tet.corners[0], tet.corners[tet.tag]});
  };
  const auto edge = ends(t);
  for (;;) {
    const std::vector<std::uint32_t> ring = around_edge(edge.first, edge.second);
    const auto other = std::ranges::find_if(ring, [&](auto u) { return ends(u) != edge; });
    if (other != ring.end()) {
      bisect(*other);
      continue;
    }
    if (ring.empty()) return;
    const auto middle = static_cast<std::uint32_t>(vertices_.size());
    vertices_.push_back(0.5 * (vertices_[edge.first] + vertices_[edge.second]));
    around_.emplace_back();
    for (const std::uint32_t u : ring) halve(u, middle);
    return;
  }
}

void BisectedLattice::halve(std::uint32_t t, std::uint32_t middle) {
  const auto [x, k] = tetrahedra_[t];
  const auto next = static_cast<std::uint8_t>(k > 1 ? k - 1 : 3);
  Tetrahedron first{x, next}, second{x, next};
  first.corners[k] = middle;
  for (int i = 0; i < k; ++i) second.corners[i] = x[i + 1];
  second.corners[k] = middle;

  const auto n = static_cast<std::uint32_t>(tetrahedra_.size());
  tetrahedra_[t] = first;
  tetrahedra_.push_back(second);
  std::erase(around_[x[k]], t);
  around_[middle].push_back(t);
  for (const std::uint32_t v : second.corners) around_[v].push_back(n);
  mark_changed(t);
  mark_changed(n);
}

void BisectedLattice::mark_changed(std::uint32_t t) {
  if (t >= is_changed_.size()) is_changed_.resize(t + 1, false);
  if (is_changed_[t]) return;
  is_changed_[t] = true;
  changed_.push_back(t);
}

std::vector<std::uint32_t> BisectedLattice::take_changed() {
  std::ranges::sort(changed_);
  for (const std::uint32_t t : changed_) is_changed_[t] = false;
  return std::exchange(changed_, {});
}

bool BisectedLattice::move_vertex(std::uint32_t v, const Vec3& to, double least) {
  const auto volume = [this](std::uint32_t t) {
    const auto& [a, b, c, d] = tetrahedra_[t].corners;
    return tetrahedron_volume6(vertices_[a], vertices_[b], vertices_[c], vertices_[d]);
  };
  std::vector<double> before;
  for (const std::uint32_t t : around_[v]) before.push_back(volume(t));
  const Vec3 from = std::exchange(vertices_[v], to);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (volume(around_[v][i]) / before[i] >= least) continue;
    vertices_[v] = from;
    return false;
  }
  return true;
}

}  // namespace peal::geometry
