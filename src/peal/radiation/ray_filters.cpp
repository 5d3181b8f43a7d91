#include <peal/radiation/ray_filters.h>
#include <peal/util/lanes.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace peal::radiation {

namespace {

using base::Vec3;
using Form = base::RaysSettings::Form;

constexpr double least_distance = 0.005;  ///< limits the level of nearer sample points [m]

/// How many channels ahead the samples are prefetched.
constexpr std::size_t ahead = 4;

/// How many channels are summed in single precision.
constexpr std::size_t channels_at_a_time = 96;

using Lanes = util::Widest<float>;
constexpr std::size_t lanes = util::widest_lanes<float>;

/// Partial sums in single precision.
template <int sums, std::size_t vectors>
struct PartialSums {
  Lanes of[sums][vectors] = {};

  void move_to(RayFilters::Sums& out) {
    for (std::size_t s = 0; s < sums; ++s) {
      for (std::size_t v = 0; v < vectors; ++v) {
        std::array<float, lanes> values;  // in memory, so that the others stay in registers
        util::store(values.data(), of[s][v]);
        for (std::size_t i = 0; i < lanes; ++i)
          out[s][v * lanes + i] += static_cast<double>(values[i]);
        of[s][v] = Lanes{};
      }
    }
  }
};

constexpr auto some_rays = static_cast<Eigen::Index>(Coordinates::at_once);
using Some = Eigen::Array<double, some_rays, 1>;
using SomeFloats = Eigen::Array<float, some_rays, 1>;

Some some_of(const std::vector<double>& list, std::size_t first) {
  return Eigen::Map<const Some>(&list[first]);
}
SomeFloats some_of(const std::vector<float>& list, std::size_t first) {
  return Eigen::Map<const SomeFloats>(&list[first]);
}

/// Weights of a few rays, from sample point `first` on, in each sum; `nearness` is 1 / R.
std::array<SomeFloats, most_sums> weights_of(const RadiatingSurface& surface, std::size_t first,
                                             const SomeFloats& cosine, const SomeFloats& nearness,
                                             Form form) {
  std::array<SomeFloats, most_sums> weights;
  weights.fill(SomeFloats::Zero());
  const bool is_sheet = surface.body().is_sheet;
  if (form == Form::kirchhoff) {
    // The far side of a sheet moves the other way, so the monopoles of the two sides cancel.
    const float monopole = is_sheet ? 0.0f : 1.0f;
    const SomeFloats dipole = (is_sheet ? 2.0f : 1.0f) * cosine;
    const auto a = static_cast<float>(surface.radius());
    const SomeFloats air = some_of(surface.added_mass_lengths(), first);
    weights[0] = monopole + dipole;
    weights[1] = 2.0f * monopole + dipole * (a * nearness + 2.0f / a * air);
    weights[2] = 2.0f * monopole + 2.0f * dipole * air * nearness;
  } else if (form == Form::rayleigh) {
    for (Eigen::Index i = 0; i < some_rays; ++i)
      weights[0][i] = is_sheet && cosine[i] < 0.0f ? -1.0f : 1.0f;
  } else {
    weights[0] = cosine;
  }
  return weights;
}

/// The output of the filter of one channel.
template <std::size_t vectors>
struct Filtered {
  Lanes values[vectors] = {};

  void add(float tap, const float* a) {
    for (std::size_t v = 0; v < vectors; ++v) values[v] += tap * util::load<Lanes>(a + v * lanes);
  }
  void add(const float* taps, const float* a, std::int64_t count) {
    for (std::int64_t j = 0; j < count; ++j) add(taps[j], a + j);
  }
};

/// Applies two filters at once, so that samples that both need are loaded once.
template <std::size_t vectors>
void add_both(Filtered<vectors>& one, Filtered<vectors>& other, const float* one_tap,
              const float* other_tap, const float* a, std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j) {
    for (std::size_t v = 0; v < vectors; ++v) {
      const auto values = util::load_once<Lanes>(a + j + v * static_cast<std::int64_t>(lanes));
      one.values[v] += one_tap[j] * values;
      other.values[v] += other_tap[j] * values;
    }
  }
}

/// Calls `make` with the number of sums and the number of vectors in `count` samples as
/// compile-time constants.
template <class Make>
void with_constants(int sums, std::size_t count, const Make& make) {
  constexpr std::size_t all = RayFilters::block / lanes, half = RayFilters::block / 2 / lanes;
  const auto with_sums = [&](auto known) {
    count == RayFilters::block ? make(known, std::integral_constant<std::size_t, all>())
                               : make(known, std::integral_constant<std::size_t, half>());
  };
  sums == most_sums ? with_sums(std::integral_constant<int, most_sums>())
                    : with_sums(std::integral_constant<int, 1>());
}

/// The taps that the weights of sinc_delay.h extend over, wherever they begin.
using Taps = std::array<Lanes, SincDelay::padded / lanes>;

}  // namespace

std::size_t RayFilters::memory(bool has_patches) {
  return has_patches ? 0 : sizeof(Row) + (margin + 2 * SincDelay::padded) * sizeof(float);
}

void RayFilters::take(const RadiatingSurface& surface, const PlacedSurface& placed,
                      std::span<const std::uint32_t> channels, std::span<const char> is_audible,
                      const ReceiverGeometry& receiver_geometry, Work& work) {
  sums_ = sums_of(receiver_geometry.form);
  delay_ = receiver_geometry.between;
  constexpr std::size_t some = Coordinates::at_once;
  work.firsts_.resize(is_audible.size());
  work.spreads_.resize(is_audible.size());
  work.windows_.resize(is_audible.size() + 1);
  for (std::size_t first = 0; first < is_audible.size(); first += some) {
    const auto received = is_audible.subspan(first, some);
    std::uint64_t any = 0;
    static_assert(sizeof(any) == some);
    std::memcpy(&any, received.data(), some);
    if (any != 0) {
      work.follow(surface, placed, first, received, receiver_geometry);
    } else {
      std::fill_n(&work.firsts_[first], some, Work::inaudible);
    }
  }
  rows_.clear();
  if (surface.patches()) {
    take_patches(surface, placed, channels, work);
  } else {
    take_samples(channels, work);
  }
  first_ = last_ = 0;
  for (const Row& row : rows_) {
    first_ = std::min<std::int64_t>(first_, row.first);
    last_ = std::max<std::int64_t>(last_, row.first + static_cast<std::int64_t>(row.taps));
  }
}

/// Follows a few rays, from sample point `first` on. Sound that arrives with that of the middle at
/// u left at u - late, when R was larger by late times the speed towards the receiver: late D = R /
/// c - delay.
void RayFilters::Work::follow(const RadiatingSurface& surface, const PlacedSurface& placed,
                              std::size_t first, std::span<const char> is_audible,
                              const ReceiverGeometry& receiver_geometry) {
  const double c = receiver_geometry.speed_of_sound;
  std::array<Some, 3> way;
  for (std::size_t k = 0; k < 3; ++k)
    way[k] = receiver_geometry.receiver_point[static_cast<Eigen::Index>(k)] -
             some_of(placed.sample_points.of[k], first);
  const Some distance =
      (way[0].square() + way[1].square() + way[2].square()).sqrt().max(least_distance);
  // Only the delays need double precision.
  const SomeFloats nearness = distance.cast<float>().inverse();
  const auto toward = [&](const CoordinatesOf<float>& vectors) -> SomeFloats {
    return (some_of(vectors.of[0], first) * way[0].cast<float>() +
            some_of(vectors.of[1], first) * way[1].cast<float>() +
            some_of(vectors.of[2], first) * way[2].cast<float>()) *
           nearness;
  };
  SomeFloats slowness = SomeFloats::Ones();  // 1 / D
  if (placed.moves)
    slowness = (1.0f - toward(placed.velocities) * static_cast<float>(1.0 / c)).inverse();
  const Some position =
      (receiver_geometry.delay - distance * receiver_geometry.rate.samples(1.0 / c)) *
      slowness.cast<double>();
  const Some whole = position.floor();
  const SomeFloats fraction = (position - whole).cast<float>();
  using SomeNumbers = Eigen::Array<std::int32_t, some_rays, 1>;
  const auto received = Eigen::Map<const Eigen::Array<char, some_rays, 1>>(is_audible.data()) != 0;
  Eigen::Map<SomeNumbers> begin(&firsts_[first]);
  begin = received.select(whole.cast<std::int32_t>() - (receiver_geometry.between->half() - 1),
                          inaudible);
  const SomeFloats spread = some_of(placed.area, first) * nearness * slowness.square();
  const auto weights =
      weights_of(surface, first, toward(placed.normals), nearness, receiver_geometry.form);
  for (Eigen::Index i = 0; i < some_rays; ++i) {
    const std::size_t sample_point = first + static_cast<std::size_t>(i);
    windows_[sample_point + 1] = receiver_geometry.between->weights(fraction[i]);
    spreads_[sample_point] = {spread[i], spread[i] * weights[0][i], spread[i] * weights[1][i],
                              spread[i] * weights[2][i]};
  }
}

void RayFilters::clear_taps(std::size_t longest) {
  // Weights are added with their padding, so the last ones need room behind them.
  const auto behind = static_cast<std::int32_t>(SincDelay::padded) - delay_->taps();
  width_ = static_cast<std::size_t>(margin + std::max(margin, behind)) + longest;
  taps_.assign(rows_.size() * width_, 0.0f);
}

void RayFilters::take_samples(std::span<const std::uint32_t> channels, const Work& work) {
  const auto taps = static_cast<std::uint32_t>(delay_->taps());
  for (const std::uint32_t i : channels) {
    if (work.firsts_[i] == Work::inaudible) {
      rows_.push_back({.channel = i});
      continue;
    }
    const Spread& spread = work.spreads_[i];
    rows_.push_back({i, work.firsts_[i], taps, {spread[1], spread[2], spread[3]}});
  }
  clear_taps(taps);
  for (std::size_t r = 0; r < rows_.size(); ++r)
    std::copy_n(work.window(channels[r]), taps, taps_of(r));
}

/// Makes a filter long enough for the range of delays of its rays.
inline void RayFilters::measure(std::span<const RadiatingSurface::PatchSample> patch_samples,
                                const Work& work, Row& row) const {
  const std::int32_t* const firsts = work.firsts_.data();
  std::int32_t first = Work::inaudible, last = std::numeric_limits<std::int32_t>::min();
  for (const RadiatingSurface::PatchSample& share : patch_samples) {
    const std::int32_t one = firsts[share.sample_point];
    first = std::min(first, one);
    last = one == Work::inaudible ? last : std::max(last, one);
  }
  const bool is_audible = first <= last;
  row.first = is_audible ? first : 0;
  row.taps = is_audible ? static_cast<std::uint32_t>(last - first + delay_->taps()) : 0;
}

/// Adds up the weights of the sample points around a patch, each times its fraction in the patch.
/// `cosines` are those of the corners.
inline void RayFilters::fill(std::span<const RadiatingSurface::PatchSample> patch_samples,
                             const float* cosines, const Work& work, Row& row, float* taps) const {
  using Four = util::LanesOf<float, sizeof(Spread)>::type;
  const std::int32_t* const firsts = work.firsts_.data();
  const Spread* const spreads = work.spreads_.data();
  const float* const windows = work.window(0);
  const auto most_shift =
      static_cast<std::uint32_t>(SincDelay::padded) - static_cast<std::uint32_t>(delay_->taps());
  const std::uint32_t end = row.taps - static_cast<std::uint32_t>(delay_->taps() - 1);
  Four means{};
  for (std::uint32_t from = 0; from < end; from += most_shift + 1) {
    const std::uint32_t begin = static_cast<std::uint32_t>(row.first) + from;
    Taps sum{};
    for (const RadiatingSurface::PatchSample& share : patch_samples) {
      const std::uint32_t shift = static_cast<std::uint32_t>(firsts[share.sample_point]) - begin;
      if (shift > most_shift) continue;
      const auto spread = util::load<Four>(spreads[share.sample_point].data());
      const Four parts = cosines[share.corner] * share.part * spread;
      const float* const window = windows + share.sample_point * SincDelay::padded - shift;
      for (std::size_t v = 0; v < sum.size(); ++v)
        sum[v] += parts[0] * util::load<Lanes>(window + v * lanes);
      means += parts;
    }
    for (std::size_t v = 0; v < sum.size(); ++v) {
      float* const some = taps + from + v * lanes;
      util::store(some, util::load<Lanes>(some) + sum[v]);
    }
  }
  if (means[0] > 0.0f) {
    row.weight = {means[1] / means[0], means[2] / means[0], means[3] / means[0]};
  } else {
    row.taps = 0;
  }
}

void RayFilters::take_patches(const RadiatingSurface& surface, const PlacedSurface& placed,
                              std::span<const std::uint32_t> channels, const Work& work) {
  std::uint32_t longest = 0;
  rows_.resize(channels.size());
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    rows_[r].channel = channels[r];
    measure(surface.patch_samples(channels[r]), work, rows_[r]);
    longest = std::max(longest, rows_[r].taps);
  }
  clear_taps(longest);
  const float* const cosines = placed.corner_cosines.data();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].taps > 0)
      fill(surface.patch_samples(channels[r]), cosines, work, rows_[r], taps_of(r));
  }
}

template <int sums, std::size_t vectors>
void RayFilters::make_some(const SurfaceSignals& series, std::int64_t u, Sums& out) const {
  PartialSums<sums, vectors> part;
  std::size_t added = 0;
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const Row& row = rows_[c];
    if (row.taps == 0 || series.is_silent(row.channel)) continue;
    const float* const a = series.at(row.channel, u + row.first);
    const float* const tap = taps_of(c);
    // Even and odd taps have separate sums, because each addition waits for the one before.
    Filtered<vectors> even, odd;
    for (std::uint32_t j = 0; j + 1 < row.taps; j += 2) {
      even.add(tap[j], a + j);
      odd.add(tap[j + 1], a + j + 1);
    }
    if (row.taps % 2 != 0) even.add(tap[row.taps - 1], a + row.taps - 1);
    for (std::size_t v = 0; v < vectors; ++v) {
      const Lanes value = even.values[v] + odd.values[v];
      for (std::size_t s = 0; s < sums; ++s) part.of[s][v] += row.weight[s] * value;
    }
    if (++added % channels_at_a_time == 0) part.move_to(out);
  }
  part.move_to(out);
}

/// The filters of both mostly begin at nearly the same time, so samples that both need are loaded
/// once.
template <int sums, std::size_t vectors>
void RayFilters::fade_some(const RayFilters& next, std::span<const float> rise,
                           const SurfaceSignals& series, std::int64_t u, Sums& out) const {
  PartialSums<sums, vectors> part;
  std::size_t added = 0;
  Lanes risen[vectors], left[vectors];
  for (std::size_t v = 0; v < vectors; ++v) {
    risen[v] = util::load<Lanes>(&rise[v * lanes]);
    left[v] = 1.0f - risen[v];
  }
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const Row &old = rows_[c], &young = next.rows_[c];
    if (c + ahead < rows_.size()) {
      const float* const later = series.at(rows_[c + ahead].channel, u + rows_[c + ahead].first);
      for (std::size_t v = 0; v <= vectors; ++v) __builtin_prefetch(later + v * lanes);
    }
    if (old.taps + young.taps == 0 || series.is_silent(old.channel)) continue;
    const float* const a = series.at(old.channel, u);
    const float* const old_taps = taps_of(c);
    const float* const young_taps = next.taps_of(c);
    Filtered<vectors> falls, rises;
    const std::int32_t begin = std::min(old.first, young.first);
    const std::int32_t end = std::max(old.end(), young.end());
    if (end - begin <= margin + static_cast<std::int32_t>(std::min(old.taps, young.taps))) {
      add_both(falls, rises, old_taps + (begin - old.first), young_taps + (begin - young.first),
               a + begin, end - begin);
    } else {
      falls.add(old_taps, a + old.first, old.taps);
      rises.add(young_taps, a + young.first, young.taps);
    }
    for (std::size_t v = 0; v < vectors; ++v) {
      const Lanes from = left[v] * falls.values[v], to = risen[v] * rises.values[v];
      for (std::size_t s = 0; s < sums; ++s) {
        part.of[s][v] += old.weight[s] * from;
        part.of[s][v] += young.weight[s] * to;
      }
    }
    if (++added % channels_at_a_time == 0) part.move_to(out);
  }
  part.move_to(out);
}

void RayFilters::make_fading(const RayFilters& next, double begin, double step,
                             const SurfaceSignals& series, std::int64_t u, std::size_t count,
                             Sums& sums) const {
  for (auto& list : sums) list.fill(0.0);
  std::array<float, block> rise;
  for (std::size_t i = 0; i < block; ++i)
    rise[i] = static_cast<float>(begin + step * static_cast<double>(i));
  with_constants(sums_, count, [&](auto some_sums, auto vectors) {
    fade_some<some_sums, vectors>(next, rise, series, u, sums);
  });
}

void RayFilters::make(const SurfaceSignals& series, std::int64_t u, std::size_t count,
                      Sums& sums) const {
  for (auto& list : sums) list.fill(0.0);
  with_constants(sums_, count, [&](auto some_sums, auto vectors) {
    make_some<some_sums, vectors>(series, u, sums);
  });
}

}  // namespace peal::radiation
