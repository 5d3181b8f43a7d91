#include <peal/util/error.h>
#include <peal/wave/driver/slice_plan.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::wave {

namespace {

constexpr double most_bytes = 2e9;     ///< limit for all frames
constexpr double bytes_per_cell = 12;  ///< of a frame: the sum, the slices of a chunk, the solids
constexpr const char* axes = "xyz";

/// The grid that encloses the shown cells of all runs.
Grid common_grid(std::span<const ChunkRun> runs) {
  Grid grid{.cell_size = runs.front().domain.grid.cell_size};
  for (int d = 0; d < 3; ++d) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const ChunkRun& run : runs) {
      const CellRange shown = shown_cells(run);
      const double origin = run.domain.grid.origin[d];
      low = std::min(low, origin + shown.low[d] * grid.cell_size);
      high = std::max(high, origin + shown.high[d] * grid.cell_size);
    }
    grid.origin[d] = low;
    grid.size[d] = static_cast<int>(std::lround((high - low) / grid.cell_size));
  }
  return grid;
}

/// The layer of the grid that contains the plane.
Grid layer_of(Grid grid, const base::SliceRequest& request) {
  const int d = request.axis;
  const double low = grid.origin[d], high = low + grid.size[d] * grid.cell_size;
  const double position = request.position.value_or(0.5 * (low + high));
  if (position < low || position >= high) {
    throw util::InputError(
        {"", "--slices"},
        fmt::format("the plane {} = {:g} m is outside the simulated domain", axes[d], position),
        fmt::format("It reaches from {:.3g} to {:.3g} m; \"domain\" in the scene's \"radiation\" "
                    "makes it larger.",
                    low, high));
  }
  const auto layer = static_cast<int>(std::floor((position - low) / grid.cell_size));
  grid.origin[d] = low + std::clamp(layer, 0, grid.size[d] - 1) * grid.cell_size;
  grid.size[d] = 1;
  return grid;
}

/// The step nearest to each frame.
std::vector<std::int64_t> steps_of(const base::SliceRequest& request, base::Rate rate,
                                   double duration, std::size_t most) {
  constexpr double rounding = 1e-9;  // tolerance of times, relative to a frame
  std::vector<std::int64_t> steps;
  for (double frame = std::ceil(request.begin * request.rate - rounding);; frame += 1.0) {
    const double t = frame / request.rate;
    if (t >= duration || frame > request.end * request.rate + rounding) break;
    if (steps.size() == most) {
      throw util::InputError(
          {"", "--slice-rate"},
          fmt::format("the frames need more than {:.3g} GB", 1e-9 * most_bytes),
          fmt::format("At most {} frames of this scene fit: lower --slice-rate, or shorten "
                      "--slice-range.",
                      most));
    }
    steps.push_back(std::llround(rate.samples(t)));
  }
  return steps;
}

}  // namespace

CellRange shown_cells(const ChunkRun& run) {
  const int layer =
      run.settings.outside == base::WaveSettings::Outside::layer ? run.settings.layer_cells : 0;
  CellRange range;
  for (int d = 0; d < 3; ++d) {
    range.low[d] = layer;
    range.high[d] = run.domain.grid.size[d] - layer;
  }
  return range;
}

std::string SlicePlan::describe() const {
  const auto [u, v] = base::PressureSlice::plane_axes(axis);
  return fmt::format("{} slices of {} x {} cells at {} = {:.4g} m", steps.size(), grid.size[u],
                     grid.size[v], axes[axis], grid.origin[axis] + 0.5 * grid.cell_size);
}

std::optional<SlicePlan> plan_slices(const base::SliceRequest& request,
                                     std::span<const ChunkRun> runs) {
  if (runs.empty()) return std::nullopt;
  const base::World& world = runs.front().world;
  SlicePlan plan{.axis = request.axis,
                 .grid = layer_of(common_grid(runs), request),
                 .rate = runs.front().discretisation.rate};
  if (request.rate > static_cast<double>(plan.rate.hz)) {
    throw util::InputError({"", "--slice-rate"},
                           fmt::format("{:g} frames a second are more than the solver's {} steps",
                                       request.rate, plan.rate.hz),
                           fmt::format("Choose at most {}.", plan.rate.hz));
  }
  const double duration = world.rate.seconds(world.samples);
  const double most = most_bytes / (bytes_per_cell * static_cast<double>(plan.grid.cells()));
  plan.steps = steps_of(request, plan.rate, duration, static_cast<std::size_t>(most));
  if (plan.steps.empty()) {
    throw util::InputError(
        {"", "--slice-range"},
        fmt::format("there is no frame between {:g} and {:g} s", request.begin, request.end),
        fmt::format("The scene lasts {:g} s, and {:g} frames a second are asked for.", duration,
                    request.rate));
  }
  return plan;
}

}  // namespace peal::wave
