#include <peal/base/radiation_tables.h>

#include <Eigen/QR>
#include <cmath>
#include <numbers>

namespace peal::base {

namespace {

using geometry::Mat3;
using geometry::Vec3;

/// Directions that are spread evenly: a spiral by the golden angle.
std::vector<Vec3> even_directions(int count) {
  const double golden = std::numbers::pi * (3.0 - std::sqrt(5.0));
  std::vector<Vec3> result;
  for (int i = 0; i < count; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / count, r = std::sqrt(1.0 - z * z);
    result.emplace_back(r * std::cos(golden * i), r * std::sin(golden * i), z);
  }
  return result;
}

/// The spherical harmonics of directions: a row a direction.
Eigen::MatrixXd harmonics_of(int order, const std::vector<Vec3>& directions, const Mat3& turn) {
  const int count = harmonics_up_to(order);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> result(
      static_cast<Eigen::Index>(directions.size()), count);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    spherical_harmonics(
        order, turn * directions[i],
        {result.row(static_cast<Eigen::Index>(i)).data(), static_cast<std::size_t>(count)});
  }
  return result;
}

}  // namespace

RigidRadiation RigidRadiation::turned(const Mat3& axes) const {
  // Y_lm of the table's frame as sums of the Y_lm', of the same order, of the new one.
  const int highest = max_order();
  const std::vector<Vec3> directions = even_directions(6 * (highest + 1));
  const Eigen::MatrixXd own = harmonics_of(highest, directions, Mat3::Identity());
  const Eigen::MatrixXd seen = harmonics_of(highest, directions, axes.transpose());
  std::vector<Eigen::MatrixXf> turns;
  for (int l = 0; l <= highest; ++l) {
    const Eigen::Index first = l * l, count = 2 * l + 1;
    turns.emplace_back(own.middleCols(first, count)
                           .householderQr()
                           .solve(seen.middleCols(first, count))
                           .cast<float>());
  }
  RigidRadiation result = *this;
  std::size_t start = 0;
  for (const std::int32_t order : orders) {
    const Eigen::Index harmonics = harmonics_up_to(order);
    using Block = Eigen::MatrixXcf;
    const Eigen::Map<const Block> given(&values[start], harmonics, motions);
    Eigen::Map<Block> turned(&result.values[start], harmonics, motions);
    Block mixed(harmonics, motions);
    const Eigen::Matrix3f along = axes.transpose().cast<float>();
    mixed.leftCols<3>() = given.leftCols<3>() * along;
    mixed.rightCols<3>() = given.rightCols<3>() * along;
    for (int l = 0; l <= order; ++l) {
      const Eigen::Index first = l * l, count = 2 * l + 1;
      turned.middleRows(first, count) =
          turns[static_cast<std::size_t>(l)] * mixed.middleRows(first, count);
    }
    start += static_cast<std::size_t>(harmonics * motions);
  }
  return result;
}

}  // namespace peal::base
