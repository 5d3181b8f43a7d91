#include <peal/validation/entries.h>
#include <peal/validation/spherical_waves.h>
#include <peal/validation/wave_trial.h>
#include <peal/vibration/modal_source.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>

namespace peal::validation {

namespace {

using vibration::ModalForce;
using vibration::ModalResponse;
using vibration::ModalSource;

/// Modes of a sphere that swell and shrink as P_2 and P_3 about z, as if found by other means.
struct RingingSphere {
  static constexpr double radius = 0.05;  ///< [m]

  std::shared_ptr<base::ModalModel> model = std::make_shared<base::ModalModel>();
  std::shared_ptr<const ModalResponse> response;

  explicit RingingSphere(double edge_length) {
    model->surface = round_sphere(radius, edge_length);
    model->modes = {{1500.0, 150.0, 0.0}, {2600.0, 200.0, 0.0}};
    model->shapes.resize(3 * static_cast<Eigen::Index>(model->surface.vertices.size()), 2);
    for (std::size_t v = 0; v < model->surface.vertices.size(); ++v) {
      const Vec3 out = model->surface.vertices[v].normalized();
      const auto row = 3 * static_cast<Eigen::Index>(v);
      for (int mode = 0; mode < 2; ++mode) {
        model->shapes.block<3, 1>(row, mode) =
            (std::legendre(static_cast<unsigned>(2 + mode), out.z()) * out).cast<float>();
      }
    }
    response = std::make_shared<ModalResponse>(
        model->modes, std::vector<ModalForce>{{{1e-3, 2e-4, 1e-3}, {1.0, 0.7}}});
  }
};

/// Integral of exp(-i w t) times samples [unit s].
template <class Samples>
Complex spectrum_at(double frequency, base::Rate rate, std::int64_t start, const Samples& samples) {
  Complex sum = 0.0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double t = rate.seconds(start + static_cast<std::int64_t>(i));
    sum += static_cast<double>(samples[i]) *
           std::polar(rate.step(), -2.0 * std::numbers::pi * frequency * t);
  }
  return sum;
}

Outcome run_ringing_sphere() {
  const RingingSphere sphere(0.004);
  constexpr double duration = 0.08, distance = 0.3;
  WaveTrial trial(0.005, duration);
  const Vec3 centre(0.0013, -0.0008, 0.0017);
  trial.add_body("sphere", sphere.model->surface, resting(centre))
      .sources.push_back(std::make_shared<ModalSource>(sphere.model, sphere.response));
  // Away from the nodes of P_2 and P_3.
  const std::array directions{Vec3(0.0, 0.0, 1.0), Vec3(0.28, 0.0, 0.96), Vec3(0.0, 0.92, -0.39)};
  for (const Vec3& direction : directions) {
    trial.listen_at(centre + distance * direction.normalized());
  }
  const std::vector<Received> received = trial.run();

  Outcome outcome;
  const base::Rate rate = received[0].rate;
  const auto samples = static_cast<std::int64_t>(rate.samples(duration));
  const Eigen::MatrixXf q =
      sphere.response->evaluate(rate, {0, samples}, ModalResponse::Quantity::acceleration);
  for (const double frequency : {1500.0, 2600.0}) {
    const double k = wave_number(frequency);
    for (std::size_t i = 0; i < directions.size(); ++i) {
      Complex exact = 0.0;
      for (int mode = 0; mode < 2; ++mode) {
        const int n = 2 + mode;
        const Eigen::VectorXf row = q.row(mode);
        const Complex acceleration = spectrum_at(
            frequency, rate, 0, std::span(row.data(), static_cast<std::size_t>(row.size())));
        exact += -air_density * acceleration *
                 std::legendre(static_cast<unsigned>(n), directions[i].normalized().z()) *
                 spherical_hankel(n, k * distance) /
                 (k * spherical_hankel_slope(n, k * RingingSphere::radius));
      }
      const Complex ours = spectrum_at(frequency, rate, received[i].start, received[i].pressure);
      const std::string where =
          fmt::format("{:.0f} Hz, {:.0f} degrees from the axis", frequency,
                      std::acos(directions[i].normalized().z()) * 180.0 / std::numbers::pi);
      outcome.claims.push_back(
          {"level at " + where, "dB", 0.0, 20.0 * std::log10(std::abs(ours / exact)), 0.17});
      outcome.claims.push_back(
          {"error of level and phase at " + where, "", 0.0, relative_error(ours, exact), 0.02});
    }
  }
  return outcome;
}

}  // namespace

Entry ringing_sphere() {
  return {
      .key = "ringing-sphere",
      .title = "Modes of a struck sphere, heard through the wave solver",
      .source =
          "p = -rho q'' P_n h_n(kr) / (k h_n'(ka)), the field of a vibrating sphere (n = 2, 3); "
          "Wang, Qu, Langlois & James 2018, section 4.2",
      .method =
          "A sphere of 50 mm radius with two modes is struck; the modal shader drives the `wave` "
          "radiator with cells of 5 mm; spectra at 0.3 m are compared at both modes.",
      .run = run_ringing_sphere};
}

}  // namespace peal::validation
