#include <peal/bubbles/capacitance.h>
#include <peal/bubbles/chain.h>
#include <peal/bubbles/extension.h>
#include <peal/bubbles/pulsation.h>
#include <peal/util/parallel.h>
#include <peal/util/random.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <unordered_map>

namespace peal::bubbles {

namespace {

using base::Bubble;
using base::BubbleEnd;
using base::BubblePopulation;
using base::BubbleStart;
using base::BubbleTrack;
using std::numbers::pi;

/// Steepness of the cones of the released code of Wang et al. 2018, and how wide the necks of
/// merging bubbles become.
constexpr double least_cone = 0.4, most_cone = 1.5;
constexpr double least_neck = 0.4, most_neck = 0.8;

/// A bubble that ends fades for so many periods, at least so long [s].
constexpr double fade_periods = 3.0, shortest_fade = 1e-3;

/// Children may be this much larger than their parent by the errors of tracking.
constexpr double size_tolerance = 1.001;

double fade_at(const OscillatorKey& key) {
  return std::max(shortest_fade, fade_periods * 2.0 * pi / key.omega);
}

OscillatorKey between(const OscillatorKey& a, const OscillatorKey& b, double t) {
  const double x = (t - a.time) / (b.time - a.time);
  const auto mix = [&](double from, double to) { return from + x * (to - from); };
  return {
      .time = t,
      .omega = mix(a.omega, b.omega),
      .beta = mix(a.beta, b.beta),
      .radius = mix(a.radius, b.radius),
      .capacitance = mix(a.capacitance, b.capacitance),
      // Far from any surface both are infinite.
      .depth = std::isfinite(a.depth) && std::isfinite(b.depth) ? mix(a.depth, b.depth) : b.depth,
      .position = a.position + x * (b.position - a.position)};
}

/// The keys of each track, and how they are joined.
class ChainMaker {
 public:
  ChainMaker(const BubblePopulation& population, const base::BubbleSurroundings& surroundings,
             const ChainSettings& settings)
      : population_(population), settings_(settings), keys_(population.tracks.size()) {
    for (std::size_t i = 0; i < population.tracks.size(); ++i)
      number_of_.emplace(population.tracks[i].id, i);
    util::parallel_for_small(population.tracks.size(), [&](std::size_t i) {
      for (const Bubble& bubble : population.tracks[i].samples)
        keys_[i].push_back(oscillator_key(bubble, surroundings, settings_));
    });
  }

  Chains make() {
    find_continuations();
    Chains result;
    for (std::size_t i = 0; i < population_.tracks.size(); ++i) {
      if (continues_[i]) continue;
      const Chain chain = chain_from(i);
      if (is_outside(chain)) {
        ++result.outside;
      } else if (is_above_band(chain)) {
        ++result.above_band;
      } else if (is_too_short(chain)) {
        ++result.too_short;
      } else {
        result.chains.push_back(chain);
      }
    }
    return result;
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  std::size_t number(std::int64_t id) const {
    const auto found = number_of_.find(id);
    return found == number_of_.end() ? none : found->second;
  }
  double first_radius(std::size_t track) const { return keys_[track].front().radius; }
  double last_radius(std::size_t track) const { return keys_[track].back().radius; }

  /// The largest parent of each track is continued by its largest child.
  void find_continuations() {
    const std::size_t count = population_.tracks.size();
    continues_.assign(count, false);
    next_.assign(count, none);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t largest = none;
      for (const std::int64_t id : population_.tracks[i].parents) {
        const std::size_t parent = number(id);
        if (parent == none || parent >= i) continue;  // parents come first
        if (largest == none || last_radius(parent) > last_radius(largest)) largest = parent;
      }
      if (largest == none) continue;
      std::size_t& next = next_[largest];
      // Time runs one way: a track that began before its parent ended continues nothing.
      if (keys_[i].front().time < keys_[largest].back().time) continue;
      if (next == none || first_radius(i) > first_radius(next)) next = i;
    }
    for (const std::size_t next : next_)
      if (next != none) continues_[next] = true;
  }

  double uniform(const BubbleTrack& track, double least, double most, std::uint64_t index) const {
    const double x = util::random_uniform(settings_.seed, settings_.stream,
                                          2 * static_cast<std::uint64_t>(track.id) + index);
    return least + x * (most - least);
  }

  /// The forcing at the start of a track, if it has one.
  std::optional<Forcing> forcing_of(std::size_t i) const {
    const BubbleTrack& track = population_.tracks[i];
    const OscillatorKey& key = keys_[i].front();
    if (track.start == BubbleStart::merged) {
      std::vector<double> radii;
      for (const std::int64_t id : track.parents)
        if (const std::size_t parent = number(id); parent != none)
          radii.push_back(last_radius(parent));
      if (radii.size() < 2) return std::nullopt;
      std::ranges::sort(radii, std::greater{});
      return merge_forcing(key.time, key.radius, key.capacitance, radii[0], radii[1],
                           uniform(track, least_neck, most_neck, 1), settings_.liquid);
    }
    if (track.start == BubbleStart::split && !track.parents.empty()) {
      const std::size_t parent = number(track.parents.front());
      if (parent != none && key.radius > size_tolerance * last_radius(parent)) return std::nullopt;
    }
    const double cone = track.excitation.cone.value_or(uniform(track, least_cone, most_cone, 0));
    const Forcing forcing =
        neck_forcing(key.time, key.radius, key.capacitance, cone, settings_.liquid);
    return track.excitation.amplitude ? scaled_to(forcing, *track.excitation.amplitude) : forcing;
  }

  Chain chain_from(std::size_t first) const {
    Chain chain{.bubble = population_.tracks[first].id};
    std::size_t last = first;
    for (std::size_t i = first; i != none; i = next_[i]) {
      for (const OscillatorKey& key : keys_[i]) {
        // The keys of a child begin where those of the parent end.
        if (!chain.keys.empty() && key.time <= chain.keys.back().time) chain.keys.pop_back();
        chain.keys.push_back(key);
      }
      if (const auto forcing = forcing_of(i)) chain.forcings.push_back(*forcing);
      last = i;
    }
    end(chain, population_.tracks[last], keys_[last].size());
    return chain;
  }

  /// How a chain ends whose last track has so many keys.
  void end(Chain& chain, const BubbleTrack& last, std::size_t count) const {
    const double highest = 2.0 * pi * settings_.highest_frequency;
    if (last.end == BubbleEnd::collapsed && extend(chain.keys, count, highest)) {
      chain.fade_begin = chain.keys.back().time;
    } else if (last.end != BubbleEnd::unknown) {
      chain.fade_begin = chain.keys.back().time;
    }
    for (const OscillatorKey& key : chain.keys) {
      if (key.omega <= highest || chain.fade_begin < key.time) continue;
      chain.fade_begin = key.time;
      break;
    }
    if (chain.fade_begin) chain.fade_duration = fade_at(chain.at(*chain.fade_begin));
  }

  bool is_outside(const Chain& chain) const {
    return std::ranges::all_of(chain.keys, [](const OscillatorKey& k) { return k.depth < 0.0; });
  }
  bool is_above_band(const Chain& chain) const {
    return chain.keys.front().omega > 2.0 * pi * settings_.highest_frequency;
  }
  bool is_too_short(const Chain& chain) const {
    if (!chain.fade_begin) return false;
    const double periods =
        (*chain.fade_begin - chain.begin_time()) * chain.keys.front().omega / (2.0 * pi);
    return periods < settings_.fewest_periods;
  }

  const BubblePopulation& population_;
  const ChainSettings& settings_;
  std::unordered_map<std::int64_t, std::size_t> number_of_;
  std::vector<std::vector<OscillatorKey>> keys_;  ///< of each track
  std::vector<std::size_t> next_;                 ///< the track that continues each
  std::vector<bool> continues_;                   ///< whether a track continues another
};

}  // namespace

OscillatorKey Chain::at(double t) const {
  const auto after = std::ranges::upper_bound(keys, t, {}, &OscillatorKey::time);
  if (after == keys.begin()) return keys.front();
  if (after == keys.end()) return keys.back();
  return between(*(after - 1), *after, t);
}

OscillatorKey oscillator_key(const Bubble& bubble, const base::BubbleSurroundings& surroundings,
                             const ChainSettings& settings) {
  const double depth = surroundings.depth(bubble.position, bubble.time);
  const double wall = surroundings.wall_distance(bubble.position, bubble.time);
  const double head = std::isfinite(depth) ? surroundings.head(bubble.position, bubble.time) : 0.0;
  const double r = bubble.radius;
  const bool quick = settings.quick;
  const double by_surface =
      quick ? quick_capacitance_below_surface(depth / r) : capacitance_below_surface(depth / r);
  const double by_wall =
      quick ? quick_capacitance_beside_wall(wall / r) : capacitance_beside_wall(wall / r);
  const auto find = quick ? quick_pulsation : pulsation;
  const Pulsation near = find(r, settings.liquid, head, by_surface * by_wall);
  OscillatorKey key{.time = bubble.time,
                    .omega = near.omega,
                    .beta = near.beta(),
                    .radius = r,
                    .capacitance = r * by_surface * by_wall,
                    .depth = depth,
                    .position = bubble.position};
  if (bubble.frequency) {
    key.omega = 2.0 * pi * *bubble.frequency;
    // The capacitance that explains the frequency.
    key.capacitance *= key.omega * key.omega / (near.omega * near.omega);
  }
  return key;
}

Chains make_chains(const BubblePopulation& population, const base::BubbleSurroundings& surroundings,
                   const ChainSettings& settings) {
  return ChainMaker(population, surroundings, settings).make();
}

}  // namespace peal::bubbles
