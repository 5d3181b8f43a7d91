#include <peal/radiation/clamped_receivers.h>
#include <peal/radiation/emission.h>
#include <peal/radiation/surface_rays.h>
#include <peal/util/fractional_delay.h>
#include <peal/util/parallel.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::radiation {

namespace {

using base::SampleRange;
using util::FractionalDelay;

/// Samples per period of the highest frequency, for signals that are evaluated at sample points:
/// those of shaders may contain higher frequencies, which must not alias into the band.
constexpr double asked_samples_per_period = 8.0;
/// Samples per period of the highest frequency, for signals without content that is too high for
/// them.
constexpr double least_samples_per_period = 1.0 / SincDelay::widest_band;

/// Hops are multiples of this [samples]: half a block.
constexpr auto hop_step = static_cast<std::int64_t>(RayFilters::block) / 2;
constexpr double hops_per_second = 1500.0;
constexpr double most_of_least_hops = 650.0;  ///< about the rate of shapes in recordings [1/s]
/// Periods of the highest frequency per hop that are short enough: a sample point that moves by 3
/// m/s relative to the middle of its surface changes its delay by a phase of 0.22 from one hop to
/// the next.
constexpr double periods_per_hop = 4.0;

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

SampleRange overlap(SampleRange a, SampleRange b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

/// The part of a range in which sound is audible through filters that extend from `from` to `to`,
/// from the first to the last sample.
SampleRange heard_within(std::span<const SampleRange> sounding, SampleRange stretch,
                         std::int64_t from, std::int64_t to) {
  SampleRange found{stretch.end, stretch.begin};
  for (const SampleRange& range : sounding) {
    const SampleRange one = overlap(stretch, {range.begin - to, range.end - from});
    if (one.empty()) continue;
    found.begin = std::min(found.begin, one.begin);
    found.end = std::max(found.end, one.end);
  }
  return found;
}

}  // namespace

/// Sound that leaves the middle of the surface from one jump to the next, including one hop beyond
/// both: there the delay is constant and the sound fades in or out.
struct SurfaceRays::Run {
  std::int64_t begin = 0;      ///< first hop
  std::int64_t start = 0;      ///< first sample
  std::vector<double> delays;  ///< at the hops of the run [samples]
  std::array<std::vector<float>, most_sums> sums;
};

double SurfaceRays::least_rate(double max_frequency) {
  const double least_hops = std::min(most_of_least_hops, max_frequency / periods_per_hop);
  return std::max(least_samples_per_period * max_frequency, least_hops * hop_step);
}

base::Rate SurfaceRays::rate_for(const base::World& world, const base::Body& body,
                                 double max_frequency) {
  const base::Rate recorded =
      body.sources.empty() ? world.rate : body.sources.front()->vertex_rate().value_or(world.rate);
  if (static_cast<double>(recorded.hz) >= least_samples_per_period * max_frequency &&
      SurfaceSignals::has_vertices(body, recorded))
    return recorded;
  return base::multiple_at_least(world.rate, asked_samples_per_period * max_frequency);
}

std::int64_t SurfaceRays::hop_for(base::Rate rate) {
  const double samples = static_cast<double>(rate.hz) / hops_per_second;
  return hop_step * std::max<std::int64_t>(1, std::lround(samples / hop_step));
}

SurfaceRays::SurfaceRays(const base::World& world, std::size_t body, const base::Body& sounding,
                         std::span<const base::Receiver> receivers, Occluders& occluders,
                         const base::RaysSettings& settings)
    : receivers_(receivers),
      body_(body),
      occluders_(occluders),
      scene_{.world = world,
             .receivers = receivers,
             .settings = settings,
             .rate = rate_for(world, sounding, settings.max_frequency)},
      surface_(sounding, world.medium.speed_of_sound / settings.max_frequency,
               SurfaceSignals::has_vertices(sounding, scene_.rate)),
      series_(surface_, scene_.rate) {
  scene_.hop = hop_for(scene_.rate);
  scene_.is_still =
      occluders.are_still() && std::ranges::all_of(receivers, [](const base::Receiver& receiver) {
        return receiver.motion->is_still();
      });
}

std::vector<SampleRange> SurfaceRays::sounding(SampleRange range) const {
  std::vector<SampleRange> all;
  for (const auto& source : surface_.body().sources) {
    for (const SampleRange& one : source->active(scene_.rate, range)) all.push_back(one);
  }
  return all;
}

std::vector<std::vector<SurfaceRays::Run>> SurfaceRays::make_runs(
    const ReceiverTrack& track) const {
  std::vector<std::vector<Run>> all(scene_.receivers.size());
  for (std::size_t r = 0; r < all.size(); ++r) {
    const auto begin_run = [&](std::int64_t hop) {
      all[r].push_back({.begin = hop, .start = hop * scene_.hop});
    };
    begin_run(track.begin());
    for (std::int64_t hop = track.begin(); hop < track.end(); ++hop) {
      Run& run = all[r].back();
      run.delays.push_back(track.receiver_geometry(r, hop).delay);
      if (hop + 1 == track.end() || !track.jumps(r, hop)) continue;
      run.delays.push_back(run.delays.back());
      begin_run(hop);
      all[r].back().delays.push_back(track.receiver_geometry(r, hop + 1).delay);
    }
    for (Run& run : all[r]) {
      const auto samples = (static_cast<std::int64_t>(run.delays.size()) - 1) * scene_.hop;
      for (std::size_t s = 0; s < sums(); ++s)
        run.sums[s].resize(static_cast<std::size_t>(samples));
    }
  }
  return all;
}

/// Adds the sound that leaves the middle in the block from u on.
void SurfaceRays::apply_filters(const RayKeyframes& keys, std::int64_t u, std::size_t receiver,
                                const ReceiverTrack& track, std::vector<Run>& runs) const {
  Levels levels;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto at = static_cast<double>(u + static_cast<std::int64_t>(i));
    levels[i] = keys.level(receiver, at / static_cast<double>(scene_.hop));
  }
  if (std::ranges::all_of(levels, [](double level) { return level == 0.0; })) return;
  for (const RayKeyframes::Chain& chain : keys.chains(receiver)) {
    if (!chain.empty()) filter_chain(chain, u, levels, receiver, track, runs);
  }
}

/// Adds the sound of one chain of keyframes in the block from u on.
void SurfaceRays::filter_chain(const RayKeyframes::Chain& chain, std::int64_t u,
                               const Levels& levels, std::size_t receiver,
                               const ReceiverTrack& track, std::vector<Run>& runs) const {
  const SampleRange block{u, u + static_cast<std::int64_t>(RayFilters::block)};
  auto next = std::partition_point(chain.begin(), chain.end(), [&](const RayKeyframes::Key& key) {
    return key.hop * scene_.hop <= block.begin;
  });
  for (; next != chain.end() && (next - 1)->hop * scene_.hop < block.end; ++next)
    crossfade(*(next - 1), *next, block, levels, receiver, track, runs);
}

/// Adds the sound in the part of a block that lies between two keyframes.
void SurfaceRays::crossfade(const RayKeyframes::Key& from, const RayKeyframes::Key& to,
                            SampleRange block, const Levels& levels, std::size_t receiver,
                            const ReceiverTrack& track, std::vector<Run>& runs) const {
  const std::int64_t begin = from.hop * scene_.hop, end = to.hop * scene_.hop;
  const SampleRange part = overlap(block, {begin, end});
  const std::int64_t u = part.begin;
  const auto count = static_cast<std::size_t>(part.size());
  const bool is_jump = to.hop == from.hop + 1 && track.jumps(receiver, from.hop);
  // Find the runs that have begun by then; at a jump these include the new one.
  const auto after = std::partition_point(runs.begin(), runs.end(),
                                          [&](const Run& run) { return run.begin <= from.hop; });
  const RayFilters &old = *from.response, &young = *to.response;
  const double step = 1.0 / static_cast<double>(end - begin);
  const double passed = static_cast<double>(u - begin) * step;
  const double* const received = &levels[static_cast<std::size_t>(u - block.begin)];
  RayFilters::Sums now;
  const auto add = [&](Run& run, double level, double change) {
    for (std::size_t s = 0; s < sums(); ++s) {
      float* const sum = &run.sums[s][static_cast<std::size_t>(u - run.start)];
      for (std::size_t i = 0; i < count; ++i) {
        const double now_level = received[i] * (level + change * static_cast<double>(i));
        sum[i] += static_cast<float>(now_level * now[s][i]);
      }
    }
  };
  if (is_jump) {
    old.make(series_, u, count, now);
    add(*(after - 2), 1.0 - passed, -step);
    young.make(series_, u, count, now);
    return add(*(after - 1), passed, step);
  }
  if (&old == &young) {
    old.make(series_, u, count, now);
  } else {
    old.make_fading(young, passed, step, series_, u, count, now);
  }
  add(*(after - 1), 1.0, 0.0);
}

/// Adds the sound of a run to the sums at the receiver.
void SurfaceRays::arrive(const Run& run, SampleRange received, SurfaceSums& sums) const {
  const FractionalDelay delay;
  const auto count = this->sums();
  std::vector<util::DelayLine> lines;
  for (std::size_t s = 0; s < most_sums; ++s)
    lines.emplace_back(run.sums[s < count ? s : 0], run.start);
  const auto whole = [](double x) { return static_cast<std::int64_t>(std::ceil(x)); };
  for (std::size_t b = 0; b + 1 < run.delays.size(); ++b) {
    const double growth = run.delays[b + 1] - run.delays[b];
    const double compression =
        static_cast<double>(scene_.hop) / (static_cast<double>(scene_.hop) + growth);
    const std::int64_t left = run.start + static_cast<std::int64_t>(b) * scene_.hop;
    const std::int64_t begin = std::max(received.begin, left + whole(run.delays[b]));
    const std::int64_t end = std::min(received.end, left + scene_.hop + whole(run.delays[b + 1]));
    for (std::int64_t n = begin; n < end; ++n) {
      const double at =
          static_cast<double>(left) + (static_cast<double>(n - left) - run.delays[b]) * compression;
      const auto sample_point = static_cast<std::size_t>(n - received.begin);
      if (scene_.is_still) {
        const auto sample = static_cast<std::size_t>(std::llround(at) - run.start);
        for (std::size_t s = 0; s < count; ++s)
          sums[s][sample_point] += static_cast<double>(run.sums[s][sample]);
        continue;
      }
      if (count == 1) {
        sums[0][sample_point] += static_cast<double>(delay.read(lines[0], at, compression));
        continue;
      }
      const auto [first, second] = delay.read(lines[0], lines[1], at, compression);
      sums[0][sample_point] += static_cast<double>(first);
      sums[1][sample_point] += static_cast<double>(second);
      sums[2][sample_point] += static_cast<double>(delay.read(lines[2], at, compression));
    }
  }
}

/// The range in which sound that is received leaves the middle.
SampleRange SurfaceRays::leaving(const ReceiverTrack& track, SampleRange received) const {
  SampleRange range{received.end, received.begin};
  for (std::size_t r = 0; r < scene_.receivers.size(); ++r) {
    for (std::int64_t hop = track.begin(); hop < track.end(); ++hop) {
      const auto late = static_cast<std::int64_t>(track.receiver_geometry(r, hop).delay);
      range.begin = std::min(range.begin, received.begin - late - PreparedSource::reach);
      range.end = std::max(range.end, received.end - late + PreparedSource::reach);
    }
  }
  return range;
}

/// Filters the sound that leaves the middle in an interval for which there are keyframes, limited
/// to the ranges that sound and to those that are needed.
void SurfaceRays::filter_all(SampleRange stretch, std::span<const SampleRange> sounding,
                             SampleRange asked, const ReceiverTrack& track,
                             const RayKeyframes& keys, std::vector<std::vector<Run>>& runs) {
  std::int64_t from = 0, to = 0;  // extent of the filters
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (const RayKeyframes::Chain& chain : keys.chains(r)) {
      for (const RayKeyframes::Key& key : chain) {
        from = std::min(from, key.response->first());
        to = std::max(to, key.response->last());
      }
    }
  }
  const SampleRange active = heard_within(sounding, overlap(asked, stretch), from, to);
  if (active.empty()) return;
  const auto block = static_cast<std::int64_t>(RayFilters::block);
  series_.take(std::max(stretch.begin, active.begin - block) + from,
               std::min(stretch.end, active.end + block) + to);
  const std::int64_t blocks = stretch.size() / block;
  util::parallel_for(blocks * static_cast<std::int64_t>(runs.size()), [&](std::int64_t task) {
    const auto r = static_cast<std::size_t>(task / blocks);
    const std::int64_t u = stretch.begin + task % blocks * block;
    if (u >= active.end || u + block <= active.begin) return;
    apply_filters(keys, u, r, track, runs[r]);
  });
}

std::vector<SurfaceSums> SurfaceRays::silence(std::int64_t samples) const {
  std::vector<SurfaceSums> all(receivers_.size());
  for (SurfaceSums& one : all) {
    for (std::size_t s = 0; s < sums(); ++s) one[s].assign(static_cast<std::size_t>(samples), 0.0);
  }
  return all;
}

/// The sums between the jumps of receivers; `size` is an upper bound on the travel time of sound
/// along the surface [s].
std::vector<SurfaceSums> SurfaceRays::segment_sums(SampleRange received, double size,
                                                   const Done& done) {
  std::vector<SurfaceSums> all = silence(received.size());
  // No sound leaves before the start of the scene, but by then it may be on its way from near
  // sample points.
  const double delay =
      longest_delay(scene_.world, *surface_.body().motion, base::Vec3::Zero(), scene_.receivers) +
      size;
  const std::int64_t at_once = ReceiverTrack::at_once * scene_.hop;
  const auto samples = [&](double t) { return static_cast<std::int64_t>(scene_.rate.samples(t)); };
  const std::int64_t first =
      floor_div(std::max(received.begin - samples(delay), -2 * samples(size)), at_once) - 1;
  const std::int64_t last = floor_div(received.end + FractionalDelay::half, at_once) + 1;
  // The most by which sound from a sample point arrives before or after that from the middle, even
  // if it approaches at Mach 0.9.
  const std::int64_t farthest = 20 * samples(size) + 2 * FractionalDelay::half;

  // Positions of the surface and the receivers.
  const ReceiverTrack track(scene_, surface_, first * ReceiverTrack::at_once,
                            last * ReceiverTrack::at_once + 1);
  // Sound that leaves the middle.
  RayKeyframes keys(scene_, surface_, occluders_, body_);
  std::vector<std::vector<Run>> runs = make_runs(track);
  const std::vector<SampleRange> sounding = this->sounding({first * at_once, last * at_once});
  const SampleRange asked = leaving(track, received);
  for (std::int64_t part = first; part < last; ++part) {
    const SampleRange stretch{part * at_once, (part + 1) * at_once};
    if (heard_within(sounding, overlap(asked, stretch), -farthest, farthest).empty()) continue;
    keys.move_to(track, part * ReceiverTrack::at_once);
    filter_all(stretch, sounding, asked, track, keys, runs);
    done(static_cast<double>(part - first) / static_cast<double>(last - first));
  }
  // Sound that arrives at the receivers.
  util::parallel_for(static_cast<std::int64_t>(all.size()), [&](std::int64_t r) {
    for (const Run& run : runs[static_cast<std::size_t>(r)])
      arrive(run, received, all[static_cast<std::size_t>(r)]);
  });
  return all;
}

std::vector<SurfaceSums> SurfaceRays::sums(SampleRange received, const Done& done) {
  const base::World& world = scene_.world;
  const double size =
      surface_.reach(world.rate.seconds(world.samples)) / world.medium.speed_of_sound;
  const std::vector<base::MotionSegment> segments = common_segments(receivers_);
  if (segments.size() == 1) return segment_sums(received, size, done);
  std::vector<SurfaceSums> all = silence(received.size());
  for (const base::MotionSegment& segment : segments) {
    const SampleRange part = base::samples_within(segment, scene_.rate, received);
    if (part.empty()) continue;
    clamped_ = clamped_to(segment, receivers_);
    scene_.receivers = clamped_;
    const std::int64_t before = part.begin - received.begin;
    const auto total = static_cast<double>(received.size());
    const std::vector<SurfaceSums> of_piece = segment_sums(part, size, [&](double finished) {
      done((static_cast<double>(before) + finished * static_cast<double>(part.size())) / total);
    });
    for (std::int64_t n = 0; n < part.size(); ++n) {
      const double level = segment.fade(scene_.rate.seconds(part.begin + n));
      for (std::size_t r = 0; r < all.size(); ++r) {
        for (std::size_t s = 0; s < sums(); ++s)
          all[r][s][static_cast<std::size_t>(before + n)] +=
              level * of_piece[r][s][static_cast<std::size_t>(n)];
      }
    }
  }
  return all;
}

}  // namespace peal::radiation
