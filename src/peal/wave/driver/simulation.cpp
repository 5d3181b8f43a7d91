#include <peal/util/error.h>
#include <peal/wave/boundary/staircase.h>
#include <peal/wave/driver/simulation.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::wave {

namespace {

using Boundary = base::WaveSettings::Boundary;

/// The largest distance by which walls advance at once [cells]. They advance every few steps, often
/// enough (moves_per_period of the highest frequency) that the effect on the sound is above the
/// band.
constexpr double still_distance = 0.01;
constexpr double moves_per_period = 3.0;

constexpr std::int64_t cavity_search = 256;  ///< fewest steps between searches for cavities

constexpr double largest_pressure = 1e8;  ///< [Pa]; 1000 times that of the air itself

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

/// The cut-cell scheme: damping only applies where something moves, and cavities keep their volume
/// where nothing does.
CutScheme scheme_for(bool still, double courant, double viscous) {
  return {.lambda = courant, .gamma = still ? 0.0 : 0.1, .viscous = viscous, .borrow = still};
}

/// The time index of the first step of a chunk; its sources and everything before it are silent.
std::int64_t first_step(const Chunk& chunk, base::Rate rate) {
  return static_cast<std::int64_t>(std::floor(rate.samples(chunk.first_source())));
}

SourceDecimator decimator_for(const base::World& world, const base::WaveSettings& settings,
                              base::Rate rate) {
  return {rate, world.rate, settings.max_frequency};
}

}  // namespace

template <class Real>
Simulation<Real>::Simulation(const base::World& world, const base::WaveSettings& settings,
                             const Discretisation& discretisation, const Domain& domain,
                             const Chunk& chunk)
    : world_(world),
      rate_(discretisation.rate),
      boundary_(settings.boundary),
      solver_(domain.grid, solver_settings(world, settings, discretisation.rate)),
      rasteriser_(world, domain.grid, chunk.segment),
      cells_(domain.grid, layout_of(solver_.pressure()),
             scheme_for(
                 rasteriser_.is_still(), solver_.courant(),
                 settings.viscosity / (world.medium.speed_of_sound * discretisation.rate.step()))),
      layer_nodes_(solver_.layer(), solver_.courant()),
      cavities_(domain.grid, layout_of(solver_.pressure()), discretisation.rate.step()),
      walls_(world, rasteriser_, domain.grid, decimator_for(world, settings, discretisation.rate),
             chunk),
      points_(world, domain.grid, discretisation.rate,
              decimator_for(world, settings, discretisation.rate), chunk),
      still_(rasteriser_.is_still()),
      now_(first_step(chunk, discretisation.rate)),
      most_steps_at_once_(
          std::max(1, static_cast<int>(static_cast<double>(discretisation.rate.hz) /
                                       (moves_per_period * settings.max_frequency)))) {
  if (boundary_ == Boundary::ghost_cells) {
    ghosts_ = std::make_unique<GhostCells>(grid(), layout_of(solver_.pressure()),
                                           rasteriser_.shapes(), settings.kappa);
    place_ghosts();
    return;
  }
  const double t = rate_.seconds(now_);
  next_key_geometry_ = geometry_at(t);
  interval_ = interval(domain.grid, next_key_geometry_, next_key_geometry_);
  cells_.index(next_key_geometry_);
  layer_nodes_.select(cells_);
  walls_.enter(interval_, t, t);
  cavities_.find(interval_, cells_.nodes());
  cavities_found_ = next_key_ = now_;
}

template <class Real>
CutGeometry Simulation<Real>::geometry_at(double t) {
  return boundary_ == Boundary::staircase ? staircase(grid(), rasteriser_.at(t))
                                          : rasteriser_.key_at(t);
}

/// Enters the interval to the next key. Staircases have no state between two keys, so their keys
/// are a step apart.
template <class Real>
void Simulation<Real>::enter_next_key() {
  const double t = rate_.seconds(now_);
  const int longest = boundary_ == Boundary::cut_cells ? looks_ahead : 1;
  const int steps = rasteriser_.steps_to_next_key(now_, rate_.step(), longest);
  key_ = now_;
  next_key_ = now_ + steps;
  const bool rests =
      boundary_ == Boundary::cut_cells && rasteriser_.rests_until(rate_.seconds(next_key_));
  const bool goes_on = std::exchange(resting_, rests) && rests;
  if (!rests) {
    CutGeometry next = geometry_at(rate_.seconds(next_key_));
    interval_ = interval(grid(), next_key_geometry_, next);
    next_key_geometry_ = std::move(next);
  } else if (!goes_on) {
    interval_ = interval(grid(), next_key_geometry_, next_key_geometry_);
  }
  const double moved = rasteriser_.displacement(t, rate_.seconds(next_key_)) / steps;
  steps_at_once_ = static_cast<int>(
      std::clamp(still_distance / std::max(moved, 1e-12), 1.0, double(most_steps_at_once_)));
  if (!goes_on) {
    cells_.enter(interval_, moved);
    layer_nodes_.select(cells_);
  }
  walls_.enter(interval_, t, rate_.seconds(next_key_));
  if (now_ - cavities_found_ >= cavity_search) {
    cavities_.find(interval_, cells_.nodes());
    cavities_found_ = now_;
  } else {
    cavities_.keep_unpassed(interval_);
  }
}

/// The position of the walls at a step, from 0 at the last key to 1 at the next.
template <class Real>
double Simulation<Real>::along(std::int64_t step) const {
  if (still_) return 0.0;
  const std::int64_t since = (step - key_) / steps_at_once_ * steps_at_once_;
  return static_cast<double>(since) / static_cast<double>(next_key_ - key_);
}

/// Places the ghosts. They do not use keys: if anything moves, they are placed at every step.
template <class Real>
void Simulation<Real>::place_ghosts() {
  const double t = rate_.seconds(now_);
  if (!still_) rasteriser_.steps_to_next_key(now_, rate_.step(), 1);
  const CutGeometry raster = ghosts_->raster(rasteriser_.at(t), t);
  interval_ = interval(grid(), raster, raster);
  ghosts_->index(raster);
  walls_.enter(ghosts_->walls(), t, t);
}

template <class Real>
void Simulation<Real>::step() {
  if (ghosts_)
    advance_with_ghosts();
  else
    advance_with_cut_cells();
  if (!points_.is_silent()) add_points();
  solver_.finish_step();
  if (!ghosts_) {
    cavities_.filter(solver_.pressure().values(), solver_.previous().values(), cells_.extra(),
                     cells_.extra_old());
  }
  ++now_;
}

template <class Real>
void Simulation<Real>::advance_with_cut_cells() {
  if (!still_ && now_ == next_key_) enter_next_key();
  const double at = along(now_);
  const std::span<Real> p = solver_.pressure().values(), p_old = solver_.previous().values();
  const base::SampleTime time{now_, rate_};
  std::span<const Real> source;
  if (!walls_.is_silent()) source = walls_.source(time, at);
  if (!still_ && (now_ - key_) % steps_at_once_ == 0) {
    cells_.advance(at);
    std::span<const Real> before;
    if (!walls_.is_silent()) before = walls_.source_before({now_ - 1, rate_}, at);
    cells_.resolve_changes(p, p_old, source, before);
  }
  layer_nodes_.before(cells_);
  cells_.update(p, p_old, source);
  solver_.advance_planes(0, grid().size[2]);
  const std::span<Real> p_new = p_old;
  cells_.overwrite(p_new);
  layer_nodes_.after(cells_, p, p_new);
}

template <class Real>
void Simulation<Real>::advance_with_ghosts() {
  if (!still_) place_ghosts();
  const std::span<Real> p = solver_.pressure().values(), p_old = solver_.previous().values();
  std::span<const Real> source, before;
  if (!walls_.is_silent()) source = walls_.source({now_, rate_}, 0.0);
  if (!still_) {
    if (!walls_.is_silent()) before = walls_.source_before({now_ - 1, rate_}, 0.0);
    ghosts_->resolve_changes<Real>(p, p_old, source, before);
  }
  ghosts_->set<Real>(p, source);
  solver_.advance_planes(0, grid().size[2]);
  ghosts_->clear<Real>(p_old);
}

template <class Real>
void Simulation<Real>::add_points() {
  const double courant2 = solver_.courant() * solver_.courant();
  points_.add(
      now_, [&](const Cell& c) { return is_plain_air(c) ? courant2 / open_volume(c) : 0.0; },
      solver_.next());
}

template <class Real>
std::optional<std::size_t> Simulation<Real>::cut_number(const Cell& cell) const {
  const auto found =
      std::ranges::lower_bound(interval_.from, grid().index(cell), {},
                               [&](const OpenCell& open) { return grid().index(open.cell); });
  if (found == interval_.from.end() || found->cell != cell) return std::nullopt;
  return static_cast<std::size_t>(found - interval_.from.begin());
}

template <class Real>
double Simulation<Real>::open_volume(const Cell& cell) const {
  if (const auto number = cut_number(cell))
    return ghosts_ ? interval_.from[*number].volume : cells_.stable_volumes()[*number];
  return is_solid(interval_.solid, cell) ? 0.0 : 1.0;
}

template <class Real>
bool Simulation<Real>::is_plain_air(const Cell& cell) const {
  const bool split =
      std::ranges::binary_search(interval_.split_from, grid().index(cell), {},
                                 [&](const SplitCell& one) { return grid().index(one.cell); });
  return !split && open_volume(cell) > 0.0;
}

template <class Real>
double Simulation<Real>::open_area(const Cell& cell, int face) const {
  if (const auto number = cut_number(cell)) return interval_.from[*number].area[face];
  return is_solid(interval_.solid, cell) ? 0.0 : 1.0;
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
      for (const BodyShape& shape : rasteriser_.shapes()) {
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
