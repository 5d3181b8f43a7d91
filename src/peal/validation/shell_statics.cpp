#include <peal/elastic/hex_stiffness.h>
#include <peal/fem/cholesky.h>
#include <peal/fem/shell.h>
#include <peal/validation/entries.h>
#include <peal/validation/shell_trials.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace peal::validation {

namespace {

using geometry::Vec3;
using std::numbers::pi;

/// A part of a shell: n x n solid-shell hexahedra over (a, b) from 0 to 1, by a map of (a, b,
/// height over the middle surface [m]).
class ShellPatch {
 public:
  using Map = std::function<Vec3(double a, double b, double height)>;

  ShellPatch(int n, double thickness, const fem::Lame& lame, const Map& map) : n_(n) {
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= n; ++j) {
        for (const double side : {-0.5, 0.5}) {
          nodes_.push_back(map(1.0 * i / n, 1.0 * j / n, side * thickness));
        }
      }
    }
    width_ = 3 * (node(1, 1, 1) + 1);
    K_.assign(3 * nodes_.size() * width_, 0.0);
    volume_.assign(nodes_.size(), 0.0);
    force_.assign(3 * nodes_.size(), 0.0);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) add_cell(i, j, lame);
    }
  }

  /// Of the inner (0) or the outer side (1).
  std::size_t node(int i, int j, int side) const {
    return 2 * static_cast<std::size_t>(i * (n_ + 1) + j) + static_cast<std::size_t>(side);
  }

  /// Holds displacements along an axis where a place says so.
  void constrain(int axis, const std::function<bool(const Vec3&)>& where) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (where(nodes_[i])) constrain(axis, i);
    }
  }
  void constrain(int axis, std::size_t node) {
    const std::size_t k = 3 * node + static_cast<std::size_t>(axis);
    for (std::size_t other = k >= width_ ? k - width_ + 1 : 0;
         other < std::min(force_.size(), k + width_); ++other) {
      at(std::max(k, other), std::min(k, other)) = 0.0;
    }
    at(k, k) = 1.0;
    force_[k] = 0.0;
  }

  /// A force on both sides of the shell [N].
  void pull(int i, int j, const Vec3& force) {
    for (const int side : {0, 1}) {
      for (int axis = 0; axis < 3; ++axis)
        force_[3 * node(i, j, side) + static_cast<std::size_t>(axis)] += 0.5 * force[axis];
    }
  }
  /// A force by volume [N/m^3].
  void weigh(const Vec3& density) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (int axis = 0; axis < 3; ++axis)
        force_[3 * i + static_cast<std::size_t>(axis)] += volume_[i] * density[axis];
    }
  }

  /// Cholesky's factors in the band, and what they say of the forces.
  void solve() {
    const std::size_t size = force_.size();
    for (std::size_t r = 0; r < size; ++r) {
      const std::size_t first = r >= width_ ? r - width_ + 1 : 0;
      for (std::size_t c = first; c <= r; ++c) {
        double sum = at(r, c);
        for (std::size_t k = std::max(first, c >= width_ ? c - width_ + 1 : 0); k < c; ++k)
          sum -= at(r, k) * at(c, k);
        at(r, c) = c == r ? std::sqrt(sum) : sum / at(c, c);
      }
      for (std::size_t k = first; k < r; ++k) force_[r] -= at(r, k) * force_[k];
      force_[r] /= at(r, r);
    }
    for (std::size_t r = size; r-- > 0;) {
      for (std::size_t k = r + 1; k < std::min(size, r + width_); ++k)
        force_[r] -= at(k, r) * force_[k];
      force_[r] /= at(r, r);
    }
  }
  /// After solve(): of the middle surface [m].
  Vec3 moved(int i, int j) const {
    Vec3 sum = Vec3::Zero();
    for (const int side : {0, 1}) {
      for (int axis = 0; axis < 3; ++axis)
        sum[axis] += 0.5 * force_[3 * node(i, j, side) + static_cast<std::size_t>(axis)];
    }
    return sum;
  }

 private:
  double& at(std::size_t row, std::size_t column) { return K_[row * width_ + row - column]; }

  void add_cell(int i, int j, const fem::Lame& lame) {
    std::array<std::size_t, 8> corner;
    elastic::HexCorners corners;
    for (int c = 0; c < 8; ++c) {
      corner[c] = node(i + (c & 1), j + ((c >> 1) & 1), c >> 2);
      corners[c] = nodes_[corner[c]];
    }
    const Eigen::MatrixXd K =
        elastic::hex_stiffness(corners, lame, elastic::HexElement::solid_shell);
    const auto volumes = elastic::hex_corner_volumes(corners);
    for (std::size_t a = 0; a < 24; ++a) {
      for (std::size_t b = 0; b < 24; ++b) {
        const std::size_t row = 3 * corner[a / 3] + a % 3, column = 3 * corner[b / 3] + b % 3;
        if (column <= row)
          at(row, column) += K(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b));
      }
    }
    for (std::size_t c = 0; c < 8; ++c) volume_[corner[c]] += volumes[c];
  }

  int n_;
  std::size_t width_ = 0;  ///< of the lower half of the band, with the diagonal
  std::vector<Vec3> nodes_;
  std::vector<double> K_, volume_, force_;
};

fem::Lame lame_of(double young_modulus, double poisson_ratio) {
  return fem::checked_lame(
      {.density = 1.0, .young_modulus = young_modulus, .poisson_ratio = poisson_ratio}, "shell");
}

bool is_near(double x, double place) {
  return std::abs(x - place) < 1e-9;
}
bool is_zero(double x) {
  return is_near(x, 0.0);
}

/// The same of shell triangles, two a cell.
class TrianglePatch {
 public:
  using Map = ShellPatch::Map;

  TrianglePatch(int n, double thickness, const base::Material& material, const Map& map)
      : n_(n),
        shell_(uniform_wall(mapped_sheet(n, n, Triangulation::right,
                                         [&](double a, double b) { return map(a, b, 0.0); }),
                            thickness)),
        elements_(fem::shell_elements(shell_, material, "shell")),
        matrices_(fem::shell_matrices(shell_, elements_)),
        held_(static_cast<std::size_t>(matrices_.size())),
        force_(Eigen::MatrixXd::Zero(matrices_.size(), 1)) {}

  std::size_t node(int i, int j) const { return static_cast<std::size_t>(i + j * (n_ + 1)); }

  /// Holds displacements along an axis, and turns that change directors along it.
  void constrain(int axis, const std::function<bool(const Vec3&)>& where) {
    const std::size_t vertices = shell_.thickness.size();
    for (std::size_t v = 0; v < vertices; ++v) {
      if (!where(shell_.middle.vertices[v])) continue;
      constrain(axis, v);
      constrain(axis, v + vertices);
    }
  }
  void constrain(int axis, std::size_t node) {
    held_[3 * node + static_cast<std::size_t>(axis)] = true;
  }
  void pull(int i, int j, const Vec3& force) {
    force_.block<3, 1>(3 * static_cast<Eigen::Index>(node(i, j)), 0) += force;
  }
  /// A force by mass [N/kg].
  void weigh(const Vec3& acceleration) {
    for (std::size_t v = 0; v < elements_.mass.size(); ++v)
      force_.block<3, 1>(3 * static_cast<Eigen::Index>(v), 0) += elements_.mass[v] * acceleration;
  }
  void solve() {
    for (std::size_t k = 0; k < held_.size(); ++k)
      if (held_[k]) force_(static_cast<Eigen::Index>(k), 0) = 0.0;
    fem::constrain(matrices_, held_);
    fem::Cholesky(matrices_.shifted(0.0)).solve(force_);
  }
  Vec3 moved(int i, int j) const {
    return force_.block<3, 1>(3 * static_cast<Eigen::Index>(node(i, j)), 0);
  }

 private:
  int n_;
  geometry::ShellMesh shell_;
  fem::ShellElements elements_;
  fem::Matrices matrices_;
  std::vector<bool> held_;
  Eigen::MatrixXd force_;
};

Vec3 roof_at(double a, double b, double height) {
  constexpr double radius = 25.0, half = 25.0, angle = 40.0 / 180.0 * pi;
  return {(radius + height) * std::sin(angle * b), (radius + height) * std::cos(angle * b),
          half * a};
}

/// As below, but the whole width of the roof lies on the patch.
double roof_of_triangles(int n) {
  TrianglePatch roof(n, 0.25, {.density = 1.0, .young_modulus = 4.32e8, .poisson_ratio = 0.0},
                     [](double a, double b, double h) { return roof_at(a, 2.0 * b - 1.0, h); });
  roof.weigh({0.0, -90.0 / 0.25, 0.0});
  roof.constrain(0, [](const Vec3& p) { return is_near(p.z(), 25.0); });
  roof.constrain(1, [](const Vec3& p) { return is_near(p.z(), 25.0); });
  roof.constrain(2, [](const Vec3& p) { return is_near(p.z(), 0.0); });
  roof.solve();
  return -roof.moved(0, n).y();
}

double cylinder_of_triangles(int n) {
  constexpr double radius = 300.0, half = 300.0;
  TrianglePatch shell(n, 3.0, {.density = 1.0, .young_modulus = 3e6, .poisson_ratio = 0.3},
                      [&](double a, double b, double) {
                        return Vec3(radius * std::sin(0.5 * pi * b),
                                    radius * std::cos(0.5 * pi * b), half * a);
                      });
  shell.pull(0, 0, {0.0, -0.25, 0.0});
  shell.constrain(0, [](const Vec3& p) { return is_near(p.x(), 0.0) || is_near(p.z(), half); });
  shell.constrain(1, [](const Vec3& p) { return is_near(p.y(), 0.0) || is_near(p.z(), half); });
  shell.constrain(2, [](const Vec3& p) { return is_near(p.z(), 0.0); });
  shell.solve();
  return -shell.moved(0, 0).y();
}

double hemisphere_of_triangles(int n) {
  constexpr double radius = 10.0, angle = 72.0 / 180.0 * pi;
  TrianglePatch shell(n, 0.04, {.density = 1.0, .young_modulus = 6.825e7, .poisson_ratio = 0.3},
                      [&](double a, double b, double) {
                        const double around = 0.5 * pi * b;
                        return Vec3(radius * std::cos(angle * a) * std::cos(around),
                                    radius * std::sin(angle * a),
                                    radius * std::cos(angle * a) * std::sin(around));
                      });
  shell.pull(0, 0, {1.0, 0.0, 0.0});
  shell.pull(0, n, {0.0, 0.0, -1.0});
  shell.constrain(0, [](const Vec3& p) { return is_near(p.x(), 0.0); });
  shell.constrain(2, [](const Vec3& p) { return is_near(p.z(), 0.0); });
  shell.constrain(1, shell.node(0, 0));
  shell.solve();
  return shell.moved(0, 0).x();
}

/// A quarter of a roof on stiff ends under its weight: the middle of its free edge.
double scordelis_lo_roof(int n) {
  constexpr double half = 25.0, thickness = 0.25;
  ShellPatch roof(n, thickness, lame_of(4.32e8, 0.0), roof_at);
  roof.weigh({0.0, -90.0 / thickness, 0.0});
  roof.constrain(0, [](const Vec3& p) { return is_zero(p.x()) || is_zero(p.z() - half); });
  roof.constrain(1, [](const Vec3& p) { return is_zero(p.z() - half); });
  roof.constrain(2, [](const Vec3& p) { return is_zero(p.z()); });
  roof.solve();
  return -roof.moved(0, n).y();
}

/// An eighth of a cylinder on stiff ends that two forces press together: below one of them.
double pinched_cylinder(int n) {
  constexpr double radius = 300.0, half = 300.0;
  ShellPatch shell(n, 3.0, lame_of(3e6, 0.3), [&](double a, double b, double height) {
    return Vec3((radius + height) * std::sin(0.5 * pi * b),
                (radius + height) * std::cos(0.5 * pi * b), half * a);
  });
  shell.pull(0, 0, {0.0, -0.25, 0.0});
  shell.constrain(0, [](const Vec3& p) { return is_zero(p.x()) || is_zero(p.z() - half); });
  shell.constrain(1, [](const Vec3& p) { return is_zero(p.y()) || is_zero(p.z() - half); });
  shell.constrain(2, [](const Vec3& p) { return is_zero(p.z()); });
  shell.solve();
  return -shell.moved(0, 0).y();
}

/// A quarter of a half sphere with a hole of 18 degrees, pulled outward and pressed inward at its
/// rim in turn.
double pinched_hemisphere(int n) {
  constexpr double radius = 10.0, angle = 72.0 / 180.0 * pi;
  ShellPatch shell(n, 0.04, lame_of(6.825e7, 0.3), [&](double a, double b, double height) {
    const double r = radius + height, around = 0.5 * pi * b;
    return Vec3(r * std::cos(angle * a) * std::cos(around), r * std::sin(angle * a),
                r * std::cos(angle * a) * std::sin(around));
  });
  shell.pull(0, 0, {1.0, 0.0, 0.0});
  shell.pull(0, n, {0.0, 0.0, -1.0});
  shell.constrain(0, [](const Vec3& p) { return is_zero(p.x()); });
  shell.constrain(2, [](const Vec3& p) { return is_zero(p.z()); });
  shell.constrain(1, shell.node(0, 0, 0));
  shell.solve();
  return shell.moved(0, 0).x();
}

Outcome run_shell_statics() {
  Outcome outcome;
  const auto claim = [&](const std::string& what, double published, double ours) {
    outcome.claims.push_back({what, "m", published, ours, 0.02 * published});
  };
  claim("Scordelis-Lo roof, 16 x 16 hexahedra: middle of the free edge", 0.3024,
        scordelis_lo_roof(16));
  claim("pinched cylinder with stiff ends, 32 x 32 hexahedra: below the force", 1.8248e-5,
        pinched_cylinder(32));
  claim("pinched half sphere with a hole, 16 x 16 hexahedra: below a force", 0.0924,
        pinched_hemisphere(16));
  const auto claim_triangles = [&](const std::string& what, double published, double tolerance,
                                   const auto& at_size) {
    const double fine = at_size(32);
    outcome.claims.push_back({what + ", 32 x 32 cells of two shell triangles", "m", published, fine,
                              tolerance * published});
    // The error is one of second order.
    outcome.claims.push_back({what + ", from 16 and 32 cells", "m", published,
                              (4.0 * fine - at_size(16)) / 3.0, 0.02 * published});
  };
  claim_triangles("Scordelis-Lo roof", 0.3024, 0.05, roof_of_triangles);
  claim_triangles("pinched cylinder with stiff ends", 1.8248e-5, 0.03, cylinder_of_triangles);
  claim_triangles("pinched half sphere with a hole", 0.0924, 0.02, hemisphere_of_triangles);
  return outcome;
}

}  // namespace

Entry shell_statics() {
  return {.key = "shell-statics",
          .title = "Thin curved shells give way as published",
          .source = "reference N05 (MacNeal & Harder 1985; Belytschko et al. 1985)",
          .method =
              "Small-strain stiffness of solid-shell hexahedra and of shell triangles on a quarter "
              "or an eighth of the "
              "shell, by elimination.",
          .run = run_shell_statics};
}

}  // namespace peal::validation
