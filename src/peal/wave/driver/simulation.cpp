#include <peal/util/error.h>
#include <peal/util/parallel.h>
#include <peal/wave/driver/simulation.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::wave {

namespace {

using Boundary = base::WaveSettings::Boundary;

/// Grids of at least so many cells are advanced by all cores. Below, a step takes less than about
/// ten times as long as handing out its planes.
constexpr std::size_t cells_for_all_cores = std::size_t{1} << 20;
constexpr int fewest_planes = 4;  ///< for a thread

LeapfrogSettings solver_settings(const base::World& world, const base::WaveSettings& settings,
                                 base::Rate rate) {
  return {.speed_of_sound = world.medium.speed_of_sound,
          .time_step = rate.step(),
          .viscosity = settings.viscosity,
          .sides = all_sides(settings.outside == base::WaveSettings::Outside::layer
                                 ? Side::absorbing_layer
                                 : Side::engquist_majda),
          .layer = {.cells = settings.layer_cells}};
}

}  // namespace

template <class Real>
Simulation<Real>::Simulation(const base::World& world, const base::WaveSettings& settings,
                             const Discretisation& discretisation, const Domain& domain,
                             const Chunk& chunk)
    : rate_(discretisation.rate),
      layer_cells_(settings.layer_cells),
      viscous_(settings.viscosity > 0.0),
      solver_(domain.grid, solver_settings(world, settings, discretisation.rate)),
      sequence_(world, settings, discretisation, domain.grid, chunk, layout_of(solver_.pressure())),
      layer_nodes_(solver_.layer(), solver_.courant()),
      now_(sequence_.start()) {
  if (settings.boundary == Boundary::ghost_cells) {
    ghosts_ = std::make_unique<GhostCells>(grid(), layout_of(solver_.pressure()),
                                           sequence_.rasteriser().shapes(), settings.kappa);
    place_ghosts();
  } else {
    layer_nodes_.select(sequence_.cells());
  }
}

/// Places the ghosts. They do not use keys: if anything moves, they are placed at every step.
template <class Real>
void Simulation<Real>::place_ghosts() {
  const double t = rate_.seconds(now_);
  Rasteriser& rasteriser = sequence_.rasteriser();
  if (!sequence_.is_still()) rasteriser.steps_to_next_key(now_, rate_.step(), 1);
  const CutGeometry raster = ghosts_->raster(rasteriser.at(t), t);
  CutInterval air = interval(grid(), raster, raster);
  ghosts_->index(raster);
  sequence_.place(std::move(air), ghosts_->walls(), t);
}

template <class Real>
void Simulation<Real>::step() {
  if (ghosts_)
    advance_with_ghosts();
  else
    advance_with_cut_cells();
  if (!sequence_.points().is_silent()) add_points();
  solver_.finish_step();
  if (!ghosts_) {
    CutCells<Real>& cells = sequence_.cells();
    sequence_.cavities().filter(solver_.pressure().values(), solver_.previous().values(),
                                cells.extra(), cells.extra_old());
  }
  ++now_;
}

/// Planes are independent except in the layers, where each leaves its upper faces to the next, and
/// with viscosity, where a plane is read by the next before it is overwritten.
template <class Real>
void Simulation<Real>::advance_planes() {
  const int planes = grid().size[2], low = layer_cells_, high = planes - layer_cells_;
  const bool is_large = grid().cells() >= cells_for_all_cores && !viscous_;
  const int parts =
      is_large ? std::clamp((high - low) / fewest_planes, 1, util::thread_count()) : 1;
  if (parts == 1) return solver_.advance_planes(0, planes);
  const auto bound = [&](std::int64_t part) {
    if (part == 0 || part == parts) return part == 0 ? 0 : planes;
    return std::clamp(static_cast<int>(planes * part / parts), low, high);
  };
  util::parallel_for(parts,
                     [&](std::int64_t i) { solver_.advance_planes(bound(i), bound(i + 1)); });
}

template <class Real>
void Simulation<Real>::advance_with_cut_cells() {
  CutCells<Real>& cells = sequence_.cells();
  if (sequence_.begins(now_) && sequence_.enter()) layer_nodes_.select(cells);
  const std::span<Real> p = solver_.pressure().values(), p_old = solver_.previous().values();
  // In order of time, so that no block of the sources is made twice.
  std::span<const Real> before;
  const bool moves = sequence_.moves(now_);
  if (moves) before = sequence_.source_before(now_);
  const std::span<const Real> source = sequence_.source(now_);
  if (moves) {
    cells.advance(sequence_.along(now_));
    cells.resolve_changes(p, p_old, source, before);
  }
  layer_nodes_.before(cells);
  cells.update(p, p_old, source);
  advance_planes();
  const std::span<Real> p_new = p_old;
  cells.overwrite(p_new);
  layer_nodes_.after(cells, p, p_new);
}

template <class Real>
void Simulation<Real>::advance_with_ghosts() {
  if (!sequence_.is_still()) place_ghosts();
  const std::span<Real> p = solver_.pressure().values(), p_old = solver_.previous().values();
  const std::span<const Real> source = sequence_.source(now_);
  if (!sequence_.is_still())
    ghosts_->resolve_changes<Real>(p, p_old, source, sequence_.source_before(now_));
  ghosts_->set<Real>(p, source);
  advance_planes();
  ghosts_->clear<Real>(p_old);
}

template <class Real>
void Simulation<Real>::add_points() {
  const double courant2 = solver_.courant() * solver_.courant();
  sequence_.points().add(
      now_, [&](const Cell& c) { return is_plain_air(c) ? courant2 / open_volume(c) : 0.0; },
      solver_.next());
}

template <class Real>
double Simulation<Real>::check_bounded() const {
  const Field<Real>& p = solver_.pressure();
  double loudest = 0.0;
  for (int z = 0; z < p.size()[2]; ++z) {
    for (int y = 0; y < p.size()[1]; ++y) {
      const Real* row = p.row(y, z);
      Real most = 0;
      for (int x = 0; x < p.size()[0]; ++x) most += row[x] * row[x];
      loudest = std::max(loudest, static_cast<double>(most));
      if (static_cast<double>(most) < largest_pressure * largest_pressure) continue;
      int x = 0;
      while (x + 1 < p.size()[0] && std::abs(static_cast<double>(row[x])) < largest_pressure) ++x;
      const Vec3 index = grid().centre({x, y, z});
      std::string nearest = "no body";
      double least = std::numeric_limits<double>::infinity();
      for (const BodyShape& shape : sequence_.rasteriser().shapes()) {
        const double distance = shape.bounds(rate_.seconds(now_)).exteriorDistance(index);
        if (distance < least) least = distance, nearest = '"' + shape.body().name + '"';
      }
      throw util::NumericsError(
          fmt::format("the wave field grew without bound at {:.4g} s near ({:.3g}, {:.3g}, {:.3g}) "
                      "m, close to {}",
                      rate_.seconds(now_), index.x(), index.y(), index.z(), nearest));
    }
  }
  return std::sqrt(loudest);
}

template class Simulation<float>;
template class Simulation<double>;

}  // namespace peal::wave
