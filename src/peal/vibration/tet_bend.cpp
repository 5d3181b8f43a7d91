#include <peal/fem/assembly.h>
#include <peal/fem/cholesky.h>
#include <peal/vibration/tet_bend.h>

#include <algorithm>
#include <optional>

namespace peal::vibration {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using geometry::Vec3;

/// Least local volume ratio of a curved element that counts as valid.
constexpr double least_volume = 0.05;
/// Number of attempts to bend folded elements less.
constexpr int most_rounds = 12;

/// An elastic body on the nodes of a straight mesh, with prescribed displacements of its surface.
class ElasticFill {
 public:
  /// The first `on_surface` vertices are fixed, and midpoints of `outer` edges are prescribed.
  ElasticFill(const CurvedTetMesh& straight_mesh, std::size_t on_surface,
              const std::vector<bool>& outer)
      : corners_(static_cast<Index>(straight_mesh.vertices.size())) {
    const fem::Space space = fem::make_space(straight_mesh, 2);
    matrices_ = fem::assemble(straight_mesh, space, {"filling", 1.0, 1.0, 0.3, {}});
    held_.assign(3 * space.nodes.size(), false);
    std::fill(held_.begin(), held_.begin() + 3 * static_cast<Index>(on_surface), true);
    for (std::size_t e = 0; e < outer.size(); ++e)
      if (outer[e])
        for (int k = 0; k < 3; ++k) held_[3 * (corners_ + static_cast<Index>(e)) + k] = true;
    fem::Matrices inner = matrices_;
    constrain(inner, held_);
    factor_.emplace(inner.shifted(0.0));
  }

  /// Displacements of all vertices, then of the midpoints of all edges. `given` are those of outer
  /// edges.
  MatrixXd fill(const std::vector<Vec3>& given) const {
    MatrixXd x = MatrixXd::Zero(matrices_.size(), 1);
    for (std::size_t e = 0; e < given.size(); ++e)
      x.middleRows<3>(3 * (corners_ + static_cast<Index>(e))) = given[e];
    MatrixXd load = -matrices_.times_stiffness(x);
    for (Index i = 0; i < load.rows(); ++i)
      if (held_[i]) load(i, 0) = 0.0;
    factor_->solve(load);
    return x + load;
  }

 private:
  Index corners_;
  fem::Matrices matrices_;
  std::vector<bool> held_;
  std::optional<fem::Cholesky> factor_;
};

std::vector<std::size_t> folded_tets(const CurvedTetMesh& mesh) {
  std::vector<std::size_t> folded;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    if (!is_well_bent(mesh, t, least_volume)) folded.push_back(t);
  return folded;
}

}  // namespace

std::size_t bend(CurvedTetMesh& mesh, const FittedSurface& surface, const SmoothSurface& smooth) {
  std::vector<bool> outer(mesh.edges.size(), false);
  for (const std::uint32_t e : mesh.boundary_edges) outer[e] = true;
  std::vector<Vec3> wanted(mesh.edges.size(), Vec3::Zero());
  for (const std::uint32_t e : mesh.boundary_edges) {
    const auto& [a, b] = mesh.edges[e];
    wanted[e] = middle_of_edge(smooth, surface, a, b) - mesh.middles[e];
  }
  const CurvedTetMesh unbent = mesh;
  const ElasticFill elastic(unbent, surface.normals.size(), outer);
  std::vector<double> part(mesh.edges.size(), 1.0);  // of what is wanted
  for (int round = 0; round <= most_rounds; ++round) {
    std::vector<Vec3> moves = wanted;
    for (std::size_t e = 0; e < moves.size(); ++e) moves[e] *= part[e];
    const MatrixXd moved = elastic.fill(moves);
    const auto corners = static_cast<Index>(mesh.vertices.size());
    for (Index v = 0; v < corners; ++v)
      mesh.vertices[v] = unbent.vertices[v] + moved.block<3, 1>(3 * v, 0);
    for (Index e = 0; e < static_cast<Index>(moves.size()); ++e)
      mesh.middles[e] = unbent.middles[e] + moved.block<3, 1>(3 * (corners + e), 0);
    const std::vector<std::size_t> folded = folded_tets(mesh);
    if (folded.empty()) break;
    // Relax first the edges of folded elements, then, since they may not be the only cause, edges
    // farther around, and finally all edges.
    std::vector<bool> near(mesh.vertices.size(), round == most_rounds - 1);
    for (const std::size_t t : folded) {
      for (const std::uint32_t e : mesh.tet_edge[t]) part[e] *= 0.6;
      for (const std::uint32_t v : mesh.tets[t]) near[v] = near[v] || round > 3;
    }
    for (std::size_t e = 0; e < part.size(); ++e)
      if (near[mesh.edges[e][0]] || near[mesh.edges[e][1]])
        part[e] = round == most_rounds - 1 ? 0.0 : 0.6 * part[e];
  }
  return static_cast<std::size_t>(std::count_if(
      mesh.boundary_edges.begin(), mesh.boundary_edges.end(), [&](const std::uint32_t e) {
        const auto& [a, b] = mesh.edges[e];
        return (1.0 - part[e]) * wanted[e].norm() >
               1e-6 * (mesh.vertices[a] - mesh.vertices[b]).norm();
      }));
}

}  // namespace peal::vibration
