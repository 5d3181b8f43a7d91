#include <peal/vibration/modal_shader.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace peal::vibration {

namespace {

constexpr std::int64_t steps_at_once = 32;
constexpr double fall_by_120_db = 13.8;  ///< as a natural logarithm

/// n . shape of each mode at each point [kg^-1/2]: a row a point.
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

class BoundModes : public base::BoundShader {
 public:
  BoundModes(std::shared_ptr<const ModalResponse> response, Eigen::MatrixXf shapes)
      : response_(std::move(response)), shapes_(std::move(shapes)) {}

  void add_acceleration(base::SampleTime time, std::span<float> acceleration) override {
    const auto at = static_cast<std::int64_t>(
        std::floor(static_cast<double>(time.index) / static_cast<double>(steps_at_once)));
    if (at != block_ || time.rate != rate_ || accelerations_.cols() == 0) {
      block_ = at;
      rate_ = time.rate;
      const base::SampleRange range{at * steps_at_once, (at + 1) * steps_at_once};
      accelerations_.noalias() =
          shapes_ * response_->evaluate(rate_, range, ModalResponse::Quantity::acceleration);
    }
    Eigen::Map<Eigen::VectorXf>(acceleration.data(), shapes_.rows()) +=
        accelerations_.col(time.index - at * steps_at_once);
  }

 private:
  std::shared_ptr<const ModalResponse> response_;
  Eigen::MatrixXf shapes_;
  Eigen::MatrixXf accelerations_;  ///< of the block: a row a point, a column a step [m/s^2]
  std::int64_t block_ = 0;
  base::Rate rate_;
};

}  // namespace

ModalShader::ModalShader(std::shared_ptr<const base::ModalModel> model,
                         std::shared_ptr<const ModalResponse> response)
    : model_(std::move(model)), response_(std::move(response)) {
  const auto modes = static_cast<Eigen::Index>(response_->modes().size());
  const auto values = 3 * static_cast<Eigen::Index>(model_->surface.vertices.size());
  if (model_->shapes.cols() != modes || model_->shapes.rows() != values) {
    throw std::invalid_argument("a modal shader needs a shape at every vertex for every mode");
  }
}

void ModalShader::add_acceleration(base::SampleTime time,
                                   std::span<const base::SurfacePoint> points,
                                   std::span<float> acceleration) const {
  bound_to(points)->add_acceleration(time, acceleration);
}

std::unique_ptr<base::BoundShader> ModalShader::bound_to(
    std::span<const base::SurfacePoint> points) const {
  return std::make_unique<BoundModes>(response_, normal_shapes(*model_, points));
}

std::vector<base::SampleRange> ModalShader::sounding(base::Rate rate,
                                                     base::SampleRange range) const {
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

}  // namespace peal::vibration
