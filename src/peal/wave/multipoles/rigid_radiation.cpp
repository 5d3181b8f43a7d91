#include <peal/util/fingerprint.h>
#include <peal/util/parallel.h>
#include <peal/wave/multipoles/body_in_air.h>
#include <peal/wave/multipoles/moments.h>
#include <peal/wave/multipoles/rigid_radiation.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>
#include <optional>

namespace peal::wave {

namespace {

using base::RigidRadiation;
using std::numbers::pi;
using Complex = std::complex<double>;
using Eigen::Index;

// All in units of the ball's radius R and the time R / c that sound takes over it.
constexpr double cells_of_round = 19.0, cells_of_flat = 20.0;  ///< least R / h
constexpr double flat_below = 0.5;                             ///< thickness of flat bodies [R]
constexpr double pulse_cells_per_wave = 7.0;
constexpr double pulse_phase = 1.5;   ///< width s of the pulse: w s at the highest frequency
constexpr double pulse_before = 6.0;  ///< from the start to the peak of the pulse [s]
constexpr double longest_response = 100.0;
constexpr double least_response = 16.0;
constexpr double ringing_part = 1e-3;  ///< of the largest pressure: the response is over below
constexpr double quiet = 6.0;          ///< silence after which it is over
constexpr double fade_part = 0.2;      ///< of the response, in which it is faded out
constexpr double static_kr = 0.02;     ///< kR at which the limit of low frequencies is read
constexpr double spare_part = 0.08;    ///< of the band: further frequencies for interpolation
constexpr double spectra_bytes = 1e9;  ///< memory for the spectra of motions that run together
constexpr double whole_vertex = 1e-6;  ///< to which shapes are compared [R]

/// Rigid motion with a pulse exp(-(t - t0)^2 / 2 s^2) as its acceleration: 1 m/s^2 or rad/s^2.
class RigidPulse : public base::SurfaceSource {
 public:
  using Parts = Eigen::Matrix<float, 6, 1>;
  RigidPulse(const Parts& parts, double middle, double width)
      : parts_(parts), middle_(middle), width_(width) {}

  Eigen::Index columns() const override { return 1; }
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override {
    base::SurfaceBasis::Dense matrix(static_cast<Eigen::Index>(points.size()), 1);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3 turning = points[i].position.cross(points[i].normal);
      matrix(static_cast<Eigen::Index>(i), 0) =
          parts_.head<3>().dot(points[i].normal.cast<float>()) +
          parts_.tail<3>().dot(turning.cast<float>());
    }
    return base::SurfaceBasis(std::move(matrix));
  }
  void coefficients(base::Rate rate, base::SampleRange range,
                    base::Coefficients& out) const override {
    out.resize(1, range.size());
    for (std::int64_t n = range.begin; n < range.end; ++n) {
      const double x = (rate.seconds(n) - middle_) / width_;
      out(0, n - range.begin) = static_cast<float>(std::exp(-0.5 * x * x));
    }
  }
  void hash(base::Rate, base::SampleRange, util::Fingerprint& print) const override {
    print.add(std::span<const float>(parts_.data(), 6));
    print.add(middle_), print.add(width_);
  }

  /// The spectrum of the acceleration at frequency f [Hz].
  Complex spectrum(double f) const {
    const double w = 2.0 * pi * f, x = w * width_;
    return std::sqrt(2.0 * pi) * width_ * std::exp(-0.5 * x * x) * std::polar(1.0, -w * middle_);
  }

 private:
  Parts parts_;
  double middle_, width_;
};

/// The mesh in a ball of radius 1 m about the origin.
geometry::TriMesh in_unit_ball(const geometry::TriMesh& mesh, const geometry::Ball& ball) {
  geometry::TriMesh result;
  result.triangles = mesh.triangles;
  for (const Vec3& vertex : mesh.vertices)
    result.vertices.push_back((vertex - ball.centre) / ball.radius);
  return result;
}

/// The shape without its size: vertices to a millionth of the radius.
std::string key_of(const geometry::TriMesh& mesh, const geometry::Ball& ball, double reach) {
  util::Fingerprint print;
  std::vector<std::int64_t> places;
  for (const Vec3& vertex : mesh.vertices) {
    for (int d = 0; d < 3; ++d)
      places.push_back(std::llround((vertex[d] - ball.centre[d]) / (ball.radius * whole_vertex)));
  }
  print.add(std::span<const std::int64_t>(places));
  print.add(
      std::span<const std::uint32_t>(mesh.triangles.front().data(), 3 * mesh.triangles.size()));
  print.add(reach);
  return print.hex();
}

/// The computation for a shape in a ball of 1 m.
class ShapeRadiation {
 public:
  ShapeRadiation(const geometry::TriMesh& mesh, const RigidRadiationPlan& plan)
      : shape_(in_unit_ball(mesh, plan.ball)),
        reach_(plan.reach),
        cell_(1.0 / plan.cells_per_radius),
        radius_time_(1.0 / medium_.speed_of_sound),
        given_response_(plan.response * radius_time_),
        band_(reach_ * medium_.speed_of_sound / (2.0 * pi)),
        width_(pulse_phase / (2.0 * pi * band_)) {}

  RigidRadiation compute(const std::function<void(double)>& advance) {
    const double response = response_time(advance);
    RigidRadiation table{.radius = 1.0,
                         .medium = medium_,
                         .spacing = (1.0 - RigidRadiation::lead) / response,
                         .max_frequency = band_};
    const auto count =
        static_cast<std::size_t>(std::ceil(band_ * (1.0 + spare_part) / table.spacing)) + 4;
    std::vector<double> frequencies;
    for (std::size_t b = 0; b < count; ++b) {
      frequencies.push_back(b == 0 ? static_kr * band_ / reach_
                                   : table.spacing * static_cast<double>(b));
      table.orders.push_back(base::radiation_order(wavenumber(frequencies.back()), 1.0));
    }
    const std::vector<std::size_t> starts = table.offsets();
    table.values.resize(starts.back() +
                        6 * static_cast<std::size_t>(base::harmonics_up_to(table.orders.back())));
    const BodyInAir air(shape_, false, medium_, cell_, band_);
    const Moments moments(air.box(), Vec3::Zero(), table.max_order());
    Work work(6.0 * air.steps(pulse_before * width_ + response), advance);
    // As many motions at a time as fit into memory: the expansion is shared by them.
    const double bytes = FaceSpectra::bytes(air.box(), count);
    const auto together = std::clamp(static_cast<Index>(spectra_bytes / bytes), Index{1}, Index{6});
    for (Index first = 0; first < 6; first += together) {
      std::vector<std::optional<BodyInAir::Spectra>> spectra(
          static_cast<std::size_t>(std::min(together, 6 - first)));
      util::parallel_for(static_cast<std::int64_t>(spectra.size()), [&](std::int64_t m) {
        spectra[static_cast<std::size_t>(m)].emplace(
            air.run({pulse_of(first + m), 2.0 * pulse_before * width_,
                     pulse_before * width_ + response, fade_part * response},
                    frequencies, [&](double steps) { work.add(steps); }));
      });
      fill(table, starts, first, frequencies, moments, spectra);
      for (const auto& one : spectra) table.rest = std::max(table.rest, one->rest);
    }
    table.compact();
    return table;
  }

 private:
  /// Counts steps of several threads.
  class Work {
   public:
    Work(double all, const std::function<void(double)>& advance) : all_(all), advance_(advance) {}
    void add(double steps) {
      const std::lock_guard lock(mutex_);
      done_ += steps;
      advance_(std::min(1.0, 0.1 + 0.9 * done_ / all_));
    }

   private:
    std::mutex mutex_;
    double all_, done_ = 0.0;
    const std::function<void(double)>& advance_;
  };

  double wavenumber(double frequency) const {
    return 2.0 * pi * frequency / medium_.speed_of_sound;
  }
  std::shared_ptr<const RigidPulse> pulse_of(Index motion) const {
    RigidPulse::Parts parts = RigidPulse::Parts::Zero();
    parts[motion] = 1.0f;
    return std::make_shared<RigidPulse>(parts, pulse_before * width_, width_);
  }

  /// How long the body is heard after a pulse, with the time in which it is faded out: all six
  /// motions at once, with cells of twice the size.
  double response_time(const std::function<void(double)>& advance) const {
    if (given_response_ > 0.0) return given_response_;
    RigidPulse::Parts parts;
    parts << 1.0f, -0.8f, 0.9f, 1.1f, 0.7f, -1.2f;
    const BodyInAir air(shape_, false, medium_, 2.0 * cell_, 0.5 * band_);
    const double middle = 2.0 * pulse_before * width_, longest = longest_response * radius_time_;
    const BodyInAir::Run run{std::make_shared<RigidPulse>(parts, middle, 2.0 * width_),
                             2.0 * middle, middle + longest, 0.0};
    const double until =
        air.ringing_time(run, ringing_part, quiet * radius_time_, [](double) {}) - middle;
    advance(0.1);
    return std::clamp(until / (1.0 - fade_part), least_response * radius_time_, longest);
  }

  /// Writes the coefficients of some motions, from `first` on, into the table.
  void fill(RigidRadiation& table, const std::vector<std::size_t>& starts, Index first,
            const std::vector<double>& frequencies, const Moments& moments,
            const std::vector<std::optional<BodyInAir::Spectra>>& spectra) const {
    const auto motions = static_cast<Index>(spectra.size());
    const auto at_frequency = [&](std::size_t b) -> Eigen::MatrixXcd {
      Eigen::MatrixXcd pressures(moments.slots(), motions), slopes(pressures);
      for (Index m = 0; m < motions; ++m) {
        const FaceSpectra& faces = spectra[static_cast<std::size_t>(m)]->faces;
        pressures.col(m) = faces.pressures(b);
        slopes.col(m) = faces.slopes(b);
      }
      return moments.coefficients(table.orders[b], wavenumber(frequencies[b]), 1.0, pressures,
                                  slopes) /
             pulse_of(0)->spectrum(frequencies[b]);
    };
    // Rigid motion moves no volume, but the walls of the grid do a little: a monopole that grows as
    // 1 / k against the dipole. It is that of the lowest frequency.
    const Eigen::RowVectorXcd false_monopoles =
        at_frequency(0).row(0) * std::polar(1.0, wavenumber(frequencies[0]));
    util::parallel_for(static_cast<std::int64_t>(frequencies.size()), [&](std::int64_t index) {
      const auto b = static_cast<std::size_t>(index);
      Eigen::MatrixXcd values = at_frequency(b);
      values.row(0) -= false_monopoles * std::polar(1.0, -wavenumber(frequencies[b]));
      for (Index m = 0; m < motions; ++m) {
        for (Index i = 0; i < values.rows(); ++i) {
          const Complex value = b == 0 ? Complex(values(i, m).real()) : values(i, m);
          table.values[starts[b] + static_cast<std::size_t>((first + m) * values.rows() + i)] =
              base::RadiationCoefficient(static_cast<float>(value.real()),
                                         static_cast<float>(value.imag()));
        }
      }
    });
  }

  base::Medium medium_;
  geometry::TriMesh shape_;
  double reach_, cell_, radius_time_;
  double given_response_;  ///< [s]; 0: none
  double band_;            ///< [Hz]
  double width_;           ///< s of the pulse [s]
};

}  // namespace

RigidRadiationPlan plan_rigid_radiation(const geometry::TriMesh& mesh, const base::Medium& medium,
                                        double max_frequency) {
  RigidRadiationPlan plan{.ball = geometry::enclosing_ball(mesh.vertices)};
  const double wanted = 2.0 * pi * max_frequency / medium.speed_of_sound * plan.ball.radius;
  plan.reach = least_reach;
  while (plan.reach < wanted && plan.reach * std::numbers::sqrt2 <= most_reach)
    plan.reach *= std::numbers::sqrt2;
  plan.is_complete = plan.reach >= wanted;
  plan.max_frequency = std::min(max_frequency, max_frequency * plan.reach / wanted);
  const Vec3 size = geometry::bounds(mesh).sizes();
  const bool is_flat = size.minCoeff() < flat_below * plan.ball.radius;
  plan.cells_per_radius = std::max(is_flat ? cells_of_flat : cells_of_round,
                                   pulse_cells_per_wave * plan.reach / (2.0 * pi));
  plan.key = key_of(mesh, plan.ball, plan.reach);
  return plan;
}

base::RigidRadiation RigidRadiationPlan::of_body(const base::RigidRadiation& shape,
                                                 const base::Medium& medium) const {
  RigidRadiation table = shape.scaled_to(ball.centre, ball.radius, medium);
  table.max_frequency = max_frequency;
  return table;
}

base::RigidRadiation shape_radiation(const geometry::TriMesh& mesh, const RigidRadiationPlan& plan,
                                     const std::function<void(double)>& advance) {
  return ShapeRadiation(mesh, plan).compute(advance);
}

base::RigidRadiation stored_shape_radiation(const util::Store& store, const geometry::TriMesh& mesh,
                                            const RigidRadiationPlan& plan,
                                            const std::function<void(double)>& advance) {
  if (auto shape = store.find<RigidRadiation>(plan.key)) return *std::move(shape);
  RigidRadiation shape = shape_radiation(mesh, plan, advance);
  store.save(plan.key, shape);
  return shape;
}

double rigid_radiation_work(const RigidRadiationPlan& plan, const geometry::TriMesh& mesh) {
  const double margin = 2.0 * 9.5 / plan.cells_per_radius;
  const Vec3 size = geometry::bounds(mesh).sizes() / plan.ball.radius + Vec3::Constant(margin);
  const double steps = (longest_response + 6.0) * plan.cells_per_radius * std::numbers::sqrt3;
  return 6.0 * size.prod() * std::pow(plan.cells_per_radius, 3) * steps;
}

}  // namespace peal::wave
