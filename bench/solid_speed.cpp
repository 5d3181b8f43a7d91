#include <peal/util/random.h>

#include <bench/solid_speed.h>
#include <fmt/format.h>

#include <cstdint>

namespace peal::bench {

using elastic::Nodes;

namespace {

Nodes moved(const Nodes& rest, double amount) {
  Nodes nodes = rest;
  for (std::size_t n = 0; n < rest.size(); ++n) {
    const auto random = [n](std::uint64_t axis) { return util::random_uniform(1, axis, n) - 0.5; };
    nodes.add(n, amount * geometry::Vec3(random(0), random(1), random(2)));
  }
  return nodes;
}

}  // namespace

void measure_forces(Report& report, const std::string& name, elastic::Solid solid, double least) {
  const Nodes x = moved(solid.rest, 1e-5);
  Nodes forces(x.size());
  const auto count = static_cast<double>(solid.forces->elements());
  const int turns = static_cast<int>(1e6 / count);
  const auto times = median_times({[&] {
                                     for (int i = 0; i < turns; ++i) {
                                       forces.clear();
                                       solid.forces->add(x, forces);
                                     }
                                   },
                                   [&] {
                                     for (int i = 0; i < turns; ++i) {
                                       forces.clear();
                                       solid.forces->add_one_by_one(x, forces);
                                     }
                                   }},
                                  7);
  const double work = 1e-6 * count * turns;
  const std::string title = fmt::format("{}, {} elements", name, solid.forces->elements());
  report.add(title, "million element-steps a second", work / times[0].cpu, "1/us");
  report.add(title, "one by one: million a second", work / times[1].cpu, "1/us");
  report.add(title, "speed over one by one", times[1].cpu / times[0].cpu, "1");
  report.add_at_most(title, "time / time asked for", times[0].cpu * least / work, "1", 1.0);
}

}  // namespace peal::bench
