// Modes of thin-walled bodies from their triangles, and what the modal shader costs a wave solver.
#include <peal/util/progress.h>
#include <peal/validation/odd_bodies.h>
#include <peal/vibration/modal_source.h>
#include <peal/vibration/solid_modes.h>
#include <peal/wave/grid/time_step.h>
#include <peal/wave/scheme/leapfrog.h>

#include <bench/lathed.h>
#include <bench/report.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace peal::bench {
namespace {

/// Cold: nothing is kept from before.
vibration::SolidModes measure_body(Report& report, const std::string& name,
                                   const geometry::TriMesh& mesh, const base::Material& material,
                                   double limit) {
  util::Silent silent;
  vibration::SolidModes modes;
  const Seconds time =
      time_of([&] { modes = vibration::solid_modes(mesh, material, {}, silent, name); });
  double worst = 0.0;
  for (const base::Mode& mode : modes.model.modes) worst = std::max(worst, mode.relative_error);
  report.add(name, "modes to 20 kHz", static_cast<double>(modes.model.modes.size()), "1");
  report.add(name, "unknowns", static_cast<double>(modes.unknowns), "1");
  report.add(name, "time of all cores", time.cpu, "s");
  report.add_at_most(name, "time", time.wall, "s", limit);
  report.add_at_most(name, "largest estimated error", 100.0 * worst, "%", 0.5);
  return modes;
}

/// The glass in a box of air with cells of 2.5 mm, one point of its surface for each cell that it
/// covers: evaluating 100 modes there against the plain stencil in the box.
void measure_source(Report& report, const vibration::SolidModes& glass) {
  constexpr std::size_t mode_count = 100;
  constexpr double cell = 0.0025;
  auto model = std::make_shared<base::ModalModel>(glass.model);
  const auto known = static_cast<Eigen::Index>(model->modes.size());
  Eigen::MatrixXf shapes(model->shapes.rows(), mode_count);
  std::vector<base::Mode> modes(mode_count);
  for (std::size_t i = 0; i < mode_count; ++i) {  // those above the band repeat the ones in it
    const auto from = static_cast<Eigen::Index>(i) % known;
    shapes.col(static_cast<Eigen::Index>(i)) = model->shapes.col(from);
    modes[i] = {.frequency = model->modes[from].frequency, .decay_rate = 5.0};
  }
  model->shapes = shapes;
  model->modes = modes;
  const auto response = std::make_shared<vibration::ModalResponse>(
      modes,
      std::vector<vibration::ModalForce>{{{0.0, 1e-4, 1.0}, std::vector<double>(mode_count, 1.0)}});
  const std::shared_ptr<const base::SurfaceSource> source =
      std::make_shared<vibration::ModalSource>(model, response);

  const std::size_t count = static_cast<std::size_t>(surface_area(model->surface) / (cell * cell));
  std::vector<base::SurfacePoint> points;
  for (std::size_t i = 0; i < count; ++i) {
    const auto triangle = static_cast<std::uint32_t>(i * model->surface.triangles.size() / count);
    points.push_back({.triangle = triangle,
                      .position = triangle_centre(model->surface, triangle),
                      .normal = area_vector(model->surface, triangle).normalized()});
  }
  // Twice the glass's size, as the wave solver's boxes are.
  const geometry::Vec3 size = 2.0 * bounds(model->surface).sizes() / cell;
  const wave::Grid grid{
      .cell_size = cell,
      .size = {static_cast<int>(size.x()), static_cast<int>(size.y()), static_cast<int>(size.z())}};
  wave::LeapfrogSettings settings;
  settings.time_step = 0.999 * wave::stable_step(grid.cell_size, settings.speed_of_sound);
  settings.sides = wave::all_sides(wave::Side::rigid);
  wave::Leapfrog<float> solver(grid, settings);

  constexpr int steps = 1024;
  const base::Rate rate{192000};
  const auto evaluate = [&] {
    base::SourceEvaluator evaluator({&source, 1});
    evaluator.set_points(points);
    for (std::int64_t n = 0; n < steps; ++n) evaluator.accelerations({n, rate});
  };
  const auto stencil = [&] {
    for (int n = 0; n < steps; ++n) solver.step();
  };
  const auto times = median_times({evaluate, stencil}, 3);
  report.add("modal source", "surface points", static_cast<double>(points.size()), "1");
  report.add("modal source", "cells", double(grid.size[0]) * grid.size[1] * grid.size[2], "1");
  report.add_at_most("modal source", "100 modes / plain stencil", times[0].cpu / times[1].cpu, "1",
                     0.5);
}

/// What a scan or parts that cross cost: 30 modes at 1 %.
void measure_odd(Report& report, const std::string& name, const geometry::TriMesh& mesh) {
  util::Silent silent;
  vibration::SolidModes modes;
  const Seconds time = time_of([&] {
    modes =
        vibration::solid_modes(mesh, {"porcelain", 2400.0, 70e9, 0.2, {}},
                               {.max_frequency = 0.0, .count = 30, .accuracy = 0.01}, silent, name);
  });
  report.add(name, "triangles", static_cast<double>(mesh.triangles.size()), "1");
  report.add_at_most(name, "unknowns", static_cast<double>(modes.unknowns), "1", 170e3);
  report.add(name, "time of all cores", time.cpu, "s");
  report.add_at_most(name, "time", time.wall, "s", 60.0);
}

int run(int argc, char** argv) {
  Report report("modes", argc, argv);
  measure_odd(report, "scan of 330 k triangles", validation::scanned_lump(7.2e-4));
  for (const validation::OddBody& body : validation::odd_bodies())
    measure_odd(report, body.name, body.mesh);
  measure_body(report, "mug, 3 mm", mug(), {"ceramic", 2700.0, 72e9, 0.19, {}}, 5.0);
  measure_source(report, measure_body(report, "wine glass, 1.2 mm", wine_glass(),
                                      {"glass", 2500.0, 70e9, 0.22, {}}, 15.0));
  return report.finish();
}

}  // namespace
}  // namespace peal::bench

int main(int argc, char** argv) {
  return peal::bench::run(argc, argv);
}
