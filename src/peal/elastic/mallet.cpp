#include <peal/elastic/mallet.h>
#include <peal/geometry/mesh/surface_query.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::elastic {

using geometry::Vec3;

namespace {

/// Least radius of the spread, over the edge: the smallest patch that a mesh can resolve. What it
/// makes too heavy under a hard hammer falls with the square of the edge.
constexpr double edges_across = 1.0;
constexpr double least_restitution = 0.05;

/// Mean length of the edges of triangles at a vertex [m].
double edge_near(const geometry::TriMesh& mesh, std::uint32_t vertex) {
  double sum = 0.0;
  int count = 0;
  for (const geometry::Triangle& triangle : mesh.triangles) {
    if (std::ranges::find(triangle, vertex) == triangle.end()) continue;
    for (std::size_t k = 0; k < 3; ++k)
      sum += (mesh.vertices[triangle[k]] - mesh.vertices[triangle[(k + 1) % 3]]).norm();
    count += 3;
  }
  return sum / std::max(count, 1);
}

std::uint32_t nearest_vertex(const geometry::TriMesh& mesh, const Vec3& at) {
  std::uint32_t nearest = 0;
  for (std::uint32_t v = 1; v < mesh.vertices.size(); ++v)
    if ((mesh.vertices[v] - at).squaredNorm() < (mesh.vertices[nearest] - at).squaredNorm())
      nearest = v;
  return nearest;
}

}  // namespace

Mallet::Mallet(const Solid& shell, std::size_t number, const MalletBlow& blow)
    : solid_(number), blow_(blow) {
  hertz_ = 4.0 / 3.0 * blow.modulus * std::sqrt(blow.radius);
  const double e = std::max(blow.restitution, least_restitution);
  loss_ = 8.0 * (1.0 - e) / (5.0 * e * blow.speed);
  deepest_ = std::pow(1.25 * blow.mass * blow.speed * blow.speed / hertz_, 0.4);
  const geometry::TriMesh& middle = shell.middle;
  const Vec3 spot = geometry::SurfaceQuery(middle).closest_point(blow.at).point;
  const std::uint32_t nearest = nearest_vertex(middle, spot);
  const double reach =
      std::max({std::sqrt(blow.radius * deepest_), edges_across * edge_near(middle, nearest),
                blow.patch_radius, 1.5 * (middle.vertices[nearest] - spot).norm()});
  const auto n = static_cast<std::uint32_t>(middle.vertices.size());
  double sum = 0.0;
  for (const std::uint32_t side : {0u, n}) {
    for (std::uint32_t v = 0; v < n; ++v) {
      const double square = (middle.vertices[v] - spot).squaredNorm() / (reach * reach);
      if (square >= 1.0) continue;
      shares_.push_back({v + side, shell.mass[v] * (1.0 - square)});
      sum += shares_.back().part;
    }
  }
  for (Share& share : shares_) share.part /= sum;
}

double Mallet::height(const Nodes& x) const {
  double sum = 0.0;
  for (const Share& share : shares_) sum += share.part * blow_.direction.dot(x.at(share.node));
  return sum;
}

void Mallet::add(double t, const State& state, std::vector<Nodes>& forces) {
  const double dt = t - last_;
  last_ = t;
  if (t < blow_.start || dt <= 0.0) return;
  const double shell = height(state.position[solid_]);
  if (!is_flying_) {
    is_flying_ = true;
    place_ = before_ = shell;
    speed_ = blow_.speed;
  }
  const double depth = place_ - shell, closing = speed_ - (shell - before_) / dt;
  before_ = shell;
  if (depth > 0.0) {
    const double force = hertz_ * depth * std::sqrt(depth) * std::max(0.0, 1.0 + loss_ * closing);
    for (const Share& share : shares_)
      forces[solid_].add(share.node, share.part * force * blow_.direction);
    speed_ -= force * dt / blow_.mass;
    peak_ = std::max(peak_, force);
    touched_ += dt;
  }
  place_ += speed_ * dt;
}

/// The largest slope of the force: that of twice the depth that is expected, and of a force that
/// losses raise.
double Mallet::stiffness(std::size_t solid, std::size_t node) const {
  if (solid != solid_) return 0.0;
  const auto half = static_cast<std::ptrdiff_t>(shares_.size() / 2);
  for (const auto& [begin, end] : {std::pair{shares_.begin(), shares_.begin() + half},
                                   {shares_.begin() + half, shares_.end()}}) {
    const auto found = std::lower_bound(
        begin, end, node, [](const Share& share, std::size_t at) { return share.node < at; });
    if (found == end || found->node != node) continue;
    return 1.5 * hertz_ * std::sqrt(2.0 * deepest_) * (1.0 + loss_ * blow_.speed) * found->part;
  }
  return 0.0;
}

double Mallet::energy(const State& state) const {
  if (!is_flying_) return 0.0;
  const double depth = place_ - height(state.position[solid_]);
  return depth > 0.0 ? 0.4 * hertz_ * depth * depth * std::sqrt(depth) : 0.0;
}

void Mallet::serialize(util::Archive& archive) {
  archive.number(is_flying_, last_, place_, speed_, before_, peak_, touched_);
}

}  // namespace peal::elastic
