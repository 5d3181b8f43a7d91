#include <peal/util/error.h>
#include <peal/wave/boundary/staircase.h>
#include <peal/wave/scheme/ghost_cells.h>

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace peal::wave {
namespace {

template <class Visit>
void for_each_solid(std::span<const SolidRun> runs, Visit visit) {
  for (const SolidRun& run : runs)
    for (int x = run.begin; x < run.end; ++x) visit(Cell{x, run.y, run.z});
}

template <class Real>
double value(std::span<const Real> source, std::size_t i) {
  return i < source.size() ? static_cast<double>(source[i]) : 0.0;
}

}  // namespace

/// The system of equations of the ghosts: A g = contributions of air and walls.
struct GhostCells::System {
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factors;
};

GhostCells::GhostCells(const Grid& grid, const FieldLayout& layout,
                       std::span<const BodyShape> bodies, double kappa)
    : grid_(grid), layout_(layout), kappa_(kappa), system_(std::make_unique<System>()) {
  for (const BodyShape& body : bodies) bodies_.emplace_back(body);
}

GhostCells::~GhostCells() = default;

CutGeometry GhostCells::raster(const CutGeometry& cut, double t) {
  for (BodySurface& body : bodies_) body.set_time(t);
  return staircase(grid_, cut, [&](const Cell& cell, double) {
    const Vec3 centre = grid_.centre(cell);
    return std::ranges::any_of(bodies_, [&](const BodySurface& b) { return b.contains(centre); });
  });
}

void GhostCells::index(const CutGeometry& raster) {
  const std::vector<SolidRun> before = std::exchange(solid_, raster.solid);
  walls_ = {};
  find_ghosts(raster);
  find_fresh(before);
  find_behind();
  walls_.to = walls_.from;
  walls_.walls_to = walls_.walls_from;
  factorise();
}

void GhostCells::find_ghosts(const CutGeometry& raster) {
  ghosts_.clear();
  number_.clear();
  fallbacks_ = 0;
  for (const OpenCell& open : raster.cells)
    for (int f = 0; f < cell_faces; ++f)
      if (open.area[f] == 0) add_ghost(beyond(open.cell, f));
  for (std::size_t i = 0; i < ghosts_.size(); ++i) {
    const auto [body, wall] = wall_of(ghosts_[i].cell);
    add_wall(body, wall);
    const GhostStencil stencil = stencil_of(ghosts_[i].cell, wall);
    for (const Cell& cell : stencil.cells)
      if (!is_air(cell)) add_ghost(cell);
    ghosts_[i].stencil = stencil;
  }
}

void GhostCells::add_ghost(const Cell& cell) {
  const auto number = static_cast<std::uint32_t>(ghosts_.size());
  if (number_.emplace(grid_.index(cell), number).second) ghosts_.push_back({.cell = cell});
}

/// The nearest wall of the body in which the cell is deepest, or of all bodies if it is in none.
std::pair<std::uint32_t, NearestWall> GhostCells::wall_of(const Cell& cell) const {
  const Vec3 centre = grid_.centre(cell);
  std::uint32_t best = 0;
  NearestWall wall{};
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const NearestWall nearest = bodies_[b].nearest(centre);
    const double distance = bodies_[b].contains(centre) ? -nearest.distance : nearest.distance;
    if (distance >= least) continue;
    least = distance;
    best = static_cast<std::uint32_t>(b);
    wall = nearest;
  }
  return {best, wall};
}

GhostStencil GhostCells::stencil_of(const Cell& cell, const NearestWall& wall) {
  if (const auto image = image_stencil(grid_, cell, wall, kappa_)) return *image;
  ++fallbacks_;
  return neighbour_stencil(grid_, cell, wall, [&](const Cell& next) { return is_air(next); });
}

void GhostCells::add_wall(std::uint32_t body, const NearestWall& wall) {
  const auto number = static_cast<std::uint32_t>(walls_.from.size());
  walls_.from.push_back({.cell = grid_.cell_of(wall.point), .volume = 1, .area = {}});
  walls_.walls_from.push_back({.cell = number,
                               .body = body,
                               .part = 0,
                               .triangle = wall.triangle,
                               .area_vector = wall.normal,
                               .area = 1,
                               .centre = wall.point});
}

/// Finds the fresh cells. By equation (13), the image of a fresh cell is as far from it as the
/// wall, on the other side.
void GhostCells::find_fresh(std::span<const SolidRun> before) {
  fresh_.clear();
  for_each_solid(before, [&](const Cell& cell) {
    if (is_air(cell)) fresh_.push_back({.cell = cell});
  });
  for (Fresh& fresh : fresh_) {
    const auto [body, wall] = wall_of(fresh.cell);
    add_wall(body, wall);
    fresh.reach = wall.distance;
    fresh.image = least_squares(2 * grid_.centre(fresh.cell) - wall.point);
  }
}

/// The stencil at x by moving least squares with linear functions over cells that already have a
/// pressure, or the mean of these cells where they do not span space.
GhostStencil GhostCells::least_squares(const Vec3& x) const {
  constexpr int reach = 2;  // [cells]
  const Cell middle = grid_.cell_of(x);
  GhostStencil stencil;
  std::vector<Eigen::Vector4d> rows;
  Eigen::Matrix4d moments = Eigen::Matrix4d::Zero();
  double total = 0;
  for (int dz = -reach; dz <= reach; ++dz)
    for (int dy = -reach; dy <= reach; ++dy)
      for (int dx = -reach; dx <= reach; ++dx) {
        const Cell cell{middle[0] + dx, middle[1] + dy, middle[2] + dz};
        const bool is_fresh =
            std::ranges::any_of(fresh_, [&](const Fresh& fresh) { return fresh.cell == cell; });
        if (!grid_.contains(cell) || !is_air(cell) || is_fresh) continue;
        const Vec3 way = (grid_.centre(cell) - x) / grid_.cell_size;
        const double weight = std::exp(-way.squaredNorm());
        const Eigen::Vector4d row(1, way[0], way[1], way[2]);
        moments += weight * row * row.transpose();
        total += weight;
        stencil.cells.push_back(cell);
        stencil.weights.push_back(weight);
        rows.push_back(row);
      }
  Eigen::FullPivLU<Eigen::Matrix4d> solver(moments);
  solver.setThreshold(1e-4);
  const bool spans = solver.isInvertible();
  const Eigen::Vector4d first =
      spans ? Eigen::Vector4d(solver.solve(Eigen::Vector4d::Unit(0))) : Eigen::Vector4d::Zero();
  for (std::size_t i = 0; i < rows.size(); ++i)
    stencil.weights[i] *= spans ? first.dot(rows[i]) : 1 / total;
  return stencil;
}

/// Finds the solid cells next to ghosts. In each step, the plain scheme spreads the values of
/// ghosts into the solid by one cell.
void GhostCells::find_behind() {
  behind_.clear();
  for (const Ghost& ghost : ghosts_)
    for (int f = 0; f < cell_faces; ++f) {
      const Cell next = beyond(ghost.cell, f);
      if (grid_.contains(next) && !is_air(next) && !number_.contains(grid_.index(next)))
        behind_.push_back(layout_.at(next));
    }
}

void GhostCells::factorise() {
  if (ghosts_.empty()) return;
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < ghosts_.size(); ++i) {
    const GhostStencil& stencil = ghosts_[i].stencil;
    entries.emplace_back(i, i, 1.0);
    for (std::size_t k = 0; k < stencil.cells.size(); ++k)
      if (const auto other = number_.find(grid_.index(stencil.cells[k])); other != number_.end())
        entries.emplace_back(i, other->second, -stencil.weights[k]);
  }
  const auto n = static_cast<Eigen::Index>(ghosts_.size());
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  system_->factors.compute(matrix);
  if (system_->factors.info() != Eigen::Success)
    throw util::NumericsError("the equations of the ghost cells have no solution");
}

template <class Real>
double GhostCells::sum(const GhostStencil& stencil, std::span<const Real> p) const {
  double total = 0;
  for (std::size_t k = 0; k < stencil.cells.size(); ++k)
    if (is_air(stencil.cells[k]))
      total += stencil.weights[k] * static_cast<double>(p[layout_.at(stencil.cells[k])]);
  return total;
}

template <class Real>
void GhostCells::resolve_changes(std::span<Real> p, std::span<Real> p_old,
                                 std::span<const Real> source,
                                 std::span<const Real> source_before) const {
  for_each_solid(solid_, [&](const Cell& cell) {
    if (!number_.contains(grid_.index(cell))) p[layout_.at(cell)] = p_old[layout_.at(cell)] = 0;
  });
  for (std::size_t i = 0; i < fresh_.size(); ++i) {
    const Fresh& fresh = fresh_[i];
    const double reach = fresh.reach / grid_.cell_size;
    const std::size_t at = layout_.at(fresh.cell), wall = ghosts_.size() + i;
    p[at] = static_cast<Real>(sum<Real>(fresh.image, p) + reach * value(source, wall));
    p_old[at] =
        static_cast<Real>(sum<Real>(fresh.image, p_old) + reach * value(source_before, wall));
  }
}

template <class Real>
void GhostCells::set(std::span<Real> p, std::span<const Real> source) const {
  if (ghosts_.empty()) return;
  Eigen::VectorXd given(static_cast<Eigen::Index>(ghosts_.size()));
  for (std::size_t i = 0; i < ghosts_.size(); ++i) {
    const GhostStencil& stencil = ghosts_[i].stencil;
    given[static_cast<Eigen::Index>(i)] =
        sum<Real>(stencil, p) + stencil.reach / grid_.cell_size * value(source, i);
  }
  const Eigen::VectorXd values = system_->factors.solve(given);
  for (std::size_t i = 0; i < ghosts_.size(); ++i)
    p[layout_.at(ghosts_[i].cell)] = static_cast<Real>(values[static_cast<Eigen::Index>(i)]);
}

template <class Real>
void GhostCells::clear(std::span<Real> p_new) const {
  for (const Ghost& ghost : ghosts_) p_new[layout_.at(ghost.cell)] = 0;
  for (const CellIndex cell : behind_) p_new[cell] = 0;
}

#define PEAL_INSTANTIATE(Real)                                                                   \
  template void GhostCells::resolve_changes(std::span<Real>, std::span<Real>,                    \
                                            std::span<const Real>, std::span<const Real>) const; \
  template void GhostCells::set(std::span<Real>, std::span<const Real>) const;                   \
  template void GhostCells::clear(std::span<Real>) const;
PEAL_INSTANTIATE(float)
PEAL_INSTANTIATE(double)
#undef PEAL_INSTANTIATE

}  // namespace peal::wave
