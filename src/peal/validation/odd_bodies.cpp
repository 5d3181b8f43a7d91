#include <peal/geometry/shapes/shapes.h>
#include <peal/util/random.h>
#include <peal/util/sort_unique.h>
#include <peal/validation/odd_bodies.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <utility>

namespace peal::validation {

namespace {

using geometry::Affine;
using geometry::Polygon;
using geometry::Triangle;
using geometry::TriMesh;
using geometry::Vec2;
using geometry::Vec3;

TriMesh placed(const TriMesh& mesh, const Vec3& at, double degrees = 0.0,
               const Vec3& axis = Vec3::UnitZ(), const Vec3& scale = Vec3::Ones()) {
  Affine transform = Affine::Identity();
  transform.translate(at).rotate(
      Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, axis.normalized()));
  transform.scale(scale);
  return transformed(mesh, transform);
}

TriMesh all_of(const std::vector<TriMesh>& parts) {
  TriMesh all;
  for (const TriMesh& part : parts) all = joined(all, part);
  return all;
}

/// A number of a normal distribution, by the sum of twelve equal ones.
double normal_number(std::uint64_t seed, std::uint64_t index) {
  double sum = -6.0;
  for (std::uint64_t k = 0; k < 12; ++k) sum += util::random_uniform(seed, k, index);
  return sum;
}

struct CornerBox {
  Vec3 low, high;
};

std::vector<CornerBox> chair_boxes() {
  std::vector<CornerBox> boxes;
  for (const double x : {-0.22, 0.18}) {
    boxes.push_back({{x, 0.0, 0.20}, {x + 0.04, 0.45, 0.24}});
    boxes.push_back({{x, 0.0, -0.22}, {x + 0.04, 0.90, -0.18}});
  }
  boxes.push_back({{-0.23, 0.43, -0.23}, {0.23, 0.46, 0.25}});
  for (const double y : {0.55, 0.68, 0.81})
    boxes.push_back({{-0.21, y, -0.215}, {0.21, y + 0.05, -0.19}});
  for (const double x : {-0.21, 0.19}) boxes.push_back({{x, 0.15, -0.20}, {x + 0.02, 0.18, 0.23}});
  boxes.push_back({{-0.20, 0.20, 0.205}, {0.20, 0.23, 0.235}});
  boxes.push_back({{-0.20, 0.25, -0.21}, {0.20, 0.28, -0.19}});
  boxes.push_back({{-0.195, 0.155, 0.0}, {0.195, 0.175, 0.03}});
  return boxes;
}

TriMesh mesh_of(const CornerBox& box) {
  return placed(geometry::box_mesh(box.high - box.low, 10.0), 0.5 * (box.low + box.high));
}

using Cell = std::array<std::ptrdiff_t, 3>;

/// The cells of a grid along the axes that make up a union of boxes. None is longer than `longest`.
struct BoxGrid {
  static constexpr double rounding = 1e-9;  ///< sides that differ by less are one [m]
  std::array<std::vector<double>, 3> cuts;
  std::set<Cell> inside;

  BoxGrid(const std::vector<CornerBox>& boxes, double longest) {
    for (int k = 0; k < 3; ++k) {
      std::vector<double> sides;
      for (const CornerBox& box : boxes) sides.insert(sides.end(), {box.low[k], box.high[k]});
      util::sort_unique(sides);
      const auto same = [](double a, double b) { return b - a < rounding; };
      sides.erase(std::unique(sides.begin(), sides.end(), same), sides.end());
      for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
        const double length = sides[i + 1] - sides[i];
        const double parts = std::max(1.0, std::ceil(length / longest));
        for (double part = 0.0; part < parts; ++part)
          cuts[k].push_back(sides[i] + length * part / parts);
      }
      cuts[k].push_back(sides.back());
    }
    const auto index = [&](int k, double x) {
      return std::ranges::lower_bound(cuts[k], x - rounding) - cuts[k].begin();
    };
    for (const CornerBox& box : boxes)
      for (auto x = index(0, box.low[0]); x < index(0, box.high[0]); ++x)
        for (auto y = index(1, box.low[1]); y < index(1, box.high[1]); ++y)
          for (auto z = index(2, box.low[2]); z < index(2, box.high[2]); ++z)
            inside.insert({x, y, z});
  }
};

/// The corners of cells as vertices, each once.
class GridVertices {
 public:
  GridVertices(const BoxGrid& grid, std::vector<Vec3>& vertices)
      : grid_(grid), vertices_(vertices) {}

  std::uint32_t operator()(const Cell& at) {
    const auto [found, is_new] =
        numbers_.insert({at, static_cast<std::uint32_t>(vertices_.size())});
    if (is_new)
      vertices_.emplace_back(grid_.cuts[0][at[0]], grid_.cuts[1][at[1]], grid_.cuts[2][at[2]]);
    return found->second;
  }

 private:
  const BoxGrid& grid_;
  std::vector<Vec3>& vertices_;
  std::map<Cell, std::uint32_t> numbers_;
};

/// The surface of a union of boxes: the outer faces of the cells of their grid.
TriMesh union_of(const std::vector<CornerBox>& boxes) {
  const BoxGrid grid(boxes, std::numeric_limits<double>::infinity());
  TriMesh mesh;
  GridVertices vertex(grid, mesh.vertices);
  for (const Cell& cell : grid.inside) {
    for (int k = 0; k < 3; ++k) {
      for (const int side : {0, 1}) {
        Cell next = cell, a = cell;
        next[k] += side == 1 ? 1 : -1;
        if (grid.inside.contains(next)) continue;
        a[k] += side;
        Cell b = a, c = a, d = a;
        ++b[(k + 1) % 3];
        ++c[(k + 1) % 3];
        ++c[(k + 2) % 3];
        ++d[(k + 2) % 3];
        if (side == 0) std::swap(b, d);
        mesh.triangles.push_back({vertex(a), vertex(b), vertex(c)});
        mesh.triangles.push_back({vertex(a), vertex(c), vertex(d)});
      }
    }
  }
  return mesh;
}

/// A union of boxes as tetrahedra: six for each cell of their grid, around its diagonal.
geometry::TetMesh tets_of(const std::vector<CornerBox>& boxes, double longest) {
  const BoxGrid grid(boxes, longest);
  geometry::TetMesh mesh;
  GridVertices vertex(grid, mesh.vertices);
  for (const Cell& cell : grid.inside) {
    std::array<int, 3> axes{0, 1, 2};
    do {
      Cell at = cell;
      geometry::Tet tet{vertex(at)};
      for (int k = 0; k < 3; ++k) {
        ++at[axes[k]];
        tet[k + 1] = vertex(at);
      }
      mesh.tets.push_back(tet);
    } while (std::ranges::next_permutation(axes).found);
  }
  return mesh;
}

/// A hollow pot with a lid, whose knob, spout and handle cross it.
TriMesh teapot() {
  const std::vector<Vec2> profile{{0.0, 0.0},    {0.03, 0.0},   {0.05, 0.005},  {0.062, 0.02},
                                  {0.067, 0.04}, {0.063, 0.06}, {0.052, 0.075}, {0.04, 0.083}};
  const TriMesh spout = geometry::cone_mesh(0.014, 0.008, 0.06, 0.008);
  return all_of(
      {geometry::lathe_mesh(profile, 0.0035, 0.008),
       placed(geometry::cylinder_mesh(0.0395, 0.006, 0.008), {0, 0.0835, 0}),
       placed(geometry::sphere_mesh(0.009, 0.005), {0, 0.093, 0}),
       placed(spout, {0.082, 0.05, 0}, -50.0),
       placed(geometry::torus_mesh(0.027, 0.005, 0.006), {-0.068, 0.045, 0}, 90.0, Vec3::UnitX())});
}

/// Ellipsoids: ears that end in wedges, eyes that touch nothing.
TriMesh monkey_head() {
  const TriMesh ball = geometry::sphere_mesh(1.0, 0.25);
  const auto part = [&](const Vec3& at, const Vec3& radii) {
    return placed(ball, at, 0.0, Vec3::UnitZ(), radii);
  };
  std::vector<TriMesh> parts{part({0, 0, 0}, {0.06, 0.07, 0.055}),
                             part({0, -0.03, 0.045}, {0.035, 0.028, 0.03}),
                             part({0, 0.028, 0.045}, {0.035, 0.009, 0.014})};
  for (const double side : {-1.0, 1.0}) {
    parts.push_back(part({side * 0.068, 0.01, -0.005}, {0.022, 0.028, 0.004}));
    parts.push_back(part({side * 0.022, 0.012, 0.0625}, {0.009, 0.009, 0.009}));
  }
  return all_of(parts);
}

TriMesh spanner() {
  Polygon ring, hole;
  for (int i = 0; i < 24; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 24.0;
    ring.push_back(0.0165 * Vec2(std::cos(angle), std::sin(angle)));
    hole.push_back((i % 2 == 0 ? 0.0095 : 0.0085) * Vec2(std::cos(angle), std::sin(angle)));
  }
  return all_of({geometry::box_mesh({0.15, 0.006, 0.013}, 1.0),
                 placed(geometry::cylinder_mesh(0.016, 0.009, 0.006), {-0.08, 0, 0}),
                 placed(geometry::extruded_mesh(ring, {hole}, 0.01, 0.006), {0.082, 0, 0})});
}

TriMesh toy_figure() {
  std::vector<TriMesh> parts{mesh_of({{-0.02, 0, -0.01}, {0.02, 0.04, 0.01}}),
                             mesh_of({{-0.012, 0.04, -0.009}, {0.012, 0.06, 0.009}}),  // touches
                             mesh_of({{-0.03, 0.012, -0.006}, {-0.0195, 0.038, 0.006}}),
                             mesh_of({{0.0195, 0.012, -0.006}, {0.03, 0.038, 0.006}}),
                             placed(geometry::cylinder_mesh(0.004, 0.006, 0.003), {0, 0.0615, 0})};
  return all_of(parts);
}

/// Every triangle has vertices of its own, some face inward, and a wall is inside.
TriMesh loose_bowl() {
  TriMesh bowl = geometry::lathe_mesh(
      {{0.0, 0.0}, {0.03, 0.002}, {0.05, 0.012}, {0.062, 0.03}, {0.068, 0.05}}, 0.004, 0.006);
  bowl = joined(bowl, placed(geometry::disc_mesh(0.02, 0.008), {0, 0.003, 0}));
  TriMesh loose;
  for (std::size_t t = 0; t < bowl.triangles.size(); ++t) {
    Triangle corners{};
    for (int k = 0; k < 3; ++k) {
      corners[k] = static_cast<std::uint32_t>(loose.vertices.size());
      loose.vertices.push_back(bowl.vertices[bowl.triangles[t][k]]);
    }
    if (t % 7 == 0) std::swap(corners[1], corners[2]);
    loose.triangles.push_back(corners);
  }
  return loose;
}

/// A scan with patches that the scanner did not see.
TriMesh scan_with_holes() {
  TriMesh scan = scanned_lump(0.004);
  std::erase_if(scan.triangles, [&](const Triangle& t) {
    const Vec3& p = scan.vertices[t[0]];
    for (const Vec3& hole : {Vec3(0.09, 0.0, 0.0), Vec3(0.0, 0.1, 0.02), Vec3(-0.05, -0.05, 0.06)})
      if ((p - hole).norm() < 0.012) return true;
    return false;
  });
  return scan;
}

TriMesh gear() {
  Polygon teeth;
  for (int i = 0; i < 48; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 48.0;
    teeth.push_back((i % 4 < 2 ? 0.04 : 0.033) * Vec2(std::cos(angle), std::sin(angle)));
  }
  return joined(geometry::extruded_mesh(teeth, {}, 0.01, 0.01),
                geometry::cylinder_mesh(0.008, 0.05, 0.004));
}

/// Wood blocks that share a whole side: faces lie on each other.
TriMesh touching_blocks() {
  return all_of({mesh_of({{0, 0, 0}, {0.2, 0.03, 0.05}}),
                 mesh_of({{0.2, 0, 0}, {0.24, 0.09, 0.05}}),
                 mesh_of({{-0.04, 0, 0}, {0, 0.06, 0.05}})});
}

}  // namespace

TriMesh noisy_ball(double noise, double edge_length) {
  TriMesh ball = geometry::sphere_mesh(0.05, edge_length);
  for (std::size_t v = 0; v < ball.vertices.size(); ++v)
    ball.vertices[v] *= 1.0 + noise * normal_number(1, v);
  return ball;
}

TriMesh scanned_lump(double edge_length) {
  TriMesh lump = geometry::sphere_mesh(0.09, edge_length);
  for (std::size_t i = 0; i < lump.vertices.size(); ++i) {
    const Vec3 n = lump.vertices[i].normalized();
    const double bumps = 0.18 * std::sin(3.0 * n.x() + 1.0) * std::cos(2.0 * n.y()) +
                         0.12 * std::sin(4.0 * n.z() + n.y()) +
                         0.06 * std::sin(7.0 * n.x() * n.y() + 3.0 * n.z());
    const double radius = 0.09 * (1.0 + bumps) + 1.5e-4 * normal_number(2, i);
    lump.vertices[i] = radius * n.cwiseProduct(Vec3(1.0, 1.1, 0.9));
  }
  return lump;
}

TriMesh box_chair() {
  std::vector<TriMesh> parts;
  for (const CornerBox& box : chair_boxes()) parts.push_back(mesh_of(box));
  return all_of(parts);
}

TriMesh box_chair_union() {
  return union_of(chair_boxes());
}

geometry::TetMesh box_chair_tets(double longest) {
  return tets_of(chair_boxes(), longest);
}

std::vector<OddBody> odd_bodies() {
  const base::Material porcelain{"porcelain", 2400.0, 70e9, 0.2, {}};
  const base::Material steel{"steel", 7850.0, 200e9, 0.3, {}};
  const base::Material abs{"abs", 1050.0, 2.3e9, 0.35, {}};
  const base::Material beech{"beech", 720.0, 14e9, 0.35, {}};
  return {{"teapot with crossing parts", teapot(), porcelain},
          {"monkey head with loose eyes", monkey_head(), porcelain},
          {"spanner of three parts", spanner(), steel},
          {"toy figure", toy_figure(), abs},
          {"bowl of loose, flipped triangles", loose_bowl(), porcelain},
          {"scan with holes", scan_with_holes(), porcelain},
          {"gear on an axle", gear(), steel},
          {"blocks side by side", touching_blocks(), beech},
          {"noisy ball of 20 k triangles", noisy_ball(0.002, 0.0016), steel}};
}

}  // namespace peal::validation
