#include <peal/elastic/stepper.h>
#include <peal/util/error.h>
#include <peal/util/lanes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::elastic {
namespace {

/// Steps from one look at how stiff solids have become to the next: 1.6 % of the time.
constexpr std::int64_t watched_after = 1024;

double longest_step(double frequency, double stiffness_damping) {
  const double xi = 0.5 * stiffness_damping * frequency;
  return 2.0 / frequency * (std::sqrt(1.0 + xi * xi) - xi);
}

/// The frequency [rad/s] that a step is the longest for.
double largest_frequency_for(double step, double stiffness_damping) {
  return 1.0 / std::sqrt(0.25 * step * step + 0.5 * stiffness_damping * step);
}

/// x + scale v.
void add_scaled(const Nodes& x, double scale, const Nodes& v, Nodes& sum) {
  const auto along = [&](auto coordinate) {
    const double *const xs = (x.*coordinate).data(), *const vs = (v.*coordinate).data();
    double* const __restrict sums = (sum.*coordinate).data();
    for (std::size_t n = 0; n < x.size(); ++n) sums[n] = xs[n] + scale * vs[n];
  };
  along(&Nodes::x);
  along(&Nodes::y);
  along(&Nodes::z);
}

using Lanes = util::Widest<double>;
constexpr std::size_t kicked_lanes = util::widest_lanes<double>;

/// One axis of the nodes.
struct AxisNodes {
  std::size_t count;
  const double *mass, *ease, *free, *inner, *outer;
  double *place, *velocity;
};

/// Sums over the nodes of a solid, by lane [kg m^2/s^2 and W].
struct LaneSums {
  Lanes kinetic{}, load_before{}, load_after{}, damp_before{}, damp_after{};
};

/// Whole lanes of nodes.
template <bool damped>
void kick_and_drift_lanes(const Kick& all_kick, const AxisNodes& nodes, LaneSums& all) {
  const Kick kick = all_kick;
  LaneSums sums = all;
  const double *const mass = nodes.mass, *const ease = nodes.ease, *const free = nodes.free;
  const double *const inner = nodes.inner, *const outer = nodes.outer;
  double* const __restrict place = nodes.place, * const __restrict velocity = nodes.velocity;
  for (std::size_t i = 0; i < nodes.count; i += kicked_lanes) {
    const auto m = util::load<Lanes>(mass + i), is_free = util::load<Lanes>(free + i);
    const auto load = util::load<Lanes>(outer + i) * is_free, old = util::load<Lanes>(velocity + i);
    const Lanes force = util::load<Lanes>(inner + i) * is_free + load;
    const Lanes after =
        is_free > 0.0 ? kick.keep * old + kick.push * (force * util::load<Lanes>(ease + i)) : old;
    const Lanes moved = after * is_free;
    const Lanes before = (kick.is_first ? 2.0 * old - after : old) * is_free;
    const Lanes momentum = m * before;
    sums.kinetic += momentum * moved;
    sums.load_before += load * before;
    sums.load_after += load * moved;
    if constexpr (damped) {
      const Lanes both = momentum + m * moved;
      sums.damp_before += both * before;
      sums.damp_after += both * moved;
    }
    util::store(place + i, util::load<Lanes>(place + i) + kick.dt * moved);
    util::store(velocity + i, after);
  }
  all = sums;
}

/// The last nodes are padded with some of no mass that do not move.
template <bool damped>
void kick_and_drift(const Kick& kick, AxisNodes nodes, LaneSums& sums) {
  const std::size_t whole = nodes.count / kicked_lanes * kicked_lanes, rest = nodes.count - whole;
  nodes.count = whole;
  kick_and_drift_lanes<damped>(kick, nodes, sums);
  if (rest == 0) return;
  double last[7][kicked_lanes] = {};
  const double* const from[7] = {nodes.mass,  nodes.ease,  nodes.free,    nodes.inner,
                                 nodes.outer, nodes.place, nodes.velocity};
  for (int k = 0; k < 7; ++k) std::copy_n(from[k] + whole, rest, last[k]);
  kick_and_drift_lanes<damped>(
      kick, {kicked_lanes, last[0], last[1], last[2], last[3], last[4], last[5], last[6]}, sums);
  std::copy_n(last[5], rest, nodes.place + whole);
  std::copy_n(last[6], rest, nodes.velocity + whole);
}

void enter(const LaneSums& sums, const Kick& kick, Work& work) {
  work.kinetic += 0.5 * util::sum_of<double>(sums.kinetic);
  work.given_before += 0.5 * kick.dt * util::sum_of<double>(sums.load_before);
  work.given_after += 0.5 * kick.dt * util::sum_of<double>(sums.load_after);
  if (kick.mass_damping == 0.0) return;
  work.damped_before += 0.25 * kick.dt * kick.mass_damping * util::sum_of<double>(sums.damp_before);
  work.damped_after += 0.25 * kick.dt * kick.mass_damping * util::sum_of<double>(sums.damp_after);
}

}  // namespace

Stepper::Stepper(std::vector<Solid> solids, std::vector<std::unique_ptr<Load>> loads,
                 std::vector<Constraint> constraints, const StepperSettings& settings)
    : solids_(std::move(solids)), loads_(std::move(loads)), constraints_(std::move(constraints)) {
  for (const Solid& solid : solids_) {
    state_.position.push_back(solid.rest);
    state_.velocity.emplace_back(solid.rest.size());
    inner_.emplace_back(solid.rest.size());
    outer_.emplace_back(solid.rest.size());
    ahead_.emplace_back(solid.stiffness_damping > 0.0 ? solid.rest.size() : 0);
    for (auto& ease = ease_.emplace_back(); const double mass : solid.mass)
      ease.push_back(1.0 / mass);
    volumes_.emplace_back();
    books_.emplace_back();
    auto& free = free_.emplace_back();
    for (auto& axis : free) axis.assign(solid.rest.size(), 1.0);
  }
  for (const Constraint& constraint : constraints_) {
    if (constraint.is_hinge) continue;
    for (const std::uint32_t node : constraint.nodes) {
      for (int axis = 0; axis < 3; ++axis) {
        if (constraint.axes[axis]) free_[constraint.solid][axis][node] = 0.0;
      }
    }
  }
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    apart_.emplace_back(solids_[s], free_[s]);
    start_at(s, solids_[s].rest, state_.velocity[s]);
  }
  choose_step(settings);
}

void Stepper::choose_step(const StepperSettings& settings) {
  double longest = settings.audio.step();
  std::string stiffest;
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    double square = std::pow(elastic::largest_frequency(solids_[s], free_[s]), 2);
    watches_.emplace_back(solids_[s], free_[s]);
    // Largest eigenvalues of a sum are at most the sum of the largest (Weyl).
    std::vector<double> springs(solids_[s].mass.size());
    for (std::size_t n = 0; n < springs.size(); ++n) {
      for (const auto& load : loads_) springs[n] += load->stiffness(s, n);
    }
    // Nodes that resist moving apart less than lumps do are pushed more easily.
    load_stiffness_.push_back(largest_spring_eigenvalue(solids_[s], springs) /
                              least_mass_factor(solids_[s]));
    square += load_stiffness_.back();
    if (!(square > 0.0)) continue;  // nothing of it can move
    largest_frequency_ = std::max(largest_frequency_, std::sqrt(square));
    const double step = longest_step(std::sqrt(square), solids_[s].stiffness_damping);
    if (step < longest) {
      longest = step;
      stiffest = solids_[s].name;
    }
  }
  const double needed = settings.audio.step() / longest;
  steps_per_sample_ = settings.steps_per_sample;
  if (steps_per_sample_ == 0) {
    if (!(needed / settings.safety < 1e6)) {
      throw util::InputError({stiffest, ""},
                             fmt::format("it would take {:.2g} steps per audio sample", needed),
                             "Use larger elements, or less stiffness-proportional damping.");
    }
    const int whole = settings.multiple_of;
    const double least = std::max<double>(needed / settings.safety, settings.least_steps);
    steps_per_sample_ = whole * static_cast<int>(std::ceil(least / whole));
  } else if (steps_per_sample_ < needed) {
    throw util::InputError(
        {stiffest, ""},
        fmt::format("steps of {:.3g} s, {} per audio sample, are too long for its elements",
                    settings.audio.step() / steps_per_sample_, steps_per_sample_),
        fmt::format("Give a \"step\" of at most {:.3g} s, or leave the choice to Peal.",
                    settings.audio.step() * settings.safety / needed));
  }
  rate_ = {settings.audio.hz * steps_per_sample_};
}

/// Leapfrog advances the phase of a tone of w by 2 asin(w dt / 2) a step.
double Stepper::borne_frequency(std::size_t solid) const {
  const double dt = rate_.step();
  const double w = largest_frequency_for(dt, solids_[solid].stiffness_damping);
  return std::asin(std::min(1.0, 0.5 * w * dt)) / (std::numbers::pi * dt);
}

void Stepper::start_at(std::size_t solid, Nodes positions, Nodes velocities) {
  state_.position[solid] = std::move(positions);
  state_.velocity[solid] = std::move(velocities);
  // Pinned nodes stay where they start.
  Nodes& v = state_.velocity[solid];
  for (const Constraint& constraint : constraints_) {
    if (constraint.solid != solid || constraint.motion || constraint.is_hinge) continue;
    for (const std::uint32_t node : constraint.nodes) {
      if (constraint.axes[0]) v.x[node] = 0.0;
      if (constraint.axes[1]) v.y[node] = 0.0;
      if (constraint.axes[2]) v.z[node] = 0.0;
    }
  }
}

void Stepper::step(std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) step();
}

void Stepper::step() {
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    inner_[s].clear();
    outer_[s].clear();
    const double beta = solids_[s].stiffness_damping;
    if (beta > 0.0) {
      add_scaled(state_.position[s], beta, state_.velocity[s], ahead_[s]);
    }
    solids_[s].forces->add(beta > 0.0 ? ahead_[s] : state_.position[s], inner_[s]);
  }
  for (const auto& load : loads_) load->add(time(), state_, outer_);

  work_.assign(solids_.size(), {});
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    const Kick kick = kick_of(solids_[s]);
    hold_hinges(s, kick, work_[s]);
    apart_[s].share(kick, state_.velocity[s], outer_[s], inner_[s], work_[s]);
    move(s, kick, work_[s]);
  }
  move_constrained();
  book();
  ++index_;
  if (index_ % watched_after == 0) watch_stiffness();
  if (index_ % VolumeWatch::steps != 0) return;
  for (std::size_t s = 0; s < solids_.size(); ++s)
    volumes_[s].look(solids_[s], state_.position[s], time());
}

void Stepper::watch_stiffness() {
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    const double w = watches_[s].look(solids_[s], free_[s], state_.position[s]);
    const double square = w * w + load_stiffness_[s];
    if (!(square > 0.0)) continue;  // nothing of it can move
    const double longest = longest_step(std::sqrt(square), solids_[s].stiffness_damping);
    if (rate_.step() > longest) report_long_steps(s, longest);
  }
}

Kick Stepper::kick_of(const Solid& solid) const {
  const double dt = rate_.step(), half = 0.5 * solid.mass_damping * dt;
  const bool first = index_ == 0;
  return {.dt = dt,
          .keep = first ? 1.0 - half : (1.0 - half) / (1.0 + half),
          .push = first ? 0.5 * dt : dt / (1.0 + half),
          .mass_damping = solid.mass_damping,
          .is_first = first};
}

/// Kicks and drifts all that is free to.
void Stepper::move(std::size_t s, const Kick& kick, Work& work) {
  Nodes &x = state_.position[s], &v = state_.velocity[s];
  LaneSums sums;
  const auto along = [&](int axis, std::vector<double>& xi, std::vector<double>& vi,
                         const std::vector<double>& inner, const std::vector<double>& outer) {
    const AxisNodes nodes{
        xi.size(),       apart_[s].counted_mass(static_cast<std::size_t>(axis)).data(),
        ease_[s].data(), free_[s][axis].data(),
        inner.data(),    outer.data(),
        xi.data(),       vi.data()};
    if (kick.mass_damping > 0.0) {
      kick_and_drift<true>(kick, nodes, sums);
    } else {
      kick_and_drift<false>(kick, nodes, sums);
    }
  };
  along(0, x.x, v.x, inner_[s].x, outer_[s].x);
  along(1, x.y, v.y, inner_[s].y, outer_[s].y);
  along(2, x.z, v.z, inner_[s].z, outer_[s].z);
  enter(sums, kick, work);
}

/// Positions of the nodes of a moving constraint, or of the middles of its hinge, at time t [s].
std::span<const geometry::Vec3> Stepper::held_points(const Constraint& constraint, double t) {
  const Solid& solid = solids_[constraint.solid];
  const auto across = static_cast<std::uint32_t>(solid.middle.vertices.size());
  held_points_.clear();
  for (const std::uint32_t node : constraint.nodes) {
    held_points_.push_back(constraint.is_hinge
                               ? 0.5 * (solid.rest.at(node) + solid.rest.at(node + across))
                               : solid.rest.at(node));
  }
  constraint.motion(t, held_points_);
  return held_points_;
}

/// Moves nodes as grips prescribe; what the elements resist is work of the constraints.
void Stepper::move_constrained() {
  const double dt = rate_.step(), next = rate_.seconds(index_ + 1);
  for (const Constraint& constraint : constraints_) {
    if (!constraint.motion || constraint.is_hinge) continue;
    const std::size_t s = constraint.solid;
    Work& work = work_[s];
    const std::span<const geometry::Vec3> points = held_points(constraint, next);
    const auto along = [&](int axis, std::uint32_t node, double to, std::vector<double>& x,
                           std::vector<double>& v, double inner) {
      if (!constraint.axes[axis]) return;
      const double after = (to - x[node]) / dt;
      const double before = index_ == 0 ? 2.0 * v[node] - after : v[node];
      const double mass = solids_[s].mass[node];
      const double held = mass * (after - before) / dt - inner;  // all that is not the elements'
      work.kinetic += 0.5 * mass * before * after;
      work.given_before += 0.5 * dt * held * before;
      work.given_after += 0.5 * dt * held * after;
      x[node] = to;
      v[node] = after;
    };
    Nodes &x = state_.position[s], &v = state_.velocity[s];
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::uint32_t node = constraint.nodes[i];
      const geometry::Vec3& to = points[i];
      along(0, node, to.x(), x.x, v.x, inner_[s].x[node]);
      along(1, node, to.y(), x.y, v.y, inner_[s].y[node]);
      along(2, node, to.z(), x.z, v.z, inner_[s].z[node]);
    }
  }
}

/// Adds to both nodes of a hinge the force with which their middle moves as prescribed. Facing
/// nodes have equal masses, and mass scaling leaves the motion of their middle alone.
void Stepper::hold_hinges(std::size_t s, const Kick& kick, Work& work) {
  const double next = rate_.seconds(index_ + 1);
  const Nodes &x = state_.position[s], &v = state_.velocity[s];
  const Solid& solid = solids_[s];
  const auto across = static_cast<std::uint32_t>(solid.middle.vertices.size());
  for (const Constraint& constraint : constraints_) {
    if (constraint.solid != s || !constraint.is_hinge) continue;
    std::span<const geometry::Vec3> points;
    if (constraint.motion) points = held_points(constraint, next);
    const geometry::Vec3 is_along(constraint.axes[0], constraint.axes[1], constraint.axes[2]);
    for (std::size_t i = 0; i < constraint.nodes.size(); ++i) {
      const std::uint32_t node = constraint.nodes[i], other = node + across;
      const geometry::Vec3 middle = 0.5 * (x.at(node) + x.at(other));
      const geometry::Vec3 old = 0.5 * (v.at(node) + v.at(other));
      geometry::Vec3 after = geometry::Vec3::Zero();
      if (constraint.motion) after = (points[i] - middle) / kick.dt;
      const double mass = solid.mass[node] + solid.mass[other];
      const geometry::Vec3 acting =
          inner_[s].at(node) + inner_[s].at(other) + outer_[s].at(node) + outer_[s].at(other);
      const geometry::Vec3 held =
          is_along.cwiseProduct(mass / kick.push * (after - kick.keep * old) - acting);
      inner_[s].add(node, 0.5 * held);
      inner_[s].add(other, 0.5 * held);
      const geometry::Vec3 before = kick.is_first ? geometry::Vec3(2.0 * old - after) : old;
      work.given_before += 0.5 * kick.dt * held.dot(before);
      work.given_after += 0.5 * kick.dt * held.dot(after);
    }
  }
}

/// Enters the work of a step into the account, and refuses energy that came from nowhere.
void Stepper::book() {
  double kinetic = 0.0, most = 0.0;
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    const bool is_first = index_ == 0;
    if (is_first) books_[s] = EnergyBook(work_[s].kinetic + elastic_energy(s));
    books_[s].enter(work_[s], is_first);
    // Elastic energy is never negative: kinetic energy is at most what there was and was given.
    const EnergyAccount now = books_[s].now();
    kinetic += now.kinetic;
    most += now.initial + now.given - now.mass_damped + 0.1 * books_[s].turnover();
  }
  if (kinetic <= most + rounding_) return;
  rounding_ = rounding();
  if (!(kinetic <= most + rounding_)) report_blow_up();
}

/// Kinetic energy that is nothing [J]: positions are known to 1e-12 of the size of things and of
/// their way from the origin, and tremble at the highest frequency.
double Stepper::rounding() const {
  double sum = 0.0;
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    double farthest = geometry::bounds(solids_[s].surface).diagonal().norm();
    for (const auto* const along :
         {&state_.position[s].x, &state_.position[s].y, &state_.position[s].z}) {
      for (const double place : *along) farthest = std::max(farthest, std::abs(place));
    }
    const double tremor = 1e-12 * farthest;
    for (const double mass : solids_[s].mass)
      sum += mass * std::pow(tremor * largest_frequency_, 2);
  }
  return sum;
}

double Stepper::elastic_energy(std::size_t solid) const {
  Nodes before(solids_[solid].rest.size());
  add_scaled(state_.position[solid], -rate_.step(), state_.velocity[solid], before);
  return solids_[solid].forces->energy(before);
}

double Stepper::shadow_energy() const {
  const double dt = rate_.step();
  double sum = 0.0;
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    const std::size_t count = solids_[s].rest.size();
    Nodes x(count), v = state_.velocity[s], nearby(count), force(count), pushed(count);
    add_scaled(state_.position[s], -dt, v, x);
    solids_[s].forces->add(x, force);
    // The kick turns forces into those that lumped masses would need for the same accelerations.
    pushed = force;
    MassScaledKick apart(solids_[s], free_[s]);
    Work unused;
    apart.share({.dt = dt, .keep = 1.0, .push = dt}, Nodes(count), Nodes(count), pushed, unused);
    const auto along = [&](auto coordinate, std::size_t axis) {
      const auto &f = force.*coordinate, &p = pushed.*coordinate;
      for (std::size_t n = 0; n < count; ++n) {
        const double a = free_[s][axis][n] * p[n] * ease_[s][n];
        sum += f[n] * a;
        (v.*coordinate)[n] -= 0.5 * dt * a;
      }
    };
    along(&Nodes::x, 0);
    along(&Nodes::y, 1);
    along(&Nodes::z, 2);
    for (const double side : {-1.0, 1.0}) {
      force.clear();
      add_scaled(x, side * dt, v, nearby);
      solids_[s].forces->add(nearby, force);
      for (std::size_t n = 0; n < count; ++n) sum -= side / (2.0 * dt) * force.at(n).dot(v.at(n));
    }
  }
  return dt * dt / 12.0 * sum;
}

EnergyAccount Stepper::energy(std::size_t solid) const {
  EnergyAccount account = books_[solid].now();
  account.elastic = elastic_energy(solid);
  return account;
}

EnergyAccount Stepper::energy() const {
  EnergyAccount sum;
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    const EnergyAccount one = energy(s);
    sum.initial += one.initial;
    sum.kinetic += one.kinetic;
    sum.elastic += one.elastic;
    sum.given += one.given;
    sum.mass_damped += one.mass_damped;
  }
  return sum;
}

void Stepper::serialize(util::Archive& archive) {
  archive.same(static_cast<std::uint64_t>(rate_.hz));
  archive.number(index_);
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    books_[s].serialize(archive);
    archive.same(solids_[s].rest.size());
    state_.position[s].serialize(archive);
    state_.velocity[s].serialize(archive);
    watches_[s].serialize(archive);
    volumes_[s].serialize(archive);
  }
  for (const auto& load : loads_) load->serialize(archive);
}

void Stepper::report_blow_up() const {
  std::size_t worst_solid = 0;
  InternalForces::Strained worst;
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    const auto strained = solids_[s].forces->most_strained(state_.position[s]);
    if (s > 0 && strained.strain() <= worst.strain()) continue;
    worst = strained;
    worst_solid = s;
  }
  throw util::NumericsError(fmt::format(
      "the simulation of \"{}\" became unstable at {:.6g} s: {}. Its elements are compressed or "
      "stretched too far; make the loads smaller, the elements larger or the steps shorter.",
      solids_[worst_solid].name, time(), description(worst)));
}

void Stepper::report_long_steps(std::size_t s, double longest) const {
  throw util::NumericsError(fmt::format(
      "\"{}\" is so deformed at {:.6g} s that steps of {:.3g} us are too long for it: {}. Give it "
      "\"step\": {:.2g}.",
      solids_[s].name, time(), 1e6 * rate_.step(),
      description(solids_[s].forces->most_strained(state_.position[s])), 0.8 * longest));
}

}  // namespace peal::elastic
