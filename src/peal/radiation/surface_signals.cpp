#include <peal/radiation/surface_signals.h>
#include <peal/util/lanes.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace peal::radiation {

namespace {

constexpr std::int64_t asked_at_once = 16;  ///< samples, from a multiple of this on
constexpr double normals_time = 1.5e-3;     ///< longest interval between exact normals [s]

std::int64_t round_down(std::int64_t index, std::int64_t step) {
  const std::int64_t rest = index % step;
  return index - (rest < 0 ? rest + step : rest);
}

/// Samples between exact normals; in between, normals are interpolated linearly.
std::int64_t apart_at(base::Rate rate) {
  std::int64_t instants = 4 * asked_at_once;
  while (instants > asked_at_once && rate.seconds(instants) > normals_time) instants /= 2;
  return instants;
}

}  // namespace

bool SurfaceSignals::has_vertices(const base::Body& body, base::Rate rate) {
  return std::ranges::all_of(body.sources,
                             [&](const auto& source) { return source->vertex_rate() == rate; });
}

SurfaceSignals::SurfaceSignals(RadiatingSurface& surface, base::Rate rate)
    : surface_(surface),
      rate_(rate),
      normals_apart_(apart_at(rate)),
      channels_(surface.patches() ? surface.patches()->size() : surface.sample_points()),
      sources_(surface.body().sources),
      is_silent_(channels_) {
  if (!surface.patches()) bind(0.0);
}

/// Evaluates the sources at the sample points of the shape that the body has at t.
void SurfaceSignals::bind(double t) {
  surface_.take_shape(t);
  sources_.set_points(surface_.samples().points);
}

void SurfaceSignals::take(std::int64_t begin, std::int64_t end) {
  begin = round_down(begin, asked_at_once);
  end = round_down(end + asked_at_once - 1, asked_at_once);
  const bool follows = begin >= begin_ && begin < end_;
  const std::int64_t known = follows ? std::min(end, end_) : begin;
  make_room(begin, end, known);
  if (surface_.patches()) {
    evaluate_patches(known, end);
  } else {
    evaluate_samples(known, end);
  }
  for (std::size_t c = 0; c < channels_; ++c) {
    const std::span<const float> series(at(c, begin), static_cast<std::size_t>(end - begin));
    is_silent_[c] = std::ranges::all_of(series, [](float a) { return a == 0.0f; });
  }
}

/// Makes room for the samples [begin, end) and keeps those that are known, up to `known`.
void SurfaceSignals::make_room(std::int64_t begin, std::int64_t end, std::int64_t known) {
  const auto needed = static_cast<std::size_t>(end - begin);
  const auto kept = static_cast<std::size_t>(known - begin);
  if (needed <= length_) {
    for (std::size_t c = 0; c < channels_ && kept > 0; ++c) {
      float* const series = &samples_[c * length_];
      std::memmove(series, series + (begin - begin_), kept * sizeof(float));
    }
  } else {
    std::vector<float> samples(channels_ * needed);
    for (std::size_t c = 0; c < channels_ && kept > 0; ++c)
      std::copy_n(at(c, begin), kept, &samples[c * needed]);
    samples_ = std::move(samples);
    length_ = needed;
  }
  begin_ = begin;
  end_ = end;
}

/// Reads the accelerations of all vertices over asked_at_once samples.
void SurfaceSignals::read_vertices(std::int64_t begin) {
  const auto& sources = surface_.body().sources;
  const base::SampleRange range{begin, begin + asked_at_once};
  sources.front()->coefficients(rate_, range, vertices_);
  for (std::size_t s = 1; s < sources.size(); ++s) {
    sources[s]->coefficients(rate_, range, other_);
    vertices_ += other_;
  }
}

/// Computes the normals of patches from an index on, a multiple of normals_apart_.
void SurfaceSignals::take_normals(std::int64_t begin) {
  if (normals_begin_ == begin || (normals_begin_ && !surface_.body().deformation)) return;
  if (normals_begin_ != begin - normals_apart_)
    surface_.patch_normals(rate_.seconds(begin), next_normals_);
  normals_ = next_normals_;
  if (surface_.body().deformation)
    surface_.patch_normals(rate_.seconds(begin + normals_apart_), next_normals_);
  turns_.resize(channels_);
  for (std::size_t c = 0; c < channels_; ++c) {
    for (std::size_t k = 0; k < 3; ++k) turns_[c][k] = next_normals_[c][k] - normals_[c][k];
  }
  normals_begin_ = begin;
}

void SurfaceSignals::evaluate_patches(std::int64_t begin, std::int64_t end) {
  using Lanes = util::Widest<float>;
  constexpr std::size_t lanes = util::widest_lanes<float>;
  constexpr auto count = static_cast<std::size_t>(asked_at_once);
  for (std::int64_t from = begin; from < end; from += asked_at_once) {
    read_vertices(from);
    const std::int64_t bound = round_down(from, normals_apart_);
    take_normals(bound);
    std::array<float, count> passed;  // fraction of the time between two exact normals
    for (std::size_t i = 0; i < count; ++i)
      passed[i] = static_cast<float>(from - bound + static_cast<std::int64_t>(i)) /
                  static_cast<float>(normals_apart_);
    for (std::size_t c = 0; c < channels_; ++c) {
      const float* const a = vertices_.data() + 3 * count * surface_.patches()->vertex(c);
      float* const series = &samples_[c * length_ + static_cast<std::size_t>(from - begin_)];
      for (std::size_t i = 0; i < count; i += lanes) {
        const auto part = util::load<Lanes>(&passed[i]);
        Lanes sum{};
        for (std::size_t k = 0; k < 3; ++k)
          sum += (normals_[c][k] + part * turns_[c][k]) * util::load<Lanes>(a + k * count + i);
        util::store(series + i, sum);
      }
    }
  }
}

void SurfaceSignals::evaluate_samples(std::int64_t begin, std::int64_t end) {
  const bool deforms = surface_.body().deformation != nullptr;
  for (std::int64_t from = begin; from < end; from += asked_at_once) {
    // The normals turn with the shape.
    if (deforms) bind(rate_.seconds(from + asked_at_once / 2));
    for (std::int64_t i = 0; i < asked_at_once; ++i) {
      const std::span<const float> instant = sources_.accelerations({from + i, rate_});
      float* const series = &samples_[static_cast<std::size_t>(from + i - begin_)];
      for (std::size_t c = 0; c < channels_; ++c) series[c * length_] = instant[c];
    }
  }
}

}  // namespace peal::radiation
