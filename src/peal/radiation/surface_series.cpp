#include <peal/radiation/surface_series.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace peal::radiation {

namespace {

constexpr std::int64_t bound_for = 256;     ///< instants, where the shape changes
constexpr std::int64_t asked_at_once = 16;  ///< instants, from a multiple of this on

std::int64_t round_down(std::int64_t index, std::int64_t step) {
  const std::int64_t rest = index % step;
  return index - (rest < 0 ? rest + step : rest);
}

}  // namespace

bool SurfaceSeries::has_vertices(const base::Body& body, base::Rate rate) {
  return std::ranges::all_of(body.shaders, [&](const auto& shader) {
    return shader->vertices() != nullptr && shader->vertices()->rate() == rate;
  });
}

SurfaceSeries::SurfaceSeries(SoundingSurface& surface, base::Rate rate)
    : surface_(surface),
      rate_(rate),
      is_of_vertices_(has_vertices(surface.body(), rate)),
      channels_(is_of_vertices_ ? 3 * surface.body().mesh.vertices.size() : surface.places()),
      is_silent_(channels_) {
  if (!is_of_vertices_) bind(0.0);
}

/// Asks the shaders at the places of the shape that the body has at t.
void SurfaceSeries::bind(double t) {
  surface_.take_shape(t);
  shaders_.clear();
  for (const auto& shader : surface_.body().shaders)
    shaders_.push_back(shader->bound_to(surface_.samples().points));
}

void SurfaceSeries::take(std::int64_t begin, std::int64_t end) {
  begin = round_down(begin, asked_at_once);
  end = round_down(end + asked_at_once - 1, asked_at_once);
  const std::size_t length = static_cast<std::size_t>(end - begin);
  const bool follows = begin >= begin_ && begin < end_;
  const std::int64_t known = follows ? std::min(end, end_) : begin;
  if (follows && length == length_) {
    const auto kept = static_cast<std::size_t>(known - begin);
    for (std::size_t c = 0; c < channels_; ++c) {
      float* const series = &samples_[c * length];
      std::memmove(series, series + (begin - begin_), kept * sizeof(float));
    }
  } else {
    std::vector<float> samples(channels_ * length);
    for (std::size_t c = 0; c < channels_ && follows; ++c)
      std::copy_n(at(c, begin), known - begin, &samples[c * length]);
    samples_ = std::move(samples);
  }
  begin_ = begin;
  end_ = end;
  length_ = length;
  if (is_of_vertices_) {
    ask_vertices(known, end);
  } else {
    ask_places(known, end);
  }
  for (std::size_t c = 0; c < channels_; ++c) {
    const std::span<const float> series(&samples_[c * length_], length_);
    is_silent_[c] = std::ranges::all_of(series, [](float a) { return a == 0.0f; });
  }
}

void SurfaceSeries::ask_vertices(std::int64_t begin, std::int64_t end) {
  const auto& shaders = surface_.body().shaders;
  const std::size_t count = static_cast<std::size_t>(end - begin);
  float* const first = samples_.data() + (begin - begin_);
  shaders.front()->vertices()->read(begin, count, first, length_);
  std::vector<float> others(shaders.size() > 1 ? channels_ * count : 0);
  for (std::size_t s = 1; s < shaders.size(); ++s) {
    shaders[s]->vertices()->read(begin, count, others.data(), count);
    for (std::size_t c = 0; c < channels_; ++c) {
      for (std::size_t i = 0; i < count; ++i) first[c * length_ + i] += others[c * count + i];
    }
  }
}

void SurfaceSeries::ask_places(std::int64_t begin, std::int64_t end) {
  const bool deforms = surface_.body().deformation != nullptr;
  std::vector<float> instants(channels_ * asked_at_once);
  for (std::int64_t from = begin; from < end; from += asked_at_once) {
    const std::int64_t bound = round_down(from, bound_for);
    if (deforms && (from == begin || bound == from)) bind(rate_.seconds(bound));
    // Normals turn with the shape: once a bind would be heard as steps.
    surface_.take_shape(rate_.seconds(from + asked_at_once / 2));
    for (std::int64_t i = 0; i < asked_at_once; ++i) {
      const std::span<float> instant(&instants[static_cast<std::size_t>(i) * channels_], channels_);
      std::ranges::fill(instant, 0.0f);
      for (const auto& shader : shaders_) shader->add_acceleration({from + i, rate_}, instant);
    }
    for (std::size_t c = 0; c < channels_; ++c) {
      float* const series = &samples_[c * length_ + static_cast<std::size_t>(from - begin_)];
      for (std::int64_t i = 0; i < asked_at_once; ++i)
        series[i] = instants[static_cast<std::size_t>(i) * channels_ + c];
    }
  }
}

}  // namespace peal::radiation
