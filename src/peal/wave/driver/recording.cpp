#include <peal/wave/driver/domain_chooser.h>
#include <peal/wave/driver/recording.h>
#include <peal/wave/far_field/mirror_planes.h>

#include <algorithm>
#include <cmath>

namespace peal::wave {

namespace {

/// Samples per period of the highest frequency for which the error of the recorded field, 0.00125
/// (6 / n)^8 with the eight-point interpolation of delays, is at most a quarter of the requested
/// accuracy.
double samples_per_period(double accuracy) {
  return 6.0 * std::pow(0.00125 / (0.25 * accuracy), 1.0 / 8.0);
}

}  // namespace

std::int64_t recording_stride(const ChunkRun& run) {
  const std::int64_t hz = run.discretisation.rate.hz;
  const double needed =
      std::max(samples_per_period(run.settings.accuracy) * run.settings.max_frequency,
               static_cast<double>(run.world.rate.hz));
  for (auto stride = static_cast<std::int64_t>(static_cast<double>(hz) / needed); stride > 1;
       --stride) {
    if (hz % stride == 0) return stride;
  }
  return 1;
}

template <class Real>
FarFieldSetup far_field_setup(const ChunkRun& run, const WallSequence<Real>& walls,
                              std::int64_t stride) {
  const CutGeometry geometry = walls.interval().at(0.0);
  const MirrorPlanes mirrors = find_mirror_planes(run.world, geometry, run.domain);
  const Grid& grid = run.domain.grid;
  const std::int64_t first_multiple = (walls.start() + stride - 1) / stride * stride;
  return {.grid = grid,
          .low = run.domain.low,
          .high = run.domain.high,
          .medium = run.world.medium,
          .rate = {run.discretisation.rate.hz / stride},
          .first_step = first_multiple / stride,
          .mirrors = mirrors.planes,
          .last_time = run.scene_end(),
          .open_area =
              [&walls, grid, mirrors](const Cell& inside, int face) {
                for (const Plane& plane : mirrors.planes) {
                  if (plane.height(grid.centre(inside)) < -0.5 * grid.cell_size) return 0.0;
                }
                return walls.open_area(inside, face);
              },
          .is_air = [&walls](const Cell& cell) { return walls.is_plain_air(cell); },
          .far_field = run.settings.far_field,
          .expansion_terms = run.settings.expansion_terms,
          .expansion_from = expansion_start(run.domain)};
}

template FarFieldSetup far_field_setup(const ChunkRun&, const WallSequence<float>&, std::int64_t);
template FarFieldSetup far_field_setup(const ChunkRun&, const WallSequence<double>&, std::int64_t);

}  // namespace peal::wave
