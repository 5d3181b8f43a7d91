#include <peal/wave/driver/domain_chooser.h>
#include <peal/wave/driver/wave_plan.h>

#include <algorithm>
#include <utility>

namespace peal::wave {

namespace {

/// The part of the world that exists in a segment in which no body begins or ends; null if that is
/// all of it.
std::shared_ptr<const base::World> part_of(const base::World& world,
                                           const base::MotionSegment& segment) {
  const auto is_absent = [&](const base::Body& body) {
    return body.exists && (segment.begin < body.exists->begin || segment.end > body.exists->end);
  };
  if (std::ranges::none_of(world.bodies, is_absent)) return nullptr;
  auto part = std::make_shared<base::World>(world);
  std::erase_if(part->bodies, is_absent);
  return part;
}

}  // namespace

double WavePlan::longest_chunk() const {
  double longest = 0.0;
  for (const ChunkRun& run : runs) longest = std::max(longest, run.chunk.end - run.chunk.begin);
  return longest;
}

const ChunkRun& WavePlan::largest() const {
  return *std::ranges::max_element(runs, {},
                                   [](const ChunkRun& run) { return run.domain.grid.cells(); });
}

bool WavePlan::follows_what_moves() const {
  return std::ranges::any_of(runs, [&](const ChunkRun& run) {
    return run.domain.grid.origin != runs.front().domain.grid.origin;
  });
}

WavePlan make_wave_plan(const base::World& world, const base::WaveSettings& settings,
                        std::span<const base::Receiver> receivers) {
  const Discretisation discretisation = choose_discretisation(
      settings, world.rate, world.medium, cell_for_bodies(world, settings.viscosity));
  const double scene_end = world.rate.seconds(world.samples);
  WavePlan plan;
  std::optional<DomainChooser> chooser;
  std::shared_ptr<const base::World> part;
  for (const Chunk& chunk : chunks_of(world, settings.chunk)) {
    if (!chooser || chunk.segment != plan.runs.back().chunk.segment) {
      auto next = part_of(world, chunk.segment);
      if (next) {
        chooser.emplace(*next, settings, discretisation, chunk.segment);
      } else if (!chooser || part) {
        chooser.emplace(world, settings, discretisation);
      }
      part = std::move(next);
    }
    double end = scene_end;
    if (!chooser->serves_whole_scene()) {
      end = std::min(end, chunk.last_source() + longest_ringing);
    }
    plan.runs.push_back({.world = part ? *part : world,
                         .settings = settings,
                         .discretisation = discretisation,
                         .domain = chooser->domain_for(chunk, end),
                         .chunk = chunk,
                         .latest_end = end,
                         .receivers = receivers,
                         .part = part});
  }
  for (const ChunkRun& run : plan.runs) plan.cell_updates += expected_work(run);
  return plan;
}

WavePlanner::Origin WavePlanner::origin_of(const base::World& world,
                                           std::span<const base::Receiver> receivers) {
  return {&world, world.bodies.data(), world.sources.data(), receivers.data(), receivers.size()};
}

std::shared_ptr<const WavePlan> WavePlanner::make(const base::World& world,
                                                  std::span<const base::Receiver> receivers) const {
  auto plan = std::make_shared<const WavePlan>(make_wave_plan(world, settings_, receivers));
  const std::lock_guard lock(mutex_);
  origin_ = origin_of(world, receivers);
  kept_ = plan;
  return plan;
}

std::shared_ptr<const WavePlan> WavePlanner::get(const base::World& world,
                                                 std::span<const base::Receiver> receivers) const {
  {
    const std::lock_guard lock(mutex_);
    if (origin_ == origin_of(world, receivers)) return kept_;
  }
  return std::make_shared<const WavePlan>(make_wave_plan(world, settings_, receivers));
}

}  // namespace peal::wave
