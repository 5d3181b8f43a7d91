#include <peal/base/flux_source.h>
#include <peal/base/motion_segment.h>
#include <peal/base/motion_survey.h>
#include <peal/radiation/arrival.h>
#include <peal/radiation/direct.h>
#include <peal/radiation/directional_filter.h>
#include <peal/radiation/emission.h>
#include <peal/util/error.h>
#include <peal/util/parallel.h>
#include <peal/util/processor_time.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace peal::radiation {

namespace {

using base::PointSource;
using base::Receiver;
using base::SampleRange;
using base::Signal;
using base::World;

/// Every sample is the sum over sources in scene order, for any number of threads.
constexpr std::int64_t block_size = 4096;              ///< [samples]
constexpr std::int64_t chunk_size = 512 * block_size;  ///< samples of a source in memory
constexpr std::size_t sources_at_a_time = 16;

/// Samples between exact arrivals. In between, arrivals are interpolated by cubics through four of
/// them where they are smooth.
constexpr std::int64_t stride = 16;

/// The cubic through four values at -1, 0, 1, 2, evaluated at x in [0, 1].
class Cubic {
 public:
  Cubic(double before, double here, double next, double after)
      : c0_(here),
        c1_(next - before / 3.0 - here / 2.0 - after / 6.0),
        c2_((before + next) / 2.0 - here),
        c3_((after - before) / 6.0 + (here - next) / 2.0) {}

  double operator()(double x) const { return c0_ + x * (c1_ + x * (c2_ + x * c3_)); }

  /// The size of the cubic term. Where it is small, the error of the cubic is far smaller still.
  double third_difference() const { return 6.0 * std::abs(c3_); }

 private:
  double c0_, c1_, c2_, c3_;
};

/// Renders one source at one receiver in one block, between the jumps of both.
class BlockRenderer {
 public:
  BlockRenderer(const World& world, const util::FractionalDelay& delay)
      : world_(world), delay_(delay) {}

  void add(const PreparedSource& source, const Receiver& receiver,
           std::span<const MotionSegment> receiver_segments, SampleRange block,
           std::span<float> out) const {
    if (source.source->motion->is_still() && receiver.motion->is_still())
      return add_still(source, receiver, block, out);
    const double begin = world_.rate.seconds(block.begin), end = world_.rate.seconds(block.end);
    for (const MotionSegment& received : segments_within(receiver_segments, begin, end)) {
      const SampleRange part = samples_within(received, world_.rate, block);
      if (part.empty()) continue;
      for (const MotionSegment& emitted :
           segments_within(source.segments, begin - source.longest_delay, end)) {
        const ArrivalSolver solver(world_, *source.source, emitted, receiver, received);
        add_segment(source, solver, emitted, part, block.begin, out);
      }
    }
  }

 private:
  /// Neither moves: one delay and one gain.
  void add_still(const PreparedSource& source, const Receiver& receiver, SampleRange block,
                 std::span<float> out) const {
    const base::Vec3 from = source.source->motion->pose(0.0).to_world(source.source->offset);
    const base::Vec3 to = receiver.motion->pose(0.0).to_world(receiver.offset);
    const double distance = (to - from).norm();
    delay_.add_delayed(
        source.strength, world_.rate.samples(distance / world_.medium.speed_of_sound),
        static_cast<float>(1.0 / std::max(distance, DirectRadiator::smallest_distance)),
        block.begin, out);
  }

  /// Whether sound that is emitted in the segment, while the source is active, arrives in the part.
  bool is_audible(const PreparedSource& source, const ArrivalSolver& solver,
                  const MotionSegment& emitted, SampleRange part) const {
    const double first = solver.rough_index(part.begin), last = solver.rough_index(part.end);
    return last >= static_cast<double>(source.first_heard()) &&
           first <= static_cast<double>(source.last_heard()) &&
           world_.rate.samples(emitted.begin) <= last &&
           world_.rate.samples(emitted.end + MotionSegment::edge_time) >= first;
  }

  void add_segment(const PreparedSource& source, const ArrivalSolver& solver,
                   const MotionSegment& emitted, SampleRange part, std::int64_t out_begin,
                   std::span<float> out) const {
    if (!is_audible(source, solver, emitted, part)) return;
    // Exact arrivals are at whole multiples of the stride, so they do not depend on the block.
    const std::int64_t first = (part.begin / stride) * stride - stride;
    const std::int64_t count = (part.end - first + stride - 1) / stride + 2;
    std::vector<Arrival> arrivals(static_cast<std::size_t>(count));
    double guess = solver.rough_index(first);
    for (std::int64_t i = 0; i < count; ++i) {
      arrivals[i] = solver.at(first + i * stride, guess);
      const double advance = i > 0 ? arrivals[i].index - arrivals[i - 1].index : double{stride};
      guess = arrivals[i].index + advance;
    }
    for (std::int64_t i = 1; i + 2 < count; ++i) {
      const std::int64_t begin = first + i * stride;
      const SampleRange samples{std::max(begin, part.begin), std::min(begin + stride, part.end)};
      add_stride(source, solver, std::span(arrivals).subspan(static_cast<std::size_t>(i - 1), 4),
                 begin, samples, out_begin, out);
    }
  }

  void add_stride(const PreparedSource& source, const ArrivalSolver& solver,
                  std::span<const Arrival> a, std::int64_t begin, SampleRange samples,
                  std::int64_t out_begin, std::span<float> out) const {
    const Cubic index(a[0].index, a[1].index, a[2].index, a[3].index);
    const Cubic strength_gain(a[0].strength_gain, a[1].strength_gain, a[2].strength_gain,
                              a[3].strength_gain);
    const Cubic flow_gain(a[0].flow_gain, a[1].flow_gain, a[2].flow_gain, a[3].flow_gain);
    const bool smooth =
        index.third_difference() < 2e-3 &&
        strength_gain.third_difference() < 1e-3 * std::max(a[1].strength_gain, a[2].strength_gain);
    const double compression = (a[2].index - a[1].index) / double{stride};
    for (std::int64_t n = samples.begin; n < samples.end; ++n) {
      const double x = static_cast<double>(n - begin) / double{stride};
      // Near a kink, at a close pass or at a low sample rate, every sample is solved for exactly.
      const Arrival arrival =
          smooth ? Arrival{index(x), strength_gain(x), flow_gain(x)} : solver.at(n, index(x));
      out[n - out_begin] += static_cast<float>(pressure(source, arrival, compression));
    }
  }

  double pressure(const PreparedSource& source, const Arrival& arrival, double compression) const {
    if (!source.flow) {
      return arrival.strength_gain *
             static_cast<double>(delay_.read(source.strength, arrival.index, compression));
    }
    const auto [strength, flow] =
        delay_.read(source.strength, *source.flow, arrival.index, compression);
    return arrival.strength_gain * static_cast<double>(strength) +
           arrival.flow_gain * static_cast<double>(flow);
  }

  const World& world_;
  const util::FractionalDelay& delay_;
};

/// The range cut into parts of `size` samples; the last one may be shorter.
std::vector<SampleRange> cut(SampleRange range, std::int64_t size) {
  std::vector<SampleRange> parts;
  for (std::int64_t begin = range.begin; begin < range.end; begin += size) {
    parts.push_back({begin, std::min(begin + size, range.end)});
  }
  return parts;
}

/// The names of bodies that make no sound, which a scene may contain as obstacles.
/// "a", "b" and "c", or the first of many.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  if (names.size() <= most + 1) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} others", fmt::join(names.begin(), names.begin() + most, ", "),
                     names.size() - most);
}

std::vector<std::string> names_of_silent_bodies(const World& world) {
  std::unordered_set<std::string> sounding;
  for (const PointSource& source : world.sources) sounding.insert(source.name);
  std::vector<std::string> names;
  for (const base::Body& body : world.bodies) {
    if (body.sources.empty() && !sounding.contains(body.name))
      names.push_back('"' + body.name + '"');
  }
  return names;
}

std::vector<std::string> names_of_sounding_surfaces(const World& world) {
  std::vector<std::string> names;
  for (const base::Body& body : world.bodies) {
    if (!body.sources.empty()) names.push_back('"' + body.name + '"');
  }
  return names;
}

/// One sentence for each name and receiver; one for all names beyond the first few.
void describe_approaches(const std::vector<std::string>& names,
                         const std::vector<std::vector<base::Approach>>& approaches,
                         std::span<const Receiver> receivers, const base::MotionSurvey& survey,
                         base::RadiationPlan& plan) {
  constexpr std::size_t most_names = 50;
  const std::size_t listed = std::min(names.size(), most_names);
  for (std::size_t i = 0; i < listed; ++i) {
    for (std::size_t r = 0; r < receivers.size(); ++r) {
      plan.diagnostics.push_back('"' + names[i] + "\" is " +
                                 survey.describe(approaches[i][r], receivers[r]));
    }
  }
  for (std::size_t r = 0; r < receivers.size() && listed < names.size(); ++r) {
    base::Approach all = approaches[listed][r];
    for (std::size_t i = listed + 1; i < names.size(); ++i) {
      all = base::joined(all, approaches[i][r]);
    }
    plan.diagnostics.push_back(fmt::format("the nearest of {} more sources is {}",
                                           names.size() - listed,
                                           survey.describe(all, receivers[r])));
  }
}

}  // namespace

base::RadiationPlan DirectRadiator::plan(const World& world,
                                         std::span<const Receiver> receivers) const {
  const base::MotionSurvey survey(world);
  base::RadiationPlan plan{.model = "direct", .work_unit = "delayed samples"};
  for (const Receiver& receiver : receivers) {
    survey.check_speed("listener " + receiver.name, *receiver.motion, receiver.offset);
  }
  // A body has many points; what shapes its sound is reported once.
  std::vector<std::string> source_names;
  std::unordered_map<std::string, std::size_t> number_of;
  std::vector<std::vector<base::Approach>> approaches;  // [name][receiver]
  for (const PointSource& source : world.sources) {
    const auto [named, is_new] = number_of.try_emplace(source.name, source_names.size());
    const std::size_t number = named->second;
    if (is_new) {
      source_names.push_back(source.name);
      approaches.emplace_back(receivers.size());
    }
    survey.check_speed("object \"" + source.name + '"', *source.motion, source.offset);
    for (std::size_t r = 0; r < receivers.size(); ++r) {
      const Receiver& receiver = receivers[r];
      const base::Approach nearest = survey.approach(*source.motion, source.offset, receiver);
      approaches[number][r] = base::joined(approaches[number][r], nearest);
      if (nearest.distance < smallest_distance) {
        plan.notices.push_back(fmt::format(
            "\"{}\" comes within {:.0f} mm of {}: its level is limited to that at this distance",
            source.name, 1000.0 * smallest_distance, receiver.name));
      }
    }
  }
  describe_approaches(source_names, approaches, receivers, survey, plan);
  plan.work = static_cast<double>(world.sources.size() * receivers.size()) *
              static_cast<double>(world.samples);
  plan.choices.push_back(fmt::format(
      "each source reaches each receiver on a straight line at {} m/s: level falls as 1/distance, "
      "travel time and Doppler shift are exact, delays are band-limited over {} samples",
      world.medium.speed_of_sound, util::FractionalDelay::taps));
  if (const auto names = names_of_silent_bodies(world); !names.empty()) {
    plan.notices.push_back(
        fmt::format("\"direct\" ignores occlusion and reflection ({})", some_of(names)));
  }
  if (const auto names = names_of_sounding_surfaces(world); !names.empty()) {
    plan.notices.push_back(
        fmt::format("the radiation model \"direct\" leaves out the speakers of {}; use \"wave\"",
                    some_of(names)));
  }
  return plan;
}

std::vector<Signal> DirectRadiator::radiate(const World& world, std::span<const Receiver> receivers,
                                            SampleRange range, util::Progress& progress) const {
  std::vector<Signal> received(receivers.size(), {.rate = world.rate, .start = range.begin});
  for (Signal& signal : received)
    signal.samples.assign(static_cast<std::size_t>(range.size()), 0.0f);

  const util::FractionalDelay delay;
  const BlockRenderer renderer(world, delay);
  std::vector<std::vector<MotionSegment>> receiver_segments;
  std::vector<std::optional<DirectionalFilter>> filters(receivers.size());
  std::int64_t before = 0, after = 0;  // that filters read beyond a block [samples]
  for (std::size_t r = 0; r < receivers.size(); ++r) {
    receiver_segments.push_back(segments(*receivers[r].motion));
    if (!receivers[r].response) continue;
    filters[r].emplace(receivers[r], world.medium, world.rate);
    const SampleRange around = filters[r]->needed({0, 0});
    before = std::max(before, -around.begin);
    after = std::max(after, around.end);
  }
  const double total =
      static_cast<double>(range.size()) * static_cast<double>(world.sources.size());
  std::atomic<double> done = 0.0;
  std::mutex progress_mutex;

  const auto render_block = [&](const std::vector<PreparedSource>& sources, SampleRange block) {
    for (std::size_t r = 0; r < receivers.size(); ++r) {
      const auto out = std::span(received[r].samples)
                           .subspan(static_cast<std::size_t>(block.begin - range.begin),
                                    static_cast<std::size_t>(block.size()));
      const SampleRange heard = filters[r] ? filters[r]->needed(block) : block;
      std::vector<float> pressure(filters[r] ? static_cast<std::size_t>(heard.size()) : 0);
      for (const PreparedSource& source : sources) {
        if (filters[r]) std::ranges::fill(pressure, 0.0f);
        renderer.add(source, receivers[r], receiver_segments[r], heard,
                     filters[r] ? std::span(pressure) : out);
        if (filters[r]) {
          filters[r]->apply({source.source->motion.get(), source.source->offset}, pressure, block,
                            out);
        }
      }
    }
    done += static_cast<double>(sources.size()) * static_cast<double>(block.size());
    if (std::unique_lock lock(progress_mutex, std::try_to_lock); lock) {
      progress.update(done / total);
    }
  };

  for (const SampleRange chunk : cut(range, chunk_size)) {
    const std::vector<SampleRange> blocks = cut(chunk, block_size);
    for (std::size_t first = 0; first < world.sources.size(); first += sources_at_a_time) {
      const std::size_t count = std::min(sources_at_a_time, world.sources.size() - first);
      const std::vector<PreparedSource> sources =
          prepare(world, std::span(world.sources).subspan(first, count), receivers,
                  {chunk.begin - before, chunk.end + after});
      util::parallel_for(static_cast<std::int64_t>(blocks.size()),
                         [&](std::int64_t b) { render_block(sources, blocks[b]); });
    }
  }
  return received;
}

double DirectRadiator::expected_seconds(const World& world,
                                        std::span<const Receiver> receivers) const {
  // Sources prepare only what an interval needs, so the time for an interval in the middle is
  // proportional to its length, and to the number of sources. The first run fills caches; the
  // second one is timed.
  constexpr std::size_t most_sources = 200;
  util::Silent silent;
  const std::int64_t probe = std::min(world.samples, world.rate.hz / 2);
  const std::int64_t begin = (world.samples - probe) / 2;
  World some{.medium = world.medium, .rate = world.rate, .samples = world.samples};
  const std::size_t thinning = world.sources.size() / most_sources + 1;
  for (std::size_t i = 0; i < world.sources.size(); i += thinning)
    some.sources.push_back(world.sources[i]);
  if (some.sources.empty()) return 0.0;
  double taken = 0.0;
  for (int run = 0; run < 2; ++run) {
    const double start = util::process_seconds();
    radiate(some, receivers, {begin, begin + probe}, silent);
    taken = util::process_seconds() - start;
  }
  const double part = static_cast<double>(probe) / static_cast<double>(world.samples) *
                      static_cast<double>(some.sources.size()) /
                      static_cast<double>(world.sources.size());
  return taken / part / util::thread_count();
}

namespace {

template <class Kind>
void reduce(base::World& world) {
  for (base::Body& body : world.bodies) {
    std::erase_if(body.sources, [&](const std::shared_ptr<const base::SurfaceSource>& source) {
      if (dynamic_cast<const Kind*>(source.get()) == nullptr) return false;
      const std::vector<base::Multipole> multipoles = source->multipoles(world.medium);
      for (const base::Multipole& multipole : multipoles) {
        world.sources.push_back({.name = body.name,
                                 .motion = body.motion,
                                 .offset = multipole.offset,
                                 .shader = multipole.shader});
      }
      return !multipoles.empty();
    });
  }
}

}  // namespace

void reduce_to_multipoles(base::World& world) {
  reduce<base::SurfaceSource>(world);
}

void reduce_flux_sources(base::World& world) {
  reduce<base::FluxSource>(world);
}

}  // namespace peal::radiation
