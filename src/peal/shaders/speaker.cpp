#include <peal/shaders/speaker.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::shaders {

using base::Rate;
using base::SampleRange;
using base::Signal;

namespace {

/// The sound goes on a little after the scene's end, so that a filter over the last samples finds
/// no edge there [s].
constexpr double beyond_the_end = 0.1;
constexpr double shortest_silence = 0.02;  ///< worth a gap [s]

/// A speaker at those of some places that are in its patch.
class BoundSpeaker : public base::BoundShader {
 public:
  BoundSpeaker(const Speaker& speaker, std::vector<std::uint32_t> places)
      : speaker_(speaker), places_(std::move(places)) {}

  void add_acceleration(base::SampleTime time, std::span<float> acceleration) override {
    if (places_.empty()) return;
    const float value = speaker_.acceleration(time);
    for (const std::uint32_t place : places_) acceleration[place] += value;
  }

 private:
  const Speaker& speaker_;
  std::vector<std::uint32_t> places_;
};

}  // namespace

Speaker::Speaker(const scene::SpeakerSound& sound, std::vector<bool> patch,
                 const ShaderContext& context)
    : playback_(sound.signal, {sound.start, sound.duration, sound.acceleration}, context),
      patch_(std::move(patch)),
      length_(context.rate.seconds(context.samples)) {}

const Signal& Speaker::signal(Rate rate) const {
  const Signal* latest = latest_.load(std::memory_order_acquire);
  if (latest != nullptr && latest->rate == rate) return *latest;
  const std::lock_guard lock(mutex_);
  auto known = std::ranges::find(signals_, rate, &Signal::rate);
  if (known == signals_.end()) {
    const auto end = static_cast<std::int64_t>(std::ceil(rate.samples(length_ + beyond_the_end)));
    known = signals_.insert(signals_.end(), playback_.play(rate, {0, end}));
  }
  latest_.store(&*known, std::memory_order_release);
  return *known;
}

float Speaker::acceleration(base::SampleTime time) const {
  const Signal& played = signal(time.rate);
  const std::int64_t index = time.index - played.start;
  if (index < 0 || index >= static_cast<std::int64_t>(played.samples.size())) return 0.0f;
  return played.samples[static_cast<std::size_t>(index)];
}

void Speaker::add_acceleration(base::SampleTime time, std::span<const base::SurfacePoint> points,
                               std::span<float> acceleration) const {
  bound_to(points)->add_acceleration(time, acceleration);
}

std::unique_ptr<base::BoundShader> Speaker::bound_to(
    std::span<const base::SurfacePoint> points) const {
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (patch_[points[i].triangle]) places.push_back(static_cast<std::uint32_t>(i));
  }
  return std::make_unique<BoundSpeaker>(*this, std::move(places));
}

std::vector<SampleRange> Speaker::sounding(Rate rate, SampleRange range) const {
  const Signal& played = signal(rate);
  const auto gap = static_cast<std::int64_t>(rate.samples(shortest_silence));
  const std::int64_t begin = std::max(range.begin, played.start);
  const std::int64_t end =
      std::min(range.end, played.start + static_cast<std::int64_t>(played.samples.size()));
  std::vector<SampleRange> stretches;
  for (std::int64_t n = begin; n < end; ++n) {
    if (played.samples[static_cast<std::size_t>(n - played.start)] == 0.0f) continue;
    if (stretches.empty() || n - stretches.back().end >= gap) stretches.push_back({n, n});
    stretches.back().end = n + 1;
  }
  return stretches;
}

std::shared_ptr<const base::SurfaceShader> make_speaker(const scene::SpeakerSound& sound,
                                                        std::vector<bool> patch,
                                                        const ShaderContext& context) {
  return std::make_shared<Speaker>(sound, std::move(patch), context);
}

}  // namespace peal::shaders
