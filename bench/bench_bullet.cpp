// Rigid bodies beside Bullet (double precision, tuned for small steps): the same drops in both.
#include <peal/dynamics/rigid_world.h>

#include <bench/report.h>
#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

extern btScalar gContactBreakingThreshold;

namespace peal::bench {
namespace {

using dynamics::Quat;
using dynamics::RigidBodySettings;
using dynamics::Vec3;

constexpr double gravity = 9.81;

/// Bodies on an endless floor, as Bullet has them. Restitution and friction of a pair are products
/// there, so that each body has the root.
class BulletWorld {
 public:
  BulletWorld(double friction, double restitution)
      : friction_(friction), restitution_(restitution) {
    gContactBreakingThreshold = 1e-3;  // 2 cm otherwise: more than a die
    world_.setGravity({0, -gravity, 0});
    // All three, and the threshold of each body in add(), are needed for a bounce at small steps.
    btContactSolverInfo& solver = world_.getSolverInfo();
    solver.m_restitutionVelocityThreshold = 0;
    solver.m_splitImpulse = 1;
    solver.m_splitImpulsePenetrationThreshold = 1e30;
    add(std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), 0), 0, {0, 0, 0},
        btTransform::getIdentity());
  }
  ~BulletWorld() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;

  btRigidBody& add(std::unique_ptr<btCollisionShape> shape, double mass, const btVector3& moments,
                   const btTransform& at) {
    shapes_.push_back(std::move(shape));
    auto body = std::make_unique<btRigidBody>(mass, nullptr, shapes_.back().get(), moments);
    body->setWorldTransform(at);
    body->setFriction(std::sqrt(friction_));
    body->setRestitution(std::sqrt(restitution_));
    body->setContactProcessingThreshold(0);
    body->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(body.get());
    bodies_.push_back(std::move(body));
    return *bodies_.back();
  }
  void step(double dt) { world_.stepSimulation(dt, 0); }

 private:
  double friction_, restitution_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase pairs_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &pairs_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

struct Bounce {
  double time;     ///< [s]
  double impulse;  ///< over the mass [m/s]
};

/// A ball of 2 cm radius that falls 1 m (reference R01), restitution 0.8.
std::vector<Bounce> exact_bounces() {
  const double fall = std::sqrt(2.0 / gravity), speed = std::sqrt(2.0 * gravity);
  return {{fall, 1.8 * speed},
          {fall * (1 + 2 * 0.8), 1.8 * 0.8 * speed},
          {fall * (1 + 2 * 0.8 + 2 * 0.64), 1.8 * 0.64 * speed}};
}

std::vector<Bounce> own_bounces(double rate) {
  RigidBodySettings ball{
      .name = "ball", .shape = scene::BallShape{0.02}, .friction = 0.0, .restitution = 0.8};
  ball.mass = {.mass = 1.0, .inertia = 1.6e-4 * geometry::Mat3::Identity()};
  ball.pose.position = {0, 1.02, 0};
  const RigidBodySettings floor{.name = "floor",
                                .shape = scene::FloorShape{},
                                .friction = 0.0,
                                .restitution = 0.8,
                                .motion = std::make_shared<base::Resting>()};
  dynamics::RigidWorld world({floor, ball}, {.step = 1.0 / rate});
  while (world.time() < 2.0) world.step();
  std::vector<Bounce> found;
  for (const base::ContactRecord& record : world.log().records) {
    found.push_back({record.time, record.impulse.norm()});
  }
  return found;
}

/// By the jumps of its velocity.
std::vector<Bounce> bullet_bounces(double rate) {
  BulletWorld world(0.0, 0.8);
  btTransform at = btTransform::getIdentity();
  at.setOrigin({0, 1.02, 0});
  const btRigidBody& ball =
      world.add(std::make_unique<btSphereShape>(0.02), 1.0, {1.6e-4, 1.6e-4, 1.6e-4}, at);
  std::vector<Bounce> found;
  double before = 0.0;
  for (int i = 1; i < 2.0 * rate; ++i) {
    world.step(1.0 / rate);
    const double now = ball.getLinearVelocity().y();
    const double jump = now - before + gravity / rate;
    if (jump > 0.1) found.push_back({i / rate, jump});
    before = now;
  }
  return found;
}

void compare_bounces(Report& report, const std::string& who, double rate,
                     const std::vector<Bounce>& found) {
  const std::vector<Bounce> exact = exact_bounces();
  const std::string name = fmt::format("bounces at 1/{:g} s, {}", rate, who);
  double late = 0.0, off = 0.0;
  const std::size_t n = std::min(found.size(), exact.size());
  for (std::size_t i = 0; i < n; ++i) {
    late = std::max(late, std::abs(found[i].time - exact[i].time));
    off = std::max(off, std::abs(found[i].impulse / exact[i].impulse - 1.0));
  }
  report.add(name, "of three found", static_cast<double>(n), "1");
  report.add(name, "largest error of time", 1e3 * late, "ms");
  report.add(name, "largest error of impulse", 100.0 * off, "%");
}

struct Die {
  Vec3 at, turning;
  Quat turn;
};

/// As in bench_dynamics.
std::vector<Die> twenty_dice() {
  std::vector<Die> dice;
  for (int i = 0; i < 20; ++i) {
    dice.push_back({{0.03 * (i % 2) + 0.002 * (i % 3), 0.03 + 0.028 * (i / 4),
                     0.03 * (i / 2 % 2) + 0.002 * (i % 5)},
                    5.0 * Vec3(std::sin(2 * i), std::cos(5 * i), std::sin(7 * i)),
                    Quat(1, 0.3 * std::sin(i), 0.4 * std::cos(3 * i), 0.2).normalized()});
  }
  return dice;
}

constexpr double die_size = 0.016, die_mass = 0.005, pile_time = 3.0;
constexpr double die_moment = die_mass * die_size * die_size / 6.0;

/// When the last die was faster than 1 cm/s, and how high they lie on average.
struct Settled {
  double time = 0.0;    ///< [s]
  double height = 0.0;  ///< of the centres [m]
  double cpu = 0.0;     ///< [s]
};

Settled own_pile(double rate) {
  std::vector<RigidBodySettings> bodies = {
      {.name = "floor", .shape = scene::FloorShape{}, .motion = std::make_shared<base::Resting>()}};
  for (const Die& die : twenty_dice()) {
    RigidBodySettings body{.name = "die", .shape = scene::BoxShape{Vec3::Constant(die_size), 1e-3}};
    body.mass = {.mass = die_mass, .inertia = die_moment * geometry::Mat3::Identity()};
    body.pose = {die.at, die.turn};
    body.angular_velocity = die.turning;
    bodies.push_back(body);
  }
  dynamics::RigidWorld world(bodies, {.step = 1.0 / rate});
  Settled settled;
  settled.cpu = time_of([&] {
                  while (world.time() < pile_time) {
                    world.step();
                    for (std::size_t i = 1; i < bodies.size(); ++i) {
                      if (world.state(i).velocity.norm() > 0.01) settled.time = world.time();
                    }
                  }
                }).cpu;
  for (std::size_t i = 1; i < bodies.size(); ++i) settled.height += world.pose(i).position.y() / 20;
  return settled;
}

Settled bullet_pile(double rate) {
  BulletWorld world(0.4, 0.5);
  std::vector<const btRigidBody*> dice;
  for (const Die& die : twenty_dice()) {
    auto box = std::make_unique<btBoxShape>(btVector3(1, 1, 1) * (0.5 * die_size));
    box->setMargin(1e-3);
    const btTransform at(btQuaternion(die.turn.x(), die.turn.y(), die.turn.z(), die.turn.w()),
                         btVector3(die.at.x(), die.at.y(), die.at.z()));
    btRigidBody& body = world.add(std::move(box), die_mass, btVector3(1, 1, 1) * die_moment, at);
    body.setAngularVelocity({die.turning.x(), die.turning.y(), die.turning.z()});
    dice.push_back(&body);
  }
  Settled settled;
  settled.cpu = time_of([&] {
                  for (int i = 1; i <= pile_time * rate; ++i) {
                    world.step(1.0 / rate);
                    for (const btRigidBody* die : dice) {
                      if (die->getLinearVelocity().length() > 0.01) settled.time = i / rate;
                    }
                  }
                }).cpu;
  for (const btRigidBody* die : dice)
    settled.height += die->getWorldTransform().getOrigin().y() / 20;
  return settled;
}

void tell_pile(Report& report, const std::string& who, double rate, const Settled& settled) {
  const std::string name = fmt::format("20 dice at 1/{:g} s, {}", rate, who);
  report.add(name, "at rest after", settled.time, "s");
  report.add(name, "mean height of the centres", 1e3 * settled.height, "mm");
  report.add(name, "simulated s per CPU s", pile_time / settled.cpu, "1");
}

int run(int argc, char** argv) {
  Report report("bullet", argc, argv);
  for (const double rate : {240.0, 1000.0, 6000.0}) {
    compare_bounces(report, "own", rate, own_bounces(rate));
    compare_bounces(report, "Bullet", rate, bullet_bounces(rate));
  }
  const Settled own = own_pile(6000.0), other = bullet_pile(6000.0);
  tell_pile(report, "own", 6000.0, own);
  tell_pile(report, "Bullet", 6000.0, other);
  tell_pile(report, "Bullet", 1000.0, bullet_pile(1000.0));
  // A pile is chaotic: how it lies is told, not judged.
  report.add_at_most("20 dice at 1/6000 s", "CPU time / Bullet", own.cpu / other.cpu, "1", 1.0);
  return report.finish();
}

}  // namespace
}  // namespace peal::bench

int main(int argc, char** argv) {
  return peal::bench::run(argc, argv);
}
