#include <peal/elastic/bending.h>
#include <peal/elastic/element_blocks.h>
#include <peal/elastic/hex_kernel.h>
#include <peal/elastic/hex_mass.h>
#include <peal/elastic/hex_stiffness.h>
#include <peal/elastic/joined_forces.h>
#include <peal/elastic/solid.h>
#include <peal/elastic/torsion.h>
#include <peal/fem/lame.h>
#include <peal/geometry/volume/hex_rows.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace peal::elastic {
namespace {

using geometry::Mat3;
using geometry::Vec3;

/// Corners in the cell's own axes, x along r and y towards s, so that rotated copies of a cell are
/// equal.
HexCorners in_own_axes(HexCorners corners) {
  Vec3 centre = Vec3::Zero(), r = Vec3::Zero(), s = Vec3::Zero();
  for (int c = 0; c < 8; ++c) {
    centre += 0.125 * corners[c];
    r += (c & 1 ? 1.0 : -1.0) * corners[c];
    s += (c & 2 ? 1.0 : -1.0) * corners[c];
  }
  Mat3 axes;
  axes.col(0) = r.normalized();
  axes.col(1) = (s - axes.col(0) * axes.col(0).dot(s)).normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  for (Vec3& corner : corners) corner = axes.transpose() * (corner - centre);
  return corners;
}

/// Linear and hourglass patterns of the corners at rest, over 8.
struct RestPatterns {
  Mat3 J0;                          ///< columns r, s, t [m]
  Eigen::Matrix<double, 3, 4> off;  ///< columns rs, rt, st, rst [m]

  explicit RestPatterns(const HexCorners& corners) {
    for (int i = 0; i < 3; ++i) {
      double w[8];
      for (int c = 0; c < 8; ++c) w[c] = 0.125 * corners[c][i];
      corner_patterns(w);
      for (int k = 0; k < 3; ++k) J0(i, k) = w[linear_pattern[k]];
      for (int a = 0; a < 4; ++a) off(i, a) = w[hourglass_pattern[a]];
    }
  }

  bool is_box() const {
    const double size = J0.diagonal().cwiseAbs().minCoeff();
    const Mat3 skew = J0 - Mat3(J0.diagonal().asDiagonal());
    return std::max(skew.cwiseAbs().maxCoeff(), off.cwiseAbs().maxCoeff()) < 1e-9 * size;
  }
};

/// Stiffness for strains and hourglass modes: K18 = H^T K H.
Eigen::MatrixXd pattern_stiffness(const HexCorners& corners, const Eigen::MatrixXd& K) {
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(24, 18);
  for (int c = 0; c < 8; ++c) {
    const Vec3& X = corners[c];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      H(3 * c + i, i) = X[i];
      H(3 * c + i, 3 + i) = 0.5 * X[j];
      H(3 * c + j, 3 + i) = 0.5 * X[i];
      for (int a = 0; a < 4; ++a) {
        double w[8] = {};
        w[hourglass_pattern[a]] = 1.0;
        pattern_values(w);
        H(3 * c + i, 6 + 3 * a + i) = w[c];
      }
    }
  }
  return H.transpose() * K * H;
}

std::array<double, HexBox::constants> box_constants(const RestPatterns& rest,
                                                    const Eigen::MatrixXd& K18) {
  std::array<double, HexBox::constants> c;
  for (int i = 0; i < 3; ++i) c[i] = 0.125 / rest.J0(i, i);
  c[3] = K18(0, 1);
  c[4] = K18(0, 0) - K18(0, 1);
  for (int i = 0; i < 3; ++i) c[5 + i] = K18(3 + i, 3 + i);
  double* k = &c[8];
  const auto put = [&](int a, int b) { *k++ = K18(6 + a, 6 + b); };
  for (const auto& [a, b] : HexBox::pairs) put(a, a), put(a, b), put(b, b);
  const auto [a, b, d] = HexBox::triple;
  put(a, a), put(a, b), put(a, d), put(b, b), put(b, d), put(d, d);
  for (const int i : HexBox::single) put(i, i);
  return c;
}

std::array<double, HexAny::constants> any_constants(const RestPatterns& rest,
                                                    const Eigen::MatrixXd& K18) {
  std::array<double, HexAny::constants> c;
  const Mat3 inverse = rest.J0.inverse();
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) c[3 * k + j] = 0.125 * inverse(k, j);
  }
  for (int a = 0; a < 4; ++a) {
    for (int j = 0; j < 3; ++j) c[9 + 3 * a + j] = rest.off(j, a);
  }
  double* k = &c[21];
  for (int i = 0; i < 18; ++i) {
    for (int j = i; j < 18; ++j) *k++ = K18(i, j);
  }
  return c;
}

/// Key of a cell's shape: corners rounded to 1e-9 of the cell, so that equal cells are found;
/// stiffness factors; and the kind of element.
using ShapeKey = std::array<std::int64_t, 31>;
ShapeKey shape_key(const HexCorners& own, HexElement element, const CachedStiffness& kept,
                   double unit) {
  ShapeKey key;
  for (int c = 0; c < 8; ++c) {
    for (int i = 0; i < 3; ++i) key[3 * c + i] = std::llround(own[c][i] / unit);
  }
  key[24] = std::llround(1e9 * kept.twist);
  for (int i = 0; i < 3; ++i) key[25 + i] = std::llround(1e9 * kept.shear[i]);
  key[28] = std::llround(1e9 * kept.notch.bent);
  key[29] = std::llround(1e9 * kept.notch.stretched);
  key[30] = static_cast<std::int64_t>(element);
  return key;
}

/// Elements of one kernel collected so far.
template <class Shape>
struct HexGroup {
  using Blocks = ElementBlocks<HexKernel<Shape>>;
  std::vector<typename Blocks::Element> elements;
  std::vector<typename Blocks::Constants> shapes;
};

/// Cells sorted by kernel, with the constants of each shape once.
class HexCollector {
 public:
  explicit HexCollector(const fem::Lame& lame) : lame_(lame) {}

  void add(std::uint32_t number, const geometry::Hex& hex, const HexCorners& corners,
           HexElement element, const CachedStiffness& kept) {
    const HexCorners own = in_own_axes(corners);
    if (unit_ == 0.0) unit_ = 1e-9 * (own[7] - own[0]).norm();
    const auto [at, is_new] = known_.try_emplace(shape_key(own, element, kept, unit_));
    if (is_new) at->second = add_shape(own, element, kept);
    if (at->second.is_box) {
      boxes_.elements.push_back({hex, number, at->second.shape});
    } else {
      others_.elements.push_back({hex, number, at->second.shape});
    }
  }

  std::unique_ptr<InternalForces> forces(const Nodes& rest) {
    std::vector<std::unique_ptr<InternalForces>> groups;
    add_group(rest, boxes_, groups);
    add_group(rest, others_, groups);
    return joined(std::move(groups));
  }

 private:
  struct Known {
    bool is_box;
    std::uint32_t shape;
  };

  Known add_shape(const HexCorners& own, HexElement element, const CachedStiffness& kept) {
    const RestPatterns rest(own);
    const Eigen::MatrixXd K18 = pattern_stiffness(own, hex_stiffness(own, lame_, element, kept));
    if (rest.is_box()) {
      boxes_.shapes.push_back(box_constants(rest, K18));
      return {true, static_cast<std::uint32_t>(boxes_.shapes.size() - 1)};
    }
    others_.shapes.push_back(any_constants(rest, K18));
    return {false, static_cast<std::uint32_t>(others_.shapes.size() - 1)};
  }

  template <class Shape>
  static void add_group(const Nodes& rest, HexGroup<Shape>& group,
                        std::vector<std::unique_ptr<InternalForces>>& groups) {
    if (group.elements.empty()) return;
    groups.push_back(std::make_unique<typename HexGroup<Shape>::Blocks>(
        rest, std::move(group.elements), std::move(group.shapes)));
  }

  fem::Lame lame_;
  HexGroup<HexBox> boxes_;
  HexGroup<HexAny> others_;
  std::map<ShapeKey, Known> known_;
  double unit_ = 0.0;  ///< rounding unit of corners, the same for all cells [m]
};

/// Whether a cell of a stack is at least four times as long and as wide as thick, with equal faces
/// straight above each other. Incompatible cells lock in transverse shear then: a clamped plate of
/// two layers is 15 % too high where its cells are 20 times as long as thick.
bool is_flat_prism(const HexCorners& corners) {
  constexpr double flat = 4.0, straight = 1e-6;
  const Vec3 up = corners[4] - corners[0];
  const double thickness = up.norm();
  constexpr int sides[4][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}};  // along r and s
  for (const auto& [from, to] : sides) {
    const Vec3 side = corners[to] - corners[from];
    if (side.norm() < flat * thickness) return false;
    if (std::abs(side.dot(up)) > straight * side.norm() * thickness) return false;
  }
  for (int c = 1; c < 4; ++c)
    if ((corners[4 + c] - corners[c] - up).norm() > straight * thickness) return false;
  return true;
}

}  // namespace

Solid make_hexahedral_solid(const geometry::HexMesh& mesh, const base::Material& material,
                            HexElement element, const std::string& name) {
  const fem::Lame lame = fem::checked_lame(material, name);
  Solid solid = bare_solid(mesh.vertices, material, name);
  HexCollector cells(lame);
  const std::vector<geometry::HexRows> rows = geometry::rows_of(mesh);
  const bool is_layer = geometry::is_layer(rows);
  const std::vector<std::array<double, 3>> shears = shear_factors(mesh, rows, lame);
  const std::vector<double> twists = twist_factors(mesh, rows, shears);
  const std::vector<NotchParts> notches = notch_parts(mesh, rows, lame);
  for (std::uint32_t e = 0; e < mesh.hexes.size(); ++e) {
    const HexCorners corners = corners_of(mesh, mesh.hexes[e]);
    if (!(least_jacobian(corners) > 0.0)) {
      throw util::InputError({name, fmt::format("hexahedron {}", e)},
                             "it is flat, folded or inside out",
                             "Mesh the body again with better elements.");
    }
    const bool is_wall = is_layer && !geometry::is_corner(rows[e]) && is_thin(mesh, mesh.hexes[e]);
    const bool is_shell = is_wall || (!is_layer && is_flat_prism(corners));
    const HexElement suited = is_shell ? HexElement::solid_shell : HexElement::incompatible;
    cells.add(e, mesh.hexes[e], corners, element == HexElement::by_shape ? suited : element,
              {twists[e], shears[e], notches[e]});
  }
  add_mass(mesh, rows, solid);
  solid.forces = cells.forces(solid.rest);
  set_surface(solid, geometry::surface_of(mesh));
  return solid;
}

}  // namespace peal::elastic
