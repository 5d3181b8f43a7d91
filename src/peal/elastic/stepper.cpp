#include <peal/elastic/largest_frequency.h>
#include <peal/elastic/stepper.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::elastic {
namespace {

double longest_step(double frequency, double stiffness_damping) {
  const double xi = 0.5 * stiffness_damping * frequency;
  return 2.0 / frequency * (std::sqrt(1.0 + xi * xi) - xi);
}

/// x + scale v.
void add_scaled(const Nodes& x, double scale, const Nodes& v, Nodes& sum) {
  for (std::size_t n = 0; n < x.size(); ++n) {
    sum.x[n] = x.x[n] + scale * v.x[n];
    sum.y[n] = x.y[n] + scale * v.y[n];
    sum.z[n] = x.z[n] + scale * v.z[n];
  }
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
    auto& free = free_.emplace_back();
    for (auto& axis : free) axis.assign(solid.rest.size(), 1.0);
  }
  for (const Constraint& constraint : constraints_) {
    for (const std::uint32_t node : constraint.nodes) {
      for (int axis = 0; axis < 3; ++axis) {
        if (constraint.axes[axis]) free_[constraint.solid][axis][node] = 0.0;
      }
    }
  }
  choose_step(settings);
}

void Stepper::choose_step(const StepperSettings& settings) {
  double longest = settings.audio.step();
  std::string stiffest;
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    double square = std::pow(elastic::largest_frequency(solids_[s], free_[s]), 2);
    // Largest eigenvalues of a sum are at most the sum of the largest (Weyl).
    double added = 0.0;
    for (std::size_t n = 0; n < solids_[s].mass.size(); ++n) {
      double stiffness = 0.0;
      for (const auto& load : loads_) stiffness += load->stiffness(s, n);
      added = std::max(added, stiffness / solids_[s].mass[n]);
    }
    square += added;
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
                             fmt::format("it would take {:.2g} steps a sample of sound", needed),
                             "Give it larger elements, or less damping of stiffness.");
    }
    steps_per_sample_ = static_cast<int>(std::ceil(needed / settings.safety));
  } else if (steps_per_sample_ < needed) {
    throw util::InputError(
        {stiffest, ""},
        fmt::format("{} steps a sample of sound are too few: its elements need {:.1f}",
                    steps_per_sample_, needed),
        fmt::format("Give {} or more, or leave the choice to Peal.",
                    static_cast<int>(std::ceil(needed / settings.safety))));
  }
  rate_ = {settings.audio.hz * steps_per_sample_};
}

void Stepper::start_at(std::size_t solid, Nodes positions, Nodes velocities) {
  state_.position[solid] = std::move(positions);
  state_.velocity[solid] = std::move(velocities);
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
      ahead_ = Nodes(solids_[s].rest.size());
      add_scaled(state_.position[s], beta, state_.velocity[s], ahead_);
    }
    solids_[s].forces->add(beta > 0.0 ? ahead_ : state_.position[s], inner_[s]);
  }
  for (const auto& load : loads_) load->add(time(), state_, outer_);

  Work work;
  for (std::size_t s = 0; s < solids_.size(); ++s) move(s, work);
  move_constrained(work);
  book(work);
  ++index_;
}

/// Kicks and drifts all that is free to.
void Stepper::move(std::size_t s, Work& work) {
  const double dt = rate_.step(), alpha = solids_[s].mass_damping;
  // The first kick is half of one: velocities are given at time zero, not half a step before.
  const bool first = index_ == 0;
  const double keep =
      first ? 1.0 - 0.5 * alpha * dt : (1.0 - 0.5 * alpha * dt) / (1.0 + 0.5 * alpha * dt);
  const double kick = first ? 0.5 * dt : dt / (1.0 + 0.5 * alpha * dt);
  const auto& mass = solids_[s].mass;
  const auto along = [&](std::vector<double>& x, std::vector<double>& v,
                         const std::vector<double>& inner, const std::vector<double>& outer,
                         const std::vector<double>& free) {
    double kinetic = 0.0, load_before = 0.0, load_after = 0.0, damp_before = 0.0, damp_after = 0.0;
    for (std::size_t n = 0; n < mass.size(); ++n) {
      const double after = free[n] * (keep * v[n] + kick * (inner[n] + outer[n]) / mass[n]);
      const double before = first ? 2.0 * v[n] - after : v[n];
      const double sum = free[n] * mass[n] * (before + after);
      kinetic += free[n] * mass[n] * before * after;
      load_before += free[n] * outer[n] * before;
      load_after += free[n] * outer[n] * after;
      damp_before += sum * before;
      damp_after += sum * after;
      x[n] += dt * after;
      v[n] = free[n] > 0.0 ? after : v[n];
    }
    work.kinetic += 0.5 * kinetic;
    work.given_before += 0.5 * dt * load_before;
    work.given_after += 0.5 * dt * load_after;
    work.damped_before += 0.25 * dt * alpha * damp_before;
    work.damped_after += 0.25 * dt * alpha * damp_after;
  };
  Nodes &x = state_.position[s], &v = state_.velocity[s];
  along(x.x, v.x, inner_[s].x, outer_[s].x, free_[s][0]);
  along(x.y, v.y, inner_[s].y, outer_[s].y, free_[s][1]);
  along(x.z, v.z, inner_[s].z, outer_[s].z, free_[s][2]);
}

/// Moves nodes as constraints tell; what the elements resist is work of the constraints.
void Stepper::move_constrained(Work& work) {
  const double dt = rate_.step(), next = rate_.seconds(index_ + 1);
  for (const Constraint& constraint : constraints_) {
    const std::size_t s = constraint.solid;
    const geometry::Affine pose =
        constraint.motion ? constraint.motion(next) : geometry::Affine::Identity();
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
    for (const std::uint32_t node : constraint.nodes) {
      const geometry::Vec3 to = pose * solids_[s].rest.at(node);
      along(0, node, to.x(), x.x, v.x, inner_[s].x[node]);
      along(1, node, to.y(), x.y, v.y, inner_[s].y[node]);
      along(2, node, to.z(), x.z, v.z, inner_[s].z[node]);
    }
  }
}

/// Enters the work of a step into the account, and refuses energy that came from nowhere.
void Stepper::book(const Work& work) {
  if (index_ == 0) {
    given_ = damped_ = turnover_ = 0.0;
    initial_ = work.kinetic + elastic_energy();
  } else {
    given_ += work.given_before;
    damped_ += work.damped_before;
  }
  kinetic_ = work.kinetic;
  given_now_ = given_;
  damped_now_ = damped_;
  given_ += work.given_after;
  damped_ += work.damped_after;
  turnover_ += std::abs(work.given_before) + std::abs(work.given_after);
  // Elastic energy is never negative: kinetic energy is at most what there was and what was given.
  const double most = initial_ + given_now_ - damped_now_ + 0.1 * (std::abs(initial_) + turnover_);
  if (!(kinetic_ <= most + 1e-300)) report_blow_up();
}

double Stepper::elastic_energy() const {
  const double dt = rate_.step();
  double sum = 0.0;
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    Nodes before(solids_[s].rest.size());
    add_scaled(state_.position[s], -dt, state_.velocity[s], before);
    sum += solids_[s].forces->energy(before);
  }
  return sum;
}

EnergyAccount Stepper::energy() const {
  return {.initial = initial_,
          .kinetic = kinetic_,
          .elastic = elastic_energy(),
          .given = given_now_,
          .mass_damped = damped_now_};
}

void Stepper::report_blow_up() const {
  std::size_t worst_solid = 0;
  InternalForces::Squeezed worst{.volume_ratio = 1e300};
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    const auto squeezed = solids_[s].forces->most_squeezed(state_.position[s]);
    if (!(squeezed.volume_ratio >= worst.volume_ratio)) {
      worst = squeezed;
      worst_solid = s;
      if (!std::isfinite(worst.volume_ratio)) break;
    }
  }
  const geometry::Vec3& at = worst.rest_centre;
  throw util::NumericsError(fmt::format(
      "the motion of \"{}\" came apart at {:.6g} s: element {}, at ({:.4g}, {:.4g}, {:.4g}) m when "
      "at rest, has {:.3g} times its volume. It is pressed or stretched further than its elements "
      "bear; make the loads smaller, the elements larger or the steps shorter.",
      solids_[worst_solid].name, time(), worst.element, at.x(), at.y(), at.z(),
      worst.volume_ratio));
}

}  // namespace peal::elastic
