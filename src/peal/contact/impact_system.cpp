#include <peal/contact/impact_system.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace peal::contact {

using base::ImpactBody;
using base::Vec3;
using Eigen::Index;
using Eigen::VectorXd;

namespace {

/// The equation of a contact is solved to this fraction of the displacement of a step, and contacts
/// with each other to that part of the depth: the energy of 10^4 steps then closes to 1e-9.
/// Positions are known to the rounding of all that has moved.
constexpr double force_tolerance = 1e-12, rough_tolerance = 1e-3, depth_tolerance = 1e-12,
                 rounding = 3e-16;
/// Couplings within a step are weak (h / tau squared), so that few sweeps are needed; with equal
/// springs that press on one light body it may take some more.
/// Friction takes energy also if it is off by some parts in a hundred; the normal forces are then
/// found with it as it is.
constexpr double friction_tolerance = 0.03, least_slip = 0.03;  // of mu times the normal force
constexpr int most_newton_steps = 5, most_friction_sweeps = 20, most_sweeps = 80,
              most_iterations = 100;

/// Steps at once while nothing touches: it costs about as much as four single ones to find out how
/// many may be taken.
constexpr double shortest_leap = 8.0, longest_leap = 256.0, leap_safety = 0.99;
constexpr std::int64_t steps_before_leap = 4;

/// Contacts whose normal forces are found at once, at most.
constexpr int most_together = 8;

double kinetic_energy(const ImpactBody& body, const Vec3& velocity, const Vec3& angular) {
  if (!(body.inverse_mass > 0.0)) return 0.0;
  double energy = 0.5 * velocity.squaredNorm() / body.inverse_mass;
  if (body.inverse_inertia.determinant() != 0.0)
    energy += 0.5 * angular.dot(body.inverse_inertia.inverse() * angular);
  return energy;
}

/// How a component acts on a body: 1 on a, -1 on b, 0 on others.
double side_of(const base::ImpactContact& touch, std::size_t body) {
  return touch.a == body ? 1.0 : touch.b == body ? -1.0 : 0.0;
}

}  // namespace

ImpactSystem::ImpactSystem(std::span<const ImpactBody> bodies,
                           std::span<ModalOscillators* const> modes, std::vector<Contact> contacts,
                           double h)
    : bodies_(bodies), h_(h) {
  add_contacts(std::move(contacts));
  add_rigid_motion();
  add_modes(modes);
  put_surfaces();
  look_ahead();
}

void ImpactSystem::add_contacts(std::vector<Contact> contacts) {
  states_.reserve(contacts.size());
  for (Contact& contact : contacts) {
    const base::ImpactContact& touch = contact.touch;
    LocalYield yield(h_);
    yield.add_unknown_modes(contact.unknown_a, contact.cut_a);
    yield.add_unknown_modes(contact.unknown_b, contact.cut_b);
    yield.add_mobility(contact.mobility);
    const bool rubs = touch.friction > 0.0;
    const std::size_t first = directions_.size();
    directions_.push_back(touch.normal);
    if (rubs) {
      const Vec3 across = touch.normal.unitOrthogonal();
      directions_.push_back(across);
      directions_.push_back(touch.normal.cross(across));
    }
    const HertzSpring spring(contact.stiffness, touch.restitution);
    states_.push_back({.contact = std::move(contact),
                       .spring = spring,
                       .yield = std::move(yield),
                       .first = first,
                       .rubs = rubs});
  }
  samples_.resize(states_.size());
}

void ImpactSystem::add_rigid_motion() {
  const auto count = static_cast<Index>(directions_.size());
  for (auto* vector :
       {&falling_, &scripted_, &rigid_, &rigid_speed_, &now_, &free_, &next_, &force_, &last_force_,
        &impulse_, &twice_, &moved_, &acceleration_, &speed_before_, &speed_after_})
    vector->setZero(count);
  mobility_.setZero(count, count);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const ImpactBody& body = bodies_[b];
    Eigen::Matrix3Xd push = Eigen::Matrix3Xd::Zero(3, count), twist = push;
    for (const State& state : states_) {
      const base::ImpactContact& touch = state.contact.touch;
      const double side = side_of(touch, b);
      if (side == 0.0) continue;
      const Vec3 velocity = body.velocity_at(touch.point);
      for (std::size_t j = state.first; j < state.first + (state.rubs ? 3 : 1); ++j) {
        const auto column = static_cast<Index>(j);
        const Vec3 direction = side * directions_[j];
        push.col(column) = direction;
        twist.col(column) = (touch.point - body.centre).cross(direction);
        rigid_speed_[column] += direction.dot(velocity);
        if (body.inverse_mass > 0.0)
          falling_[column] += direction.dot(body.acceleration);
        else
          scripted_[column] += direction.dot(velocity);
      }
    }
    if (!(body.inverse_mass > 0.0)) continue;
    mobility_ += body.inverse_mass * push.transpose() * push +
                 twist.transpose() * body.inverse_inertia * twist;
  }
  compliance_ = 0.5 * h_ * h_ * mobility_;
  admittance_ = h_ * mobility_;
}

void ImpactSystem::add_modes(std::span<ModalOscillators* const> modes) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (!modes[b] || modes[b]->size() == 0) continue;
    ModalOscillators& oscillators = *modes[b];
    std::vector<std::size_t> components;
    std::vector<double> gains;
    for (const State& state : states_) {
      const double side = side_of(state.contact.touch, b);
      if (side == 0.0) continue;
      const Eigen::Matrix3Xf& at = side > 0.0 ? state.contact.gains_a : state.contact.gains_b;
      for (std::size_t j = state.first; j < state.first + (state.rubs ? 3 : 1); ++j) {
        components.push_back(j);
        const std::size_t begin = gains.size();
        gains.resize(begin + oscillators.padded(), 0.0);
        const VectorXd along = at.cast<double>().transpose() * (side * directions_[j]);
        std::ranges::copy(along, gains.begin() + static_cast<std::ptrdiff_t>(begin));
      }
    }
    if (components.empty()) continue;
    modal_before_ += oscillators.energy();
    oscillators_.push_back(&oscillators);
    ModalContact contact(oscillators, std::move(gains), h_);
    for (std::size_t i = 0; i < components.size(); ++i) {
      const auto row = static_cast<Index>(components[i]);
      now_[row] += contact.position(i);
      for (std::size_t k = 0; k < components.size(); ++k) {
        const auto column = static_cast<Index>(components[k]);
        compliance_(row, column) += contact.compliance(i, k);
        admittance_(row, column) += contact.admittance(i, k);
      }
    }
    std::vector<double> speed;
    for (std::size_t i = 0; i < components.size(); ++i) speed.push_back(contact.velocity(i));
    moving_.push_back({std::move(contact), std::move(components), std::move(speed)});
  }
}

/// The surfaces are where the rigid bodies have them, up to where ringing has them just now: they
/// never overlap at the start, which would be energy from nowhere.
void ImpactSystem::put_surfaces() {
  for (State& state : states_) {
    const auto n = static_cast<Index>(state.first);
    const double rigid_gap = std::max(state.contact.touch.gap, 0.0);
    const double gap =
        std::clamp(state.contact.touch.gap + now_[n], 0.0, rigid_gap + state.contact.wait);
    state.offset = gap - now_[n];
    state.depth = -gap;
    compliance_(n, n) += state.yield.compliance();
  }
}

/// Where everything would be after the next step without forces.
void ImpactSystem::look_ahead() {
  for (Index i = 0; i < free_.size(); ++i)
    free_[i] = rigid_[i] + h_ * (rigid_speed_[i] + 0.5 * h_ * falling_[i]);
  for (const Moving& moving : moving_)
    for (std::size_t i = 0; i < moving.components.size(); ++i)
      free_[static_cast<Index>(moving.components[i])] += moving.modes.free_position()[i];
  for (const State& state : states_)
    free_[static_cast<Index>(state.first)] += state.yield.free_position();
}

/// The force that moves the contact from its depth to `free_depth` less what the force gives way:
/// one equation that rises in the depth, by Newton's method between bounds.
double ImpactSystem::normal_force(const State& state, double free_depth, double guess,
                                  bool is_rough) const {
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
    if (is_rough && std::abs(wrong) <= rough_tolerance * moved) break;
    if (std::abs(wrong) <= force_tolerance * moved + rounding * std::abs(free_depth) || next == to)
      break;
    to = next;
  }
  return force;
}

/// Half of the force that would leave the contact where it is in this step, which for rigid bodies
/// leaves it without speed at the end; at most mu times the normal force. Any part from 0 to 1 of
/// that force takes energy.
Eigen::Vector2d ImpactSystem::friction(const State& state, double normal) const {
  const auto t = static_cast<Index>(state.first) + 1;
  const double c00 = compliance_(t, t), c01 = compliance_(t, t + 1),
               c11 = compliance_(t + 1, t + 1);
  // The slip of this step but for the friction itself.
  const double s0 = next_[t] - now_[t] - c00 * force_[t] - c01 * force_[t + 1];
  const double s1 = next_[t + 1] - now_[t + 1] - c01 * force_[t] - c11 * force_[t + 1];
  const double scale = -0.5 / (c00 * c11 - c01 * c01);
  Eigen::Vector2d force(scale * (c11 * s0 - c01 * s1), scale * (c00 * s1 - c01 * s0));
  const double most = state.contact.touch.friction * normal, size = force.norm();
  if (size > most) force *= most / size;
  return force;
}

/// Gives a component another force and moves everything accordingly; returns by how much that moves
/// its own point [m].
double ImpactSystem::set_force(Index component, double force) {
  const double change = force - force_[component];
  if (change == 0.0) return 0.0;
  force_[component] = force;
  for (Index i = 0; i < next_.size(); ++i) next_[i] += compliance_(i, component) * change;
  return std::abs(change) * compliance_(component, component);
}

/// Starts from where the forces of the last two steps lead.
void ImpactSystem::guess_forces() {
  for (const State& state : states_) {
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
bool ImpactSystem::find_forces() {
  const bool may_touch = std::ranges::any_of(states_, [&](const State& state) {
    const double depth = -(state.offset + free_[static_cast<Index>(state.first)]);
    return std::max(depth, state.depth) > state.spring.surface();
  });
  next_ = free_;
  if (!may_touch) {
    force_.setZero();
    last_force_.setZero();
    return false;
  }
  guess_forces();
  add_moved_by(compliance_, next_);
  // While friction is being found, normal forces need not be exact.
  bool slips = std::ranges::any_of(states_, &State::rubs);
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool is_settled = true, still_slips = false;
    for (const State& state : states_) {
      const auto n = static_cast<Index>(state.first);
      const double free_depth = compliance_(n, n) * force_[n] - (state.offset + next_[n]);
      const double moved = set_force(n, normal_force(state, free_depth, force_[n], slips));
      const double near = near_enough(state);
      if (moved > near) is_settled = false;
      if (!slips || !state.rubs) continue;
      const Eigen::Vector2d across = friction(state, force_[n]);
      const double slid = set_force(n + 1, across[0]) + set_force(n + 2, across[1]);
      const double size = across.norm() + state.contact.touch.friction * force_[n] * least_slip;
      if (slid > near + friction_tolerance * size * compliance_(n + 1, n + 1)) still_slips = true;
    }
    if (slips && still_slips && sweep < most_friction_sweeps) continue;
    if ((is_settled && !slips) || directions_.size() == 1) break;
    slips = false;
    if (settle_normals()) break;
  }
  next_ = free_;
  add_moved_by(compliance_, next_);
  return true;
}

/// How far from exact a contact's normal force may be, as a way of its point [m].
double ImpactSystem::near_enough(const State& state) const {
  const auto n = static_cast<Index>(state.first);
  return depth_tolerance * (std::abs(state.depth) + std::abs(free_[n] - now_[n])) +
         3.0 * rounding * (std::abs(state.offset) + std::abs(free_[n]));
}

/// Newton's method for all normal forces at once, with friction as it is: near the solution it
/// takes two or three iterations where sweeps take a dozen. False if it does not converge at once.
bool ImpactSystem::settle_normals() {
  std::array<State*, most_together> active;
  Index count = 0;
  for (State& state : states_) {
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
      const State& state = *active[static_cast<std::size_t>(i)];
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
    change = matrix.partialPivLu().solve(change);
    bool is_settled = true;
    for (Index i = 0; i < count; ++i) {
      const State& state = *active[static_cast<std::size_t>(i)];
      const auto n = static_cast<Index>(state.first);
      const double force = force_[n] + change[i];
      if (!(force >= 0.0)) return false;
      if (set_force(n, force) > near_enough(state)) is_settled = false;
    }
    if (!is_settled) continue;
    // The others are still open.
    return std::ranges::all_of(states_, [&](const State& state) {
      const auto n = static_cast<Index>(state.first);
      return force_[n] > 0.0 ||
             std::max(-(state.offset + next_[n]), state.depth) <= state.spring.surface();
    });
  }
  return false;
}

/// How the mean force of a step rises with the depth at its end [N/m].
double ImpactSystem::mean_slope(const State& state, double depth, double force) {
  const double way = depth - state.depth;
  return std::abs(way) > 1e-4 * std::abs(depth - state.spring.surface())
             ? (state.spring.force(depth) - force) / way
             : 0.5 * state.spring.slope(depth);
}

/// Adds matrix times the forces, most of which are zero.
void ImpactSystem::add_moved_by(const Eigen::MatrixXd& matrix, VectorXd& sum) const {
  for (Index j = 0; j < force_.size(); ++j) {
    if (force_[j] == 0.0) continue;
    for (Index i = 0; i < sum.size(); ++i) sum[i] += matrix(i, j) * force_[j];
  }
}

void ImpactSystem::step() {
  const bool touches = find_forces();
  // What the rigid motion alone does.
  acceleration_ = falling_;
  if (touches) add_moved_by(mobility_, acceleration_);
  for (Index i = 0; i < next_.size(); ++i)
    moved_[i] = h_ * (rigid_speed_[i] + 0.5 * h_ * acceleration_[i]);
  if (touches) account();
  move_springs(touches);
  for (Index i = 0; i < next_.size(); ++i) {
    rigid_[i] += moved_[i];
    rigid_speed_[i] += h_ * acceleration_[i];
    twice_[i] += h_ * (impulse_[i] + 0.5 * h_ * force_[i]);
    impulse_[i] += h_ * force_[i];
  }
  for (Moving& moving : moving_) {
    body_forces_.clear();
    for (const std::size_t j : moving.components)
      body_forces_.push_back(force_[static_cast<Index>(j)]);
    // Speeds at the end of this step are those at the start of the next.
    for (std::size_t i = 0; i < moving.components.size(); ++i) {
      double speed = moving.modes.free_velocity()[i];
      if (touches)
        for (std::size_t k = 0; k < moving.components.size(); ++k)
          speed += moving.modes.admittance(i, k) * body_forces_[k];
      moving.speed[i] = speed;
    }
    moving.modes.advance(body_forces_);
  }
  record();
  now_.swap(next_);
  ++steps_;
  look_ahead();
}

bool ImpactSystem::leap(double most) {
  if (!has_hit_ || quiet_ < std::max(steps_before_leap, quiet_leap_)) return false;
  double steps = std::min(most, longest_leap);
  for (const State& state : states_) {
    const auto n = static_cast<Index>(state.first);
    double fastest = std::abs(rigid_speed_[n]) + longest_leap * h_ * std::abs(falling_[n]) +
                     state.yield.fastest();
    for (const Moving& moving : moving_)
      for (std::size_t i = 0; i < moving.components.size(); ++i)
        if (moving.components[i] == state.first) fastest += moving.modes.fastest(i);
    const double gap = state.offset + now_[n] + state.spring.surface();
    steps = std::min(steps, leap_safety * gap / (fastest * h_));
    if (!(steps >= shortest_leap)) break;
  }
  // Few lengths, so that bodies keep few sets of coefficients.
  if (!(steps >= shortest_leap)) {
    quiet_leap_ = quiet_ + 2 * steps_before_leap;
    return false;
  }
  const auto count = std::bit_floor(static_cast<unsigned>(steps));
  const double time = count * h_;
  force_.setZero();
  rigid_ += time * rigid_speed_ + 0.5 * time * time * falling_;
  rigid_speed_ += time * falling_;
  twice_ += time * impulse_;
  now_ = rigid_;
  for (Moving& moving : moving_) {
    moving.modes.leap(count);
    for (std::size_t i = 0; i < moving.components.size(); ++i) {
      now_[static_cast<Index>(moving.components[i])] += moving.modes.position(i);
      moving.speed[i] = moving.modes.velocity(i);
    }
  }
  for (std::size_t c = 0; c < states_.size(); ++c) {
    State& state = states_[c];
    const auto n = static_cast<Index>(state.first);
    state.yield.leap(count);
    now_[n] += state.yield.position();
    state.depth = -(state.offset + now_[n]);
    samples_[c].resize(samples_[c].size() + count, Eigen::Vector3f::Zero());
  }
  steps_ += count;
  quiet_ += count;
  look_ahead();
  return true;
}

/// Takes the springs, and what yields at the contacts, through the step.
void ImpactSystem::move_springs(bool touches) {
  if (touches) {
    // Speeds at both ends, but for the yield.
    speed_before_ = rigid_speed_;
    speed_after_ = rigid_speed_ + h_ * falling_;
    add_moved_by(admittance_, speed_after_);
    for (const Moving& moving : moving_) {
      for (std::size_t i = 0; i < moving.components.size(); ++i) {
        const auto row = static_cast<Index>(moving.components[i]);
        speed_before_[row] += moving.speed[i];
        speed_after_[row] += moving.modes.free_velocity()[i];
      }
    }
  }
  bool any = false;
  for (State& state : states_) {
    const auto n = static_cast<Index>(state.first);
    const double force = force_[n], depth = -(state.offset + next_[n]);
    if (force > 0.0) {
      const double before = -(speed_before_[n] + state.yield.speed_before(force));
      const double after = -(speed_after_[n] + state.yield.speed_after(force));
      state.spring.advance(state.depth, depth, before, after, h_);
      if (!state.touches) ++state.hits;
    }
    beyond_ += state.yield.advance(force);
    state.depth = depth;
    state.touches = force > 0.0;
    any = any || state.touches;
  }
  quiet_ = any ? 0 : quiet_ + 1;
  if (any) quiet_leap_ = 0;
  has_hit_ = has_hit_ || any;
}

void ImpactSystem::account() {
  for (Index j = 0; j < force_.size(); ++j) {
    modal_work_ += force_[j] * (next_[j] - now_[j] - moved_[j]);
    driven_ -= h_ * force_[j] * scripted_[j];
  }
  for (const State& state : states_) {
    if (!state.rubs) continue;
    for (auto t = static_cast<Index>(state.first) + 1; t < static_cast<Index>(state.first) + 3; ++t)
      slip_ -= force_[t] * (next_[t] - now_[t]);
  }
}

void ImpactSystem::record() {
  for (std::size_t c = 0; c < states_.size(); ++c) {
    Vec3 sum = Vec3::Zero();
    const State& state = states_[c];
    for (std::size_t j = state.first; j < state.first + (state.rubs ? 3 : 1); ++j)
      sum += force_[static_cast<Index>(j)] * directions_[j];
    samples_[c].push_back(sum.cast<float>());
  }
}

bool ImpactSystem::has_parted() const {
  for (const State& state : states_) {
    const auto n = static_cast<Index>(state.first);
    if (state.touches || rigid_speed_[n] <= 0.0) return false;
  }
  for (const State& state : states_) {
    const double rigid_gap =
        state.offset + rigid_[static_cast<Index>(state.first)] + state.spring.surface();
    double farthest = 0.0;
    for (const Moving& moving : moving_)
      for (std::size_t i = 0; i < moving.components.size(); ++i)
        if (moving.components[i] == state.first) farthest += moving.modes.farthest(i);
    if (rigid_gap <= farthest) return false;
  }
  return true;
}

base::ImpactOutcome ImpactSystem::outcome(double start) const {
  base::ImpactOutcome result{.start = start, .end = start + time()};
  for (std::size_t c = 0; c < states_.size(); ++c) {
    const State& state = states_[c];
    base::ImpactOutcome::Touch touch{.speed = 0.0, .hits = state.hits};
    for (std::size_t j = state.first; j < state.first + (state.rubs ? 3 : 1); ++j)
      touch.impulse += impulse_[static_cast<Index>(j)] * directions_[j];
    const base::ImpactContact& told = state.contact.touch;
    touch.speed = -told.normal.dot(bodies_[told.a].velocity_at(told.point) -
                                   bodies_[told.b].velocity_at(told.point));
    touch.force = {.start = start, .step = h_, .samples = samples_[c]};
    touch.force.trim();
    result.touches.push_back(std::move(touch));
    result.energy.contact += state.spring.lost() + state.spring.stored(state.depth);
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const ImpactBody& body = bodies_[b];
    Vec3 push = Vec3::Zero(), twist = Vec3::Zero(), way = Vec3::Zero();
    for (const State& state : states_) {
      const double side = side_of(state.contact.touch, b);
      for (std::size_t j = state.first; j < state.first + (state.rubs ? 3 : 1); ++j) {
        const Vec3 impulse = side * impulse_[static_cast<Index>(j)] * directions_[j];
        push += impulse;
        twist += (state.contact.touch.point - body.centre).cross(impulse);
        way += side * twice_[static_cast<Index>(j)] * directions_[j];
      }
    }
    base::ImpactOutcome::Body change;
    if (body.inverse_mass > 0.0) {
      change.velocity = body.inverse_mass * push + time() * body.acceleration;
      change.angular_velocity = body.inverse_inertia * twist;
      result.energy.gravity += body.acceleration.dot(
          (time() * body.velocity + 0.5 * time() * time() * body.acceleration) / body.inverse_mass +
          way);
    }
    result.energy.rigid_before += kinetic_energy(body, body.velocity, body.angular_velocity);
    result.energy.rigid_after += kinetic_energy(body, body.velocity + change.velocity,
                                                body.angular_velocity + change.angular_velocity);
    result.bodies.push_back(change);
  }
  base::ImpactEnergy& energy = result.energy;
  energy.modal_before = modal_before_;
  for (const ModalOscillators* modes : oscillators_) energy.modal_after += modes->energy();
  energy.beyond = beyond_;
  energy.damped = modal_before_ + modal_work_ - beyond_ - energy.modal_after;
  energy.friction = slip_;
  energy.driven = driven_;
  return result;
}

}  // namespace peal::contact
