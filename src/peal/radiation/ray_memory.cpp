#include <peal/radiation/placed_surface.h>
#include <peal/radiation/ray_filters.h>
#include <peal/radiation/ray_memory.h>
#include <peal/radiation/surface_rays.h>
#include <peal/radiation/surface_samples.h>
#include <peal/util/error.h>
#include <peal/util/machine_memory.h>
#include <peal/util/parallel.h>

#include <fmt/format.h>

#include <algorithm>

namespace peal::radiation {

namespace {

/// Memory for each sample point of a surface [bytes]: the largest amount in use while keyframes are
/// computed and signals are evaluated, once for each body.
double bytes_per_sample(const base::World& world, const base::Body& body,
                        std::span<const base::Receiver> receivers,
                        const base::RaysSettings& settings) {
  const base::Rate rate = SurfaceRays::rate_for(world, body, settings.max_frequency);
  const bool has_patches = rate.hz <= world.rate.hz && SurfaceSignals::has_vertices(body, rate);
  const bool moves = !body.is_still();
  const bool is_still = !moves && std::ranges::all_of(receivers, [](const auto& receiver) {
    return receiver.motion->is_still();
  });
  constexpr double number = sizeof(double);
  constexpr double single = sizeof(float);
  // Position on its triangle, position at rest, fraction of the area, and added mass.
  const double kept = sizeof(base::SurfacePoint) + (2 + 3) * number + single;
  // At each keyframe: position, normal, velocity and area, the facet that it lies on if that
  // changes, and its filter to each receiver.
  const double keys = ReceiverTrack::at_once + 1.0;
  const double facet = body.deformation ? 3 * number : 0.0;
  const double placed = moves ? keys * (3 * number + 7 * single + facet) : 3 * number + 4 * single;
  const double rays = (is_still ? 1.0 : keys) * static_cast<double>(receivers.size()) *
                      static_cast<double>(RayFilters::memory(has_patches));
  // The ray from it, which each thread computes in its own memory.
  const double work =
      static_cast<double>(util::thread_count()) * static_cast<double>(RayFilters::work_memory());
  if (has_patches) return kept + placed + rays + work;
  // Its signal from keyframe to keyframe, and while sound travels along the body.
  const double size = geometry::bounds(body.mesh).diagonal().norm();
  const double samples = static_cast<double>(ReceiverTrack::at_once * SurfaceRays::hop_for(rate)) +
                         rate.samples(size / world.medium.speed_of_sound);
  return kept + placed + rays + work + samples * sizeof(float);
}

}  // namespace

void check_ray_memory(const base::World& world, const base::Body& body,
                      std::span<const base::Receiver> receivers,
                      const base::RaysSettings& settings) {
  const double sample_points =
      count_samples(body.mesh, world.medium.speed_of_sound / settings.max_frequency);
  const double needed = sample_points * bytes_per_sample(world, body, receivers, settings);
  const double there = util::machine_memory();
  if (needed <= util::memory_share * there) return;
  throw util::InputError(
      {"", "object \"" + body.name + '"'},
      fmt::format("is {:.3g} m large: up to {:g} Hz it needs {:.3g} sample points and {:.3g} GB; "
                  "this machine has {:.3g} GB",
                  geometry::bounds(body.mesh).sizes().maxCoeff(), settings.max_frequency,
                  sample_points, needed * 1e-9, there * 1e-9),
      "Is its size right? If not, correct \"scale\": a mesh in millimetres needs 0.001. Otherwise "
      "lower \"max_frequency\" in \"radiation\".");
}

}  // namespace peal::radiation
