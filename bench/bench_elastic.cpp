// Forces of elements: million elements a second on one core, and over one element after another.
#include <peal/elastic/solid.h>
#include <peal/geometry/hex_shapes.h>
#include <peal/util/random.h>

#include <bench/report.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::bench {
namespace {

using elastic::HexElement;
using elastic::Nodes;
using elastic::Solid;

base::Material steel() {
  return {.name = "steel", .density = 7850.0, .young_modulus = 200e9, .poisson_ratio = 0.3};
}

Nodes moved(const Nodes& rest, double amount) {
  Nodes nodes = rest;
  for (std::size_t n = 0; n < rest.size(); ++n) {
    const auto random = [n](std::uint64_t axis) { return util::random_uniform(1, axis, n) - 0.5; };
    nodes.add(n, amount * geometry::Vec3(random(0), random(1), random(2)));
  }
  return nodes;
}

/// `least` [million a second] is what issue 6 asks for.
void measure(Report& report, const std::string& name, Solid solid, double least) {
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

/// Cells that all differ.
geometry::HexMesh uneven(geometry::HexMesh mesh, double amount) {
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    for (int i = 0; i < 3; ++i) {
      mesh.vertices[v][i] += amount * (util::random_uniform(2, i, v) - 0.5);
    }
  }
  return mesh;
}

int run(int argc, char** argv) {
  Report report("elastic", argc, argv);
  for (const int n : {5, 10}) {
    measure(report, "linear tetrahedra",
            elastic::make_tetrahedral_solid(geometry::box_tets({0.1 * n, 0.8, 0.5}, {n, 8, 5}),
                                            steel(), 1),
            60.0);
  }
  for (const int n : {32, 44}) {
    measure(report, "hexahedra, lattice",
            elastic::make_hexahedral_solid(geometry::box_hexes({0.3, 0.3, 0.003}, {n, n, 1}, 2),
                                           steel(), HexElement::solid_shell),
            20.0);
  }
  measure(report, "hexahedra, tube",
          elastic::make_hexahedral_solid(
              geometry::lathe_hexes({{0.05, 0.0}, {0.05, 0.3}}, 0.002, 40, 32), steel(),
              HexElement::solid_shell),
          9.0);
  measure(report, "hexahedra, all different",
          elastic::make_hexahedral_solid(
              uneven(geometry::box_hexes({0.4, 0.3, 0.1}, {16, 10, 8}, 2), 0.003), steel(),
              HexElement::incompatible),
          9.0);
  for (const int n : {9, 50}) {
    measure(report, "quadratic tetrahedra",
            elastic::make_tetrahedral_solid(geometry::box_tets({0.1 * n, 0.4, 0.2}, {n, 4, 2}),
                                            steel(), 2),
            13.0);
  }
  return report.finish();
}

}  // namespace
}  // namespace peal::bench

int main(int argc, char** argv) {
  return peal::bench::run(argc, argv);
}
