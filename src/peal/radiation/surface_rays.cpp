#include <peal/radiation/emission.h>
#include <peal/radiation/held_receivers.h>
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

/// Samples in the shortest period of the band, of series that are asked for at places: those of
/// shaders may hold more than that, which must not fold onto it.
constexpr double asked_samples_per_period = 8.0;
/// The same of series without anything too high for them.
constexpr double least_samples_per_period = 1.0 / ShortDelay::widest_band;

/// Beats are multiples of this [samples]: half a block.
constexpr auto beat_step = static_cast<std::int64_t>(RayResponse::block) / 2;
constexpr double beats_per_second = 1500.0;
constexpr double most_of_least_beats = 650.0;  ///< shapes of records come about as often
/// Beats in so many periods of the highest frequency are enough: a place that moves by 3 m/s
/// against the middle of its surface changes its delay by a phase of 0.22 from one to the next.
constexpr double periods_per_beat = 4.0;

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

SampleRange overlap(SampleRange a, SampleRange b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

/// From the first to the last instant of a stretch at which what sounds is heard by filters that
/// reach so far.
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

/// What leaves the middle of the surface from one jump to the next, one beat beyond both included:
/// there the delay stays and the sound rises and falls.
struct SurfaceRays::Run {
  std::int64_t begin = 0;      ///< beat
  std::int64_t start = 0;      ///< sample
  std::vector<double> delays;  ///< at its beats [samples]
  std::array<std::vector<float>, most_sums> sums;
};

double SurfaceRays::least_rate(double max_frequency) {
  const double least_beats = std::min(most_of_least_beats, max_frequency / periods_per_beat);
  return std::max(least_samples_per_period * max_frequency, least_beats * beat_step);
}

base::Rate SurfaceRays::rate_for(const base::World& world, const base::Body& body,
                                 double max_frequency) {
  const base::Rate told =
      body.sources.empty() ? world.rate : body.sources.front()->vertex_rate().value_or(world.rate);
  if (static_cast<double>(told.hz) >= least_samples_per_period * max_frequency &&
      SurfaceSeries::has_vertices(body, told))
    return told;
  return base::multiple_at_least(world.rate, asked_samples_per_period * max_frequency);
}

std::int64_t SurfaceRays::beat_for(base::Rate rate) {
  const double samples = static_cast<double>(rate.hz) / beats_per_second;
  return beat_step * std::max<std::int64_t>(1, std::lround(samples / beat_step));
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
               SurfaceSeries::has_vertices(sounding, scene_.rate)),
      series_(surface_, scene_.rate) {
  scene_.beat = beat_for(scene_.rate);
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

std::vector<std::vector<SurfaceRays::Run>> SurfaceRays::make_runs(const SurfaceTrack& track) const {
  std::vector<std::vector<Run>> all(scene_.receivers.size());
  for (std::size_t r = 0; r < all.size(); ++r) {
    const auto begin_run = [&](std::int64_t beat) {
      all[r].push_back({.begin = beat, .start = beat * scene_.beat});
    };
    begin_run(track.begin());
    for (std::int64_t beat = track.begin(); beat < track.end(); ++beat) {
      Run& run = all[r].back();
      run.delays.push_back(track.hearing(r, beat).delay);
      if (beat + 1 == track.end() || !track.jumps(r, beat)) continue;
      run.delays.push_back(run.delays.back());
      begin_run(beat);
      all[r].back().delays.push_back(track.hearing(r, beat + 1).delay);
    }
    for (Run& run : all[r]) {
      const auto samples = (static_cast<std::int64_t>(run.delays.size()) - 1) * scene_.beat;
      for (std::size_t s = 0; s < sums(); ++s)
        run.sums[s].resize(static_cast<std::size_t>(samples));
    }
  }
  return all;
}

/// Adds what leaves the middle at a block of instants from u on.
void SurfaceRays::hear(const RayKeys& keys, std::int64_t u, std::size_t receiver,
                       const SurfaceTrack& track, std::vector<Run>& runs) const {
  Levels levels;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto at = static_cast<double>(u + static_cast<std::int64_t>(i));
    levels[i] = keys.level(receiver, at / static_cast<double>(scene_.beat));
  }
  if (std::ranges::all_of(levels, [](double level) { return level == 0.0; })) return;
  for (const RayKeys::Chain& chain : keys.chains(receiver)) {
    if (!chain.empty()) hear_chain(chain, u, levels, receiver, track, runs);
  }
}

/// The same between the keys of a chain.
void SurfaceRays::hear_chain(const RayKeys::Chain& chain, std::int64_t u, const Levels& levels,
                             std::size_t receiver, const SurfaceTrack& track,
                             std::vector<Run>& runs) const {
  const SampleRange block{u, u + static_cast<std::int64_t>(RayResponse::block)};
  auto next = std::partition_point(chain.begin(), chain.end(), [&](const RayKeys::Key& key) {
    return key.beat * scene_.beat <= block.begin;
  });
  for (; next != chain.end() && (next - 1)->beat * scene_.beat < block.end; ++next)
    hear_between(*(next - 1), *next, block, levels, receiver, track, runs);
}

/// The part of a block that lies between two keys.
void SurfaceRays::hear_between(const RayKeys::Key& from, const RayKeys::Key& to, SampleRange block,
                               const Levels& levels, std::size_t receiver,
                               const SurfaceTrack& track, std::vector<Run>& runs) const {
  const std::int64_t begin = from.beat * scene_.beat, end = to.beat * scene_.beat;
  const SampleRange part = overlap(block, {begin, end});
  const std::int64_t u = part.begin;
  const auto count = static_cast<std::size_t>(part.size());
  const bool is_jump = to.beat == from.beat + 1 && track.jumps(receiver, from.beat);
  // Runs that have begun by then: at a jump the new one, too.
  const auto after = std::partition_point(runs.begin(), runs.end(),
                                          [&](const Run& run) { return run.begin <= from.beat; });
  const RayResponse &old = *from.response, &young = *to.response;
  const double step = 1.0 / static_cast<double>(end - begin);
  const double passed = static_cast<double>(u - begin) * step;
  const double* const heard = &levels[static_cast<std::size_t>(u - block.begin)];
  RayResponse::Sums now;
  const auto add = [&](Run& run, double level, double change) {
    for (std::size_t s = 0; s < sums(); ++s) {
      float* const sum = &run.sums[s][static_cast<std::size_t>(u - run.start)];
      for (std::size_t i = 0; i < count; ++i) {
        const double now_level = heard[i] * (level + change * static_cast<double>(i));
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

/// Carries what has left to the receiver.
void SurfaceRays::arrive(const Run& run, SampleRange heard, SurfaceSums& sums) const {
  const FractionalDelay delay;
  const auto count = this->sums();
  std::vector<util::DelayLine> lines;
  for (std::size_t s = 0; s < most_sums; ++s)
    lines.emplace_back(run.sums[s < count ? s : 0], run.start);
  const auto whole = [](double x) { return static_cast<std::int64_t>(std::ceil(x)); };
  for (std::size_t b = 0; b + 1 < run.delays.size(); ++b) {
    const double growth = run.delays[b + 1] - run.delays[b];
    const double compression =
        static_cast<double>(scene_.beat) / (static_cast<double>(scene_.beat) + growth);
    const std::int64_t left = run.start + static_cast<std::int64_t>(b) * scene_.beat;
    const std::int64_t begin = std::max(heard.begin, left + whole(run.delays[b]));
    const std::int64_t end = std::min(heard.end, left + scene_.beat + whole(run.delays[b + 1]));
    for (std::int64_t n = begin; n < end; ++n) {
      const double at =
          static_cast<double>(left) + (static_cast<double>(n - left) - run.delays[b]) * compression;
      const auto place = static_cast<std::size_t>(n - heard.begin);
      if (scene_.is_still) {
        const auto sample = static_cast<std::size_t>(std::llround(at) - run.start);
        for (std::size_t s = 0; s < count; ++s)
          sums[s][place] += static_cast<double>(run.sums[s][sample]);
        continue;
      }
      if (count == 1) {
        sums[0][place] += static_cast<double>(delay.read(lines[0], at, compression));
        continue;
      }
      const auto [first, second] = delay.read(lines[0], lines[1], at, compression);
      sums[0][place] += static_cast<double>(first);
      sums[1][place] += static_cast<double>(second);
      sums[2][place] += static_cast<double>(delay.read(lines[2], at, compression));
    }
  }
}

/// When what is heard leaves the middle.
SampleRange SurfaceRays::leaving(const SurfaceTrack& track, SampleRange heard) const {
  SampleRange range{heard.end, heard.begin};
  for (std::size_t r = 0; r < scene_.receivers.size(); ++r) {
    for (std::int64_t beat = track.begin(); beat < track.end(); ++beat) {
      const auto late = static_cast<std::int64_t>(track.hearing(r, beat).delay);
      range.begin = std::min(range.begin, heard.begin - late - PreparedSource::reach);
      range.end = std::max(range.end, heard.end - late + PreparedSource::reach);
    }
  }
  return range;
}

/// What leaves the middle in a stretch that there are keys for, of what sounds and at the instants
/// that are asked for.
void SurfaceRays::hear_all(SampleRange stretch, std::span<const SampleRange> sounding,
                           SampleRange asked, const SurfaceTrack& track, const RayKeys& keys,
                           std::vector<std::vector<Run>>& runs) {
  std::int64_t from = 0, to = 0;  // how far filters reach
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (const RayKeys::Chain& chain : keys.chains(r)) {
      for (const RayKeys::Key& key : chain) {
        from = std::min(from, key.response->first());
        to = std::max(to, key.response->last());
      }
    }
  }
  const SampleRange active = heard_within(sounding, overlap(asked, stretch), from, to);
  if (active.empty()) return;
  const auto block = static_cast<std::int64_t>(RayResponse::block);
  series_.take(std::max(stretch.begin, active.begin - block) + from,
               std::min(stretch.end, active.end + block) + to);
  const std::int64_t blocks = stretch.size() / block;
  util::parallel_for(blocks * static_cast<std::int64_t>(runs.size()), [&](std::int64_t task) {
    const auto r = static_cast<std::size_t>(task / blocks);
    const std::int64_t u = stretch.begin + task % blocks * block;
    if (u >= active.end || u + block <= active.begin) return;
    hear(keys, u, r, track, runs[r]);
  });
}

std::vector<SurfaceSums> SurfaceRays::silence(std::int64_t samples) const {
  std::vector<SurfaceSums> all(receivers_.size());
  for (SurfaceSums& one : all) {
    for (std::size_t s = 0; s < sums(); ++s) one[s].assign(static_cast<std::size_t>(samples), 0.0);
  }
  return all;
}

/// The sums while no receiver jumps; `size` is how long sound takes along the surface, at most [s].
std::vector<SurfaceSums> SurfaceRays::piece_sums(SampleRange heard, double size, const Done& done) {
  std::vector<SurfaceSums> all = silence(heard.size());
  // Nothing has left before the start of the scene; by then it may be on its way from near places.
  const double delay =
      longest_delay(scene_.world, *surface_.body().motion, base::Vec3::Zero(), scene_.receivers) +
      size;
  const std::int64_t at_once = SurfaceTrack::at_once * scene_.beat;
  const auto samples = [&](double t) { return static_cast<std::int64_t>(scene_.rate.samples(t)); };
  const std::int64_t first =
      floor_div(std::max(heard.begin - samples(delay), -2 * samples(size)), at_once) - 1;
  const std::int64_t last = floor_div(heard.end + FractionalDelay::half, at_once) + 1;
  // By which a place is heard before or after the middle, also if it comes at Mach 0.9.
  const std::int64_t farthest = 20 * samples(size) + 2 * FractionalDelay::half;

  // Where everything is.
  const SurfaceTrack track(scene_, surface_, first * SurfaceTrack::at_once,
                           last * SurfaceTrack::at_once + 1);
  // What leaves the middle.
  RayKeys keys(scene_, surface_, occluders_, body_);
  std::vector<std::vector<Run>> runs = make_runs(track);
  const std::vector<SampleRange> sounding = this->sounding({first * at_once, last * at_once});
  const SampleRange asked = leaving(track, heard);
  for (std::int64_t part = first; part < last; ++part) {
    const SampleRange stretch{part * at_once, (part + 1) * at_once};
    if (heard_within(sounding, overlap(asked, stretch), -farthest, farthest).empty()) continue;
    keys.move_to(track, part * SurfaceTrack::at_once);
    hear_all(stretch, sounding, asked, track, keys, runs);
    done(static_cast<double>(part - first) / static_cast<double>(last - first));
  }
  // What arrives.
  util::parallel_for(static_cast<std::int64_t>(all.size()), [&](std::int64_t r) {
    for (const Run& run : runs[static_cast<std::size_t>(r)])
      arrive(run, heard, all[static_cast<std::size_t>(r)]);
  });
  return all;
}

std::vector<SurfaceSums> SurfaceRays::sums(SampleRange heard, const Done& done) {
  const base::World& world = scene_.world;
  const double size =
      surface_.reach(world.rate.seconds(world.samples)) / world.medium.speed_of_sound;
  const std::vector<base::Piece> pieces = common_pieces(receivers_);
  if (pieces.size() == 1) return piece_sums(heard, size, done);
  std::vector<SurfaceSums> all = silence(heard.size());
  for (const base::Piece& piece : pieces) {
    const SampleRange part = base::samples_within(piece, scene_.rate, heard);
    if (part.empty()) continue;
    held_ = held_in(piece, receivers_);
    scene_.receivers = held_;
    const std::int64_t before = part.begin - heard.begin;
    const auto total = static_cast<double>(heard.size());
    const std::vector<SurfaceSums> of_piece = piece_sums(part, size, [&](double finished) {
      done((static_cast<double>(before) + finished * static_cast<double>(part.size())) / total);
    });
    for (std::int64_t n = 0; n < part.size(); ++n) {
      const double level = piece.fade(scene_.rate.seconds(part.begin + n));
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
