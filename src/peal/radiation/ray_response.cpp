#include <peal/radiation/ray_response.h>
#include <peal/util/lanes.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace peal::radiation {

namespace {

using base::Vec3;
using Form = base::RaysSettings::Form;

constexpr double least_distance = 0.005;  ///< nearer places are as loud as this [m]

/// Channels whose sum is kept in single precision.
constexpr std::size_t channels_at_a_time = 96;

const ShortDelay& short_delay() {
  static const ShortDelay delay;
  return delay;
}

void add_weights(float factor, const float* weights, float* to) {
  for (std::size_t i = 0; i < ShortDelay::padded; ++i) to[i] += factor * weights[i];
}

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

}  // namespace

void RayResponse::take(const SoundingSurface& surface, const PlacedSurface& placed,
                       bool is_of_vertices, std::span<const char> is_seen, const Hearing& hearing) {
  is_of_vertices_ = is_of_vertices;
  sums_ = sums_of(hearing.form);
  rays_.resize(surface.places());
  for (std::size_t i = 0; i < rays_.size(); ++i) {
    rays_[i] = ray(surface, placed, i, hearing);
    if (is_seen[i] == 0) rays_[i].gain = {};
  }
  if (is_of_vertices_) {
    take_vertices(surface, placed);
  } else {
    take_places();
  }
  first_ = last_ = 0;
  for (const Row& row : rows_) {
    if (row.taps == 0) continue;
    first_ = std::min<std::int64_t>(first_, row.first);
    last_ = std::max<std::int64_t>(last_, row.first + static_cast<std::int64_t>(row.taps));
  }
}

/// It left at u - late, when R was larger by late times the speed towards the ear, and arrives
/// together with what leaves the middle at u: late D = R / c - delay.
RayResponse::Ray RayResponse::ray(const SoundingSurface& surface, const PlacedSurface& placed,
                                  std::size_t place, const Hearing& hearing) const {
  const double c = hearing.speed_of_sound;
  const Vec3 way = hearing.ear - placed.places[place];
  const double distance = std::max(way.norm(), least_distance);
  const double cosine = placed.normals[place].dot(way) / distance;
  const double doppler = 1.0 - placed.velocities[place].dot(way) / (distance * c);
  const double position = (hearing.delay - hearing.rate.samples(distance / c)) / doppler;
  const double whole = std::floor(position);
  Ray ray{.first = static_cast<std::int32_t>(whole) - (ShortDelay::half - 1),
          .fraction = static_cast<float>(position - whole)};
  const double spread = placed.area[place] / (distance * doppler * doppler);
  const bool is_sheet = surface.body().is_sheet;
  if (hearing.form == Form::kirchhoff) {
    // The far side of a sheet moves the other way: what pushes there pulls here.
    const double monopole = is_sheet ? 0.0 : spread;
    const double dipole = (is_sheet ? 2.0 : 1.0) * spread * cosine;
    const double a = surface.radius(), air = surface.air_lengths()[place];
    ray.gain = {static_cast<float>(monopole + dipole),
                static_cast<float>(2.0 * monopole + dipole * (a / distance + 2.0 * air / a)),
                static_cast<float>(2.0 * monopole + 2.0 * dipole * air / distance)};
  } else if (hearing.form == Form::rayleigh) {
    ray.gain[0] = static_cast<float>(is_sheet && cosine < 0.0 ? -spread : spread);
  } else {
    ray.gain[0] = static_cast<float>(spread * cosine);
  }
  return ray;
}

void RayResponse::take_places() {
  width_ = ShortDelay::padded;
  taps_.resize(rays_.size() * width_);
  rows_.clear();
  gains_.clear();
  for (std::size_t i = 0; i < rays_.size(); ++i) {
    const Ray& ray = rays_[i];
    const bool is_heard = ray.gain != std::array<float, most_sums>{};
    rows_.push_back({ray.first, is_heard ? std::uint32_t{ShortDelay::taps} : 0});
    gains_.push_back(ray.gain);
    std::ranges::copy(short_delay().weights(static_cast<double>(ray.fraction)), &taps_[i * width_]);
  }
}

/// Makes place for filters of all vertices, as long as the rays around each differ in delay.
void RayResponse::lay_out_rows(const SoundingSurface& surface) {
  const auto& points = surface.samples().points;
  const auto& triangles = surface.body().mesh.triangles;
  const std::size_t vertices = surface.body().mesh.vertices.size();
  std::vector<std::int32_t> low(vertices, std::numeric_limits<std::int32_t>::max());
  std::vector<std::int32_t> high(vertices, std::numeric_limits<std::int32_t>::min());
  for (std::size_t i = 0; i < rays_.size(); ++i) {
    for (const std::uint32_t v : triangles[points[i].triangle]) {
      low[v] = std::min(low[v], rays_[i].first);
      high[v] = std::max(high[v], rays_[i].first);
    }
  }
  std::size_t longest = 0;
  rows_.assign(3 * vertices, Row{});
  for (std::size_t v = 0; v < vertices; ++v) {
    if (high[v] < low[v]) continue;
    const auto taps = static_cast<std::uint32_t>(high[v] - low[v] + ShortDelay::taps);
    for (std::size_t k = 0; k < 3; ++k) rows_[3 * v + k] = {low[v], taps};
    longest = std::max<std::size_t>(longest, taps);
  }
  width_ = longest + ShortDelay::padded;  // zeros are added, too
  taps_.assign(rows_.size() * static_cast<std::size_t>(sums_) * width_, 0.0f);
}

/// The places [begin, end) of one triangle: first by the share that each corner has in them, into
/// `own` filters, and then along the triangle's normal into those of its corners.
void RayResponse::add_triangle(const SoundingSurface& surface, const PlacedSurface& placed,
                               std::size_t begin, std::size_t end, std::vector<float>& own) {
  const auto& points = surface.samples().points;
  const auto sums = static_cast<std::size_t>(sums_);
  std::int32_t from = rays_[begin].first, to = from;
  for (std::size_t i = begin; i < end; ++i) {
    from = std::min(from, rays_[i].first);
    to = std::max(to, rays_[i].first);
  }
  const std::size_t taps = static_cast<std::size_t>(to - from) + ShortDelay::taps;
  constexpr std::size_t some = ShortDelay::padded;
  const std::size_t length = (taps + some - 1) / some * some, width = length + some;
  own.assign(3 * sums * width, 0.0f);
  for (std::size_t i = begin; i < end; ++i) {
    const auto weights = short_delay().weights(static_cast<double>(rays_[i].fraction));
    const auto shift = static_cast<std::size_t>(rays_[i].first - from);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto part = static_cast<float>(points[i].barycentric[static_cast<Eigen::Index>(k)]);
      for (std::size_t s = 0; s < sums; ++s)
        add_weights(part * rays_[i].gain[s], weights.data(), &own[(k * sums + s) * width + shift]);
    }
  }
  const geometry::Triangle& corners = surface.body().mesh.triangles[points[begin].triangle];
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t channel = 3 * corners[k] + axis;
      const auto along =
          static_cast<float>(placed.own_normals[begin][static_cast<Eigen::Index>(axis)]);
      if (along == 0.0f) continue;
      const auto shift = static_cast<std::size_t>(from - rows_[channel].first);
      for (std::size_t s = 0; s < sums; ++s) {
        const float* const mine = &own[(k * sums + s) * width];
        float* const row = &taps_[(channel * sums + s) * width_ + shift];
        for (std::size_t i = 0; i < length; i += some) add_weights(along, mine + i, row + i);
      }
    }
  }
}

void RayResponse::take_vertices(const SoundingSurface& surface, const PlacedSurface& placed) {
  lay_out_rows(surface);
  const auto& points = surface.samples().points;
  std::vector<float> own;
  for (std::size_t begin = 0, end = 0; begin < rays_.size(); begin = end) {
    while (end < rays_.size() && points[end].triangle == points[begin].triangle) ++end;
    add_triangle(surface, placed, begin, end, own);
  }
  const std::size_t length = static_cast<std::size_t>(sums_) * width_;
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const std::span<const float> taps(&taps_[c * length], length);
    if (std::ranges::all_of(taps, [](float tap) { return tap == 0.0f; })) rows_[c].taps = 0;
  }
}

template <int sums>
void RayResponse::make_of_vertices(const SurfaceSeries& series, std::int64_t u, Sums& out) const {
  PartialSums<sums> part;
  std::size_t added = 0;
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const Row row = rows_[c];
    if (row.taps == 0 || series.is_silent(c)) continue;
    const float* a = series.at(c, u + row.first);
    const float* tap = &taps_[c * sums * width_];
    for (std::uint32_t j = 0; j < row.taps; ++j, ++a, ++tap) {
      for (std::size_t v = 0; v < vectors; ++v) {
        const auto values = util::load<Lanes>(a + v * lanes);
        for (std::size_t s = 0; s < sums; ++s) part.of[s][v] += tap[s * width_] * values;
      }
    }
    if (++added % channels_at_a_time == 0) part.move_to(out);
  }
  part.move_to(out);
}

template <int sums>
void RayResponse::make_of_places(const SurfaceSeries& series, std::int64_t u, Sums& out) const {
  PartialSums<sums> part;
  std::size_t added = 0;
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    if (rows_[c].taps == 0 || series.is_silent(c)) continue;
    const float* const a = series.at(c, u + rows_[c].first);
    const float* const tap = &taps_[c * width_];
    Lanes value[vectors] = {};
    for (std::size_t j = 0; j < ShortDelay::taps; ++j) {
      for (std::size_t v = 0; v < vectors; ++v)
        value[v] += tap[j] * util::load<Lanes>(a + j + v * lanes);
    }
    for (std::size_t s = 0; s < sums; ++s) {
      for (std::size_t v = 0; v < vectors; ++v) part.of[s][v] += gains_[c][s] * value[v];
    }
    if (++added % channels_at_a_time == 0) part.move_to(out);
  }
  part.move_to(out);
}

void RayResponse::make(const SurfaceSeries& series, std::int64_t u, Sums& sums) const {
  for (auto& list : sums) list.fill(0.0);
  const auto run = [&]<int number>() {
    is_of_vertices_ ? make_of_vertices<number>(series, u, sums)
                    : make_of_places<number>(series, u, sums);
  };
  sums_ == most_sums ? run.template operator()<most_sums>() : run.template operator()<1>();
}

}  // namespace peal::radiation
