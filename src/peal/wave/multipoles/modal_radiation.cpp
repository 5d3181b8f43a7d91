#include <peal/geometry/io/stored_mesh.h>
#include <peal/geometry/mesh/enclosing_ball.h>
#include <peal/util/fingerprint.h>
#include <peal/util/parallel.h>
#include <peal/wave/multipoles/body_in_air.h>
#include <peal/wave/multipoles/modal_radiation.h>
#include <peal/wave/multipoles/moments.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>

namespace peal::wave {

namespace {

using std::numbers::pi;
using Complex = std::complex<double>;

constexpr double burst_width = 2e-3;  ///< s of the bursts' envelope [s]
constexpr double burst_before = 5.0;  ///< from the start to the peak of the envelope [s]
constexpr double run_length = 28e-3;  ///< [s]
constexpr double apart = 300.0;       ///< least distance of the modes of one run [Hz]
constexpr double burst_cells_per_radius = 18.0;
constexpr double burst_cells_per_wave = 7.0;
constexpr int spare_orders = 10;     ///< above what the wavelength needs: near fields of lobes
constexpr double left_out = 0.003;   ///< amplitude of the orders that are left out, at 1.2 R
constexpr double left_out_at = 1.2;  ///< [R]

/// Bursts of several modes: the acceleration of each is exp(-(t - t0)^2 / 2 s^2) cos(w (t - t0)).
class ModalBursts : public base::SurfaceSource {
 public:
  ModalBursts(const base::ModalModel& model, const std::vector<std::size_t>& modes)
      : model_(model), modes_(modes) {}

  Eigen::Index columns() const override { return static_cast<Eigen::Index>(modes_.size()); }
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override {
    base::SurfaceBasis::Dense matrix(static_cast<Eigen::Index>(points.size()), columns());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Eigen::Matrix3Xf shapes = model_.shapes_at(points[i].triangle, points[i].barycentric);
      for (std::size_t j = 0; j < modes_.size(); ++j)
        matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            shapes.col(static_cast<Eigen::Index>(modes_[j])).dot(points[i].normal.cast<float>());
    }
    return base::SurfaceBasis(std::move(matrix));
  }
  void coefficients(base::Rate rate, base::SampleRange range,
                    base::Coefficients& out) const override {
    out.resize(columns(), range.size());
    for (std::int64_t n = range.begin; n < range.end; ++n) {
      const double t = rate.seconds(n) - burst_before * burst_width, x = t / burst_width;
      for (std::size_t j = 0; j < modes_.size(); ++j)
        out(static_cast<Eigen::Index>(j), n - range.begin) = static_cast<float>(
            std::exp(-0.5 * x * x) * std::cos(2.0 * pi * model_.modes[modes_[j]].frequency * t));
    }
  }
  void hash(base::Rate, base::SampleRange, util::Fingerprint& print) const override {
    for (const std::size_t mode : modes_) print.add(mode);
  }

  /// The spectrum of the burst of a mode at its own frequency f [Hz].
  static Complex spectrum(double f) {
    return burst_width * std::sqrt(0.5 * pi) *
           std::polar(1.0, -2.0 * pi * f * burst_before * burst_width);
  }

 private:
  const base::ModalModel& model_;
  std::vector<std::size_t> modes_;
};

/// Cuts the coefficients after the lowest order beyond which little is left at 1.2 R.
base::ModeRadiation cut(double frequency, double k, double radius, int order,
                        const Eigen::VectorXcd& values) {
  std::vector<Complex> ratios(static_cast<std::size_t>(order) + 1);
  base::outgoing_ratios(order, k, left_out_at * radius, radius, ratios);
  std::vector<double> powers(static_cast<std::size_t>(order) + 1);
  double all = 0.0;
  for (int l = 0; l <= order; ++l) {
    for (int i = l * l; i < (l + 1) * (l + 1); ++i)
      powers[static_cast<std::size_t>(l)] += std::norm(values[i]);
    powers[static_cast<std::size_t>(l)] *= std::norm(ratios[static_cast<std::size_t>(l)]);
    all += powers[static_cast<std::size_t>(l)];
  }
  double rest = 0.0;
  int needed = order;
  while (needed > 0 &&
         rest + powers[static_cast<std::size_t>(needed)] < left_out * left_out * all) {
    rest += powers[static_cast<std::size_t>(needed--)];
  }
  base::ModeRadiation mode{.frequency = frequency, .order = needed, .values = {}};
  for (int i = 0; i < base::harmonics_up_to(needed); ++i) {
    const Complex value = values[i];
    mode.values.emplace_back(static_cast<float>(value.real()), static_cast<float>(value.imag()));
  }
  return mode;
}

}  // namespace

ModalRadiationPlan plan_modal_radiation(const base::ModalModel& model, const base::Medium& medium,
                                        double max_frequency) {
  ModalRadiationPlan plan;
  plan.modes = base::count_up_to(model.modes, max_frequency);
  if (plan.modes == 0) return plan;
  // Each mode goes to the first run whose last mode is far enough below it.
  for (std::size_t m = 0; m < plan.modes; ++m) {
    const double f = model.modes[m].frequency;
    const auto run = std::ranges::find_if(plan.runs, [&](const std::vector<std::size_t>& modes) {
      return f - model.modes[modes.back()].frequency >= apart;
    });
    if (run == plan.runs.end())
      plan.runs.push_back({m});
    else
      run->push_back(m);
  }
  const geometry::Ball ball = geometry::enclosing_ball(model.surface.vertices);
  const double highest = model.modes[plan.modes - 1].frequency;
  plan.cell_size = std::min(ball.radius / burst_cells_per_radius,
                            medium.speed_of_sound / (burst_cells_per_wave * highest));
  util::Fingerprint print;
  geometry::hash(model.surface, print);
  for (std::size_t m = 0; m < plan.modes; ++m) print.add(model.modes[m].frequency);
  const Eigen::MatrixXf shapes = model.shapes.leftCols(static_cast<Eigen::Index>(plan.modes));
  print.add(std::span<const float>(shapes.data(), static_cast<std::size_t>(shapes.size())));
  print.add(medium.speed_of_sound);
  print.add(medium.density);
  plan.key = print.hex();
  return plan;
}

base::ModalRadiation modal_radiation(const base::ModalModel& model, bool is_sheet,
                                     const base::Medium& medium, const ModalRadiationPlan& plan,
                                     const std::function<void(double)>& advance) {
  const geometry::Ball ball = geometry::enclosing_ball(model.surface.vertices);
  base::ModalRadiation table{
      .centre = ball.centre, .radius = ball.radius, .medium = medium, .modes = {}};
  table.modes.resize(plan.modes);
  if (plan.modes == 0) return table;
  const double highest = model.modes[plan.modes - 1].frequency;
  const auto wavenumber = [&](double f) { return 2.0 * pi * f / medium.speed_of_sound; };
  const auto order_of = [&](double f) {
    return base::radiation_order(wavenumber(f), ball.radius) + spare_orders;
  };
  const BodyInAir air(model.surface, is_sheet, medium, plan.cell_size, highest);
  const Moments moments(air.box(), ball.centre, order_of(highest));
  std::mutex mutex;
  const double all = static_cast<double>(plan.runs.size()) * air.steps(run_length);
  double done = 0.0;
  util::parallel_for(static_cast<std::int64_t>(plan.runs.size()), [&](std::int64_t r) {
    const std::vector<std::size_t>& modes = plan.runs[static_cast<std::size_t>(r)];
    std::vector<double> frequencies;
    for (const std::size_t m : modes) frequencies.push_back(model.modes[m].frequency);
    BodyInAir::Spectra spectra = air.run({std::make_shared<ModalBursts>(model, modes),
                                          2.0 * burst_before * burst_width, run_length, 0.0},
                                         frequencies, [&](double steps) {
                                           const std::lock_guard lock(mutex);
                                           done += steps;
                                           advance(std::min(1.0, done / all));
                                         });
    for (std::size_t j = 0; j < modes.size(); ++j) {
      const double f = frequencies[j], k = wavenumber(f);
      const int order = moments.readable_order(order_of(f), k, ball.radius);
      const Eigen::VectorXcd values =
          moments.coefficients(order, k, ball.radius, spectra.faces.pressures(j),
                               spectra.faces.slopes(j)) /
          ModalBursts::spectrum(f);
      table.modes[modes[j]] = cut(f, k, ball.radius, order, values);
    }
  });
  table.compact();
  return table;
}

base::ModalRadiation stored_modal_radiation(const util::Store& store, const base::ModalModel& model,
                                            bool is_sheet, const base::Medium& medium,
                                            double max_frequency,
                                            const std::function<void(double)>& advance) {
  const ModalRadiationPlan plan = plan_modal_radiation(model, medium, max_frequency);
  if (auto found = store.find<base::ModalRadiation>(plan.key)) return *std::move(found);
  base::ModalRadiation table = modal_radiation(model, is_sheet, medium, plan, advance);
  store.save(plan.key, table);
  return table;
}

double modal_radiation_work(const ModalRadiationPlan& plan, const geometry::TriMesh& mesh,
                            const base::Medium& medium) {
  const Vec3 size = geometry::bounds(mesh).sizes() / plan.cell_size + Vec3::Constant(19.0);
  const double steps = run_length * std::numbers::sqrt3 * medium.speed_of_sound / plan.cell_size;
  return static_cast<double>(plan.runs.size()) * size.prod() * steps;
}

}  // namespace peal::wave
