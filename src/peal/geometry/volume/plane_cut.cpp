#include <peal/geometry/mesh/polygon.h>
#include <peal/geometry/volume/plane_cut.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace peal::geometry {

namespace {

constexpr double beside_plane = 1e-13;  ///< of the size: nearer vertices are moved inside by it

/// A closed line in the plane of the cut.
struct CutLoop {
  std::vector<std::uint32_t> vertices;
  Polygon outline;  ///< counter-clockwise around what is filled
  double area = 0.0;
};

/// Triangulates an outline whose points may lie on straight lines but for rounding, as those of a
/// cut through flat faces do: the least thin ear comes off first, and where rounding leaves none,
/// the flattest corner does. All sides stay sides of triangles.
std::vector<std::array<std::uint32_t, 3>> tolerant_ear_clipping(const Polygon& outline) {
  std::vector<std::uint32_t> left(outline.size());
  std::iota(left.begin(), left.end(), 0u);
  const auto twice_area = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const Vec2 u = outline[b] - outline[a], v = outline[c] - outline[a];
    return u.x() * v.y() - u.y() * v.x();
  };
  std::vector<std::array<std::uint32_t, 3>> triangles;
  while (left.size() > 3) {
    const std::size_t n = left.size();
    std::size_t best = n, flattest = 0;
    double thickest = 0.0, least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t a = left[(i + n - 1) % n], b = left[i], c = left[(i + 1) % n];
      const double area = twice_area(a, b, c);
      if (std::abs(area) < least) {
        least = std::abs(area);
        flattest = i;
      }
      const double longest =
          std::max({(outline[a] - outline[b]).norm(), (outline[b] - outline[c]).norm(),
                    (outline[c] - outline[a]).norm(), std::numeric_limits<double>::min()});
      const double thickness = area / (longest * longest);
      if (thickness <= std::max(thickest, 1e-12)) continue;
      const bool is_empty = std::ranges::none_of(left, [&](std::uint32_t p) {
        return p != a && p != b && p != c && twice_area(a, b, p) >= 0.0 &&
               twice_area(b, c, p) >= 0.0 && twice_area(c, a, p) >= 0.0;
      });
      if (!is_empty) continue;
      thickest = thickness;
      best = i;
    }
    if (best == n) best = flattest;
    triangles.push_back({left[(best + n - 1) % n], left[best], left[(best + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  triangles.push_back({left[0], left[1], left[2]});
  return triangles;
}

/// The triangles on the inner side of the plane, and the edges of the cut.
class Cut {
 public:
  Cut(const TriMesh& mesh, const HalfSpace& half_space) : mesh_(mesh), plane_(half_space) {
    const Box box = bounds(mesh);
    const double least = beside_plane * box.diagonal().norm();
    for (const Vec3& v : mesh.vertices) {
      const double height = half_space.distance(v);
      // Which side a vertex of the plane is on is a matter of rounding: it is inside.
      heights_.push_back(std::abs(height) < least ? -least : height);
    }
  }

  TriMesh inner_part() {
    for (const Triangle& t : mesh_.triangles) add(t);
    close();
    return std::move(result_);
  }

 private:
  bool is_inside(std::uint32_t v) const { return heights_[v] < 0.0; }

  std::uint32_t kept(std::uint32_t v) {
    const auto [place, is_new] =
        kept_.try_emplace(v, static_cast<std::uint32_t>(result_.vertices.size()));
    if (is_new) result_.vertices.push_back(mesh_.vertices[v]);
    return place->second;
  }

  /// Where an edge crosses the plane: the same point for both of its triangles.
  std::uint32_t crossing(std::uint32_t a, std::uint32_t b) {
    if (a > b) std::swap(a, b);
    const auto [place, is_new] =
        crossings_.try_emplace({a, b}, static_cast<std::uint32_t>(result_.vertices.size()));
    if (is_new) {
      const double part = heights_[a] / (heights_[a] - heights_[b]);
      result_.vertices.push_back(mesh_.vertices[a] +
                                 part * (mesh_.vertices[b] - mesh_.vertices[a]));
    }
    return place->second;
  }

  void add(const Triangle& t) {
    const auto inside = std::ranges::count_if(t, [&](std::uint32_t v) { return is_inside(v); });
    if (inside == 0) return;
    if (inside == 3) {
      result_.triangles.push_back({kept(t[0]), kept(t[1]), kept(t[2])});
      return;
    }
    // The corner that is alone on its side comes first.
    std::size_t k = 0;
    while (is_inside(t[k]) != (inside == 1)) ++k;
    const std::uint32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
    const std::uint32_t ab = crossing(a, b), ac = crossing(a, c);
    if (inside == 1) {
      result_.triangles.push_back({kept(a), ab, ac});
      next_[ac] = ab;  // the new face has the edge ab -> ac of this one the other way round
    } else {
      result_.triangles.push_back({ab, kept(b), kept(c)});
      result_.triangles.push_back({ab, kept(c), ac});
      next_[ab] = ac;
    }
  }

  Vec2 flat(const Vec3& p) const {
    const Vec3 u = plane_.normal.unitOrthogonal();
    return {u.dot(p), plane_.normal.cross(u).dot(p)};
  }

  std::vector<CutLoop> loops() const {
    std::vector<CutLoop> result;
    std::map<std::uint32_t, std::uint32_t> left = next_;
    while (!left.empty()) {
      CutLoop loop;
      const std::uint32_t start = left.begin()->first;
      for (std::uint32_t v = start;;) {
        const auto here = left.find(v);
        if (here == left.end()) throw std::invalid_argument("the mesh is open where it is cut");
        loop.vertices.push_back(v);
        loop.outline.push_back(flat(result_.vertices[v]));
        v = here->second;
        left.erase(here);
        if (v == start) break;
      }
      loop.area = signed_area(loop.outline);
      result.push_back(std::move(loop));
    }
    return result;
  }

  /// Fills each outline, without the holes in it.
  void close() {
    const std::vector<CutLoop> all = loops();
    std::vector<std::vector<std::size_t>> holes(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].area >= 0.0) continue;
      std::size_t owner = all.size();
      double smallest = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (all[k].area <= -all[i].area || all[k].area >= smallest ||
            !contains(all[k].outline, all[i].outline.front()))
          continue;
        smallest = all[k].area;
        owner = k;
      }
      if (owner == all.size())
        throw std::invalid_argument("the mesh crosses itself where it is cut");
      holes[owner].push_back(i);
    }
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].area > 0.0) fill(all, k, holes[k]);
  }

  void fill(const std::vector<CutLoop>& all, std::size_t outline,
            const std::vector<std::size_t>& holes) {
    std::vector<std::uint32_t> vertices = all[outline].vertices;
    std::vector<Polygon> inner;
    for (const std::size_t hole : holes) {
      vertices.insert(vertices.end(), all[hole].vertices.begin(), all[hole].vertices.end());
      inner.push_back(all[hole].outline);
    }
    const auto triangles = inner.empty() ? tolerant_ear_clipping(all[outline].outline)
                                         : ear_clipping(all[outline].outline, inner);
    for (const auto& t : triangles)
      result_.triangles.push_back({vertices[t[0]], vertices[t[1]], vertices[t[2]]});
  }

  const TriMesh& mesh_;
  HalfSpace plane_;
  std::vector<double> heights_;  ///< of the vertices over the plane [m]
  TriMesh result_;
  std::map<std::uint32_t, std::uint32_t> kept_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> crossings_;
  std::map<std::uint32_t, std::uint32_t> next_;  ///< along the edges of the new faces
};

}  // namespace

TriMesh cut_by_plane(const TriMesh& mesh, const HalfSpace& half_space) {
  return Cut(mesh, half_space).inner_part();
}

}  // namespace peal::geometry
