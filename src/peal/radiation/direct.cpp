#include <peal/radiation/direct.h>
#include <peal/radiation/emission.h>
#include <peal/radiation/motion_survey.h>
#include <peal/radiation/sampled_path.h>
#include <peal/util/error.h>
#include <peal/util/parallel.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

namespace peal::radiation {

namespace {

using base::PointSource;
using base::Receiver;
using base::SampleRange;
using base::Signal;
using base::World;

/// Bytes do not depend on these two: every sample is the sum over sources in scene order.
constexpr std::int64_t block_size = 4096;      ///< [samples]
constexpr std::size_t sources_in_memory = 16;  ///< prepared at a time

/// Newton's iteration for the emission index u [samples]: u + |x_r - x_s(u)| rate / c = n.
/// The left side grows with u for any subsonic source, so the root is unique. It converges
/// quadratically, so a step below 1e-3 samples leaves an error below 1e-8; from sample to sample
/// the guess is that good already and one step does.
struct Emission {
  double index;     ///< u
  Vec3 towards;     ///< unit vector from source to receiver
  double distance;  ///< R [m]
};

Emission solve_emission(const SampledPath& path, const Vec3& receiver, double n, double guess,
                        double samples_per_metre) {
  double index = guess;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const SampledPath::Point source = path.at(index);
    const Vec3 separation = receiver - source.position;
    const double distance = separation.norm();
    const Vec3 towards = separation * (1.0 / std::max(distance, 1e-12));
    const double residual = index + distance * samples_per_metre - n;
    const double slope = 1.0 - source.slope.dot(towards) * samples_per_metre;
    const double step = residual / slope;
    index -= step;
    if (std::abs(step) < 1e-3) return {index, towards, distance};
  }
  throw util::NumericsError("the travel time of a moving source did not converge");
}

/// Roughly when (fractional sample) what is heard at sample n was emitted; straight from the
/// motion, to find which part of the path a block needs.
double rough_emission(const PointSource& source, const Piece& piece, const Vec3& receiver,
                      std::int64_t n, const World& world) {
  const double t = world.rate.seconds(n);
  double emitted = t;
  for (int iteration = 0; iteration < 400; ++iteration) {
    const Vec3 place = source.motion->pose(piece.clamp(emitted)).to_world(source.offset);
    const double next = t - (receiver - place).norm() / world.medium.speed_of_sound;
    const bool close = std::abs(next - emitted) < 1e-6;
    emitted = next;
    if (close) break;
  }
  return world.rate.samples(emitted);
}

Vec3 place_of(const Receiver& receiver, const Piece& piece, double t) {
  return receiver.motion->pose(piece.clamp(t)).to_world(receiver.offset);
}

/// One source heard by one receiver in one block, within pieces in which neither jumps.
class BlockRenderer {
 public:
  BlockRenderer(const World& world, const util::FractionalDelay& delay)
      : world_(world),
        delay_(delay),
        inverse_c_(1.0 / world.medium.speed_of_sound),
        samples_per_metre_(static_cast<double>(world.rate.hz) * inverse_c_) {}

  void add(const PreparedSource& source, const Receiver& receiver, SampleRange block,
           std::span<float> out) const {
    for (const Piece& heard : pieces(*receiver.motion)) {
      const SampleRange part = samples_within(heard, block);
      if (part.empty()) continue;
      for (const Piece& emitted : pieces(*source.source->motion)) {
        add_piece(source, emitted, receiver, heard, part,
                  out.subspan(static_cast<std::size_t>(part.begin - block.begin)));
      }
    }
  }

 private:
  SampleRange samples_within(const Piece& piece, SampleRange block) const {
    const auto index_at = [&](double t, std::int64_t otherwise) {
      return std::isfinite(t) ? static_cast<std::int64_t>(std::ceil(world_.rate.samples(t)))
                              : otherwise;
    };
    return {std::max(block.begin, index_at(piece.begin, block.begin)),
            std::min(block.end, index_at(piece.end, block.end))};
  }

  void add_piece(const PreparedSource& prepared, const Piece& emitted, const Receiver& receiver,
                 const Piece& heard, SampleRange part, std::span<float> out) const {
    // Which part of the source's path is heard here, and whether it made any sound then.
    const PointSource& source = *prepared.source;
    const auto ear_at = [&](std::int64_t n) {
      return place_of(receiver, heard, world_.rate.seconds(n));
    };
    const Vec3 first_ear = ear_at(part.begin - 1);
    const double first = rough_emission(source, emitted, first_ear, part.begin - 1, world_);
    const double last = rough_emission(source, emitted, ear_at(part.end), part.end, world_);
    if (last < static_cast<double>(prepared.first_heard()) ||
        first > static_cast<double>(prepared.last_heard()) ||
        world_.rate.samples(emitted.begin) > last || world_.rate.samples(emitted.end) < first) {
      return;
    }
    const SampledPath path(*source.motion, source.offset, emitted, world_.rate,
                           {static_cast<std::int64_t>(std::floor(first)) - 2,
                            static_cast<std::int64_t>(std::ceil(last)) + 3});
    refuse_supersonic(source.name, path.largest_step() * static_cast<double>(world_.rate.hz),
                      world_.rate.seconds(part.begin), world_);

    const bool ear_is_still = receiver.motion->is_still();
    const bool fades = emitted.ends() || heard.ends();
    Vec3 ear = first_ear;
    double previous =
        solve_emission(path, ear, static_cast<double>(part.begin - 1), first, samples_per_metre_)
            .index;
    double compression = 1.0;
    for (std::int64_t n = part.begin; n < part.end; ++n) {
      if (!ear_is_still) ear = ear_at(n);
      const Emission emission = solve_emission(path, ear, static_cast<double>(n),
                                               previous + compression, samples_per_metre_);
      compression = emission.index - previous;
      previous = emission.index;
      double heard_now = pressure(prepared, path.velocity(emission.index), emission, compression);
      if (fades) {
        heard_now *= emitted.fade(world_.rate.samples_to_seconds(emission.index)) *
                     heard.fade(world_.rate.seconds(n));
      }
      out[n - part.begin] += static_cast<float>(heard_now);
    }
  }

  /// The moving monopole, with the strength s = q' / (4 pi) and the flow S = q / (4 pi).
  double pressure(const PreparedSource& source, const Vec3& velocity, const Emission& emission,
                  double compression) const {
    const auto [strength, flow] =
        delay_.read(source.strength, source.flow, emission.index, compression);
    const double speed_towards = velocity.dot(emission.towards);
    const double distance = std::max(emission.distance, DirectRadiator::smallest_distance);
    const double doppler = 1.0 - speed_towards * inverse_c_;                        // D
    const double spread = 1.0 / (distance * doppler);                               // 1 / (R D)
    const double convection = speed_towards - velocity.squaredNorm() * inverse_c_;  // c (Mr - M^2)
    return spread * (strength + spread * convection * flow) / doppler;
  }

  const World& world_;
  const util::FractionalDelay& delay_;
  double inverse_c_;  ///< [s/m]
  double samples_per_metre_;
};

std::vector<std::string> names_of_silent_bodies(const World& world) {
  std::vector<std::string> names;
  for (const base::Body& body : world.bodies) names.push_back('"' + body.name + '"');
  return names;
}

}  // namespace

base::RadiationPlan DirectRadiator::plan(const World& world,
                                         std::span<const Receiver> receivers) const {
  const MotionSurvey survey(world);
  base::RadiationPlan plan{.model = "direct", .work_unit = "delayed samples"};
  for (const Receiver& receiver : receivers) {
    survey.check_speed(receiver.name, *receiver.motion, receiver.offset);
  }
  for (const PointSource& source : world.sources) {
    survey.check_speed(source.name, *source.motion, source.offset);
    for (const Receiver& receiver : receivers) {
      const Approach nearest = survey.approach(source, receiver);
      // Several sounds at one place need one sentence.
      const std::string finding = describe(source, receiver, nearest);
      if (std::ranges::find(plan.findings, finding) == plan.findings.end()) {
        plan.findings.push_back(finding);
      }
      if (nearest.distance < smallest_distance) {
        plan.notices.push_back(
            fmt::format("\"{}\" comes within {:.0f} mm of {}: its level is held at that distance",
                        source.name, 1000.0 * smallest_distance, receiver.name));
      }
    }
  }
  plan.work = static_cast<double>(world.sources.size() * receivers.size()) *
              static_cast<double>(world.samples);
  plan.choices.push_back(fmt::format(
      "each source reaches each receiver on a straight line at {} m/s: level falls as 1/distance, "
      "travel time and Doppler shift are exact, delays are band-limited over {} samples",
      world.medium.speed_of_sound, util::FractionalDelay::taps));
  if (const auto names = names_of_silent_bodies(world); !names.empty()) {
    plan.notices.push_back(
        fmt::format("{} neither blocks nor reflects sound in \"direct\"", fmt::join(names, ", ")));
  }
  return plan;
}

std::vector<Signal> DirectRadiator::radiate(const World& world, std::span<const Receiver> receivers,
                                            SampleRange range, util::Progress& progress) const {
  std::vector<Signal> heard(receivers.size(), {.rate = world.rate, .start = range.begin});
  for (Signal& signal : heard) signal.samples.assign(static_cast<std::size_t>(range.size()), 0.0f);

  const util::FractionalDelay delay;
  const BlockRenderer renderer(world, delay);
  const std::int64_t blocks = (range.size() + block_size - 1) / block_size;
  const double total = static_cast<double>(blocks) * static_cast<double>(world.sources.size());
  std::atomic<double> done = 0.0;
  std::mutex progress_mutex;

  for (std::size_t first = 0; first < world.sources.size(); first += sources_in_memory) {
    const std::size_t count = std::min(sources_in_memory, world.sources.size() - first);
    const std::vector<PreparedSource> sources =
        prepare(std::span(world.sources).subspan(first, count), world.rate, range);

    util::parallel_for(blocks, [&](std::int64_t b) {
      const SampleRange block{range.begin + b * block_size,
                              std::min(range.begin + (b + 1) * block_size, range.end)};
      for (std::size_t r = 0; r < receivers.size(); ++r) {
        const auto out = std::span(heard[r].samples)
                             .subspan(static_cast<std::size_t>(block.begin - range.begin),
                                      static_cast<std::size_t>(block.size()));
        for (const PreparedSource& source : sources) {
          renderer.add(source, receivers[r], block, out);
        }
      }
      done += static_cast<double>(count);
      if (std::unique_lock lock(progress_mutex, std::try_to_lock); lock) {
        progress.update(done / total);
      }
    });
  }
  return heard;
}

}  // namespace peal::radiation
