#include <peal/contact/contact_equations.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

namespace peal::contact {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

/// The equation of a contact is solved to this fraction of the displacement of a step, and contacts
/// with each other to that part of the depth: the energy of 10^4 steps then closes to 1e-9.
/// Positions are known to the rounding of all that has moved.
constexpr double force_tolerance = 1e-12, depth_tolerance = 1e-12, relative_rounding = 3e-16;
/// Couplings within a step are weak (h / tau squared), so that few sweeps are needed; with equal
/// springs that press on one light body it may take some more.
/// Friction takes energy also if it is off by some parts in a hundred; the normal forces are then
/// found with it as it is.
constexpr double friction_tolerance = 0.05, least_slip = 0.03;  // of mu times the normal force
constexpr int most_newton_steps = 5, most_friction_sweeps = 20, most_sweeps = 80,
              most_iterations = 100;

/// Contacts whose normal forces are found at once, at most.
constexpr int most_together = 8;

}  // namespace

Couplings::Couplings(const Eigen::MatrixXd& matrix) {
  const Index used = (matrix.array() != 0.0).count();
  if (2 * used > matrix.size()) {
    dense_ = matrix;
    return;
  }
  entries_.reserve(static_cast<std::size_t>(used));
  for (Index j = 0; j < matrix.cols(); ++j) {
    starts_.push_back(entries_.size());
    for (Index i = 0; i < matrix.rows(); ++i)
      if (matrix(i, j) != 0.0) entries_.push_back({i, matrix(i, j)});
  }
  starts_.push_back(entries_.size());
}

void Couplings::add_column(Index component, double force, VectorXd& sum) const {
  if (starts_.empty()) {
    sum += force * dense_.col(component);
    return;
  }
  const auto column = static_cast<std::size_t>(component);
  for (std::size_t e = starts_[column]; e < starts_[column + 1]; ++e)
    sum[entries_[e].row] += entries_[e].value * force;
}

void Couplings::add_products(const VectorXd& forces, VectorXd& sum) const {
  for (Index j = 0; j < forces.size(); ++j)
    if (forces[j] != 0.0) add_column(j, forces[j], sum);
}

void ContactEquations::resize(Index components) {
  compliance_.setZero(components, components);
  for (VectorXd* vector : {&force_, &last_force_, &next_}) vector->setZero(components);
}

/// The force with which the contact goes from its depth to `free_depth` minus the compliance times
/// the force. The equation is monotonic in the depth and is solved by Newton's method with
/// bisection.
double ContactEquations::normal_force(const ContactState& state, double free_depth,
                                      double guess) const {
  const double from = state.depth, surface = state.spring.surface();
  if (from <= surface && free_depth <= surface) return 0.0;
  const auto n = static_cast<Index>(state.first);
  const double compliance = compliance_(n, n);
  const auto excess = [&](double to, double force) { return to - free_depth + compliance * force; };
  double high = free_depth, low = free_depth - compliance * state.spring.mean_force(from, high);
  double to = std::clamp(free_depth - compliance * guess, low, high), force = 0.0;
  const double moved = std::abs(free_depth - from);
  double width = high - low;
  for (int i = 0; i < most_iterations; ++i) {
    force = state.spring.mean_force(from, to);
    const double wrong = excess(to, force);
    (wrong > 0.0 ? high : low) = to;
    const double slope = mean_slope(state, to, force);
    double next = to - wrong / (1.0 + compliance * std::max(slope, 0.0));
    // The slope jumps where the spring leaves its dent: there Newton's method alone may creep.
    if (i % 4 == 3) {
      if (high - low > 0.25 * width) next = 0.5 * (low + high);
      width = high - low;
    }
    if (!(next > low) || !(next < high)) next = 0.5 * (low + high);
    if (std::abs(wrong) <= force_tolerance * moved + relative_rounding * std::abs(free_depth) ||
        next == to)
      break;
    to = next;
  }
  return force;
}

/// Half of the force that would leave the contact where it is in this step, which for rigid bodies
/// leaves it without speed at the end; at most mu times the normal force. Any part from 0 to 1 of
/// that force takes energy.
Eigen::Vector2d ContactEquations::friction(const ContactState& state, double normal) const {
  const auto t = static_cast<Index>(state.first) + 1;
  const double c00 = compliance_(t, t), c01 = compliance_(t, t + 1),
               c11 = compliance_(t + 1, t + 1);
  // The slip of this step but for the friction itself.
  const double s0 = next_[t] - (*now_)[t] - c00 * force_[t] - c01 * force_[t + 1];
  const double s1 = next_[t + 1] - (*now_)[t + 1] - c01 * force_[t] - c11 * force_[t + 1];
  const double scale = -0.5 / (c00 * c11 - c01 * c01);
  Eigen::Vector2d force(scale * (c11 * s0 - c01 * s1), scale * (c00 * s1 - c01 * s0));
  const double most = state.friction * normal, square = force.squaredNorm();
  if (square > most * most) force *= most / std::sqrt(square);
  return force;
}

/// One step of Newton's method towards that force, from where the contact is.
double ContactEquations::nearer_force(const ContactState& state) const {
  const auto n = static_cast<Index>(state.first);
  const double depth = -(state.offset + next_[n]), now = force_[n];
  if (now == 0.0 && std::max(depth, state.depth) <= state.spring.surface()) return 0.0;
  const double force = state.spring.mean_force(state.depth, depth);
  const double slope = std::max(mean_slope(state, depth, force), 0.0);
  return std::max(now + (force - now) / (1.0 + slope * compliance_(n, n)), 0.0);
}

/// Gives a component another force and moves everything accordingly; returns by how much that moves
/// its own point [m].
double ContactEquations::set_force(Index component, double force) {
  const double change = force - force_[component];
  if (change == 0.0) return 0.0;
  force_[component] = force;
  couplings_.add_column(component, change, next_);
  return std::abs(change) * compliance_(component, component);
}

/// Starts from where the forces of the last two steps lead.
void ContactEquations::guess_forces() {
  for (const ContactState& state : contacts_) {
    const auto n = static_cast<Index>(state.first);
    const bool goes_on = force_[n] > 0.0 && last_force_[n] > 0.0;
    for (Index i = n; i < n + (state.rubs ? 3 : 1); ++i) {
      const double now = force_[i];
      if (goes_on) force_[i] = 2.0 * now - last_force_[i];
      last_force_[i] = now;
    }
    force_[n] = std::max(force_[n], 0.0);
  }
}

/// Sweeps over the contacts, each with the forces of the others as they are, until none changes
/// (Gauss and Seidel). False if nothing touches.
bool ContactEquations::solve(const VectorXd& now, const VectorXd& free) {
  now_ = &now;
  free_ = &free;
  const bool may_touch = std::ranges::any_of(contacts_, [&](const ContactState& state) {
    const double depth = -(state.offset + (*free_)[static_cast<Index>(state.first)]);
    return std::max(depth, state.depth) > state.spring.surface();
  });
  next_ = *free_;
  if (!may_touch) {
    force_.setZero();
    last_force_.setZero();
    return false;
  }
  guess_forces();
  couplings_.add_products(force_, next_);
  // While friction is being found, normal forces need not be exact.
  bool slips = std::ranges::any_of(contacts_, [](const ContactState& one) { return one.rubs; });
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool is_settled = true, still_slips = false;
    for (const ContactState& state : contacts_) {
      const auto n = static_cast<Index>(state.first);
      const double near = near_enough(state);
      if (slips) {
        set_force(n, nearer_force(state));
      } else {
        const double free_depth = compliance_(n, n) * force_[n] - (state.offset + next_[n]);
        if (set_force(n, normal_force(state, free_depth, force_[n])) > near) is_settled = false;
      }
      if (!slips || !state.rubs) continue;
      if (force_[n] == 0.0 && force_[n + 1] == 0.0 && force_[n + 2] == 0.0) continue;
      const Eigen::Vector2d across = friction(state, force_[n]);
      const double slid = set_force(n + 1, across[0]) + set_force(n + 2, across[1]);
      if (still_slips) continue;
      const double size = across.norm() + state.friction * force_[n] * least_slip;
      if (slid > near + friction_tolerance * size * compliance_(n + 1, n + 1)) still_slips = true;
    }
    if (slips && still_slips && sweep < most_friction_sweeps) continue;
    if ((is_settled && !slips) || force_.size() == 1) break;
    slips = false;
    if (settle_normals()) break;
  }
  next_ = *free_;
  couplings_.add_products(force_, next_);
  return true;
}

/// How far from exact a contact's normal force may be, as a way of its point [m].
double ContactEquations::near_enough(const ContactState& state) const {
  const auto n = static_cast<Index>(state.first);
  return depth_tolerance * (std::abs(state.depth) + std::abs((*free_)[n] - (*now_)[n])) +
         3.0 * relative_rounding * (std::abs(state.offset) + std::abs((*free_)[n]));
}

/// Newton's method for all normal forces at once, with friction as it is: near the solution it
/// takes two or three iterations where sweeps take a dozen. False if it does not converge at once.
bool ContactEquations::settle_normals() {
  std::array<const ContactState*, most_together> active;
  Index count = 0;
  for (const ContactState& state : contacts_) {
    const auto n = static_cast<Index>(state.first);
    const double depth = -(state.offset + next_[n]);
    if (force_[n] == 0.0 && std::max(depth, state.depth) <= state.spring.surface()) continue;
    if (count == most_together) return false;
    active[static_cast<std::size_t>(count++)] = &state;
  }
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_together, most_together> matrix(
      count, count);
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_together, 1> change(count);
  for (int iteration = 0; iteration < most_newton_steps; ++iteration) {
    for (Index i = 0; i < count; ++i) {
      const ContactState& state = *active[static_cast<std::size_t>(i)];
      const auto n = static_cast<Index>(state.first);
      const double depth = -(state.offset + next_[n]);
      const double force = state.spring.mean_force(state.depth, depth);
      const double slope = std::max(mean_slope(state, depth, force), 0.0);
      for (Index j = 0; j < count; ++j)
        matrix(i, j) =
            slope * compliance_(n, static_cast<Index>(active[static_cast<std::size_t>(j)]->first));
      matrix(i, i) += 1.0;
      change[i] = force - force_[n];
    }
    // It is 1 + S C with slopes S >= 0 and a positive C, so that no pivots are needed.
    for (Index i = 0; i < count; ++i) {
      for (Index k = i + 1; k < count; ++k) {
        const double part = matrix(k, i) / matrix(i, i);
        for (Index j = i + 1; j < count; ++j) matrix(k, j) -= part * matrix(i, j);
        change[k] -= part * change[i];
      }
    }
    for (Index i = count; i-- > 0;) {
      for (Index j = i + 1; j < count; ++j) change[i] -= matrix(i, j) * change[j];
      change[i] /= matrix(i, i);
    }
    bool is_settled = true;
    for (Index i = 0; i < count; ++i) {
      const ContactState& state = *active[static_cast<std::size_t>(i)];
      const auto n = static_cast<Index>(state.first);
      const double force = force_[n] + change[i];
      if (!(force >= 0.0)) return false;
      if (set_force(n, force) > near_enough(state)) is_settled = false;
    }
    if (!is_settled) continue;
    // The others are still open.
    return std::ranges::all_of(contacts_, [&](const ContactState& state) {
      const auto n = static_cast<Index>(state.first);
      return force_[n] > 0.0 ||
             std::max(-(state.offset + next_[n]), state.depth) <= state.spring.surface();
    });
  }
  return false;
}

/// How the mean force of a step rises with the depth at its end [N/m].
double ContactEquations::mean_slope(const ContactState& state, double depth, double force) {
  const double way = depth - state.depth;
  return std::abs(way) > 1e-4 * std::abs(depth - state.spring.surface())
             ? (state.spring.force(depth) - force) / way
             : 0.5 * state.spring.slope(depth);
}

}  // namespace peal::contact
