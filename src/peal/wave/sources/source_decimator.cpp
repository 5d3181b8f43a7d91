#include <peal/base/flux_source.h>
#include <peal/wave/sources/source_decimator.h>

#include <Eigen/Core>
#include <algorithm>
#include <utility>
#include <vector>

namespace peal::wave {

namespace {

using base::Rate;
using base::SampleRange;

/// Samples at `factor` times a rate that the samples of a range at that rate depend on.
SampleRange samples_behind(SampleRange range, std::int64_t factor, const util::LowPass& filter) {
  const auto reach = static_cast<std::int64_t>(filter.reach());
  return {range.begin * factor - reach, (range.end - 1) * factor + reach + 1};
}

template <class Kind>
class DecimatedSource : public Kind {
 public:
  DecimatedSource(std::shared_ptr<const Kind> source, std::int64_t factor,
                  std::shared_ptr<const util::LowPass> filter)
      : source_(std::move(source)), factor_(factor), filter_(std::move(filter)) {
    const std::span<const double> half = filter_->taps();
    const auto reach = static_cast<Eigen::Index>(filter_->reach());
    taps_.resize(2 * reach + 1);
    for (Eigen::Index k = -reach; k <= reach; ++k)
      taps_[k + reach] = static_cast<float>(half[static_cast<std::size_t>(std::abs(k))]);
  }

  Eigen::Index columns() const override { return source_->columns(); }
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override {
    return source_->basis(points);
  }
  void coefficients(Rate rate, SampleRange range, base::Coefficients& out) const override {
    base::Coefficients fine;
    source_->coefficients(fine_rate(rate), samples_behind(range, factor_, *filter_), fine);
    out.resize(fine.rows(), range.size());
    for (std::int64_t n = 0; n < range.size(); ++n)
      out.col(n).noalias() = fine.middleCols(n * factor_, taps_.size()) * taps_;
  }
  std::vector<SampleRange> active(Rate rate, SampleRange range) const override {
    std::vector<SampleRange> result;
    const auto reach = static_cast<std::int64_t>(filter_->reach());
    const SampleRange fine = samples_behind(range, factor_, *filter_);
    for (const SampleRange& one : source_->active(fine_rate(rate), fine)) {
      const SampleRange wide{
          std::max(range.begin,
                   (one.begin - reach - range.begin * factor_) / factor_ + range.begin),
          std::min(range.end,
                   (one.end + reach - range.begin * factor_) / factor_ + 1 + range.begin)};
      if (wide.empty()) continue;
      if (!result.empty() && wide.begin <= result.back().end) {
        result.back().end = std::max(result.back().end, wide.end);
      } else {
        result.push_back(wide);
      }
    }
    return result;
  }
  void hash(Rate rate, SampleRange range, util::Fingerprint& fingerprint) const override {
    source_->hash(fine_rate(rate), samples_behind(range, factor_, *filter_), fingerprint);
    fingerprint.add(filter_->taps());
  }

 private:
  Rate fine_rate(Rate rate) const { return {rate.hz * factor_}; }

  std::shared_ptr<const Kind> source_;
  std::int64_t factor_;
  std::shared_ptr<const util::LowPass> filter_;
  Eigen::VectorXf taps_;  ///< of both sides
};

class DecimatedFlux : public DecimatedSource<base::FluxSource> {
 public:
  DecimatedFlux(const std::shared_ptr<const base::FluxSource>& source, std::int64_t factor,
                std::shared_ptr<const util::LowPass> filter)
      : DecimatedSource(source, factor, std::move(filter)), flux_(source) {}

  double basis_interval() const override { return flux_->basis_interval(); }
  void basis_at(const base::SampledSurface& surface, double t,
                std::span<const Eigen::Index> numbers,
                Eigen::Ref<Eigen::MatrixXf> out) const override {
    flux_->basis_at(surface, t, numbers, out);
  }

 private:
  std::shared_ptr<const base::FluxSource> flux_;
};

/// Frequencies that alias into the band are above the rate of the solver less the band. A given
/// cell may be too coarse for the band; then the filter falls around half of the rate.
util::LowPass anti_alias_filter(Rate fine, Rate solver, double max_frequency) {
  constexpr double widest = 0.45;  // pass band, in units of the rate
  const auto hz = static_cast<double>(solver.hz);
  const double pass = std::min(max_frequency, widest * hz);
  return {static_cast<double>(fine.hz), pass, hz - pass};
}

}  // namespace

SourceDecimator::SourceDecimator(Rate solver, Rate audio, double max_frequency)
    : solver_(solver), factor_((audio.hz + solver.hz - 1) / solver.hz) {
  if (!is_needed()) return;
  filter_ = std::make_shared<const util::LowPass>(
      anti_alias_filter({solver.hz * factor_}, solver, max_frequency));
}

std::shared_ptr<const base::SurfaceSource> SourceDecimator::decimated(
    std::shared_ptr<const base::SurfaceSource> source) const {
  if (!is_needed()) return source;
  if (auto flux = std::dynamic_pointer_cast<const base::FluxSource>(source))
    return std::make_shared<DecimatedFlux>(std::move(flux), factor_, filter_);
  return std::make_shared<DecimatedSource<base::SurfaceSource>>(std::move(source), factor_,
                                                                filter_);
}

base::Signal SourceDecimator::strength(const base::PointShader& point, SampleRange range) const {
  if (!is_needed()) return point.strength(solver_, range);
  const base::Signal fine =
      point.strength({solver_.hz * factor_}, samples_behind(range, factor_, *filter_));
  base::Signal out{.rate = solver_, .start = range.begin};
  if (fine.samples.empty()) return out;
  const std::vector<float> filtered = filter_->apply(fine.samples);
  const std::int64_t start = fine.start - static_cast<std::int64_t>(filter_->reach());
  out.samples.resize(static_cast<std::size_t>(range.size()));
  for (std::int64_t n = 0; n < range.size(); ++n) {
    const std::int64_t at = (range.begin + n) * factor_ - start;
    if (at >= 0 && at < static_cast<std::int64_t>(filtered.size()))
      out.samples[static_cast<std::size_t>(n)] = filtered[static_cast<std::size_t>(at)];
  }
  return out;
}

}  // namespace peal::wave
