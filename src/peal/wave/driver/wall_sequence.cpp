#include <peal/wave/boundary/staircase.h>
#include <peal/wave/driver/wall_sequence.h>
#include <peal/wave/grid/time_step.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::wave {

namespace {

using Boundary = base::WaveSettings::Boundary;

/// The largest distance by which walls advance at once [cells]. They advance every few steps, often
/// enough (moves_per_period of the highest frequency) that the effect on the sound is above the
/// band.
constexpr double still_distance = 0.01;
constexpr double moves_per_period = 3.0;

/// Cavities are searched for once in so many steps.
constexpr std::int64_t cavity_search = 256;

/// The cut-cell scheme: damping only applies where something moves, and cavities keep their volume
/// where nothing does.
CutScheme scheme_for(bool still, double courant, double viscous) {
  return {.lambda = courant, .gamma = still ? 0.0 : 0.1, .viscous = viscous, .borrow = still};
}

/// The time index of the first step of a chunk; its sources and everything before it are silent.
std::int64_t first_step(const Chunk& chunk, base::Rate rate) {
  return static_cast<std::int64_t>(std::floor(rate.samples(chunk.first_source())));
}

/// Staircases have no state between two keys, so their keys are a step apart.
int longest_between_keys(Boundary boundary) {
  return boundary == Boundary::cut_cells ? WallSequence<float>::longest_interval : 1;
}

SourceDecimator decimator_for(const base::World& world, const base::WaveSettings& settings,
                              base::Rate rate) {
  return {rate, world.rate, settings.max_frequency};
}

}  // namespace

std::int64_t first_key(const base::World& world, const base::WaveSettings& settings,
                       const Discretisation& discretisation, const Grid& grid, const Chunk& chunk) {
  const base::Rate rate = discretisation.rate;
  return Rasteriser(world, grid, chunk.segment)
      .key_before(first_step(chunk, rate), rate.step(), longest_between_keys(settings.boundary));
}

template <class Real>
WallSequence<Real>::WallSequence(const base::World& world, const base::WaveSettings& settings,
                                 const Discretisation& discretisation, const Grid& grid,
                                 const Chunk& chunk, const FieldLayout& layout)
    : rate_(discretisation.rate),
      boundary_(settings.boundary),
      grid_(grid),
      rasteriser_(world, grid, chunk.segment),
      cells_(grid, layout,
             scheme_for(rasteriser_.is_still(),
                        courant_number(grid.cell_size, world.medium.speed_of_sound, rate_.step()),
                        settings.viscosity / (world.medium.speed_of_sound * rate_.step()))),
      cavities_(grid, layout, rate_.step()),
      walls_(world, rasteriser_, grid, decimator_for(world, settings, rate_), chunk),
      points_(world, grid, rate_, decimator_for(world, settings, rate_), chunk),
      still_(rasteriser_.is_still()),
      start_(first_step(chunk, rate_)),
      most_steps_at_once_(
          std::max(1, static_cast<int>(static_cast<double>(rate_.hz) /
                                       (moves_per_period * settings.max_frequency)))) {
  if (boundary_ == Boundary::ghost_cells) return;
  next_key_ = cavities_found_ =
      rasteriser_.key_before(start_, rate_.step(), longest_between_keys(boundary_));
  const double t = rate_.seconds(next_key_);
  next_key_geometry_ = geometry_at(t);
  interval_ = wave::interval(grid_, next_key_geometry_, next_key_geometry_);
  cells_.index(next_key_geometry_);
  walls_.enter(interval_, t, t);
  cavities_.find(interval_, cells_.nodes());
}

template <class Real>
CutGeometry WallSequence<Real>::geometry_at(double t) {
  return boundary_ == Boundary::staircase ? staircase(grid_, rasteriser_.at(t))
                                          : rasteriser_.key_at(t);
}

template <class Real>
bool WallSequence<Real>::enter() {
  key_ = next_key_;
  const double t = rate_.seconds(key_);
  const int steps =
      rasteriser_.steps_to_next_key(key_, rate_.step(), longest_between_keys(boundary_));
  next_key_ = key_ + steps;
  const bool rests =
      boundary_ == Boundary::cut_cells && rasteriser_.rests_until(rate_.seconds(next_key_));
  if (std::exchange(resting_, rests) && rests) return false;
  entered_ = key_;
  if (rests) {
    interval_ = wave::interval(grid_, next_key_geometry_, next_key_geometry_);
  } else {
    CutGeometry next = geometry_at(rate_.seconds(next_key_));
    interval_ = wave::interval(grid_, next_key_geometry_, next);
    next_key_geometry_ = std::move(next);
  }
  const double moved = rasteriser_.displacement(t, rate_.seconds(next_key_)) / steps;
  steps_at_once_ = static_cast<int>(
      std::clamp(still_distance / std::max(moved, 1e-12), 1.0, double(most_steps_at_once_)));
  cells_.enter(interval_, moved);
  walls_.enter(interval_, t, rate_.seconds(next_key_));
  if (rests || key_ / cavity_search != cavities_found_ / cavity_search) {
    cavities_.find(interval_, cells_.nodes());
    cavities_found_ = key_;
  } else {
    cavities_.keep_unpassed(interval_);
  }
  return true;
}

template <class Real>
double WallSequence<Real>::along(std::int64_t step) const {
  if (next_key_ == key_ || still_) return 0.0;
  const std::int64_t since = (step - key_) / steps_at_once_ * steps_at_once_;
  return static_cast<double>(since) / static_cast<double>(next_key_ - key_);
}

template <class Real>
std::span<const Real> WallSequence<Real>::source(std::int64_t step) {
  if (walls_.is_silent()) return {};
  return walls_.source({step, rate_}, along(step));
}

template <class Real>
std::span<const Real> WallSequence<Real>::source_before(std::int64_t step) {
  if (walls_.is_silent()) return {};
  return walls_.source_before({step - 1, rate_}, along(step));
}

template <class Real>
void WallSequence<Real>::place(CutInterval interval, const CutInterval& walls, double t) {
  interval_ = std::move(interval);
  walls_.enter(walls, t, t);
}

template <class Real>
std::optional<std::size_t> WallSequence<Real>::cut_number(const Cell& cell) const {
  const auto found =
      std::ranges::lower_bound(interval_.from, grid_.index(cell), {},
                               [&](const OpenCell& open) { return grid_.index(open.cell); });
  if (found == interval_.from.end() || found->cell != cell) return std::nullopt;
  return static_cast<std::size_t>(found - interval_.from.begin());
}

template <class Real>
double WallSequence<Real>::open_volume(const Cell& cell) const {
  if (const auto number = cut_number(cell))
    return boundary_ == Boundary::ghost_cells ? interval_.from[*number].volume
                                              : cells_.stable_volumes()[*number];
  return is_solid(interval_.solid, cell) ? 0.0 : 1.0;
}

template <class Real>
bool WallSequence<Real>::is_plain_air(const Cell& cell) const {
  const bool split =
      std::ranges::binary_search(interval_.split_from, grid_.index(cell), {},
                                 [&](const SplitCell& one) { return grid_.index(one.cell); });
  return !split && open_volume(cell) > 0.0;
}

template <class Real>
double WallSequence<Real>::open_area(const Cell& cell, int face) const {
  if (const auto number = cut_number(cell)) return interval_.from[*number].area[face];
  return is_solid(interval_.solid, cell) ? 0.0 : 1.0;
}

template class WallSequence<float>;
template class WallSequence<double>;

}  // namespace peal::wave
