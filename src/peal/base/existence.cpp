#include <peal/base/existence.h>
#include <peal/base/flux_source.h>
#include <peal/base/radiation_drives.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace peal::base {

namespace {

/// Samples of `range` inside the window, where the source may be non-zero.
SampleRange samples_in(const FadeWindow& window, Rate rate, SampleRange range) {
  const auto index = [&](double t) {
    const double most = static_cast<double>(std::numeric_limits<std::int64_t>::max() / 4);
    return static_cast<std::int64_t>(std::ceil(std::clamp(rate.samples(t), -most, most)));
  };
  return {std::max(range.begin, index(window.begin)), std::min(range.end, index(window.end))};
}

template <class Kind>
class WindowedSource : public Kind {
 public:
  WindowedSource(std::shared_ptr<const Kind> source, const FadeWindow& window)
      : source_(std::move(source)), window_(window) {}

  Eigen::Index columns() const override { return source_->columns(); }
  SurfaceBasis basis(std::span<const SurfacePoint> points) const override {
    return source_->basis(points);
  }
  void coefficients(Rate rate, SampleRange range, Coefficients& out) const override {
    source_->coefficients(rate, range, out);
    for (Eigen::Index i = 0; i < out.cols(); ++i) {
      const double gain = window_.gain(rate.seconds(range.begin + i));
      if (gain == 1.0) continue;
      out.col(i) *= static_cast<float>(gain);
    }
  }
  std::vector<SampleRange> active(Rate rate, SampleRange range) const override {
    const SampleRange inside = samples_in(window_, rate, range);
    return inside.empty() ? std::vector<SampleRange>{} : source_->active(rate, inside);
  }
  void hash(Rate rate, SampleRange range, util::Fingerprint& fingerprint) const override {
    source_->hash(rate, range, fingerprint);
    for (const double x : {window_.begin, window_.end, window_.fade_in, window_.fade_out})
      fingerprint.add(x);
  }
  const std::shared_ptr<const Kind>& source() const { return source_; }
  const FadeWindow& window() const { return window_; }
  std::optional<Rate> vertex_rate() const override { return source_->vertex_rate(); }
  std::vector<Multipole> multipoles(const Medium& medium) const override {
    std::vector<Multipole> poles = source_->multipoles(medium);
    for (Multipole& pole : poles) pole.shader = windowed(pole.shader, window_);
    return poles;
  }

 private:
  std::shared_ptr<const Kind> source_;
  FadeWindow window_;
};

using WindowedSurface = WindowedSource<SurfaceSource>;

class WindowedFlux : public WindowedSource<FluxSource> {
 public:
  using WindowedSource::WindowedSource;

  double basis_interval() const override { return source()->basis_interval(); }
  void basis_at(const SampledSurface& surface, double t, std::span<const Eigen::Index> numbers,
                Eigen::Ref<Eigen::MatrixXf> out) const override {
    source()->basis_at(surface, t, numbers, out);
  }
};

/// The drives of a windowed source. Events are short against a fade: each has one gain.
class WindowedRigidDrive : public RigidDrive {
 public:
  WindowedRigidDrive(std::shared_ptr<const RigidDrive> drive, const FadeWindow& window)
      : drive_(std::move(drive)), window_(window) {}

  std::vector<Event> events() const override { return drive_->events(); }
  void spectra(std::size_t index, double spacing, Spectra& out) const override {
    drive_->spectra(index, spacing, out);
    out *= window_.gain(drive_->events()[index].begin);
  }
  Vec3 pivot() const override { return drive_->pivot(); }

 private:
  std::shared_ptr<const RigidDrive> drive_;
  FadeWindow window_;
};

class WindowedModalDrive : public ModalDrive {
 public:
  WindowedModalDrive(std::shared_ptr<const ModalDrive> drive, const FadeWindow& window)
      : drive_(std::move(drive)), window_(window) {}

  const ModalModel& model() const override { return drive_->model(); }
  void accelerations(Rate rate, SampleRange range, Coefficients& now,
                     Coefficients& quarter_later) const override {
    drive_->accelerations(rate, range, now, quarter_later);
    for (Eigen::Index i = 0; i < now.cols(); ++i) {
      const auto gain = static_cast<float>(window_.gain(rate.seconds(range.begin + i)));
      now.col(i) *= gain;
      quarter_later.col(i) *= gain;
    }
  }

 private:
  std::shared_ptr<const ModalDrive> drive_;
  FadeWindow window_;
};

class WindowedPoint : public PointShader {
 public:
  WindowedPoint(std::shared_ptr<const PointShader> shader, const FadeWindow& window)
      : shader_(std::move(shader)), window_(window) {}

  Signal strength(Rate rate, SampleRange range) const override {
    const SampleRange inside = samples_in(window_, rate, range);
    if (inside.empty()) return {.rate = rate, .start = range.begin};
    Signal signal = shader_->strength(rate, inside);
    for (std::size_t i = 0; i < signal.samples.size(); ++i) {
      const double t = rate.seconds(signal.start + static_cast<std::int64_t>(i));
      signal.samples[i] *= static_cast<float>(window_.gain(t));
    }
    return signal;
  }

 private:
  std::shared_ptr<const PointShader> shader_;
  FadeWindow window_;
};

/// The drive of a source, or of that in its window with `Windowed` around it.
template <class Drive, class Windowed>
std::shared_ptr<const Drive> drive_of(const std::shared_ptr<const SurfaceSource>& source) {
  if (auto drive = std::dynamic_pointer_cast<const Drive>(source)) return drive;
  const auto windowed = std::dynamic_pointer_cast<const WindowedSurface>(source);
  if (!windowed) return nullptr;
  auto drive = std::dynamic_pointer_cast<const Drive>(windowed->source());
  return drive ? std::make_shared<Windowed>(std::move(drive), windowed->window()) : nullptr;
}

}  // namespace

std::shared_ptr<const RigidDrive> rigid_drive(const std::shared_ptr<const SurfaceSource>& source) {
  return drive_of<RigidDrive, WindowedRigidDrive>(source);
}

std::shared_ptr<const ModalDrive> modal_drive(const std::shared_ptr<const SurfaceSource>& source) {
  return drive_of<ModalDrive, WindowedModalDrive>(source);
}

double existence_rise(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (x * (6.0 * x - 15.0) + 10.0);
}

double FadeWindow::gain(double t) const {
  return existence_rise((t - begin) / fade_in) * existence_rise((end - t) / fade_out);
}

FadeWindow window_of(const TimeRange& exists) {
  const double fade = std::min(existence_fade, 0.5 * (exists.end - exists.begin));
  return {exists.begin, exists.end, fade, fade};
}

std::shared_ptr<const SurfaceSource> windowed(std::shared_ptr<const SurfaceSource> source,
                                              const FadeWindow& window) {
  if (auto flux = std::dynamic_pointer_cast<const FluxSource>(source))
    return std::make_shared<WindowedFlux>(std::move(flux), window);
  return std::make_shared<WindowedSurface>(std::move(source), window);
}

std::shared_ptr<const PointShader> windowed(std::shared_ptr<const PointShader> shader,
                                            const FadeWindow& window) {
  return std::make_shared<WindowedPoint>(std::move(shader), window);
}

}  // namespace peal::base
