#include <peal/elastic/scaled_stiffness.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace peal::elastic {

ScaledStiffness::ScaledStiffness(const Solid& solid, const FreeAxes& free, const Nodes& positions)
    : solid_(solid),
      pairs_(mass_scaled_pairs(solid)),
      sections_(mass_scaled_sections(solid)),
      positions_(positions),
      here_(positions.size()),
      one_(here_),
      other_(here_) {
  const std::size_t n = solid.rest.size();
  const double mass = std::accumulate(solid.mass.begin(), solid.mass.end(), 0.0);
  const double volume = mass / solid.material.density;
  // Strains of 1e-5: their square and the rounding of forces both leave eight digits.
  length_ = 1e-5 * std::cbrt(volume / static_cast<double>(solid.forces->elements()));
  scale_.resize(3 * n);
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < n; ++i) {
      scale_[axis * n + i] = free[axis][i] / std::sqrt(solid.mass[i]);
    }
  }
  const std::vector<double> against = dependent_masses(solid);
  for (std::size_t k = 0; k < against.size(); ++k) {
    const std::uint32_t dependent = solid.riding.dependents[k];
    for (std::size_t axis = 0; axis < 3; ++axis)
      scale_[axis * n + dependent] = free[axis][dependent] / std::sqrt(against[k]);
  }
}

void ScaledStiffness::apply(const std::vector<double>& p, std::vector<double>& q) {
  spread_ = p;
  spread(spread_);
  apply_lumped(spread_, q);
  spread(q);
}

std::vector<double> ScaledStiffness::scaled(const Nodes& all) const {
  const std::size_t n = solid_.rest.size();
  Nodes forces = all;
  pass_on(forces);
  std::vector<double> p(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    p[i] = scale_[i] * forces.x[i];
    p[n + i] = scale_[n + i] * forces.y[i];
    p[2 * n + i] = scale_[2 * n + i] * forces.z[i];
  }
  spread(p);
  return p;
}

/// Applies mass scaling. M = D^1/2 (a + (1 - a) u u^T) D^1/2, where D holds the lumped masses and
/// u_i = sqrt(m_i / M) (selective_mass_scaling.h); the vector is multiplied by the inverse square
/// root of the matrix in brackets.
template <std::size_t count>
void ScaledStiffness::spread(const std::vector<MassScaledNodes<count>>& all,
                             std::vector<double>& p) const {
  const std::size_t n = solid_.rest.size();
  for (const MassScaledNodes<count>& one : all) {
    double mass = 0.0;
    for (const std::uint32_t node : one.nodes) mass += solid_.mass[node];
    const double root = 1.0 / std::sqrt(one.factor);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double sum = 0.0, is_free = 1.0;
      for (const std::uint32_t node : one.nodes) {
        is_free *= scale_[axis * n + node];
        sum += std::sqrt(solid_.mass[node] / mass) * p[axis * n + node];
      }
      if (is_free == 0.0) continue;
      for (const std::uint32_t node : one.nodes) {
        double& value = p[axis * n + node];
        value = root * value + (1.0 - root) * std::sqrt(solid_.mass[node] / mass) * sum;
      }
    }
  }
}

void ScaledStiffness::spread(std::vector<double>& p) const {
  spread(pairs_, p);
  spread(sections_, p);
}

/// Moves dependent nodes with their carriers (reciprocal_mass.h); fixed nodes stay.
void ScaledStiffness::ride(std::vector<double>& u) const {
  const std::size_t n = solid_.rest.size();
  const DependentNodes& riding = solid_.riding;
  for (std::size_t k = 0; k < riding.dependents.size(); ++k) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double* const along = u.data() + axis * n;
      if (scale_[axis * n + riding.dependents[k]] == 0.0) continue;
      for (std::uint32_t i = riding.begin[k]; i < riding.begin[k + 1]; ++i)
        along[riding.dependents[k]] += riding.parts[i] * along[riding.carriers[i]];
    }
  }
}

/// Applies the transpose of ride() to forces.
void ScaledStiffness::pass_on(Nodes& forces) const {
  const std::size_t n = solid_.rest.size();
  const DependentNodes& riding = solid_.riding;
  for (std::size_t k = 0; k < riding.dependents.size(); ++k) {
    const std::uint32_t dependent = riding.dependents[k];
    const geometry::Vec3 is_free(scale_[dependent] > 0.0, scale_[n + dependent] > 0.0,
                                 scale_[2 * n + dependent] > 0.0);
    const geometry::Vec3 force = is_free.cwiseProduct(forces.at(dependent));
    for (std::uint32_t i = riding.begin[k]; i < riding.begin[k + 1]; ++i)
      forces.add(riding.carriers[i], riding.parts[i] * force);
  }
}

void ScaledStiffness::apply_lumped(const std::vector<double>& p, std::vector<double>& q) {
  const std::size_t n = solid_.rest.size();
  moved_.resize(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) moved_[i] = p[i] * scale_[i];
  ride(moved_);
  double largest = 0.0;
  for (const double u : moved_) largest = std::max(largest, std::abs(u));
  const double step = largest > 0.0 ? length_ / largest : 0.0;
  push(step, one_);
  push(-step, other_);
  for (std::size_t i = 0; i < n; ++i) {
    const double s = step > 0.0 ? 0.5 / step : 0.0;
    q[i] = s * scale_[i] * (other_.x[i] - one_.x[i]);
    q[n + i] = s * scale_[n + i] * (other_.y[i] - one_.y[i]);
    q[2 * n + i] = s * scale_[2 * n + i] * (other_.z[i] - one_.z[i]);
  }
}

/// Forces of nodes displaced by `step` times `moved_`, with those of dependent nodes passed on to
/// carriers.
void ScaledStiffness::push(double step, Nodes& forces) {
  const std::size_t n = solid_.rest.size();
  for (std::size_t i = 0; i < n; ++i) {
    here_.x[i] = positions_.x[i] + step * moved_[i];
    here_.y[i] = positions_.y[i] + step * moved_[n + i];
    here_.z[i] = positions_.z[i] + step * moved_[2 * n + i];
  }
  forces.clear();
  solid_.forces->add(here_, forces);
  pass_on(forces);
}

}  // namespace peal::elastic
