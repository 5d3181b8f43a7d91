#include <peal/base/existence.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace peal::base {

namespace {

/// Samples of a rate at which something that exists for a while may sound.
SampleRange samples_in(const TimeRange& exists, Rate rate, SampleRange range) {
  const auto index = [&](double t) {
    const double most = static_cast<double>(std::numeric_limits<std::int64_t>::max() / 4);
    return static_cast<std::int64_t>(std::ceil(std::clamp(rate.samples(t), -most, most)));
  };
  return {std::max(range.begin, index(exists.begin)), std::min(range.end, index(exists.end))};
}

class WindowedBound : public BoundShader {
 public:
  WindowedBound(std::unique_ptr<BoundShader> shader, const TimeRange& exists, std::size_t points)
      : shader_(std::move(shader)), exists_(exists), own_(points) {}

  void add_acceleration(SampleTime time, std::span<float> acceleration) override {
    const double gain = existence_gain(exists_, time.seconds());
    if (gain == 0.0) return;
    std::ranges::fill(own_, 0.0f);
    shader_->add_acceleration(time, own_);
    for (std::size_t i = 0; i < own_.size(); ++i)
      acceleration[i] += static_cast<float>(gain) * own_[i];
  }

 private:
  std::unique_ptr<BoundShader> shader_;
  TimeRange exists_;
  std::vector<float> own_;
};

class WindowedSurface : public SurfaceShader {
 public:
  WindowedSurface(std::shared_ptr<const SurfaceShader> shader, const TimeRange& exists)
      : shader_(std::move(shader)), exists_(exists) {}

  void add_acceleration(SampleTime time, std::span<const SurfacePoint> points,
                        std::span<float> acceleration) const override {
    const double gain = existence_gain(exists_, time.seconds());
    if (gain == 0.0) return;
    std::vector<float> own(points.size());
    shader_->add_acceleration(time, points, own);
    for (std::size_t i = 0; i < own.size(); ++i)
      acceleration[i] += static_cast<float>(gain) * own[i];
  }
  std::unique_ptr<BoundShader> bound_to(std::span<const SurfacePoint> points) const override {
    return std::make_unique<WindowedBound>(shader_->bound_to(points), exists_, points.size());
  }
  std::vector<SampleRange> sounding(Rate rate, SampleRange range) const override {
    const SampleRange inside = samples_in(exists_, rate, range);
    return inside.empty() ? std::vector<SampleRange>{} : shader_->sounding(rate, inside);
  }

 private:
  std::shared_ptr<const SurfaceShader> shader_;
  TimeRange exists_;
};

class WindowedPoint : public PointShader {
 public:
  WindowedPoint(std::shared_ptr<const PointShader> shader, const TimeRange& exists)
      : shader_(std::move(shader)), exists_(exists) {}

  Signal strength(Rate rate, SampleRange range) const override {
    const SampleRange inside = samples_in(exists_, rate, range);
    if (inside.empty()) return {.rate = rate, .start = range.begin};
    Signal signal = shader_->strength(rate, inside);
    for (std::size_t i = 0; i < signal.samples.size(); ++i) {
      const double t = rate.seconds(signal.start + static_cast<std::int64_t>(i));
      signal.samples[i] *= static_cast<float>(existence_gain(exists_, t));
    }
    return signal;
  }

 private:
  std::shared_ptr<const PointShader> shader_;
  TimeRange exists_;
};

}  // namespace

double existence_rise(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (x * (6.0 * x - 15.0) + 10.0);
}

double existence_gain(const TimeRange& exists, double t) {
  const double fade = std::min(existence_fade, 0.5 * (exists.end - exists.begin));
  return existence_rise((t - exists.begin) / fade) * existence_rise((exists.end - t) / fade);
}

std::shared_ptr<const SurfaceShader> windowed(std::shared_ptr<const SurfaceShader> shader,
                                              const TimeRange& exists) {
  return std::make_shared<WindowedSurface>(std::move(shader), exists);
}

std::shared_ptr<const PointShader> windowed(std::shared_ptr<const PointShader> shader,
                                            const TimeRange& exists) {
  return std::make_shared<WindowedPoint>(std::move(shader), exists);
}

}  // namespace peal::base
