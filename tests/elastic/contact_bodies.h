#pragma once

#include <peal/elastic/obstacle_contact.h>
#include <peal/elastic/stepper.h>
#include <peal/elastic/surface_contact.h>
#include <peal/fem/lame.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <type_traits>
#include <vector>

#include "elastic/trial_solids.h"

/// What tests let meet, and what it then costs.
namespace peal::elastic {

using geometry::Vec3;

class Ground : public base::SignedDistance {
 public:
  double distance(const Vec3& p, Vec3& normal) const override {
    normal = Vec3::UnitY();
    return p.y();
  }
};

class Ball : public base::SignedDistance {
 public:
  explicit Ball(double radius) : radius_(radius) {}
  double distance(const Vec3& p, Vec3& normal) const override {
    normal = p.normalized();
    return p.norm() - radius_;
  }

 private:
  double radius_;
};

inline base::Material soft() {
  return {.name = "soft", .density = 1000.0, .young_modulus = 1e7, .poisson_ratio = 0.3};
}

inline Obstacle ground(double friction) {
  return {.name = "ground",
          .shape = std::make_shared<Ground>(),
          .friction = friction,
          .motion = std::make_shared<base::Resting>()};
}

/// Free solids with one kind of contact.
template <class Contact>
std::unique_ptr<Stepper> stepper_with(std::vector<Solid> solids, std::unique_ptr<Contact> contact) {
  Contact& kept = *contact;
  std::vector<std::unique_ptr<Load>> loads;
  loads.push_back(std::move(contact));
  auto stepper = std::make_unique<Stepper>(std::move(solids), std::move(loads),
                                           std::vector<Constraint>{}, StepperSettings{});
  if constexpr (std::is_same_v<Contact, ObstacleContact>) {
    kept.begin(stepper->rate().step(), stepper->solids());
  } else {
    kept.set_step(stepper->rate().step());
  }
  return stepper;
}

inline std::unique_ptr<ObstacleContact> contact_with(const std::vector<Solid>& solids,
                                                     double friction, Obstacle obstacle) {
  return std::make_unique<ObstacleContact>(
      solids, std::vector<ContactSide>{{.friction = friction}},
      std::vector<std::vector<bool>>{std::vector<bool>(solids[0].mass.size())},
      std::vector<Obstacle>{std::move(obstacle)}, Vec3::Zero());
}

/// The state before the last drift, which the account of energy is of.
inline State instant_before(const Stepper& stepper) {
  State then = stepper.state();
  for (std::size_t s = 0; s < then.position.size(); ++s) {
    for (std::size_t i = 0; i < then.position[s].size(); ++i)
      then.position[s].add(i, -stepper.rate().step() * then.velocity[s].at(i));
  }
  return then;
}

/// Kinetic, elastic and of contact [J].
inline double whole_energy(const Stepper& stepper, const Load& contact) {
  const EnergyAccount account = stepper.energy();
  return account.kinetic + account.elastic + contact.energy(instant_before(stepper));
}

/// A soft cube of 2 cm above the ground.
struct Drop {
  explicit Drop(double friction) {
    std::vector<Solid> solids;
    solids.push_back(make_hexahedral_solid(geometry::box_hexes({0.02, 0.02, 0.02}, {3, 3, 3}, 1),
                                           soft(), HexElement::incompatible, "cube"));
    auto made = std::make_unique<ObstacleContact>(
        solids, std::vector<ContactSide>{{.friction = friction}},
        std::vector<std::vector<bool>>{std::vector<bool>(solids[0].mass.size())},
        std::vector<Obstacle>{ground(friction)}, Vec3::Zero());
    contact = made.get();
    stepper = stepper_with(std::move(solids), std::move(made));
  }

  void start(double height, const Vec3& velocity) {
    Nodes x = stepper->solids()[0].rest, v(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x.y[i] += height;
      v.set(i, velocity);
    }
    stepper->start_at(0, x, v);
  }

  Vec3 momentum() const {
    Vec3 sum = Vec3::Zero();
    const auto& mass = stepper->solids()[0].mass;
    for (std::size_t i = 0; i < mass.size(); ++i)
      sum += mass[i] * stepper->state().velocity[0].at(i);
    return sum;
  }
  double mass() const {
    double sum = 0.0;
    for (const double one : stepper->solids()[0].mass) sum += one;
    return sum;
  }

  ObstacleContact* contact = nullptr;
  std::unique_ptr<Stepper> stepper;
};

/// A free ball of steel.
inline Obstacle steel_ball(double radius, const Vec3& at, const Vec3& velocity) {
  Obstacle ball{.name = "ball",
                .shape = std::make_shared<Ball>(radius),
                .ball_radius = radius,
                .compliance = fem::contact_compliance(trial_steel())};
  ball.mass.mass = 4.0 / 3.0 * std::numbers::pi * 7850 * std::pow(radius, 3);
  ball.mass.moments = Vec3::Constant(0.4 * ball.mass.mass * radius * radius);
  ball.start.position = at;
  ball.start.velocity = velocity;
  return ball;
}

}  // namespace peal::elastic
