#include <peal/fem/lame.h>
#include <peal/fem/rigid_motions.h>
#include <peal/fem/shell.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace peal::fem {
namespace {

using geometry::Mat3;
using geometry::Vec3;

/// Shear correction of a homogeneous wall (Reissner) [1].
constexpr double shear_correction = 5.0 / 6.0;
/// Shear is softened by t^2 / (t^2 + alpha h^2) (Lyly, Stenberg & Vihinen 1993), so that triangles
/// larger than the thickness do not lock. Between 0.05 and 0.1 modes change by less than 0.6 %.
constexpr double shear_softening = 0.1;
/// Part of h^2 that is added to the rotary inertia of directors: it makes the step that of membrane
/// waves, and cancels what the coarseness of the mesh adds to the pitch.
constexpr double added_turning = 0.02;
/// Largest part of the mass of a vertex that is moved away from a free edge.
constexpr double most_moved = 0.2;

/// Square of the edge of an equilateral triangle of the same area [m^2].
double size_squared(double area) {
  return 4.0 * area / std::numbers::sqrt3;
}

double thickness_of(const geometry::ShellMesh& shell, const geometry::Triangle& triangle) {
  return (shell.thickness[triangle[0]] + shell.thickness[triangle[1]] +
          shell.thickness[triangle[2]]) /
         3.0;
}

/// Integrals of squares and products of the covariant shears of MITC3 (Lee & Bathe 2004), e_r = g01
/// + c s and e_s = g02 - c r with c = g02 - g01 - g12, over (01, 02, 12).
std::array<double, 6> shear_stiffness(const ShellTriangle& triangle, double modulus) {
  const auto& [b11, b12, b22] = triangle.gradient;
  const Eigen::Vector3d r(1.0, 0.0, 0.0), s(0.0, 1.0, 0.0), c(-1.0, 1.0, -1.0);
  const auto both = [](const Eigen::Vector3d& a, const Eigen::Vector3d& b) -> Mat3 {
    return 0.5 * (a * b.transpose() + b * a.transpose());
  };
  const Mat3 rr = both(r, r) + 2.0 / 3.0 * both(r, c) + both(c, c) / 6.0;
  const Mat3 ss = both(s, s) - 2.0 / 3.0 * both(s, c) + both(c, c) / 6.0;
  const Mat3 rs = both(r, s) - both(r, c) / 3.0 + both(s, c) / 3.0 - both(c, c) / 12.0;
  const Mat3 S = modulus * ((b11 * b11 + b12 * b12) * rr + 2.0 * b12 * b22 * rs + b22 * b22 * ss);
  return {S(0, 0), S(1, 1), S(2, 2), S(0, 1), S(0, 2), S(1, 2)};
}

struct Corner {
  Vec3 x, d;
};

ShellTriangle shell_triangle(const std::array<Corner, 3>& corners, double thickness,
                             const Lame& lame) {
  const auto& [p, q, r] = corners;
  const Vec3 a = q.x - p.x, b = r.x - p.x;
  const double length = a.norm(), along = a.dot(b) / length, area = 0.5 * a.cross(b).norm();
  const double height = 2.0 * area / length;
  const double square = thickness * thickness;
  ShellTriangle t{};
  t.gradient = {1.0 / length, -along / (length * height), 1.0 / height};
  t.membrane = area * thickness * wall_modulus(lame);
  t.bending = t.membrane * square / 12.0;
  const Vec3 F1 = a * t.gradient[0], F2 = a * t.gradient[1] + b * t.gradient[2];
  const Vec3 da = q.d - p.d, db = r.d - p.d;
  const Vec3 G1 = da * t.gradient[0], G2 = da * t.gradient[1] + db * t.gradient[2];
  t.bend = {F1.dot(G1), F2.dot(G2), F1.dot(G2) + F2.dot(G1)};
  t.slant = {0.5 * a.dot(p.d + q.d), 0.5 * b.dot(p.d + r.d), 0.5 * (b - a).dot(q.d + r.d)};
  const double softened = square / (square + shear_softening * size_squared(area));
  t.shear = shear_stiffness(t, shear_correction * lame.mu * thickness * area * softened);
  return t;
}

/// Gregory's rule on triangles: what vibrates towards a free edge is overestimated by equal lumps,
/// so that part of the mass at the edge belongs to the vertex opposite. Corners keep most of
/// theirs, because they would determine the step.
void move_mass_from_edges(const geometry::ShellMesh& shell, double density,
                          std::vector<double>& mass) {
  const geometry::MeshTopology topology = geometry::mesh_topology(shell.middle);
  std::vector<double> taken(mass.size());
  const auto for_edges = [&](const auto& visit) {
    for (std::size_t t = 0; t < shell.middle.triangles.size(); ++t) {
      const geometry::Triangle& triangle = shell.middle.triangles[t];
      const double part = density * thickness_of(shell, triangle) *
                          geometry::area_vector(shell.middle, t).norm() / 12.0;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t edge = topology.triangle_edges[t][k];
        if (edge == geometry::MeshTopology::none || !topology.is_boundary(edge)) continue;
        visit(triangle[k], triangle[(k + 1) % 3], triangle[(k + 2) % 3], part);
      }
    }
  };
  for_edges([&](std::uint32_t a, std::uint32_t b, std::uint32_t, double part) {
    taken[a] += part;
    taken[b] += part;
  });
  std::vector<double> kept(mass.size());
  for (std::size_t v = 0; v < mass.size(); ++v)
    kept[v] = std::min(1.0, most_moved * mass[v] / std::max(taken[v], 1e-300));
  for_edges([&](std::uint32_t a, std::uint32_t b, std::uint32_t opposite, double part) {
    mass[a] -= kept[a] * part;
    mass[b] -= kept[b] * part;
    mass[opposite] += (kept[a] + kept[b]) * part;
  });
}

void check_triangle(const std::array<Corner, 3>& corners, std::size_t number,
                    const std::string& name) {
  const Vec3 a = corners[1].x - corners[0].x, b = corners[2].x - corners[0].x;
  const double longest = std::max({a.norm(), b.norm(), (b - a).norm()});
  const Vec3 normal = a.cross(b);
  if (!(normal.norm() > 1e-6 * longest * longest)) {
    throw util::InputError({name, fmt::format("triangle {}", number)},
                           fmt::format("it has no area, near ({:.4g}, {:.4g}, {:.4g}) m",
                                       corners[0].x.x(), corners[0].x.y(), corners[0].x.z()),
                           "Mesh the sheet again with better triangles.");
  }
  for (const Corner& corner : corners) {
    if (corner.d.dot(normal) > 0.1 * normal.norm()) continue;
    throw util::InputError(
        {name, fmt::format("triangle {}", number)},
        fmt::format("the sheet is folded too sharply near ({:.4g}, {:.4g}, {:.4g}) m", corner.x.x(),
                    corner.x.y(), corner.x.z()),
        "Round the fold with at least one row of triangles, or turn flipped faces.");
  }
}

/// Derivatives of the nine strains of a triangle at rest with respect to x0, x1, x2, d0, d1, d2.
Eigen::Matrix<double, 9, 18> strain_slopes(const std::array<Corner, 3>& corners,
                                           const ShellTriangle& triangle) {
  const auto& [b11, b12, b22] = triangle.gradient;
  Eigen::Matrix<double, 3, 2> B;  // weights of the corners in F1 and F2
  B << -b11, -b12 - b22, b11, b12, 0.0, b22;
  Vec3 F[2] = {Vec3::Zero(), Vec3::Zero()}, G[2] = {Vec3::Zero(), Vec3::Zero()};
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 2; ++i) {
      F[i] += B(k, i) * corners[k].x;
      G[i] += B(k, i) * corners[k].d;
    }
  }
  Eigen::Matrix<double, 9, 18> slopes = Eigen::Matrix<double, 9, 18>::Zero();
  const auto put = [&](int strain, int node, const Vec3& slope) {
    slopes.block<1, 3>(strain, 3 * node) += slope.transpose();
  };
  for (int k = 0; k < 3; ++k) {
    const int d = 3 + k;
    for (int i = 0; i < 2; ++i) {
      put(i, k, B(k, i) * F[i]);
      put(3 + i, k, B(k, i) * G[i]);
      put(3 + i, d, B(k, i) * F[i]);
      put(2, k, B(k, i) * F[1 - i]);
      put(5, k, B(k, i) * G[1 - i]);
      put(5, d, B(k, i) * F[1 - i]);
    }
  }
  constexpr int ends[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int e = 0; e < 3; ++e) {
    const auto [i, j] = ends[e];
    const Vec3 mean = 0.5 * (corners[i].d + corners[j].d),
               way = 0.5 * (corners[j].x - corners[i].x);
    put(6 + e, i, -mean);
    put(6 + e, j, mean);
    put(6 + e, 3 + i, way);
    put(6 + e, 3 + j, way);
  }
  return slopes;
}

Eigen::Matrix<double, 9, 9> stiffness_of_strains(const ShellTriangle& t, double nu) {
  Eigen::Matrix<double, 9, 9> C = Eigen::Matrix<double, 9, 9>::Zero();
  Mat3 plane;
  plane << 1.0, nu, 0.0, nu, 1.0, 0.0, 0.0, 0.0, 0.5 * (1.0 - nu);
  C.block<3, 3>(0, 0) = t.membrane * plane;
  C.block<3, 3>(3, 3) = t.bending * plane;
  C.block<3, 3>(6, 6) << t.shear[0], t.shear[3], t.shear[4], t.shear[3], t.shear[1], t.shear[5],
      t.shear[4], t.shear[5], t.shear[2];
  return C;
}

NodeGraph shell_graph(const geometry::TriMesh& mesh) {
  const auto n = static_cast<std::int32_t>(mesh.vertices.size());
  std::vector<std::vector<std::int32_t>> rows(2 * mesh.vertices.size());
  for (const geometry::Triangle& triangle : mesh.triangles) {
    std::array<std::int32_t, 6> nodes{};
    for (std::size_t k = 0; k < 3; ++k) {
      nodes[k] = static_cast<std::int32_t>(triangle[k]);
      nodes[k + 3] = nodes[k] + n;
    }
    for (const std::int32_t a : nodes) {
      for (const std::int32_t b : nodes) {
        if (b <= a) rows[a].push_back(b);
      }
    }
  }
  NodeGraph graph;
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    graph.column.insert(graph.column.end(), row.begin(), row.end());
    graph.row_begin.push_back(static_cast<std::int32_t>(graph.column.size()));
  }
  graph.mirror();
  return graph;
}

std::array<Corner, 3> corners_of(const geometry::TriMesh& mesh, const std::vector<Vec3>& directors,
                                 std::size_t triangle) {
  std::array<Corner, 3> corners;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::uint32_t v = mesh.triangles[triangle][k];
    corners[k] = {mesh.vertices[v], directors[v]};
  }
  return corners;
}

}  // namespace

ShellElements shell_elements(const geometry::ShellMesh& shell, const base::Material& material,
                             const std::string& name) {
  const Lame lame = checked_lame(material, name);
  const std::size_t n = shell.middle.vertices.size();
  ShellElements all{.directors = geometry::vertex_normals(shell.middle),
                    .triangles = {},
                    .poisson_ratio = material.poisson_ratio,
                    .mass = std::vector<double>(n),
                    .turning = std::vector<double>(n),
                    .stretch = std::vector<double>(n)};
  std::vector<double> size(n);
  std::vector<int> around(n);
  for (std::size_t t = 0; t < shell.middle.triangles.size(); ++t) {
    const std::array<Corner, 3> corners = corners_of(shell.middle, all.directors, t);
    check_triangle(corners, t, name);
    const double thickness = thickness_of(shell, shell.middle.triangles[t]);
    all.triangles.push_back(shell_triangle(corners, thickness, lame));
    const double area = geometry::area_vector(shell.middle, t).norm();
    for (const std::uint32_t v : shell.middle.triangles[t]) {
      all.mass[v] += material.density * thickness * area / 3.0;
      size[v] += size_squared(area);
      ++around[v];
    }
  }
  move_mass_from_edges(shell, material.density, all.mass);
  const double wave = wall_modulus(lame) / material.density;  // square of the speed of plate waves
  for (std::size_t v = 0; v < n; ++v) {
    const double h2 = size[v] / std::max(around[v], 1);
    all.turning[v] = shell.thickness[v] * shell.thickness[v] / 12.0 + added_turning * h2;
    // The spring makes a director vibrate at 2 c / h, the step's own limit.
    all.stretch[v] = all.mass[v] * all.turning[v] * 4.0 * wave / std::max(h2, 1e-300);
  }
  return all;
}

Matrices shell_matrices(const geometry::ShellMesh& shell, const ShellElements& elements) {
  const std::size_t n = elements.mass.size();
  Matrices all;
  all.graph = shell_graph(shell.middle);
  all.stiffness.assign(all.graph.column.size(), Mat3::Zero());
  all.mass.assign(all.graph.column.size(), 0.0);
  const auto entry = [&](std::size_t row, std::size_t column) {
    const auto begin = all.graph.column.begin() + all.graph.row_begin[row];
    const auto end = all.graph.column.begin() + all.graph.row_begin[row + 1];
    return static_cast<std::size_t>(
        std::lower_bound(begin, end, static_cast<std::int32_t>(column)) - all.graph.column.begin());
  };
  for (std::size_t t = 0; t < elements.triangles.size(); ++t) {
    const auto slopes =
        strain_slopes(corners_of(shell.middle, elements.directors, t), elements.triangles[t]);
    const Eigen::Matrix<double, 18, 18> K =
        slopes.transpose() * stiffness_of_strains(elements.triangles[t], elements.poisson_ratio) *
        slopes;
    for (std::size_t a = 0; a < 6; ++a) {
      const std::size_t va = shell.middle.triangles[t][a % 3], row = a < 3 ? va : n + va;
      const double scale_a = a < 3 ? 1.0 : 1.0 / std::sqrt(elements.turning[va]);
      for (std::size_t b = 0; b < 6; ++b) {
        const std::size_t vb = shell.middle.triangles[t][b % 3], column = b < 3 ? vb : n + vb;
        if (column > row) continue;
        const double scale_b = b < 3 ? 1.0 : 1.0 / std::sqrt(elements.turning[vb]);
        all.stiffness[entry(row, column)] +=
            scale_a * scale_b *
            K.block<3, 3>(3 * static_cast<Eigen::Index>(a), 3 * static_cast<Eigen::Index>(b));
      }
    }
  }
  for (std::size_t v = 0; v < n; ++v) {
    const Vec3& d = elements.directors[v];
    all.stiffness[entry(n + v, n + v)] +=
        elements.stretch[v] / elements.turning[v] * d * d.transpose();
    all.mass[entry(v, v)] = all.mass[entry(n + v, n + v)] = elements.mass[v];
  }
  return all;
}

Eigen::MatrixXd shell_rigid_motions(const Matrices& matrices, const geometry::ShellMesh& shell,
                                    const ShellElements& elements) {
  const geometry::Box box = geometry::bounds(shell.middle);
  const Vec3 middle = box.center();
  const double size = 0.5 * box.diagonal().norm();
  const auto n = static_cast<Eigen::Index>(elements.mass.size());
  Eigen::MatrixXd motions = Eigen::MatrixXd::Zero(6 * n, 6);
  for (Eigen::Index v = 0; v < n; ++v) {
    const Vec3 arm = (shell.middle.vertices[v] - middle) / size;
    const Vec3 director = std::sqrt(elements.turning[v]) / size * elements.directors[v];
    for (int k = 0; k < 3; ++k) {
      motions(3 * v + k, k) = 1.0;
      motions.block<3, 1>(3 * v, 3 + k) = Vec3::Unit(k).cross(arm);
      motions.block<3, 1>(3 * (n + v), 3 + k) = Vec3::Unit(k).cross(director);
    }
  }
  return allowed_motions(matrices, std::move(motions));
}

}  // namespace peal::fem
