#include <peal/radiation/ray_response.h>
#include <peal/util/lanes.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace peal::radiation {

namespace {

using base::Vec3;
using Form = base::RaysSettings::Form;

constexpr auto no_row = std::numeric_limits<std::uint32_t>::max();

constexpr double least_distance = 0.005;  ///< nearer places are as loud as this [m]

/// Channels whose sum is kept in single precision.
constexpr std::size_t channels_at_a_time = 96;

using Lanes = util::Widest<float>;
constexpr std::size_t lanes = util::widest_lanes<float>;
constexpr std::size_t vectors = RayResponse::block / lanes;

/// A block of sums in single precision.
template <int sums>
struct PartialSums {
  Lanes of[sums][vectors] = {};

  void move_to(RayResponse::Sums& out) {
    for (std::size_t s = 0; s < sums; ++s) {
      for (std::size_t v = 0; v < vectors; ++v) {
        for (std::size_t i = 0; i < lanes; ++i)
          out[s][v * lanes + i] += static_cast<double>(of[s][v][i]);
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

/// To the sums, of a few rays from place `first` on; `nearness` is 1 / R.
std::array<SomeFloats, most_sums> weights_of(const SoundingSurface& surface, std::size_t first,
                                             const SomeFloats& cosine, const SomeFloats& nearness,
                                             Form form) {
  std::array<SomeFloats, most_sums> weights;
  weights.fill(SomeFloats::Zero());
  const bool is_sheet = surface.body().is_sheet;
  if (form == Form::kirchhoff) {
    // The far side of a sheet moves the other way: what pushes there pulls here.
    const float monopole = is_sheet ? 0.0f : 1.0f;
    const SomeFloats dipole = (is_sheet ? 2.0f : 1.0f) * cosine;
    const auto a = static_cast<float>(surface.radius());
    const SomeFloats air = some_of(surface.air_lengths(), first);
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

/// What goes through the filter of one channel.
struct Filtered {
  Lanes values[vectors] = {};

  void add(float tap, const float* a) {
    for (std::size_t v = 0; v < vectors; ++v) values[v] += tap * util::load<Lanes>(a + v * lanes);
  }
  void add(const float* taps, const float* a, std::int64_t count) {
    for (std::int64_t j = 0; j < count; ++j) add(taps[j], a + j);
  }
};

/// Through two filters: what both need is loaded once.
void add_both(Filtered& one, Filtered& other, const float* one_tap, const float* other_tap,
              const float* a, std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j) {
    for (std::size_t v = 0; v < vectors; ++v) {
      const auto values = util::load<Lanes>(a + j + v * static_cast<std::int64_t>(lanes));
      one.values[v] += one_tap[j] * values;
      other.values[v] += other_tap[j] * values;
    }
  }
}

/// Weights of short_delay.h.
using Window = std::array<Lanes, ShortDelay::padded / lanes>;

Window blended(const ShortDelay::Between& at) {
  Window weights;
  for (std::size_t v = 0; v < weights.size(); ++v) {
    const auto lower = util::load<Lanes>(at.lower + v * lanes);
    weights[v] = lower + at.blend * (util::load<Lanes>(at.upper + v * lanes) - lower);
  }
  return weights;
}

}  // namespace

std::size_t RayResponse::memory(bool has_patches) {
  return has_patches ? 0 : sizeof(Row) + ShortDelay::padded * sizeof(float);
}

void RayResponse::take(const SoundingSurface& surface, const PlacedSurface& placed,
                       std::span<const std::uint32_t> pieces, std::span<const char> is_seen,
                       const Hearing& hearing, Work& work) {
  sums_ = sums_of(hearing.form);
  delay_ = hearing.between;
  work.rays.resize(Coordinates::padded(surface.places()));
  std::size_t followed = 0;  // up to this place
  for (const std::uint32_t number : pieces) {
    const SoundingSurface::Piece& piece = surface.pieces()[number];
    constexpr std::size_t some = Coordinates::at_once;
    followed = std::max(followed, piece.begin / some * some);
    for (; followed < piece.end; followed += some) work.follow(surface, placed, followed, hearing);
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      if (is_seen[i] == 0) work.rays[i].spread = 0.0f;
    }
  }
  if (surface.patches()) {
    take_patches(surface, placed, pieces, work);
  } else {
    take_places(surface, pieces, work);
  }
  first_ = last_ = 0;
  for (const Row& row : rows_) {
    first_ = std::min<std::int64_t>(first_, row.first);
    last_ = std::max<std::int64_t>(last_, row.first + static_cast<std::int64_t>(row.taps));
  }
}

/// A few rays from place `first` on. What arrives left at u - late, when R was larger by late times
/// the speed towards the ear, and arrives together with what leaves the middle at u:
/// late D = R / c - delay.
void RayResponse::Work::follow(const SoundingSurface& surface, const PlacedSurface& placed,
                               std::size_t first, const Hearing& hearing) {
  const double c = hearing.speed_of_sound;
  std::array<Some, 3> way;
  for (std::size_t k = 0; k < 3; ++k)
    way[k] = hearing.ear[static_cast<Eigen::Index>(k)] - some_of(placed.places.of[k], first);
  const Some distance =
      (way[0].square() + way[1].square() + way[2].square()).sqrt().max(least_distance);
  // Only delays need more than single precision.
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
      (hearing.delay - distance * hearing.rate.samples(1.0 / c)) * slowness.cast<double>();
  const Some whole = position.floor();
  const SomeFloats fraction = (position - whole).cast<float>();
  const Eigen::Array<std::int32_t, some_rays, 1> begin = whole.cast<std::int32_t>();
  const SomeFloats spread = some_of(placed.area, first) * nearness * slowness.square();
  const auto weights = weights_of(surface, first, toward(placed.normals), nearness, hearing.form);
  for (Eigen::Index i = 0; i < some_rays; ++i) {
    rays[first + static_cast<std::size_t>(i)] = {
        .first = begin[i] - (hearing.between->half() - 1),
        .fraction = fraction[i],
        .spread = spread[i],
        .weight = {weights[0][i], weights[1][i], weights[2][i]}};
  }
}

void RayResponse::take_places(const SoundingSurface& surface, std::span<const std::uint32_t> pieces,
                              const Work& work) {
  width_ = ShortDelay::padded;
  taps_.clear();
  rows_.clear();
  for (const std::uint32_t number : pieces) {
    const SoundingSurface::Piece& piece = surface.pieces()[number];
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      const Ray& ray = work.rays[i];
      rows_.push_back({i, ray.first, ray.first,
                       ray.spread > 0.0f ? static_cast<std::uint32_t>(delay_->taps()) : 0,
                       ray.weight});
      for (const float weight : delay_->weights(ray.fraction)) taps_.push_back(ray.spread * weight);
    }
  }
}

/// Makes place for filters of all patches around the pieces, as long as their rays differ in delay.
void RayResponse::lay_out_rows(const SoundingSurface& surface,
                               std::span<const std::uint32_t> pieces, Work& work) {
  const SurfacePatches& patches = *surface.patches();
  work.row_of.assign(patches.size(), no_row);
  rows_.clear();
  work.reaches.clear();
  std::int32_t longest = 0;
  for (const std::uint32_t number : pieces) {
    const SoundingSurface::Piece& piece = surface.pieces()[number];
    Reach& reach = work.reaches.emplace_back();
    for (std::size_t i = piece.begin; i < piece.end; ++i) reach.add(work.rays[i].first);
    for (const std::uint32_t patch : patches.corners(piece.triangle)) {
      if (work.row_of[patch] == no_row) {
        work.row_of[patch] = static_cast<std::uint32_t>(rows_.size());
        rows_.push_back({.channel = patch, .first = reach.first, .last = reach.last});
      }
      Row& row = rows_[work.row_of[patch]];
      row.first = std::min(row.first, reach.first);
      row.last = std::max(row.last, reach.last);
      longest = std::max(longest, row.last - row.first);
    }
  }
  width_ = static_cast<std::size_t>(longest + delay_->taps()) + ShortDelay::padded;
  taps_.assign(rows_.size() * width_, 0.0f);
  work.means.assign(rows_.size(), Means{});
}

/// Those places of a triangle whose weights begin from `from` on and fit a window: summed up for
/// each corner by the share that it has in them, and then added to the filters of the corners'
/// patches.
void RayResponse::add_piece(const SoundingSurface& surface, const PlacedSurface& placed,
                            const SoundingSurface::Piece& piece, std::int32_t from, Work& work) {
  using Four = util::LanesOf<float, sizeof(Means)>::type;
  const auto& points = surface.samples().points;
  const ShortDelay& delay = *delay_;
  Window sums[3] = {};
  Four means[3] = {};
  for (std::size_t i = piece.begin; i < piece.end; ++i) {
    const Ray& ray = work.rays[i];
    const auto shift = static_cast<std::uint32_t>(ray.first - from);
    if (shift > delay.most_shift() || ray.spread == 0.0f) continue;
    const Window weights = blended(delay.between(ray.fraction, shift));
    const Four all = ray.spread * Four{1.0f, ray.weight[0], ray.weight[1], ray.weight[2]};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto part = static_cast<float>(points[i].barycentric[static_cast<Eigen::Index>(k)]);
      const float factor = part * ray.spread;
      for (std::size_t v = 0; v < weights.size(); ++v) sums[k][v] += factor * weights[v];
      means[k] += part * all;
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t number = work.row_of[surface.patches()->corners(piece.triangle)[k]];
    const float along = placed.corner_cosines[piece.triangle][k];
    float* const row =
        &taps_[number * width_ + static_cast<std::size_t>(from - rows_[number].first)];
    for (std::size_t v = 0; v < sums[k].size(); ++v)
      util::store(row + v * lanes, util::load<Lanes>(row + v * lanes) + along * sums[k][v]);
    float* const mean = work.means[number].data();
    util::store(mean, util::load<Four>(mean) + along * means[k]);
  }
}

void RayResponse::take_patches(const SoundingSurface& surface, const PlacedSurface& placed,
                               std::span<const std::uint32_t> pieces, Work& work) {
  lay_out_rows(surface, pieces, work);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto step = static_cast<std::int32_t>(delay_->most_shift()) + 1;
    for (std::int32_t from = work.reaches[i].first; from <= work.reaches[i].last; from += step)
      add_piece(surface, placed, surface.pieces()[pieces[i]], from, work);
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& [spread, first, second, third] = work.means[i];
    if (!(spread > 0.0f)) continue;
    rows_[i].taps = static_cast<std::uint32_t>(rows_[i].last - rows_[i].first + delay_->taps());
    rows_[i].weight = {first / spread, second / spread, third / spread};
  }
}

template <int sums>
void RayResponse::make_some(const SurfaceSeries& series, std::int64_t u, Sums& out) const {
  PartialSums<sums> part;
  std::size_t added = 0;
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const Row& row = rows_[c];
    if (row.taps == 0 || series.is_silent(row.channel)) continue;
    const float* const a = series.at(row.channel, u + row.first);
    const float* const tap = &taps_[c * width_];
    // Every other tap by itself: a sum waits for the one before.
    Filtered even, odd;
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

/// Their filters begin and end at nearly the same time: what they share is loaded once.
template <int sums>
void RayResponse::fade_some(const RayResponse& next, std::span<const float> rise,
                            const SurfaceSeries& series, std::int64_t u, Sums& out) const {
  PartialSums<sums> part;
  std::size_t added = 0;
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const Row &old = rows_[c], &young = next.rows_[c];
    if (old.taps + young.taps == 0 || series.is_silent(old.channel)) continue;
    const float* const a = series.at(old.channel, u);
    const float* const old_taps = &taps_[c * width_];
    const float* const young_taps = &next.taps_[c * next.width_];
    const std::int64_t old_end = old.first + std::int64_t{old.taps};
    const std::int64_t young_end = young.first + std::int64_t{young.taps};
    Filtered falls, rises;
    const std::int64_t begin = std::max(old.first, young.first);
    const std::int64_t end = std::max(begin, std::min(old_end, young_end));
    falls.add(old_taps, a + old.first, std::min(begin, old_end) - old.first);
    rises.add(young_taps, a + young.first, std::min(begin, young_end) - young.first);
    add_both(falls, rises, old_taps + (begin - old.first), young_taps + (begin - young.first),
             a + begin, end - begin);
    falls.add(old_taps + (end - old.first), a + end, old_end - end);
    rises.add(young_taps + (end - young.first), a + end, young_end - end);
    for (std::size_t v = 0; v < vectors; ++v) {
      const auto risen = util::load<Lanes>(&rise[v * lanes]);
      const Lanes from = (1.0f - risen) * falls.values[v], to = risen * rises.values[v];
      for (std::size_t s = 0; s < sums; ++s)
        part.of[s][v] += old.weight[s] * from + young.weight[s] * to;
    }
    if (++added % channels_at_a_time == 0) part.move_to(out);
  }
  part.move_to(out);
}

void RayResponse::make_fading(const RayResponse& next, double begin, double step,
                              const SurfaceSeries& series, std::int64_t u, Sums& sums) const {
  for (auto& list : sums) list.fill(0.0);
  std::array<float, block> rise;
  for (std::size_t i = 0; i < block; ++i)
    rise[i] = static_cast<float>(begin + step * static_cast<double>(i));
  sums_ == most_sums ? fade_some<most_sums>(next, rise, series, u, sums)
                     : fade_some<1>(next, rise, series, u, sums);
}

void RayResponse::make(const SurfaceSeries& series, std::int64_t u, Sums& sums) const {
  for (auto& list : sums) list.fill(0.0);
  sums_ == most_sums ? make_some<most_sums>(series, u, sums) : make_some<1>(series, u, sums);
}

}  // namespace peal::radiation
