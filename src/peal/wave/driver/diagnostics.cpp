#include <peal/base/motion_survey.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/wave/boundary/body_surface.h>
#include <peal/wave/boundary/cut_interval.h>
#include <peal/wave/boundary/rasteriser.h>
#include <peal/wave/driver/diagnostics.h>
#include <peal/wave/scheme/sealed_cavities.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace peal::wave {

namespace {

constexpr double look_between = 0.01;   ///< interval at which lines of sight are checked [s]
constexpr int most_shape_samples = 50;  ///< if anything deforms, since each sample is slow

/// A point source, or the middle of a body that sounds.
struct Voice {
  std::string name;  ///< for messages
  const base::Motion* motion;
  Vec3 offset;
  const base::Body* body;  ///< null for a point source

  Vec3 index(double t) const { return motion->pose(t).to_world(offset); }
};

std::vector<Voice> voices_of(const base::World& world) {
  std::vector<Voice> voices;
  for (const base::PointSource& source : world.sources) {
    voices.push_back({'"' + source.name + '"', source.motion.get(), source.offset, nullptr});
  }
  for (const base::Body& body : world.bodies) {
    if (body.sources.empty()) continue;
    voices.push_back({"the middle of \"" + body.name + '"', body.motion.get(),
                      geometry::bounds(body.mesh).center(), &body});
  }
  return voices;
}

/// Finds which bodies are between sources and receivers, and for what fraction of the time.
class LinesOfSight {
 public:
  explicit LinesOfSight(const base::World& world) : world_(world) {
    shapes_.reserve(world.bodies.size());
    for (const base::Body& body : world.bodies) {
      shapes_.emplace_back(body, base::MotionSegment{});
      surfaces_.emplace_back(shapes_.back());
    }
  }

  void describe(std::span<const Voice> voices, std::span<const base::Receiver> receivers,
                base::RadiationPlan& plan) {
    const int looks = sample_count(voices, receivers);
    const std::size_t pairs = voices.size() * receivers.size();
    std::vector<int> blocked(pairs * shapes_.size(), 0);
    for (int i = 0; i < looks; ++i) {
      const double t = world_.rate.seconds(world_.samples) * i / looks;
      for (std::size_t body = 0; body < shapes_.size(); ++body) {
        look(body, t, voices, receivers, std::span(blocked).subspan(body * pairs, pairs));
      }
    }
    for (std::size_t i = 0; i < blocked.size(); ++i) {
      if (blocked[i] == 0) continue;
      const double part = 100.0 * blocked[i] / looks;
      const std::string when = looks == 1 ? "" : fmt::format(" {:.3g} % of the time", part);
      plan.add_diagnostic(fmt::format(
          "\"{}\" stands between {} and {}{}", world_.bodies[i / pairs].name,
          voices[i % pairs / receivers.size()].name, receivers[i % receivers.size()].name, when));
    }
  }

 private:
  int sample_count(std::span<const Voice> voices, std::span<const base::Receiver> receivers) const {
    const bool still =
        std::ranges::all_of(shapes_, &BodyShape::is_still) &&
        std::ranges::all_of(voices, [](const Voice& v) { return v.motion->is_still(); }) &&
        std::ranges::all_of(receivers, [](const auto& r) { return r.motion->is_still(); });
    if (still) return 1;
    const bool deforms = std::ranges::any_of(world_.bodies, &base::Body::changes_shape);
    const double duration = world_.rate.seconds(world_.samples);
    const int looks = std::max(1, static_cast<int>(std::ceil(duration / look_between)));
    return deforms ? std::min(looks, most_shape_samples) : looks;
  }

  void look(std::size_t body, double t, std::span<const Voice> voices,
            std::span<const base::Receiver> receivers, std::span<int> blocked) {
    surfaces_[body].set_time(t);
    for (std::size_t i = 0; i < blocked.size(); ++i) {
      const Voice& voice = voices[i / receivers.size()];
      const base::Receiver& receiver = receivers[i % receivers.size()];
      if (voice.body == &world_.bodies[body]) continue;
      const Vec3 receiver_point = receiver.motion->pose(t).to_world(receiver.offset);
      blocked[i] += surfaces_[body].is_between(voice.index(t), receiver_point);
    }
  }

  const base::World& world_;
  std::vector<BodyShape> shapes_;
  std::vector<BodySurface> surfaces_;
};

void describe_cavities(const ChunkRun& run, base::RadiationPlan& plan) {
  const Grid& grid = run.domain.grid;
  Rasteriser rasteriser(run.world, grid, run.chunk.segment);
  const CutGeometry geometry = rasteriser.at(run.chunk.begin);
  const FieldLayout layout = FieldLayout::packed(grid);
  CutCells<float> cells(grid, layout, {.lambda = 0.5});
  cells.index(geometry);
  SealedCavities<float> cavities(grid, layout, run.discretisation.rate.step());
  cavities.find(interval(grid, geometry, geometry), cells.nodes());
  for (std::size_t i = 0; i < cavities.count(); ++i) {
    const double litres = 1e3 * cavities.volume(i) * std::pow(grid.cell_size, 3);
    plan.add_diagnostic(
        fmt::format("{:.3g} l of air are sealed off at {:.3g} s: sound inside does not get out",
                    litres, run.chunk.begin));
  }
}

}  // namespace

void add_diagnostics(const ChunkRun& run, base::RadiationPlan& plan) {
  const base::MotionSurvey survey(run.world);
  const std::vector<Voice> voices = voices_of(run.world);
  // Of an array of receivers, which share their name, the first speaks for all.
  std::vector<base::Receiver> receivers;
  for (const base::Receiver& receiver : run.receivers)
    if (receivers.empty() || receivers.back().name != receiver.name) receivers.push_back(receiver);
  for (const Voice& voice : voices) {
    for (const base::Receiver& receiver : receivers) {
      const base::Approach nearest = survey.approach(*voice.motion, voice.offset, receiver);
      plan.add_diagnostic(voice.name + " is " + survey.describe(nearest, receiver));
    }
  }
  LinesOfSight(run.world).describe(voices, receivers, plan);
  describe_cavities(run, plan);
}

}  // namespace peal::wave
