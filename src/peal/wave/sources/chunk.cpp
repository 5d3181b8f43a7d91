#include <peal/util/sort_unique.h>
#include <peal/wave/sources/chunk.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::wave {

namespace {

struct Stretch {
  double begin, end;  ///< [s]
};

/// The shortest silence that is worth a new run, as long as the solver must wait to detect silence
/// [s].
constexpr double shortest_silence = 0.1;

/// A raised cosine from 0 at -1 to 1 at 1.
double rise(double x) {
  return 0.5 + 0.5 * std::sin(0.5 * std::numbers::pi * std::clamp(x, -1.0, 1.0));
}

std::vector<Stretch> merged(std::vector<Stretch> all) {
  std::ranges::sort(all, {}, &Stretch::begin);
  std::vector<Stretch> joined;
  for (const Stretch& s : all) {
    if (!joined.empty() && s.begin < joined.back().end + shortest_silence) {
      joined.back().end = std::max(joined.back().end, s.end);
    } else {
      joined.push_back(s);
    }
  }
  return joined;
}

std::vector<Stretch> sounding(const base::World& world) {
  const base::SampleRange scene{0, world.samples};
  std::vector<Stretch> all;
  for (const base::Body& body : world.bodies) {
    for (const auto& source : body.sources) {
      for (const base::SampleRange& range : source->active(world.rate, scene)) {
        all.push_back({world.rate.seconds(range.begin), world.rate.seconds(range.end)});
      }
    }
  }
  for (const base::PointSource& source : world.sources) {
    const base::Signal signal = source.shader->strength(world.rate, scene);
    const auto first = std::ranges::find_if(signal.samples, [](float s) { return s != 0.0f; });
    if (first == signal.samples.end()) continue;
    const auto last = std::find_if(signal.samples.rbegin(), signal.samples.rend(),
                                   [](float s) { return s != 0.0f; });
    const auto at = [&](auto i) { return world.rate.seconds(signal.start + i); };
    all.push_back({at(first - signal.samples.begin()), at(signal.samples.rend() - last)});
  }
  return merged(std::move(all));
}

/// The times at which anything jumps, begins or ends, ascending.
std::vector<double> jumps_of(const base::World& world) {
  std::vector<double> all;
  const auto add = [&](const base::Motion& motion) {
    all.insert(all.end(), motion.jumps().begin(), motion.jumps().end());
  };
  for (const base::Body& body : world.bodies) {
    add(*body.motion);
    if (!body.exists) continue;
    for (const double t : {body.exists->begin, body.exists->end}) {
      if (std::isfinite(t)) all.push_back(t);
    }
  }
  for (const base::PointSource& source : world.sources) add(*source.motion);
  util::sort_unique(all);
  return all;
}

/// The motion segment between jumps that contains the middle of a chunk.
base::MotionSegment hold_around(double t, const std::vector<double>& jumps) {
  base::MotionSegment segment;
  const auto after = std::ranges::upper_bound(jumps, t);
  if (after != jumps.end()) segment.end = *after;
  if (after != jumps.begin()) segment.begin = *std::prev(after);
  return segment;
}

/// Ends of the chunks of an interval: at its jumps, and every `longest` seconds from its start, so
/// that chunks stay the same when an interval grows. A remainder shorter than a fade joins the
/// chunk before.
std::vector<double> cuts_of(const Stretch& stretch, const std::vector<double>& jumps,
                            double longest) {
  std::vector<double> firm = {stretch.begin};
  for (double jump : jumps) {
    if (jump > stretch.begin + Chunk::half_fade && jump < stretch.end - Chunk::half_fade) {
      firm.push_back(jump);
    }
  }
  firm.push_back(stretch.end);
  std::vector<double> cuts = {stretch.begin};
  for (std::size_t i = 1; i < firm.size(); ++i) {
    for (int k = 1; firm[i - 1] + k * longest < firm[i] - 2.0 * Chunk::half_fade; ++k) {
      cuts.push_back(firm[i - 1] + k * longest);
    }
    cuts.push_back(firm[i]);
  }
  return cuts;
}

/// The default length of a chunk [s]: about an eighth of the sounding time. There are few values,
/// so that a scene that grows a little keeps its chunks.
double usual_length(double sounding_time) {
  if (sounding_time <= 3.0) return 0.25;
  return sounding_time <= 6.0 ? 0.6 : 1.0;
}

}  // namespace

double Chunk::weight(double t) const {
  // This is a difference, so the sum over all chunks telescopes to 1, no matter how short they are.
  const double risen = continues ? rise((t - begin) / half_fade) : 1.0;
  return continued ? risen - rise((t - end) / half_fade) : risen;
}

std::vector<Chunk> chunks_of(const base::World& world, std::optional<double> longest) {
  const std::vector<Stretch> stretches = sounding(world);
  const std::vector<double> jumps = jumps_of(world);
  double total = 0.0;
  for (const Stretch& s : stretches) total += s.end - s.begin;
  const double length = longest.value_or(usual_length(total));
  std::vector<Chunk> chunks;
  for (const Stretch& stretch : stretches) {
    const std::vector<double> cuts = cuts_of(stretch, jumps, length);
    for (std::size_t i = 1; i < cuts.size(); ++i) {
      chunks.push_back({.begin = cuts[i - 1],
                        .end = cuts[i],
                        .continues = i > 1,
                        .continued = i + 1 < cuts.size(),
                        .segment = hold_around(0.5 * (cuts[i - 1] + cuts[i]), jumps)});
    }
  }
  return chunks;
}

}  // namespace peal::wave
