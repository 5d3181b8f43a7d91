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

class WindowedSurface : public SurfaceSource {
 public:
  WindowedSurface(std::shared_ptr<const SurfaceSource> source, const TimeRange& exists)
      : source_(std::move(source)), exists_(exists) {}

  Eigen::Index columns() const override { return source_->columns(); }
  SurfaceBasis basis(std::span<const SurfacePoint> points) const override {
    return source_->basis(points);
  }
  void coefficients(Rate rate, SampleRange range, Coefficients& out) const override {
    source_->coefficients(rate, range, out);
    for (Eigen::Index i = 0; i < out.cols(); ++i) {
      const double gain = existence_gain(exists_, rate.seconds(range.begin + i));
      if (gain == 1.0) continue;
      out.col(i) *= static_cast<float>(gain);
    }
  }
  std::vector<SampleRange> active(Rate rate, SampleRange range) const override {
    const SampleRange inside = samples_in(exists_, rate, range);
    return inside.empty() ? std::vector<SampleRange>{} : source_->active(rate, inside);
  }
  void hash(Rate rate, SampleRange range, util::Fingerprint& print) const override {
    source_->hash(rate, range, print);
    print.add(exists_.begin);
    print.add(exists_.end);
  }
  std::optional<Rate> vertex_rate() const override { return source_->vertex_rate(); }
  std::vector<Multipole> multipoles(const Medium& medium) const override {
    std::vector<Multipole> poles = source_->multipoles(medium);
    for (Multipole& pole : poles) pole.shader = windowed(pole.shader, exists_);
    return poles;
  }

 private:
  std::shared_ptr<const SurfaceSource> source_;
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

std::shared_ptr<const SurfaceSource> windowed(std::shared_ptr<const SurfaceSource> source,
                                              const TimeRange& exists) {
  return std::make_shared<WindowedSurface>(std::move(source), exists);
}

std::shared_ptr<const PointShader> windowed(std::shared_ptr<const PointShader> shader,
                                            const TimeRange& exists) {
  return std::make_shared<WindowedPoint>(std::move(shader), exists);
}

}  // namespace peal::base
