#include <peal/elastic/reciprocal_mass.h>
#include <peal/util/sort_unique.h>

#include <algorithm>
#include <cmath>

namespace peal::elastic {

namespace {

/// w of a dependent node over the velocity where all nodes move alike: 1 - sum t.
double own_part(const DependentNodes& riding, std::size_t dependent) {
  double left = 1.0;
  for (std::uint32_t i = riding.begin[dependent]; i < riding.begin[dependent + 1]; ++i)
    left -= riding.parts[i];
  return left;
}

}  // namespace

std::vector<double> dependent_masses(const Solid& solid) {
  const DependentNodes& riding = solid.riding;
  std::vector<double> masses;
  for (std::size_t k = 0; k < riding.dependents.size(); ++k) {
    const double own = own_part(riding, k);
    masses.push_back(solid.mass[riding.dependents[k]] / (own * own));
  }
  return masses;
}

/// The transpose of T^-1 is applied to D T^-1 times one.
std::vector<double> row_sum_masses(const Solid& solid) {
  const DependentNodes& riding = solid.riding;
  std::vector<double> even = solid.mass;
  const std::vector<double> against = dependent_masses(solid);
  for (std::size_t k = 0; k < against.size(); ++k) {
    const double alike = against[k] * own_part(riding, k);
    even[riding.dependents[k]] = alike;
    for (std::uint32_t i = riding.begin[k]; i < riding.begin[k + 1]; ++i)
      even[riding.carriers[i]] -= riding.parts[i] * alike;
  }
  return even;
}

/// The bound is that of the rows of |k^1/2 T| D^-1 |T^T k^1/2|, with springs k.
double largest_spring_eigenvalue(const Solid& solid, const std::vector<double>& stiffness) {
  const DependentNodes& riding = solid.riding;
  const std::vector<double> against = dependent_masses(solid);
  std::vector<double> root(stiffness.size()), pushed(root);
  for (std::size_t n = 0; n < root.size(); ++n) root[n] = pushed[n] = std::sqrt(stiffness[n]);
  for (std::size_t k = 0; k < against.size(); ++k) {
    for (std::uint32_t i = riding.begin[k]; i < riding.begin[k + 1]; ++i)
      pushed[riding.carriers[i]] += std::abs(riding.parts[i]) * root[riding.dependents[k]];
  }
  for (std::size_t n = 0; n < root.size(); ++n) pushed[n] /= solid.mass[n];
  for (std::size_t k = 0; k < against.size(); ++k) {
    double& own = pushed[riding.dependents[k]];
    own = root[riding.dependents[k]] / against[k];
    for (std::uint32_t i = riding.begin[k]; i < riding.begin[k + 1]; ++i)
      own += std::abs(riding.parts[i]) * pushed[riding.carriers[i]];
  }
  double most = 0.0;
  for (std::size_t n = 0; n < root.size(); ++n) most = std::max(most, root[n] * pushed[n]);
  return most;
}

ReciprocalMassKick::ReciprocalMassKick(const Solid& solid, const FreeAxes& free)
    : dependent_nodes_(solid.riding), against_(dependent_masses(solid)), mass_(solid.mass) {
  if (dependent_nodes_.dependents.empty()) return;
  for (const double mass : against_) eased_.push_back(1.0 / mass);
  carriers_ = dependent_nodes_.carriers;
  util::sort_unique(carriers_);
  for (const std::uint32_t node : carriers_) ease_.push_back(1.0 / solid.mass[node]);
  for (std::size_t n = 0; n < mass_.size(); ++n)
    free_.push_back(Record{free[0][n], free[1][n], free[2][n], 0.0});
  velocity_.resize(mass_.size());
  force_.resize(mass_.size());
  passed_.resize(mass_.size());
}

void ReciprocalMassKick::share(const Kick& kick, const Nodes& velocity, const Nodes& outer,
                               Nodes& inner, Work& work) {
  if (dependent_nodes_.dependents.empty()) return;
  for (std::size_t n = 0; n < mass_.size(); ++n) {
    velocity_[n] = free_[n] * Record{velocity.x[n], velocity.y[n], velocity.z[n], 0.0};
    force_[n] = free_[n] * Record{inner.x[n] + outer.x[n], inner.y[n] + outer.y[n],
                                  inner.z[n] + outer.z[n], 0.0};
    passed_[n] = Record{};
  }
  add_energy(kick, work);
  for (std::size_t k = 0; k < dependent_nodes_.dependents.size(); ++k) {
    const Record force = force_[dependent_nodes_.dependents[k]];
    Record* const passed = passed_.data();
    for (std::uint32_t i = dependent_nodes_.begin[k], end = dependent_nodes_.begin[k + 1]; i < end;
         ++i)
      passed[dependent_nodes_.carriers[i]] += dependent_nodes_.parts[i] * force;
  }
  for (std::size_t k = 0; k < carriers_.size(); ++k) {
    const std::uint32_t n = carriers_[k];
    const Record more = free_[n] * passed_[n];
    inner.x[n] += more[0], inner.y[n] += more[1], inner.z[n] += more[2];
    passed_[n] = ease_[k] * (force_[n] + more);  // from here on its acceleration
  }
  for (std::size_t k = 0; k < dependent_nodes_.dependents.size(); ++k) {
    const std::uint32_t n = dependent_nodes_.dependents[k];
    const Record acceleration = eased_[k] * force_[n] + carried(k, passed_);
    const Record more = free_[n] * (mass_[n] * acceleration - force_[n]);
    inner.x[n] += more[0], inner.y[n] += more[1], inner.z[n] += more[2];
  }
}

/// The sum of t_j times the values of carriers. Four partial sums are kept, because each addition
/// would wait for the last.
ReciprocalMassKick::Record ReciprocalMassKick::carried(std::size_t dependent,
                                                       const std::vector<Record>& by) const {
  const double* const part = dependent_nodes_.parts.data();
  const std::uint32_t* const carrier = dependent_nodes_.carriers.data();
  const Record* const of = by.data();
  std::uint32_t i = dependent_nodes_.begin[dependent];
  const std::uint32_t end = dependent_nodes_.begin[dependent + 1];
  Record a{}, b{}, c{}, d{};
  for (; i + 4 <= end; i += 4) {
    a += part[i] * of[carrier[i]];
    b += part[i + 1] * of[carrier[i + 1]];
    c += part[i + 2] * of[carrier[i + 2]];
    d += part[i + 3] * of[carrier[i + 3]];
  }
  for (; i < end; ++i) a += part[i] * of[carrier[i]];
  return (a + b) + (c + d);
}

/// Adds the kinetic energy of w, which changes as if it was an independent node.
void ReciprocalMassKick::add_energy(const Kick& kick, Work& work) const {
  Record kinetic{}, damped_before{}, damped_after{};
  for (std::size_t k = 0; k < dependent_nodes_.dependents.size(); ++k) {
    const std::uint32_t n = dependent_nodes_.dependents[k];
    const Record own = free_[n] * (velocity_[n] - carried(k, velocity_));
    const Record after = kick.keep * own + (kick.push * eased_[k]) * force_[n];
    const Record before = kick.is_first ? 2.0 * own - after : own;
    const Record momentum = against_[k] * before, both = momentum + against_[k] * after;
    kinetic += momentum * after;
    damped_before += both * before;
    damped_after += both * after;
  }
  const auto sum = [](const Record& record) { return record[0] + record[1] + record[2]; };
  const double damping = 0.25 * kick.dt * kick.mass_damping;
  work.kinetic += 0.5 * sum(kinetic);
  work.damped_before += damping * sum(damped_before);
  work.damped_after += damping * sum(damped_after);
}

}  // namespace peal::elastic
