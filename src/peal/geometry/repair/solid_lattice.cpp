#include <peal/geometry/repair/solid_lattice.h>
#include <peal/util/parallel.h>
#include <peal/util/sort_unique.h>

#include <limits>

namespace peal::geometry {

namespace {

BisectedLattice lattice_around(const TriMesh& mesh) {
  const Box box = bounds(mesh);
  // Not quite in the middle, so that no plane of the lattice is a plane of the object.
  const double side = 1.173 * box.sizes().maxCoeff();
  const Vec3 middle = box.center() + side * Vec3(0.00713, 0.01327, -0.00939);
  return {middle - Vec3::Constant(0.5 * side), side};
}

}  // namespace

SolidLattice::SolidLattice(const SoupSolid& solid, double resolution, double finest,
                           std::size_t most)
    : solid_(solid),
      resolution_(resolution),
      finest_(finest),
      most_(most),
      lattice_(lattice_around(solid.surface().mesh())) {}

void SolidLattice::label_new_vertices() {
  const std::size_t known = inside_.size();
  inside_.resize(lattice_.vertices().size(), 0);
  util::parallel_for_small(inside_.size() - known, [&](std::size_t i) {
    const auto v = static_cast<std::uint32_t>(known + i);
    inside_[v] = !lattice_.on_boundary(v) && solid_.contains(vertex(v));
  });
}

bool SolidLattice::is_near(const Tetrahedron& tet) const {
  Vec3 middle = Vec3::Zero();
  for (const std::uint32_t v : tet.corners) middle += 0.25 * vertex(v);
  double radius = 0.0;
  for (const std::uint32_t v : tet.corners) radius = std::max(radius, (vertex(v) - middle).norm());
  return solid_.surface().closest_point_within(middle, radius).has_value();
}

bool SolidLattice::wants_resolution(std::uint32_t t) const {
  const Tetrahedron& tet = lattice_.tetrahedra()[t];
  return lattice_.longest_side(t) > resolution_ && (is_mixed(tet) || is_near(tet));
}

/// Bisects until no tetrahedron wants it.
bool SolidLattice::refine_to_resolution() {
  for (;;) {
    const std::vector<std::uint32_t> changed = lattice_.take_changed();
    if (changed.empty()) return true;
    label_new_vertices();
    std::vector<double> side(changed.size(), 0.0);  // 0: is fine as it is
    util::parallel_for_small(changed.size(), [&](std::size_t i) {
      if (wants_resolution(changed[i])) side[i] = lattice_.longest_side(changed[i]);
    });
    for (std::size_t i = 0; i < changed.size(); ++i) {
      if (side[i] == 0.0 || lattice_.longest_side(changed[i]) < side[i]) continue;
      if (lattice_.tetrahedra().size() > most_) return false;
      lattice_.bisect(changed[i]);
    }
  }
}

Unseen SolidLattice::unseen_by(const LatticeEdge& edge) const {
  const auto& [a, b] = edge;
  const EdgeCut cut = solid_.cut(vertex(a), inside(a), vertex(b), inside(b));
  const bool too_thin = cut.unseen < 0.2 * finest_;
  if (cut.facing) return too_thin ? Unseen::lost : Unseen::wall;
  return too_thin ? Unseen::nothing : Unseen::crease;
}

/// Creases come out sharp where the lattice sees them; half the size is enough to see most.
double SolidLattice::side_for(Unseen unseen) const {
  switch (unseen) {
    case Unseen::wall:
      return finest_;
    case Unseen::crease:
      return std::max(finest_, 0.5 * resolution_);
    case Unseen::nothing:
    case Unseen::lost:
      break;
  }
  return resolution_;
}

bool SolidLattice::refine_unseen() {
  std::vector<std::uint32_t> fresh(lattice_.tetrahedra().size());
  for (std::uint32_t t = 0; t < fresh.size(); ++t) fresh[t] = t;
  while (!fresh.empty()) {
    // Look at the sides of new tetrahedra at the surface.
    std::vector<char> near(fresh.size(), 0);
    util::parallel_for_small(fresh.size(), [&](std::size_t i) {
      near[i] = lattice_.longest_side(fresh[i]) <= resolution_ &&
                is_near(lattice_.tetrahedra()[fresh[i]]);
    });
    std::vector<LatticeEdge> edges;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      if (!near[i]) continue;
      const auto& corners = lattice_.tetrahedra()[fresh[i]].corners;
      for (const auto& [a, b] : edges_of_four) {
        const LatticeEdge edge = edge_between(corners[a], corners[b]);
        if (!unseen_.contains(edge)) edges.push_back(edge);
      }
    }
    util::sort_unique(edges);
    std::vector<Unseen> found(edges.size());
    util::parallel_for_small(edges.size(), [&](std::size_t i) { found[i] = unseen_by(edges[i]); });
    for (std::size_t i = 0; i < edges.size(); ++i) unseen_.emplace(edges[i], found[i]);

    // Halve those that pass something, and keep up the resolution around them.
    const std::size_t before = lattice_.tetrahedra().size();
    for (const std::uint32_t t : fresh) {
      if (lattice_.tetrahedra().size() > most_) break;
      const Tetrahedron tet = lattice_.tetrahedra()[t];
      const double side = lattice_.longest_side(t);
      const bool crosses = std::ranges::any_of(edges_of_four, [&](const auto& edge) {
        const auto known = unseen_.find(edge_between(tet.corners[edge[0]], tet.corners[edge[1]]));
        return known != unseen_.end() && side > side_for(known->second);
      });
      if (side <= resolution_ && crosses) lattice_.bisect(t);
    }
    if (lattice_.tetrahedra().size() == before) return true;
    fresh = lattice_.take_changed();
    label_new_vertices();
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      if (lattice_.tetrahedra().size() > 2 * most_) return false;
      if (wants_resolution(fresh[i])) lattice_.bisect(fresh[i]);
    }
    std::vector<std::uint32_t> more = lattice_.take_changed();
    label_new_vertices();
    fresh.insert(fresh.end(), more.begin(), more.end());
    util::sort_unique(fresh);
  }
  return true;
}

std::vector<LatticeEdge> SolidLattice::thin_edges() const {
  std::vector<LatticeEdge> edges;
  for (const Tetrahedron& tet : lattice_.tetrahedra()) {
    for (const auto& [a, b] : edges_of_four) {
      const LatticeEdge edge = edge_between(tet.corners[a], tet.corners[b]);
      const auto known = unseen_.find(edge);
      if (known == unseen_.end()) continue;
      if (known->second == Unseen::wall || known->second == Unseen::lost) edges.push_back(edge);
    }
  }
  util::sort_unique(edges);
  return edges;
}

void SolidLattice::keep_clear_of_surface() {
  constexpr double clearance = 0.12;  // of the shortest side at the vertex
  constexpr double least = 0.3;       // of a tetrahedron's volume stays
  const std::size_t count = lattice_.vertices().size();
  std::vector<char> moves(count, 0);
  std::vector<Vec3> to(count);
  util::parallel_for_small(count, [&](std::size_t i) {
    const auto v = static_cast<std::uint32_t>(i);
    if (lattice_.on_boundary(v)) return;
    double side = std::numeric_limits<double>::infinity();
    for (const std::uint32_t t : lattice_.around_vertex(v))
      for (const std::uint32_t u : lattice_.tetrahedra()[t].corners)
        if (u != v) side = std::min(side, (vertex(u) - vertex(v)).norm());
    const double clear = clearance * side;
    const auto nearest = solid_.surface().closest_point_within(vertex(v), clear);
    if (!nearest) return;
    const Vec3 face = area_vector(solid_.surface().mesh(), nearest->triangle).normalized();
    const Vec3 away = nearest->distance > 1e-6 * side
                          ? Vec3((vertex(v) - nearest->point) / nearest->distance)
                          : Vec3((inside(v) ? -1.0 : 1.0) * face);
    to[i] = nearest->point + clear * away;
    moves[i] = !solid_.surface().closest_point_within(to[i], 0.99 * clear) &&
               solid_.contains(to[i]) == inside(v);
  });
  for (std::uint32_t v = 0; v < count; ++v)
    if (moves[v]) lattice_.move_vertex(v, to[v], least);
}

}  // namespace peal::geometry
