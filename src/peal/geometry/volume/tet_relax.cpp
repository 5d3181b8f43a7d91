#include <peal/geometry/volume/tet_relax.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <span>

namespace peal::geometry {

namespace {

constexpr int most_sweeps = 20;
constexpr double kept_steepness = 1.5;  ///< times the usual one
constexpr double least_gain = 0.01;     ///< of a move

/// A tetrahedron seen from one of its corners: the face opposite of it, which has the corner on the
/// side that its normal shows to.
using Face = std::array<std::uint32_t, 3>;

class Relaxing {
 public:
  Relaxing(TetMesh& mesh, std::size_t first)
      : vertices_(mesh.vertices), first_(first), around_(mesh.vertices.size()) {
    std::vector<double> all;
    for (const Tet& tet : mesh.tets) {
      const auto& [a, b, c, d] = tet;
      const bool is_right = signed_volume(mesh, tet) > 0.0;
      for (const Tet& seen : {Tet{a, b, c, d}, Tet{b, a, d, c}, Tet{c, a, b, d}, Tet{d, a, c, b}})
        around_[seen[0]].push_back(is_right ? Face{seen[1], seen[2], seen[3]}
                                            : Face{seen[1], seen[3], seen[2]});
      all.push_back(steepness(around_[a].back(), vertices_[a]));
    }
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    kept_ = kept_steepness * *middle;
  }

  /// Whether any vertex moved.
  bool sweep() {
    bool any = false;
    for (std::size_t v = first_; v < around_.size(); ++v) any |= move(v);
    return any;
  }

 private:
  /// The sum of the squares of 1 / heights, of a tetrahedron [1/m^2]; infinite if it is turned
  /// over.
  double steepness(const Face& face, const Vec3& tip) const {
    const Vec3 a = vertices_[face[0]] - tip, b = vertices_[face[1]] - tip,
               c = vertices_[face[2]] - tip;
    const Vec3 ab = a.cross(b), bc = b.cross(c), ca = c.cross(a);
    const double volume = a.dot(bc);  // six times
    if (volume <= 0.0) return std::numeric_limits<double>::infinity();
    const double faces =
        ab.squaredNorm() + bc.squaredNorm() + ca.squaredNorm() + (ab + bc + ca).squaredNorm();
    return faces / (volume * volume);
  }

  double steepest(std::span<const Face> faces, const Vec3& tip) const {
    double most = 0.0;
    for (const Face& face : faces) most = std::max(most, steepness(face, tip));
    return most;
  }

  Vec3 middle_of(std::span<const Face> faces) const {
    Vec3 sum = Vec3::Zero();
    for (const Face& face : faces) {
      for (const std::uint32_t v : face) sum += vertices_[v];
    }
    return sum / (3.0 * static_cast<double>(faces.size()));
  }

  /// From the face of the steepest tetrahedron to three times the height above it.
  Vec3 lifted(std::span<const Face> faces, const Vec3& tip) const {
    const Face& face =
        *std::ranges::max_element(faces, {}, [&](const Face& one) { return steepness(one, tip); });
    const Vec3& a = vertices_[face[0]];
    const Vec3 normal = (vertices_[face[1]] - a).cross(vertices_[face[2]] - a).normalized();
    return tip + 2.0 * normal.dot(tip - a) * normal;
  }

  /// To the middle of its neighbours or away from the face that it is too near to; if neither
  /// helps, a part of that way.
  bool move(std::size_t v) {
    const std::span<const Face> faces = around_[v];
    const Vec3 old = vertices_[v];
    const double before = steepest(faces, old);
    if (faces.empty() || before <= kept_) return false;
    const std::array targets{middle_of(faces), lifted(faces, old)};
    for (double part = 1.0; part > 0.1; part *= 0.5) {
      for (const Vec3& target : targets) {
        const Vec3 tried = old + part * (target - old);
        if (steepest(faces, tried) >= (1.0 - least_gain) * before) continue;
        vertices_[v] = tried;
        return true;
      }
    }
    return false;
  }

  std::vector<Vec3>& vertices_;
  std::size_t first_;
  std::vector<std::vector<Face>> around_;  ///< of each vertex its tetrahedra
  double kept_;                            ///< steepness
};

}  // namespace

void relax(TetMesh& mesh, std::size_t first) {
  if (mesh.tets.empty()) return;
  Relaxing relaxing(mesh, first);
  for (int sweep = 0; sweep < most_sweeps && relaxing.sweep();) ++sweep;
}

}  // namespace peal::geometry
