// Precomputed radiation: what tables take to make, and an impact to play at one receiver.
#include <peal/geometry/shapes/shapes.h>
#include <peal/radiation/multipole_fields.h>
#include <peal/util/fft.h>
#include <peal/wave/multipoles/modal_radiation.h>
#include <peal/wave/multipoles/rigid_radiation.h>

#include <bench/report.h>

#include <algorithm>
#include <complex>
#include <string>
#include <vector>

namespace peal::bench {
namespace {

/// A mug without its handle, 82 mm wide and 96 mm high.
geometry::TriMesh mug() {
  const geometry::Polygon profile = {{0, 0.003},     {0.026, 0.003},   {0.028, 0},
                                     {0.032, 0},     {0.036, 0.006},   {0.041, 0.03},
                                     {0.041, 0.094}, {0.0395, 0.0955}, {0.038, 0.094},
                                     {0.0375, 0.03}, {0.033, 0.009},   {0, 0.008}};
  return geometry::lathe_mesh(profile, 0.005);
}

void add_body(Report& report, const std::string& name, const geometry::TriMesh& mesh,
              double most_kilobytes, double most_seconds, double most_per_impact) {
  const base::Medium air;
  const wave::RigidRadiationPlan plan = wave::plan_rigid_radiation(mesh, air, 16000.0);
  base::RigidRadiation table;
  const Seconds made =
      time_of([&] { table = plan.of_body(wave::shape_radiation(mesh, plan, [](double) {}), air); });
  report.add_at_most(name, "size of the table",
                     1e-3 * static_cast<double>(base::stored_bytes(table)), "kB", most_kilobytes);
  report.add_at_most(name, "made on 2 cores", 0.5 * made.cpu, "s", most_seconds);

  const base::Rate rate{48000};
  const radiation::RigidField field(
      table, rate,
      util::fast_fft_size(static_cast<std::size_t>(rate.samples(table.duration() + 1.9e-3))));
  util::RealFft fft(field.block());
  std::vector<std::complex<double>> spectrum(field.block() / 2 + 1);
  std::vector<double> samples(field.block());
  radiation::RigidField::Response response;
  constexpr int impacts = 200;
  const Seconds played = time_of([&] {
    for (int i = 0; i < impacts; ++i) {
      const geometry::Vec3 direction = geometry::Vec3(i - 100.0, 37.0, 11.0 + i).normalized();
      field.response(direction, 0.5 + 0.01 * i, response);
      for (std::size_t b = 0; b < field.bins(); ++b)
        spectrum[b] = std::complex<double>(response.col(static_cast<Eigen::Index>(b)).sum());
      fft.inverse(spectrum, samples);
    }
  });
  report.add_at_most(name, "an impact at a receiver", 1e6 * played.cpu / impacts, "us",
                     most_per_impact);
}

/// The 200 lowest modes of a plate that is simply supported at its edges (f = m^2 / a^2 + n^2 /
/// b^2, a / b = 1.3), the highest at 16 kHz: in how many runs of the solver they fit.
void add_runs(Report& report) {
  constexpr std::size_t count = 200;
  std::vector<double> frequencies;
  for (int m = 1; m <= 60; ++m)
    for (int n = 1; n <= 60; ++n) frequencies.push_back(m * m + 1.69 * n * n);
  std::ranges::sort(frequencies);
  base::ModalModel plate;
  plate.surface = geometry::box_mesh({0.26, 0.003, 0.2}, 0.02);
  plate.shapes = Eigen::MatrixXf::Ones(3 * static_cast<Eigen::Index>(plate.surface.vertices.size()),
                                       static_cast<Eigen::Index>(count));
  for (std::size_t i = 0; i < count; ++i)
    plate.modes.push_back({.frequency = 16000.0 * frequencies[i] / frequencies[count - 1]});
  const wave::ModalRadiationPlan plan = wave::plan_modal_radiation(plate, {}, 16000.0);
  report.add_at_most("plate", "runs for 200 modes to 16 kHz", static_cast<double>(plan.runs.size()),
                     "", 12.0);
}

int run(int argc, char** argv) {
  Report report("precomputed", argc, argv);
  add_runs(report);
  add_body(report, "die", geometry::box_mesh({0.016, 0.016, 0.016}, 0.004), 8.0, 3.0, 10.0);
  add_body(report, "coin", geometry::cylinder_mesh(0.01213, 0.00175, 0.001), 8.0, 3.0, 10.0);
  add_body(report, "mug", mug(), 200.0, 90.0, 100.0);
  return report.finish();
}

}  // namespace
}  // namespace peal::bench

int main(int argc, char** argv) {
  return peal::bench::run(argc, argv);
}
