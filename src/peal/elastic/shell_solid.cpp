#include <peal/elastic/shell_kernel.h>
#include <peal/elastic/shell_solid.h>
#include <peal/fem/shell.h>
#include <peal/util/lanes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace peal::elastic {
namespace {

using geometry::Vec3;

constexpr int shell_lanes = util::widest_lanes<double>;
using ShellLanes = util::Widest<double>;

/// x, y, z of a position or force and one number of padding, then the same of a director.
using VertexRecord = std::array<double, 8>;

/// Shell triangles, evaluated several at a time in the lanes of a SIMD vector. Vertices are read
/// into records first, so that a triangle reads a vertex, and adds to its force, in one place. The
/// order of additions is fixed.
class ShellForces final : public InternalForces {
 public:
  ShellForces(const geometry::ShellMesh& shell, const fem::ShellElements& elements);

  void add(const Nodes& positions, Nodes& forces) override;
  void add_one_by_one(const Nodes& positions, Nodes& forces) const override;
  double energy(const Nodes& positions) const override;
  std::size_t elements() const override { return triangles_.size(); }
  Strained most_strained(const Nodes& positions) const override;
  Strained most_squeezed(const Nodes& positions) const override;
  double least_volume(const Nodes& positions) override;

 private:
  using Constants = std::array<double, ShellKernel::constants>;
  /// Several triangles side by side; unused lanes belong to a vertex of their own.
  struct Block {
    std::array<std::array<std::uint32_t, shell_lanes>, 3> vertices;
    std::array<ShellLanes, ShellKernel::constants> constants;
    int members = shell_lanes;
  };
  struct One {
    ShellKernel::Corners<double> x, d;
  };

  std::size_t vertices() const { return thickness_.size(); }
  void make_blocks();
  void read(const Nodes& positions);
  void give(Nodes& forces);
  [[gnu::always_inline]] void gather(const Block& block, ShellKernel::Corners<ShellLanes>& x,
                                     ShellKernel::Corners<ShellLanes>& d) const;
  One corners_at(const Nodes& positions, std::size_t triangle) const;
  Vec3 director_at(const Nodes& positions, std::size_t vertex) const;
  Strained strained(const Nodes& positions, std::size_t triangle) const;

  std::vector<geometry::Triangle> triangles_;
  std::vector<Constants> constants_;
  std::vector<double> rest_volume_;  ///< ShellKernel::volume() at rest
  std::vector<Vec3> rest_centre_;
  std::vector<double> thickness_, stretch_;  ///< of vertices [m], [J]
  double poisson_ratio_;
  std::vector<Block> blocks_;
  std::vector<VertexRecord> positions_, forces_;  ///< of vertices, and one for unused lanes
};

ShellForces::ShellForces(const geometry::ShellMesh& shell, const fem::ShellElements& elements)
    : triangles_(shell.middle.triangles),
      thickness_(shell.thickness),
      stretch_(elements.stretch),
      poisson_ratio_(elements.poisson_ratio),
      positions_(shell.thickness.size() + 1),
      forces_(shell.thickness.size() + 1) {
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    constants_.push_back(ShellKernel::constants_of(elements.triangles[t]));
    rest_centre_.push_back(geometry::triangle_centre(shell.middle, t));
    One at;
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < 3; ++i) {
        at.x[k][i] = shell.middle.vertices[triangles_[t][k]][static_cast<Eigen::Index>(i)];
        at.d[k][i] = elements.directors[triangles_[t][k]][static_cast<Eigen::Index>(i)];
      }
    }
    rest_volume_.push_back(ShellKernel::volume(at.x, at.d, constants_.back().data()));
  }
  make_blocks();
}

void ShellForces::make_blocks() {
  const auto nowhere = static_cast<std::uint32_t>(vertices());
  for (std::size_t begin = 0; begin < triangles_.size(); begin += shell_lanes) {
    Block& block = blocks_.emplace_back();
    block.members = static_cast<int>(std::min<std::size_t>(shell_lanes, triangles_.size() - begin));
    for (int lane = 0; lane < shell_lanes; ++lane) {
      const bool is_one = lane < block.members;
      const std::size_t t = is_one ? begin + static_cast<std::size_t>(lane) : begin;
      for (std::size_t k = 0; k < 3; ++k)
        block.vertices[k][static_cast<std::size_t>(lane)] = is_one ? triangles_[t][k] : nowhere;
      for (std::size_t i = 0; i < ShellKernel::constants; ++i)
        block.constants[i][lane] = constants_[t][i];
    }
  }
}

void ShellForces::read(const Nodes& positions) {
  const std::size_t n = vertices();
  const auto along = [&](const std::vector<double>& axis, std::size_t i) {
    const double *const outer = axis.data(), *const inner = outer + n;
    for (std::size_t v = 0; v < n; ++v) {
      positions_[v][i] = 0.5 * (outer[v] + inner[v]);
      positions_[v][4 + i] = (outer[v] - inner[v]) / thickness_[v];
    }
  };
  along(positions.x, 0);
  along(positions.y, 1);
  along(positions.z, 2);
}

/// Adds the springs against stretch of the directors, hands forces over to the nodes and clears
/// them.
void ShellForces::give(Nodes& forces) {
  const std::size_t n = vertices();
  for (std::size_t v = 0; v < n; ++v) {
    const VertexRecord& at = positions_[v];
    VertexRecord& force = forces_[v];
    const double square = at[4] * at[4] + at[5] * at[5] + at[6] * at[6];
    const double spring = 0.5 * stretch_[v] * (square - 1.0), turn = 1.0 / thickness_[v];
    double* const to[3] = {forces.x.data() + v, forces.y.data() + v, forces.z.data() + v};
    for (std::size_t i = 0; i < 3; ++i) {
      const double half = 0.5 * force[i], apart = turn * (force[4 + i] - spring * at[4 + i]);
      to[i][0] += half + apart;
      to[i][n] += half - apart;
    }
    force = {};
  }
  forces_.back() = {};
}

/// Reads the corners of a block; records must have been read before.
inline void ShellForces::gather(const Block& block, ShellKernel::Corners<ShellLanes>& x,
                                ShellKernel::Corners<ShellLanes>& d) const {
  for (std::size_t k = 0; k < 3; ++k) {
    for (int lane = 0; lane < shell_lanes; ++lane) {
      const VertexRecord& at = positions_[block.vertices[k][static_cast<std::size_t>(lane)]];
      for (std::size_t i = 0; i < 3; ++i) {
        x[k][i][lane] = at[i];
        d[k][i][lane] = at[4 + i];
      }
    }
  }
}

void ShellForces::add(const Nodes& positions, Nodes& forces) {
  read(positions);
  for (const Block& block : blocks_) {
    ShellKernel::Corners<ShellLanes> x, d, f, m;
    gather(block, x, d);
    ShellKernel::force(x, d, block.constants.data(), poisson_ratio_, f, m);
    for (std::size_t k = 0; k < 3; ++k) {
      for (int lane = 0; lane < shell_lanes; ++lane) {
        VertexRecord& force = forces_[block.vertices[k][static_cast<std::size_t>(lane)]];
        for (std::size_t i = 0; i < 3; ++i) {
          force[i] += f[k][i][lane];
          force[4 + i] += m[k][i][lane];
        }
      }
    }
  }
  give(forces);
}

Vec3 ShellForces::director_at(const Nodes& positions, std::size_t vertex) const {
  return (positions.at(vertex) - positions.at(vertex + vertices())) / thickness_[vertex];
}

ShellForces::One ShellForces::corners_at(const Nodes& positions, std::size_t triangle) const {
  One at;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::uint32_t v = triangles_[triangle][k];
    const Vec3 x = 0.5 * (positions.at(v) + positions.at(v + vertices()));
    const Vec3 d = director_at(positions, v);
    at.x[k] = {x.x(), x.y(), x.z()};
    at.d[k] = {d.x(), d.y(), d.z()};
  }
  return at;
}

void ShellForces::add_one_by_one(const Nodes& positions, Nodes& forces) const {
  const auto add_to = [&](std::size_t vertex, const Vec3& force, const Vec3& turn) {
    const Vec3 apart = turn / thickness_[vertex];
    forces.add(vertex, 0.5 * force + apart);
    forces.add(vertex + vertices(), 0.5 * force - apart);
  };
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    const One at = corners_at(positions, t);
    ShellKernel::Corners<double> f, m;
    ShellKernel::force(at.x, at.d, constants_[t].data(), poisson_ratio_, f, m);
    for (std::size_t k = 0; k < 3; ++k)
      add_to(triangles_[t][k], {f[k][0], f[k][1], f[k][2]}, {m[k][0], m[k][1], m[k][2]});
  }
  for (std::size_t v = 0; v < vertices(); ++v) {
    const Vec3 d = director_at(positions, v);
    add_to(v, Vec3::Zero(), -0.5 * stretch_[v] * (d.squaredNorm() - 1.0) * d);
  }
}

double ShellForces::energy(const Nodes& positions) const {
  double sum = 0.0;
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    const One at = corners_at(positions, t);
    sum += ShellKernel::energy(at.x, at.d, constants_[t].data(), poisson_ratio_);
  }
  for (std::size_t v = 0; v < vertices(); ++v) {
    const double strain = 0.5 * (director_at(positions, v).squaredNorm() - 1.0);
    sum += 0.5 * stretch_[v] * strain * strain;
  }
  return sum;
}

InternalForces::Strained ShellForces::strained(const Nodes& positions, std::size_t t) const {
  const One at = corners_at(positions, t);
  return {t, ShellKernel::volume(at.x, at.d, constants_[t].data()) / rest_volume_[t],
          rest_centre_[t]};
}

InternalForces::Strained ShellForces::most_strained(const Nodes& positions) const {
  Strained worst = strained(positions, 0);
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    const Strained one = strained(positions, t);
    if (!std::isfinite(one.volume_ratio)) return one;
    if (one.strain() > worst.strain()) worst = one;
  }
  return worst;
}

InternalForces::Strained ShellForces::most_squeezed(const Nodes& positions) const {
  Strained worst = strained(positions, 0);
  for (std::size_t t = 1; t < triangles_.size(); ++t) {
    const Strained one = strained(positions, t);
    if (one.volume_ratio < worst.volume_ratio) worst = one;
  }
  return worst;
}

double ShellForces::least_volume(const Nodes& positions) {
  double least = std::numeric_limits<double>::infinity();
  read(positions);
  std::size_t triangle = 0;
  for (const Block& block : blocks_) {
    ShellKernel::Corners<ShellLanes> x, d;
    gather(block, x, d);
    const ShellLanes volume = ShellKernel::volume(x, d, block.constants.data());
    for (int lane = 0; lane < block.members; ++lane)
      least = std::min(least, volume[lane] / rest_volume_[triangle++]);
  }
  return least;
}

}  // namespace

Solid make_shell_solid(const geometry::ShellMesh& shell, const base::Material& material,
                       const std::string& name) {
  const fem::ShellElements elements = fem::shell_elements(shell, material, name);
  geometry::TriMesh surface = geometry::surface_of(shell);
  Solid solid = bare_solid(surface.vertices, material, name);
  const std::size_t n = shell.thickness.size();
  for (std::size_t v = 0; v < n; ++v) {
    solid.mass[v] = solid.mass[v + n] = 0.5 * elements.mass[v];
    const double square = shell.thickness[v] * shell.thickness[v];
    solid.across.push_back({{static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v + n)},
                            4.0 * elements.turning[v] / square});
  }
  solid.forces = std::make_unique<ShellForces>(shell, elements);
  solid.surface = std::move(surface);
  solid.middle = {.vertices = shell.middle.vertices, .triangles = shell.middle.triangles};
  for (std::uint32_t node = 0; node < 2 * n; ++node) solid.surface_node.push_back(node);
  return solid;
}

}  // namespace peal::elastic
