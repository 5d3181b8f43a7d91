#include <peal/base/radiation_amplitudes.h>
#include <peal/vibration/modal_source.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace peal::vibration {

namespace {

constexpr double fall_by_120_db = 13.8;  ///< as a natural logarithm

/// The normal component n . shape of each mode at each point [kg^-1/2]: one row per point.
Eigen::MatrixXf normal_shapes(const base::ModalModel& model,
                              std::span<const base::SurfacePoint> points) {
  Eigen::MatrixXf rows(static_cast<Eigen::Index>(points.size()), model.shapes.cols());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const base::SurfacePoint& point = points[i];
    rows.row(static_cast<Eigen::Index>(i)) =
        point.normal.cast<float>().transpose() * model.shapes_at(point.triangle, point.barycentric);
  }
  return rows;
}

}  // namespace

ModalSource::ModalSource(std::shared_ptr<const base::ModalModel> model,
                         std::shared_ptr<const ModalResponse> response, std::optional<Point> point)
    : model_(std::move(model)), response_(std::move(response)), point_(std::move(point)) {
  const auto modes = static_cast<Eigen::Index>(response_->modes().size());
  const auto values = 3 * static_cast<Eigen::Index>(model_->surface.vertices.size());
  if (model_->shapes.cols() != modes || model_->shapes.rows() != values) {
    throw std::invalid_argument("a modal source needs a shape at every vertex for every mode");
  }
}

base::SurfaceBasis ModalSource::basis(std::span<const base::SurfacePoint> points) const {
  return base::SurfaceBasis(normal_shapes(*model_, points));
}

void ModalSource::coefficients(base::Rate rate, base::SampleRange range,
                               base::Coefficients& out) const {
  out = response_->evaluate(rate, range, ModalResponse::Quantity::acceleration);
}

void ModalSource::accelerations(base::Rate rate, base::SampleRange range, base::Coefficients& now,
                                base::Coefficients& quarter_later) const {
  now = response_->evaluate(rate, range, ModalResponse::Quantity::acceleration);
  quarter_later = response_->evaluate(rate, range, ModalResponse::Quantity::velocity);
  for (Eigen::Index m = 0; m < quarter_later.rows(); ++m) {
    const double frequency = model_->modes[static_cast<std::size_t>(m)].frequency;
    quarter_later.row(m) *= static_cast<float>(2.0 * std::numbers::pi * frequency);
  }
}

void ModalSource::hash(base::Rate rate, base::SampleRange range,
                       util::Fingerprint& fingerprint) const {
  fingerprint.add(std::span<const float>(model_->shapes.data(),
                                         static_cast<std::size_t>(model_->shapes.size())));
  response_->hash(rate.seconds(range.end), fingerprint);
}

std::vector<base::Multipole> ModalSource::multipoles(const base::Medium& medium) const {
  if (!point_) return {};
  base::RadiationAmplitudes radiation = point_->radiation(medium);
  return {{.offset = point_->offset,
           .shader = std::make_shared<StruckSound>(*response_, radiation.amplitudes, point_->click,
                                                   point_->key, std::move(radiation.filters))}};
}

std::optional<base::SourceEnergy> ModalSource::energy(const base::Medium& medium,
                                                      double end) const {
  if (!point_ || !point_->has_level) return std::nullopt;
  const std::vector<base::Mode>& modes = response_->modes();
  const ModalResponse::Energy own = response_->energy(end);
  const std::vector<std::complex<double>> amplitudes = point_->radiation(medium).amplitudes;
  base::SourceEnergy energy{
      .given = own.given.sum(), .dissipated = own.lost.sum(), .in_contact = own.to_contacts.sum()};
  for (std::size_t k = 0; k < modes.size(); ++k) {
    if (!(modes[k].decay_rate > 0.0)) continue;
    // The decay of a mode has the part by radiation.
    const double radiation =
        base::radiation_decay_rate(std::abs(amplitudes[k]), modes[k].frequency, medium);
    const auto mode = static_cast<Eigen::Index>(k);
    energy.radiated +=
        (own.lost[mode] - own.to_contacts[mode]) * std::min(1.0, radiation / modes[k].decay_rate);
  }
  return energy;
}

std::vector<base::SampleRange> ModalSource::active(base::Rate rate, base::SampleRange range) const {
  double longest = 0.0;
  for (const base::Mode& mode : response_->modes()) {
    longest = std::max(longest, fall_by_120_db / mode.decay_rate);
  }
  const double first = rate.samples(response_->first_contact());
  const double last = rate.samples(response_->last_contact() + longest);
  const auto within = [&](double index) {
    return static_cast<std::int64_t>(
        std::clamp(index, static_cast<double>(range.begin), static_cast<double>(range.end)));
  };
  const base::SampleRange sounds{within(std::floor(first)), within(std::ceil(last))};
  if (sounds.empty()) return {};
  return {sounds};
}

ModalCompliance::ModalCompliance(std::shared_ptr<const base::ModalModel> model, double highest,
                                 std::span<const double> further_decay)
    : model_(std::move(model)),
      surface_(model_->surface),
      modes_(model_->modes),
      cut_(2.0 * std::numbers::pi * highest) {
  modes_.resize(base::count_up_to(modes_, highest));
  if (further_decay.empty()) return;
  if (further_decay.size() != model_->modes.size())
    throw std::invalid_argument("a compliance needs one decay rate a mode");
  for (std::size_t k = 0; k < modes_.size(); ++k) modes_[k].decay_rate += further_decay[k];
}

base::ContactCompliance::Point ModalCompliance::at(const geometry::Vec3& point) const {
  const geometry::SurfacePoint near = surface_.closest_point(point);
  Point result{.gains = model_->shapes_at(near.triangle, near.barycentrics)
                            .leftCols(static_cast<Eigen::Index>(modes_.size()))};
  result.unknown = base::unknown_modes(modes_, result.gains, cut_);
  return result;
}

}  // namespace peal::vibration
