#include <peal/elastic/mass_apart.h>
#include <peal/elastic/stepper.h>

#include <algorithm>

namespace peal::elastic {
namespace {

/// Inertia of an even bar over that of lumps on both sides [1].
constexpr double even = 1.0 / 3.0;

using Coordinate = std::vector<double> Nodes::*;
constexpr std::array<Coordinate, 3> coordinates = {&Nodes::x, &Nodes::y, &Nodes::z};

template <std::size_t count>
double weighted(const std::array<double, count>& weights,
                const std::array<std::uint32_t, count>& nodes, const std::vector<double>& values) {
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += weights[i] * values[nodes[i]];
  return sum;
}

template <std::size_t count>
bool are_free(const std::array<std::uint32_t, count>& nodes, const std::vector<double>& free) {
  double all = 1.0;
  for (const std::uint32_t node : nodes) all *= free[node];
  return all > 0.0;
}

}  // namespace

std::vector<ApartNodes<2>> pairs_apart(const Solid& solid) {
  std::vector<ApartNodes<2>> all;
  if (solid.mass_across == 1.0) return all;
  for (const auto& pair : solid.across) {
    const double a = solid.mass[pair[0]], b = solid.mass[pair[1]];
    all.push_back({pair, {1.0, -1.0}, a * b / (a + b), solid.mass_across});
  }
  return all;
}

std::vector<ApartNodes<4>> rods_apart(const Solid& solid) {
  std::vector<ApartNodes<4>> all;
  for (const auto& rod : solid.rods) {
    // Both pairs by their centres of mass.
    std::array<double, 4> m;
    for (std::size_t i = 0; i < 4; ++i) m[i] = solid.mass[rod[i]];
    const double one = m[0] + m[1], other = m[2] + m[3];
    all.push_back({rod,
                   {m[0] / one, m[1] / one, -m[2] / other, -m[3] / other},
                   one * other / (one + other),
                   even});
  }
  return all;
}

double least_apart(const Solid& solid) {
  const double across = std::min(1.0, solid.mass_across);
  return solid.rods.empty() ? across : std::min(even, across);
}

template <std::size_t count>
ApartSteps::Group<count>::Group(const Solid& solid, const std::vector<ApartNodes<count>>& all)
    : apart(all.size()) {
  for (const ApartNodes<count>& one : all) {
    Entry& entry = entries.emplace_back(Entry{one.nodes, one.weights, {}, 0.0});
    entry.added = (one.factor - 1.0) * one.mass;
    for (std::size_t i = 0; i < count; ++i) {
      entry.shares[i] =
          (1.0 / one.factor - 1.0) * one.mass * one.weights[i] / solid.mass[one.nodes[i]];
    }
  }
}

template <std::size_t count>
void ApartSteps::Group<count>::share(const FreeAxes& free, const Nodes& velocity,
                                     const Nodes& outer, Nodes& inner) {
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Entry& entry = entries[k];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Coordinate along = coordinates[axis];
      (apart.*along)[k] = 0.0;
      if (!are_free(entry.nodes, free[axis])) continue;
      (apart.*along)[k] = weighted(entry.weights, entry.nodes, velocity.*along);
      std::vector<double>& forces = inner.*along;
      const double shared = weighted(entry.shares, entry.nodes, forces) +
                            weighted(entry.shares, entry.nodes, outer.*along);
      for (std::size_t i = 0; i < count; ++i) forces[entry.nodes[i]] += entry.weights[i] * shared;
    }
  }
}

template <std::size_t count>
void ApartSteps::Group<count>::book(const FreeAxes& free, const Nodes& velocity, bool is_first,
                                    double damping, Work& work) const {
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Entry& entry = entries[k];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Coordinate along = coordinates[axis];
      if (!are_free(entry.nodes, free[axis])) continue;
      const double after = weighted(entry.weights, entry.nodes, velocity.*along);
      const double before = is_first ? 2.0 * (apart.*along)[k] - after : (apart.*along)[k];
      work.kinetic += 0.5 * entry.added * before * after;
      const double damped = 0.5 * damping * entry.added * (before + after);
      work.damped_before += damped * before;
      work.damped_after += damped * after;
    }
  }
}

ApartSteps::ApartSteps(const Solid& solid)
    : pairs_(solid, pairs_apart(solid)), rods_(solid, rods_apart(solid)) {}

void ApartSteps::share(const FreeAxes& free, const Nodes& velocity, const Nodes& outer,
                       Nodes& inner) {
  pairs_.share(free, velocity, outer, inner);
  rods_.share(free, velocity, outer, inner);
}

void ApartSteps::book(const FreeAxes& free, const Nodes& velocity, bool is_first, double damping,
                      Work& work) const {
  pairs_.book(free, velocity, is_first, damping, work);
  rods_.book(free, velocity, is_first, damping, work);
}

}  // namespace peal::elastic
