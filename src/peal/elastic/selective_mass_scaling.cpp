#include <peal/elastic/selective_mass_scaling.h>
#include <peal/util/lanes.h>

#include <algorithm>
#include <type_traits>

namespace peal::elastic {
namespace {

/// Inertia of a uniform bar over that of lumped masses on both sides [1].
constexpr double even = 1.0 / 3.0;

template <std::size_t count>
bool are_free(const std::array<std::uint32_t, count>& nodes, const std::vector<double>& free) {
  return std::ranges::all_of(nodes, [&](std::uint32_t node) { return free[node] > 0.0; });
}

}  // namespace

std::vector<MassScaledNodes<2>> mass_scaled_pairs(const Solid& solid) {
  std::vector<MassScaledNodes<2>> all;
  if (!solid.rods.empty()) return all;
  for (const auto& [pair, apart] : solid.across) {
    if (apart != 1.0) all.push_back({pair, apart});
  }
  return all;
}

std::vector<MassScaledNodes<4>> mass_scaled_sections(const Solid& solid) {
  std::vector<MassScaledNodes<4>> all;
  for (const auto& rod : solid.rods) all.push_back({rod, even});
  return all;
}

double least_mass_factor(const Solid& solid) {
  double least = solid.rods.empty() ? 1.0 : even;
  for (const FacingNodes& pair : solid.across) least = std::min(least, pair.apart);
  return least;
}

/// Mean velocity of nodes before and after a kick, and its kinetic energy. V is a number or a SIMD
/// vector.
template <class V>
struct MeanMotion {
  V kinetic{}, damped_before{}, damped_after{};

  void add(const Kick& kick, V added, V speed, V eased) {
    const V after = kick.keep * speed + kick.push * eased;
    const V before = kick.is_first ? 2.0 * speed - after : speed;
    const V momentum = added * before, both = momentum + added * after;
    kinetic += momentum * after;
    damped_before += both * before;
    damped_after += both * after;
  }
};

namespace {

using ApartLanes = util::Widest<double>;
constexpr std::size_t apart_lanes = util::widest_lanes<double>;

template <class V>
V loaded(const double* from) {
  if constexpr (std::is_same_v<V, double>) {
    return *from;
  } else {
    return util::load<V>(from);
  }
}
void stored(double* to, double value) {
  *to = value;
}
void stored(double* to, const ApartLanes& values) {
  util::store(to, values);
}

}  // namespace

template <std::size_t count>
void MassScaledKick::Axis<count>::add(const Solid& solid, const MassScaledNodes<count>& one,
                                      bool is_free) {
  const std::size_t k = added.size();
  bool goes_on = k > 0;
  double mass = 0.0;
  for (const std::uint32_t node : one.nodes) mass += solid.mass[node];
  for (std::size_t i = 0; i < count; ++i) {
    goes_on = goes_on && one.nodes[i] == nodes[i][k - 1] + 1;
    nodes[i].push_back(one.nodes[i]);
    parts[i].push_back(solid.mass[one.nodes[i]] / mass);
  }
  if (!goes_on) runs.push_back({k, k});
  ++runs.back()[1];
  gain.push_back(is_free ? 1.0 / one.factor - 1.0 : 0.0);
  added.push_back(is_free ? (1.0 - one.factor) * mass : 0.0);
  ease.push_back(1.0 / mass);
}

/// Corrects one entry, or as many entries as V has lanes.
template <std::size_t count>
template <class V>
void MassScaledKick::Axis<count>::share_at(std::size_t k, const Kick& kick, const double* velocity,
                                           const double* outer, double* inner,
                                           MeanMotion<V>& motion) const {
  V sum{}, speed{}, own[count], all[count], part[count];
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = nodes[i][k];
    part[i] = loaded<V>(&parts[i][k]);
    own[i] = loaded<V>(inner + at);
    all[i] = own[i] + loaded<V>(outer + at);
    sum += all[i];
    speed += part[i] * loaded<V>(velocity + at);
  }
  const V more = loaded<V>(&gain[k]);
  for (std::size_t i = 0; i < count; ++i)
    stored(inner + nodes[i][k], own[i] + more * (all[i] - part[i] * sum));
  motion.add(kick, loaded<V>(&added[k]), speed, loaded<V>(&ease[k]) * sum);
}

template <std::size_t count>
void MassScaledKick::Axis<count>::share(const Kick& kick, const double* velocity,
                                        const double* outer, double* inner, Sums& sums) const {
  MeanMotion<ApartLanes> many;
  MeanMotion<double> few;
  for (const auto& [begin, end] : runs) {
    std::size_t k = begin;
    for (; k + apart_lanes <= end; k += apart_lanes)
      share_at(k, kick, velocity, outer, inner, many);
    for (; k < end; ++k) share_at(k, kick, velocity, outer, inner, few);
  }
  sums.kinetic += few.kinetic + util::sum_of<double>(many.kinetic);
  sums.damped_before += few.damped_before + util::sum_of<double>(many.damped_before);
  sums.damped_after += few.damped_after + util::sum_of<double>(many.damped_after);
}

MassScaledKick::MassScaledKick(const Solid& solid, const FreeAxes& free) : ride_(solid, free) {
  counted_.fill(solid.mass);
  for (auto& counted : counted_) {
    for (const std::uint32_t dependent : solid.riding.dependents) counted[dependent] = 0.0;
  }
  const auto add = [&](const auto& all, auto& axes) {
    for (const auto& one : all) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool is_free = are_free(one.nodes, free[axis]);
        axes[axis].add(solid, one, is_free);
        if (!is_free) continue;
        for (const std::uint32_t node : one.nodes) counted_[axis][node] *= one.factor;
      }
    }
  };
  add(mass_scaled_pairs(solid), pairs_);
  add(mass_scaled_sections(solid), sections_);
}

void MassScaledKick::share(const Kick& kick, const Nodes& velocity, const Nodes& outer,
                           Nodes& inner, Work& work) {
  ride_.share(kick, velocity, outer, inner, work);
  Sums sums;
  const auto along = [&](std::size_t axis, auto coordinate) {
    const double *const v = (velocity.*coordinate).data(), *const f = (outer.*coordinate).data();
    double* const sum = (inner.*coordinate).data();
    pairs_[axis].share(kick, v, f, sum, sums);
    sections_[axis].share(kick, v, f, sum, sums);
  };
  along(0, &Nodes::x);
  along(1, &Nodes::y);
  along(2, &Nodes::z);
  const double damping = 0.25 * kick.dt * kick.mass_damping;
  work.kinetic += 0.5 * sums.kinetic;
  work.damped_before += damping * sums.damped_before;
  work.damped_after += damping * sums.damped_after;
}

}  // namespace peal::elastic
