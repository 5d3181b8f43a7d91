#include <peal/contact/impact_system.h>

#include <Eigen/LU>
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace peal::contact {

using base::ImpactBody;
using base::Vec3;
using Eigen::Index;
using Eigen::VectorXd;

namespace {

/// Steps at once while nothing touches: it costs about as much as four single ones to find out how
/// many may be taken.
constexpr double shortest_leap = 8.0, longest_leap = 256.0, leap_safety = 0.99;
constexpr std::int64_t steps_before_leap = 4;

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
  equations_.prepare();
  moves_ = Couplings(mobility_);
  admits_ = Couplings(admittance_);
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
    const double friction = touch.friction;
    states_.push_back({{.spring = spring, .first = first, .rubs = rubs, .friction = friction},
                       std::move(contact),
                       std::move(yield)});
    equations_.add(states_.back());
  }
  samples_.resize(states_.size());
}

void ImpactSystem::add_rigid_motion() {
  const auto count = static_cast<Index>(directions_.size());
  for (auto* vector : {&falling_, &scripted_, &rigid_, &rigid_speed_, &now_, &free_, &impulse_,
                       &twice_, &moved_, &acceleration_, &speed_before_, &speed_after_})
    vector->setZero(count);
  equations_.resize(count);
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
  equations_.compliance() = 0.5 * h_ * h_ * mobility_;
  admittance_ = h_ * mobility_;
}

void ImpactSystem::add_modes(std::span<ModalOscillators* const> modes) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (!modes[b] || modes[b]->size() == 0) continue;
    ModalOscillators& oscillators = *modes[b];
    std::vector<std::size_t> components;
    std::vector<double> gains;
    const auto add = [&](const State& state, std::size_t j, bool is_normal) {
      const double side = side_of(state.contact.touch, b);
      if (side == 0.0) return;
      const Eigen::Matrix3Xf& at = side > 0.0 ? state.contact.gains_a : state.contact.gains_b;
      const VectorXd along = at.cast<double>().transpose() * (side * directions_[j]);
      if (!is_normal && along.isZero(0.0)) return;
      components.push_back(j);
      const std::size_t begin = gains.size();
      gains.resize(begin + oscillators.padded(), 0.0);
      std::ranges::copy(along, gains.begin() + static_cast<std::ptrdiff_t>(begin));
    };
    for (const State& state : states_) add(state, state.first, true);
    const std::size_t normals = components.size();
    for (const State& state : states_)
      for (std::size_t j = state.first + 1; state.rubs && j < state.first + 3; ++j)
        add(state, j, false);
    if (components.empty()) continue;
    modal_before_ += oscillators.energy();
    oscillators_.push_back(&oscillators);
    ModalContact contact(oscillators, std::move(gains), h_, normals);
    for (std::size_t i = 0; i < components.size(); ++i) {
      const auto row = static_cast<Index>(components[i]);
      now_[row] += contact.position(i);
      for (std::size_t k = 0; k < components.size(); ++k) {
        const auto column = static_cast<Index>(components[k]);
        equations_.compliance()(row, column) += contact.compliance(i, k);
        admittance_(row, column) += contact.admittance(i, k);
      }
    }
    std::vector<double> speed;
    for (std::size_t i = 0; i < normals; ++i) speed.push_back(contact.velocity(i));
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
    equations_.compliance()(n, n) += state.yield.compliance();
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

void ImpactSystem::step() {
  const bool touches = equations_.solve(now_, free_);
  const VectorXd &force = equations_.force(), &next = equations_.next();
  // What the rigid motion alone does.
  acceleration_ = falling_;
  if (touches) moves_.add_products(force, acceleration_);
  for (Index i = 0; i < next.size(); ++i)
    moved_[i] = h_ * (rigid_speed_[i] + 0.5 * h_ * acceleration_[i]);
  if (touches) account();
  move_springs(touches);
  for (Index i = 0; i < next.size(); ++i) {
    rigid_[i] += moved_[i];
    rigid_speed_[i] += h_ * acceleration_[i];
    twice_[i] += h_ * (impulse_[i] + 0.5 * h_ * force[i]);
    impulse_[i] += h_ * force[i];
  }
  for (Moving& moving : moving_) {
    body_forces_.clear();
    for (const std::size_t j : moving.components)
      body_forces_.push_back(force[static_cast<Index>(j)]);
    // Speeds at the end of this step are those at the start of the next.
    for (std::size_t i = 0; i < moving.speed.size(); ++i) {
      double speed = moving.modes.free_velocity()[i];
      if (touches)
        for (std::size_t k = 0; k < body_forces_.size(); ++k)
          speed += moving.modes.admittance(i, k) * body_forces_[k];
      moving.speed[i] = speed;
    }
    moving.modes.advance(body_forces_);
  }
  record();
  now_ = next;
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
  equations_.clear();
  rigid_ += time * rigid_speed_ + 0.5 * time * time * falling_;
  rigid_speed_ += time * falling_;
  twice_ += time * impulse_;
  now_ = rigid_;
  for (Moving& moving : moving_) {
    moving.modes.leap(count);
    for (std::size_t i = 0; i < moving.components.size(); ++i)
      now_[static_cast<Index>(moving.components[i])] += moving.modes.position(i);
    for (std::size_t i = 0; i < moving.speed.size(); ++i)
      moving.speed[i] = moving.modes.velocity(i);
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
    admits_.add_products(equations_.force(), speed_after_);
    for (const Moving& moving : moving_) {
      for (std::size_t i = 0; i < moving.speed.size(); ++i) {
        const auto row = static_cast<Index>(moving.components[i]);
        speed_before_[row] += moving.speed[i];
        speed_after_[row] += moving.modes.free_velocity()[i];
      }
    }
  }
  bool any = false;
  for (State& state : states_) {
    const auto n = static_cast<Index>(state.first);
    const double force = equations_.force()[n], depth = -(state.offset + equations_.next()[n]);
    if (force > 0.0) {
      const double before = -(speed_before_[n] + state.yield.speed_before(force));
      const double after = -(speed_after_[n] + state.yield.speed_after(force));
      state.spring.advance(state.depth, depth, before, after, h_);
      if (!state.touches) ++state.hits;
    }
    beyond_ += state.yield.advance(force);
    state.depth = depth;
    if (state.touches && !(force > 0.0)) {
      const double dent = state.spring.part();
      state.offset += dent;
      state.depth -= dent;
    }
    state.touches = force > 0.0;
    any = any || state.touches;
  }
  quiet_ = any ? 0 : quiet_ + 1;
  if (any) quiet_leap_ = 0;
  has_hit_ = has_hit_ || any;
}

void ImpactSystem::account() {
  for (Index j = 0; j < equations_.force().size(); ++j) {
    modal_work_ += equations_.force()[j] * (equations_.next()[j] - now_[j] - moved_[j]);
    driven_ -= h_ * equations_.force()[j] * scripted_[j];
  }
  for (const State& state : states_) {
    if (!state.rubs) continue;
    for (auto t = static_cast<Index>(state.first) + 1; t < static_cast<Index>(state.first) + 3; ++t)
      slip_ -= equations_.force()[t] * (equations_.next()[t] - now_[t]);
  }
}

void ImpactSystem::record() {
  for (std::size_t c = 0; c < states_.size(); ++c) {
    Vec3 sum = Vec3::Zero();
    const State& state = states_[c];
    for (std::size_t j = state.first; j < state.first + (state.rubs ? 3 : 1); ++j)
      sum += equations_.force()[static_cast<Index>(j)] * directions_[j];
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
    const base::ImpactContact& given = state.contact.touch;
    touch.speed = -given.normal.dot(bodies_[given.a].velocity_at(given.point) -
                                    bodies_[given.b].velocity_at(given.point));
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
