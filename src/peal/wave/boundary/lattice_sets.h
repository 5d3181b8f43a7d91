#pragma once

#include <peal/wave/boundary/cut_lattice.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

inline constexpr int lattice_segments = lattice_points - 1;

/// The distance of neighbouring points along an axis, in indices.
inline constexpr std::array<int, 3> lattice_stride = {1, lattice_points,
                                                      lattice_points* lattice_points};

inline bool on_face(int point) {
  return point == 0 || point == lattice_points - 1;
}

/// The index of the point at `along` on the line (u, v) of an axis.
constexpr int point_on(int axis, int u, int v, int along) {
  return along * lattice_stride[axis] + u * lattice_stride[(axis + 1) % 3] +
         v * lattice_stride[(axis + 2) % 3];
}

/// The weights of two or three axes; lines that graze a wall say little about it.
template <std::size_t N>
std::array<double, N> axis_weights(const Vec3& extent, const std::array<int, N>& axes) {
  std::array<double, N> weight;
  double sum = 0;
  for (std::size_t i = 0; i < N; ++i) sum += weight[i] = extent[axes[i]] * extent[axes[i]];
  for (double& w : weight) w = sum > 0 ? w / sum : 1.0 / N;
  return weight;
}

/// Sets the crossed segments of a cell by its crossings, and what these say about each other.
void index_crossings(LatticeCell& cell);

/// The crossed segments on the lines of a cell, without those in its faces.
inline std::span<const CrossedSegment> inner_segments(const LatticeCell& cell) {
  return std::span(cell.crossed).first(cell.face_begin[0]);
}

/// The volume of each point [cells]: half of every segment between it and the next, or all of it up
/// to a crossing.
std::array<double, all_lattice_points> point_volumes(const LatticeCell& cell);

/// The connected sets of the points of a cell, and those of them that are fluid.
struct PointSets {
  explicit PointSets(const LatticeCell& cell);

  /// The set of each point, from 1; 0 for the corners of the cell, which nothing joins.
  std::array<std::uint8_t, all_lattice_points> set;
  std::array<double, all_lattice_points> volume{};  ///< by set
  std::vector<int> fluid;                           ///< sets, largest first
};

}  // namespace peal::wave
