#include <peal/elastic/hex_stiffness.h>
#include <peal/elastic/wall_corner.h>
#include <peal/geometry/mesh/polygon.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace peal::elastic {
namespace {

using geometry::Vec2;
using geometry::Vec3;

/// Rotation of a corner times E' t^2 / M, per radian of its angle: 5.81, 5.79
/// and 5.68 at 60, 90 and 120 degrees on fine meshes of the plane problem, singular in the inner
/// corner.
constexpr double given_way = 5.8;
constexpr double least_corner_shear = 0.2;  ///< with less, blocks could fold [1]
constexpr int cells_of_arm = 2;             ///< beyond, none feels the block

/// A cell in the section of a wall: corners by r (bit 0) and t (bit 1), as nodes of a Section.
using SectionCell = std::array<int, 4>;

/// Walls in plane strain, of unit depth.
class Section {
 public:
  explicit Section(const fem::Lame& lame) : lame_(lame) {}

  int add_node(const Vec2& at) {
    nodes_.push_back(at);
    return static_cast<int>(nodes_.size() - 1);
  }
  const Vec2& node(int number) const { return nodes_[static_cast<std::size_t>(number)]; }
  void add_cell(const SectionCell& cell, HexElement element, double kept_shear);

  /// End of an arm: its nodes at low and high t, and its outward direction.
  struct End {
    int low, high;
    Vec2 out;
  };
  /// Rotation of two ends against each other by opposite unit moments [1/N].
  double turned_by_moment(const End& one, const End& other) const;

 private:
  struct Stiffness {
    SectionCell cell;
    Eigen::Matrix<double, 8, 8> K;
  };
  Eigen::MatrixXd rigid_motions() const;

  fem::Lame lame_;
  std::vector<Vec2> nodes_;
  std::vector<Stiffness> cells_;
};

/// Adds a cell as a prism whose ends move alike, and not along it.
void Section::add_cell(const SectionCell& cell, HexElement element, double kept_shear) {
  const double depth = (node(cell[1]) - node(cell[0])).norm();
  HexCorners corners;
  Eigen::Matrix<double, 24, 8> moved = Eigen::Matrix<double, 24, 8>::Zero();
  for (int c = 0; c < 8; ++c) {
    const int k = (c & 1) + (c >> 2) * 2;
    const Vec2& at = node(cell[static_cast<std::size_t>(k)]);
    corners[static_cast<std::size_t>(c)] = {at.x(), (c & 2 ? 0.5 : -0.5) * depth, at.y()};
    moved(3 * c, 2 * k) = moved(3 * c + 2, 2 * k + 1) = 1.0;
  }
  const auto K = hex_stiffness(corners, lame_, element, {1.0, {1.0, 1.0, kept_shear}});
  cells_.push_back({cell, moved.transpose() * K * moved / depth});
}

/// Unit columns, orthogonal to each other: along x, along y and around the middle of all nodes.
Eigen::MatrixXd Section::rigid_motions() const {
  Vec2 middle = Vec2::Zero();
  for (const Vec2& at : nodes_) middle += at / static_cast<double>(nodes_.size());
  const auto n = static_cast<Eigen::Index>(nodes_.size());
  Eigen::MatrixXd motions = Eigen::MatrixXd::Zero(2 * n, 3);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Vec2 from_middle = node(static_cast<int>(i)) - middle;
    motions(2 * i, 0) = motions(2 * i + 1, 1) = 1.0;
    motions(2 * i, 2) = -from_middle.y();
    motions(2 * i + 1, 2) = from_middle.x();
  }
  motions.colwise().normalize();
  return motions;
}

double Section::turned_by_moment(const End& one, const End& other) const {
  // Forces are a first unknown's share in all others: what is left of it in the end is minus what
  // they do.
  const auto n = static_cast<Eigen::Index>(2 * nodes_.size());
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(1 + n, 1 + n);
  for (const Stiffness& part : cells_) {
    for (int i = 0; i < 8; ++i) {
      for (int j = 0; j < 8; ++j) {
        K(1 + 2 * part.cell[static_cast<std::size_t>(i / 2)] + i % 2,
          1 + 2 * part.cell[static_cast<std::size_t>(j / 2)] + j % 2) += part.K(i, j);
      }
    }
  }
  // Rigid motions cause no force: any stiffness against them will do.
  const Eigen::MatrixXd rigid = rigid_motions();
  const double stiffness = K.trace() / static_cast<double>(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      for (Eigen::Index k = 0; k < 3; ++k) K(1 + i, 1 + j) += stiffness * rigid(i, k) * rigid(j, k);
    }
  }
  for (const auto& [end, sign] : {std::pair(one, 1.0), std::pair(other, -1.0)}) {
    const Vec2 pull = sign / (node(end.high) - node(end.low)).norm() * end.out;
    for (Eigen::Index axis = 0; axis < 2; ++axis) {
      K(0, 1 + 2 * end.high + axis) += pull[axis];
      K(0, 1 + 2 * end.low + axis) -= pull[axis];
    }
  }
  K.col(0) = K.row(0).transpose();
  return -condensed(std::move(K), 1)(0, 0);
}

/// A block and the two walls that meet in it, laid into a plane.
struct CornerSection {
  std::array<Vec2, 4> block;  ///< corners by its own axis `along` (bit 0) and t (bit 1)
  struct Arm {
    int side;       ///< of the block: 0 and 1 low and high `along`, 2 and 3 low and high t
    double length;  ///< of a cell [m]
  };
  std::vector<Arm> arms;
  std::size_t along = 0;
};

CornerSection section_of(const geometry::HexMesh& mesh, const geometry::HexNeighbours& neighbours,
                         std::uint32_t corner) {
  CornerSection section;
  // The ring of blocks goes around the axis through sides of which none is free.
  section.along = neighbours.is_free({corner, 0}) || neighbours.is_free({corner, 1}) ? 0 : 1;
  const std::size_t around = 1 - section.along;
  const HexCorners at = corners_of(mesh, mesh.hexes[corner]);
  std::array<Vec3, 4> middle;  // over the depth
  Vec3 axis[3] = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  for (std::size_t c = 0; c < 8; ++c) {
    for (std::size_t k = 0; k < 3; ++k) axis[k] += (c >> k & 1 ? 1.0 : -1.0) * at[c];
    if (c >> around & 1) continue;
    middle[(c >> section.along & 1) + (c >> 2) * 2] = 0.5 * (at[c] + at[c | 1u << around]);
  }
  const Vec3 depth = axis[around].normalized();
  const Vec3 x = (axis[section.along] - depth * depth.dot(axis[section.along])).normalized();
  Vec3 y = depth.cross(x);
  if (y.dot(axis[2]) < 0.0) y = -y;
  for (std::size_t k = 0; k < 4; ++k) section.block[k] = {middle[k].dot(x), middle[k].dot(y)};
  for (int side = 0; side < 4; ++side) {
    const geometry::HexSide out{corner,
                                side < 2 ? 2 * static_cast<int>(section.along) + side : 2 + side};
    if (neighbours.is_free(out)) continue;
    const geometry::HexSide& in = neighbours.behind(out);
    section.arms.push_back(
        {side,
         geometry::mean_sides(mesh, mesh.hexes[in.cell])[static_cast<std::size_t>(in.axis())]});
  }
  return section;
}

/// Adds a wall to one side of the block.
Section::End add_arm(Section& section, const CornerSection& corner, const CornerSection::Arm& arm) {
  constexpr int sides[4][2] = {{0, 2}, {1, 3}, {0, 1}, {2, 3}};
  int low = sides[arm.side][0], high = sides[arm.side][1];
  Vec2 across = (section.node(high) - section.node(low)).normalized();
  const Vec2 centre =
      0.25 * (corner.block[0] + corner.block[1] + corner.block[2] + corner.block[3]);
  if (Vec2(across.y(), -across.x()).dot(section.node(low) - centre) < 0.0) {
    std::swap(low, high);
    across = -across;
  }
  const Vec2 out(across.y(), -across.x());
  for (int k = 0; k < cells_of_arm; ++k) {
    const int next_low = section.add_node(section.node(low) + arm.length * out);
    const int next_high = section.add_node(section.node(high) + arm.length * out);
    section.add_cell({low, next_low, high, next_high}, HexElement::solid_shell, 1.0);
    low = next_low;
    high = next_high;
  }
  return {low, high, out};
}

/// Compliance of the corner with a factor on the shear of the block, and the correct compliance
/// [1/N].
struct GivenWay {
  double found, aim;
};

GivenWay given_way_of(const CornerSection& corner, const fem::Lame& lame, double kept) {
  Section section(lame);
  for (const Vec2& at : corner.block) section.add_node(at);
  section.add_cell({0, 1, 2, 3}, HexElement::incompatible, kept);
  const double modulus = fem::wall_modulus(lame);
  double thickness = 0.0, own = 0.0;
  Section::End ends[2];
  for (std::size_t k = 0; k < 2; ++k) {
    ends[k] = add_arm(section, corner, corner.arms[k]);
    const double t = (section.node(ends[k].high) - section.node(ends[k].low)).norm();
    own += cells_of_arm * corner.arms[k].length * 12.0 / (modulus * t * t * t);
    thickness += 0.5 * t;
  }
  const double turn = std::acos(std::clamp(-ends[0].out.dot(ends[1].out), -1.0, 1.0));
  return {section.turned_by_moment(ends[0], ends[1]),
          own + given_way * turn / (modulus * thickness * thickness)};
}

}  // namespace

std::array<double, 3> corner_shears(const geometry::HexMesh& mesh,
                                    const geometry::HexNeighbours& neighbours, std::uint32_t corner,
                                    const fem::Lame& lame) {
  std::array<double, 3> shears = {1.0, 1.0, 1.0};
  const CornerSection section = section_of(mesh, neighbours, corner);
  if (section.arms.size() != 2) return shears;
  // Straight in 1 / kept.
  const auto [whole, aim] = given_way_of(section, lame, 1.0);
  const double half = given_way_of(section, lame, 0.5).found;
  const double missing = std::max(0.0, (aim - whole) / (half - whole));
  shears[section.along == 0 ? 2 : 1] = std::max(least_corner_shear, 1.0 / (1.0 + missing));
  return shears;
}

}  // namespace peal::elastic
