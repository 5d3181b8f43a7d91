#include <peal/play/engine.h>

#include <algorithm>

namespace peal::play {

Engine::Engine(base::Rate rate) : rate_(rate), room_(rate), strength_(block_size), limiter_(rate) {}

std::size_t Engine::add_body(std::span<const base::Mode> modes, std::size_t ringing) {
  bodies_.push_back(std::make_unique<PlayedBody>(modes, ringing, rate_, bodies_.size(), now_));
  return bodies_.size() - 1;
}

void Engine::remove_body(std::size_t body) {
  if (body < bodies_.size()) bodies_[body].reset();
}

PlayedBody* Engine::body(std::size_t number) {
  return number < bodies_.size() ? bodies_[number].get() : nullptr;
}

void Engine::set_volume(double volume, std::int64_t ramp) {
  volume_target_ = volume;
  volume_left_ = std::max<std::int64_t>(ramp, 1);
  volume_step_ = (volume - volume_) / static_cast<double>(volume_left_);
}

void Engine::process(std::int64_t count, std::span<float* const, ears> out) {
  for (float* const channel : out) std::fill_n(channel, count, 0.0f);
  std::fill_n(strength_.begin(), count, 0.0f);
  for (const auto& body : bodies_)
    if (body) body->process(count, out, strength_.data());
  room_.process(std::span(strength_).first(static_cast<std::size_t>(count)), out);
  for (std::int64_t n = 0; n < count; ++n) {
    if (volume_left_ > 0) volume_ = --volume_left_ == 0 ? volume_target_ : volume_ + volume_step_;
    for (float* const channel : out) channel[n] *= static_cast<float>(volume_);
  }
  limiter_.process(count, out);
  now_ += count;
}

}  // namespace peal::play
