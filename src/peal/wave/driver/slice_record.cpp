#include <peal/util/parallel.h>
#include <peal/wave/driver/slice_record.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace peal::wave {

namespace {

template <class Visit>
void each_cell(const CellRange& range, const Visit& visit) {
  for (int z = range.low[2]; z < range.high[2]; ++z) {
    for (int y = range.low[1]; y < range.high[1]; ++y) {
      for (int x = range.low[0]; x < range.high[0]; ++x) visit(Cell{x, y, z});
    }
  }
}

using SolidParts = std::shared_ptr<const std::vector<float>>;

SolidParts solid_parts(Rasteriser& rasteriser, const Grid& grid, double t) {
  auto parts = std::make_shared<std::vector<float>>(grid.cells());
  const CutGeometry geometry = rasteriser.at(t);
  for (const OpenCell& open : geometry.cells) {
    (*parts)[grid.index(open.cell)] = static_cast<float>(1.0 - open.volume);
  }
  for (const SolidRun& run : geometry.solid) {
    for (int x = run.begin; x < run.end; ++x) (*parts)[grid.index({x, run.y, run.z})] = 1.0f;
  }
  return parts;
}

/// The solid cells of each frame.
std::vector<SolidParts> solids_of(const base::World& world, const SlicePlan& plan) {
  std::vector<SolidParts> solids(plan.steps.size());
  Rasteriser first(world, plan.grid, {});
  if (first.is_still()) {
    std::ranges::fill(solids, solid_parts(first, plan.grid, 0.0));
    return solids;
  }
  constexpr std::size_t block = 32;  // frames that share the bodies at rest
  const std::size_t blocks = (solids.size() + block - 1) / block;
  util::parallel_for(static_cast<std::int64_t>(blocks), [&](std::int64_t b) {
    Rasteriser rasteriser(world, plan.grid, {});
    const std::size_t begin = static_cast<std::size_t>(b) * block;
    for (std::size_t i = begin; i < std::min(begin + block, solids.size()); ++i) {
      solids[i] = solid_parts(rasteriser, plan.grid, plan.rate.seconds(plan.steps[i]));
    }
  });
  return solids;
}

}  // namespace

SliceRecord::SliceRecord(const SlicePlan& plan, const ChunkRun& run) : plan_(plan) {
  const CellRange shown = shown_cells(run);
  const Vec3 apart = (plan.grid.origin - run.domain.grid.origin) / plan.grid.cell_size;
  for (int d = 0; d < 3; ++d) {
    offset_[d] = static_cast<int>(std::lround(apart[d]));
    slices_.cells.low[d] = std::max(0, shown.low[d] - offset_[d]);
    slices_.cells.high[d] = std::min(plan.grid.size[d], shown.high[d] - offset_[d]);
    slices_.cells.high[d] = std::max(slices_.cells.low[d], slices_.cells.high[d]);
  }
}

auto SliceRecord::due(std::int64_t step, const std::function<bool(const Cell&)>& is_air) -> Shown {
  if (!started_) {
    const auto due = std::ranges::lower_bound(plan_.steps, step);
    slices_.first = static_cast<std::size_t>(due - plan_.steps.begin());
    started_ = true;
  }
  const std::size_t next = slices_.first + slices_.count;
  Shown shown;
  if (next == plan_.steps.size() || plan_.steps[next] != step) return shown;
  ++slices_.count;
  each_cell(slices_.cells, [&](const Cell& c) {
    shown.cells.push_back({c[0] + offset_[0], c[1] + offset_[1], c[2] + offset_[2]});
    shown.is_air.push_back(is_air(shown.cells.back()));
  });
  return shown;
}

void SliceRecord::restart() {
  slices_.first = slices_.count = 0;
  slices_.values.clear();
  started_ = false;
}

template <class Real>
void SliceRecord::record(const Simulation<Real>& simulation) {
  const Shown shown =
      due(simulation.now(), [&](const Cell& cell) { return simulation.open_volume(cell) > 0.0; });
  for (std::size_t i = 0; i < shown.cells.size(); ++i)
    add(shown.is_air[i] ? static_cast<float>(simulation.pressure()[shown.cells[i]]) : 0.0f);
}

SliceSum::SliceSum(const SlicePlan& plan)
    : plan_(plan),
      values_(plan.steps.size() * plan.grid.cells(), std::numeric_limits<float>::quiet_NaN()),
      busy_(plan.steps.size(), false) {}

void SliceSum::add(std::size_t chunk, ChunkSlices slices) {
  const std::lock_guard lock(mutex_);
  waiting_.emplace(chunk, std::move(slices));
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; ++next_) {
    add_next(first->second);
    first = waiting_.erase(first);
  }
}

void SliceSum::add_next(const ChunkSlices& slices) {
  std::size_t i = 0;
  for (std::size_t frame = slices.first; frame < slices.first + slices.count; ++frame) {
    busy_[frame] = true;
    each_cell(slices.cells, [&](const Cell& c) {
      float& value = values_[frame * plan_.grid.cells() + plan_.grid.index(c)];
      value = slices.values[i++] + (std::isnan(value) ? 0.0f : value);
    });
  }
}

void SliceSum::hand_over(const base::World& world,
                         const std::function<void(base::PressureSlice)>& take) const {
  const std::vector<SolidParts> solids = solids_of(world, plan_);
  const auto [u, v] = base::PressureSlice::plane_axes(plan_.axis);
  const auto cells = static_cast<std::ptrdiff_t>(plan_.grid.cells());
  for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
    const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(i) * cells;
    std::vector<float> values(begin, begin + cells);
    if (!busy_[i]) std::ranges::fill(values, 0.0f);
    take({.time = plan_.rate.seconds(plan_.steps[i]),
          .axis = plan_.axis,
          .origin = plan_.grid.origin,
          .cell_size = plan_.grid.cell_size,
          .width = plan_.grid.size[u],
          .height = plan_.grid.size[v],
          .values = std::move(values),
          .solid = solids[i]});
  }
}

template void SliceRecord::record(const Simulation<float>&);
template void SliceRecord::record(const Simulation<double>&);

}  // namespace peal::wave
