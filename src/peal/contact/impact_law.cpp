#include <peal/contact/hertz.h>
#include <peal/contact/impact_law.h>
#include <peal/fem/lame.h>
#include <peal/util/denormals.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::contact {

using base::ImpactBody;
using base::ImpactContact;
using std::numbers::pi;

namespace {

/// An impact that gives the modes, or waves that leave, less than this part of the energy of the
/// contact is Newton's: 0.5 % is 0.02 dB of the click.
constexpr double least_part = 0.005;
/// A body rings at a point if it moves there faster than this part of the speed of the impact.
constexpr double least_ringing = 0.01;
/// Points that follow within the same impact lie no further apart [m]. With 20 mm impacts lasted
/// for 16 ms in poses that no longer held.
constexpr double farthest_reach = 0.006;
/// The longest impact of bodies that ring [s]; soft ones are followed for three contact times.
constexpr double longest_blow = 0.01, contact_times = 3.0;
/// An impact on a body that moves waits no longer for the end of the last one [s].
constexpr double longest_delay = 0.01;
/// The slowest approach for which Hertz's contact has a size [m/s].
constexpr double slowest = 1e-6;
/// Steps from one look at whether the bodies have parted for good to the next.
constexpr int looks = 32;

/// |F(f)| / impulse of a half sine of this length.
double half_sine_response(double contact_time, double frequency) {
  const double x = 2.0 * frequency * contact_time;
  if (std::abs(x - 1.0) < 1e-6) return 0.25 * pi;
  return std::abs(std::cos(0.5 * pi * x) / (1.0 - x * x));
}

double inverse_mass_at(const ImpactBody& body, const Vec3& point, const Vec3& normal) {
  const Vec3 arm = (point - body.centre).cross(normal);
  return body.inverse_mass + arm.dot(body.inverse_inertia * arm);
}

}  // namespace

CompliantImpactLaw::CompliantImpactLaw(std::vector<ImpactSurface> bodies,
                                       ImpactLawSettings settings)
    : settings_(settings) {
  bodies_.reserve(bodies.size());
  for (ImpactSurface& surface : bodies) bodies_.push_back({.surface = std::move(surface)});
}

CompliantImpactLaw::Body& CompliantImpactLaw::known(std::uint32_t index) const {
  Body& body = bodies_[index];
  if (body.is_known) return body;
  body.is_known = true;
  ImpactSurface& surface = body.surface;
  if (!surface.compliance && surface.find_compliance)
    surface.compliance = surface.find_compliance();
  if (!surface.compliance) return body;
  const std::vector<base::Mode>& modes = surface.compliance->modes();
  body.modes = ModalOscillators(modes);
  body.least_decay = modes.empty() ? 0.0 : modes.front().decay_rate;
  for (const base::Mode& mode : modes)
    body.least_decay = std::min(body.least_decay, mode.decay_rate);
  return body;
}

CompliantImpactLaw::Meeting CompliantImpactLaw::meeting(std::span<const ImpactBody> bodies,
                                                        const ImpactContact& touch,
                                                        double least_speed) const {
  Meeting result{.contact = {.touch = touch}};
  const ImpactBody &a = bodies[touch.a], &b = bodies[touch.b];
  const auto side = [&](const ImpactBody& body) -> ContactSide {
    const ImpactSurface& surface = known(body.body).surface;
    return {.inverse_mass = inverse_mass_at(body, touch.point, touch.normal),
            .radius = surface.shape ? surface.shape->radius(body.pose.to_local(touch.point))
                                    : surface.radius,
            .compliance = fem::contact_compliance(surface.material)};
  };
  const auto give_way = [&](const ImpactBody& body, Eigen::Matrix3Xf& gains, double& unknown,
                            double& cut) {
    const auto& compliance = known(body.body).surface.compliance;
    if (!compliance) return;
    base::ContactCompliance::Point at = compliance->at(body.pose.to_local(touch.point));
    gains = body.pose.orientation.toRotationMatrix().cast<float>() * at.gains;
    const Vec3 normal = body.pose.orientation.conjugate() * touch.normal;
    unknown = normal.dot(at.unknown * normal);
    cut = compliance->cut();
    result.contact.mobility += normal.dot(at.mobility * normal);
  };
  ImpactSystem::Contact& contact = result.contact;
  give_way(a, contact.gains_a, contact.unknown_a, contact.cut_a);
  give_way(b, contact.gains_b, contact.unknown_b, contact.cut_b);

  const double speed =
      std::max({-touch.normal.dot(a.velocity_at(touch.point) - b.velocity_at(touch.point)),
                least_speed, slowest});
  const HertzContact hertz = hertz_contact(
      side(a), side(b), speed, std::min(known(a.body).surface.patch, known(b.body).surface.patch));
  contact.stiffness = 4.0 / 3.0 * hertz.modulus * std::sqrt(hertz.radius);
  result.mass = hertz.mass;
  result.contact_time = hertz.contact_time();
  return result;
}

bool CompliantImpactLaw::matters(std::span<const ImpactBody> bodies,
                                 std::span<const ImpactContact> touches, double time) const {
  for (const ImpactContact& touch : touches) {
    const ImpactBody &a = bodies[touch.a], &b = bodies[touch.b];
    const auto &on_a = known(a.body).surface.compliance, &on_b = known(b.body).surface.compliance;
    if (!on_a && !on_b) continue;
    const double speed = -touch.normal.dot(a.velocity_at(touch.point) - b.velocity_at(touch.point));
    if (!(speed > 0.0)) continue;
    const Meeting meets = meeting(bodies, touch, 0.0);
    if (meets.mass * meets.contact.mobility / meets.contact_time > least_part) return true;
    const auto gives_way = [&](const ImpactBody& body, const Eigen::Matrix3Xf& gains) {
      const Body& own = known(body.body);
      if (!own.surface.compliance) return false;
      const std::vector<base::Mode>& modes = own.surface.compliance->modes();
      const Eigen::VectorXf along = gains.transpose() * touch.normal.cast<float>();
      double given = 0.0;
      for (std::size_t k = 0; k < modes.size(); ++k) {
        const double response = half_sine_response(meets.contact_time, modes[k].frequency);
        const double gain = static_cast<double>(along[static_cast<Eigen::Index>(k)]);
        given += gain * gain * response * response;
      }
      const double e = 1.0 + touch.restitution;
      if (e * e * meets.mass * given > least_part) return true;
      // |sum of g v| <= |g| |v|, and |v|^2 <= 2 E.
      const double energy =
          own.energy * std::exp(-2.0 * own.least_decay * std::max(time - own.clock, 0.0));
      return static_cast<double>(along.norm()) * std::sqrt(2.0 * energy) > least_ringing * speed;
    };
    if (gives_way(a, meets.contact.gains_a) || gives_way(b, meets.contact.gains_b)) return true;
  }
  return false;
}

double CompliantImpactLaw::reach(std::uint32_t body_a, std::uint32_t body_b, double speed) const {
  double lowest = std::numeric_limits<double>::infinity();
  for (const std::uint32_t body : {body_a, body_b})
    if (const auto& compliance = known(body).surface.compliance)
      for (const base::Mode& mode : compliance->modes()) lowest = std::min(lowest, mode.frequency);
  return std::min(farthest_reach, 0.5 * std::max(speed, 0.0) / lowest);
}

double CompliantImpactLaw::lowest_frequency(std::span<const ImpactBody> bodies) const {
  double lowest = std::numeric_limits<double>::infinity();
  for (const ImpactBody& body : bodies)
    if (const auto& compliance = known(body.body).surface.compliance)
      for (const base::Mode& mode : compliance->modes()) lowest = std::min(lowest, mode.frequency);
  return lowest;
}

/// A power of two of the longest step, so that bodies keep few sets of coefficients.
double CompliantImpactLaw::step_for(double contact_time, double restitution) const {
  // What still moves at the turning point after the step in which it turns, (pi / 2N)^2 of the
  // energy for N steps, must be less than what is given back.
  const double e = std::max(restitution, HertzSpring::least);
  const double most =
      contact_time / std::max(settings_.steps_per_contact, std::min(8.0 / e, 160.0));
  double h = settings_.longest_step;
  while (h > most) h *= 0.5;
  return h;
}

base::ImpactOutcome CompliantImpactLaw::strike(std::span<const ImpactBody> bodies,
                                               std::span<const ImpactContact> touches,
                                               double time) {
  const util::FlushDenormals guard;
  double start = time;
  for (const ImpactBody& body : bodies)
    if (known(body.body).modes.size() > 0 && body.inverse_mass > 0.0)
      start = std::max(start, std::min(known(body.body).clock, time + longest_delay));
  std::vector<ModalOscillators*> modes;
  std::vector<double> before;  // clocks
  for (const ImpactBody& body : bodies) {
    Body& own = known(body.body);
    before.push_back(own.clock);
    wind_to(own, start);
    modes.push_back(own.modes.size() > 0 ? &own.modes : nullptr);
  }

  double fastest = slowest;
  for (const ImpactContact& touch : touches)
    fastest = std::max(fastest, -touch.normal.dot(bodies[touch.a].velocity_at(touch.point) -
                                                  bodies[touch.b].velocity_at(touch.point)));
  const double lowest = lowest_frequency(bodies), period = 1.0 / lowest;
  std::vector<ImpactSystem::Contact> contacts;
  double shortest = std::numeric_limits<double>::infinity(), longest = 0.0, least = 1.0;
  for (const ImpactContact& touch : touches) {
    Meeting meets = meeting(bodies, touch, fastest);
    meets.contact.wait = fastest * period;
    shortest = std::min(shortest, meets.contact_time);
    longest = std::max(longest, meets.contact_time);
    least = std::min(least, touch.restitution);
    contacts.push_back(std::move(meets.contact));
  }
  const double h = step_for(shortest, least);
  ImpactSystem system(bodies, modes, std::move(contacts), h);

  const double last = std::max(longest_blow, contact_times * longest);
  const double first_last = std::min(2.0 * period, last);
  for (int i = 1;; ++i) {
    const double left = std::min(last - system.time(), period - system.quiet());
    const bool has_leapt = system.leap(left / h);
    if (!has_leapt) system.step();
    if (system.time() >= last) break;
    if (!system.has_hit() || system.quiet() == 0.0) continue;
    if (system.quiet() >= period || system.time() >= std::max(first_last, contact_times * longest))
      break;
    if ((has_leapt || i % looks == 0) && system.has_parted()) break;
  }
  base::ImpactOutcome outcome = system.outcome(start);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    leave_at(known(bodies[i].body), outcome.end, before[i]);
  add_up(outcome.energy);
  return outcome;
}

/// Lets the modes of a body ring to a time, which may lie before its clock.
void CompliantImpactLaw::wind_to(Body& body, double time) {
  body.modes.ring(time - body.clock);
  body.clock = time;
}

/// After what ended at `time`: the clock does not fall behind where it was `before` [s].
void CompliantImpactLaw::leave_at(Body& body, double time, double before) {
  body.clock = time;
  if (before > time) wind_to(body, before);
  body.energy = body.modes.energy();
}

void CompliantImpactLaw::add_up(const base::ImpactEnergy& energy) {
  for (const auto part :
       {&base::ImpactEnergy::rigid_before, &base::ImpactEnergy::rigid_after,
        &base::ImpactEnergy::modal_before, &base::ImpactEnergy::modal_after,
        &base::ImpactEnergy::gravity, &base::ImpactEnergy::driven, &base::ImpactEnergy::damped,
        &base::ImpactEnergy::beyond, &base::ImpactEnergy::contact, &base::ImpactEnergy::friction})
    energy_.*part += energy.*part;
}

base::ForceHistory CompliantImpactLaw::strike_with(std::span<const ImpactBody> bodies,
                                                   const ImpactContact& touch, const Vec3& impulse,
                                                   double time) {
  const std::uint32_t pair[] = {bodies[touch.a].body, bodies[touch.b].body};
  std::vector<std::vector<double>> q, v;
  std::vector<double> clocks;
  for (const std::uint32_t body : pair) {
    const Body& own = known(body);
    q.emplace_back(own.modes.q().begin(), own.modes.q().end());
    v.emplace_back(own.modes.v().begin(), own.modes.v().end());
    clocks.push_back(own.clock);
  }
  const base::ImpactEnergy account = energy_;
  base::ForceHistory force = strike(bodies, std::span(&touch, 1), time).touches[0].force;
  energy_ = account;
  for (std::size_t i = 0; i < 2; ++i) {
    Body& own = known(pair[i]);
    for (std::size_t k = 0; k < own.modes.size(); ++k) own.modes.set(k, q[i][k], v[i][k]);
    own.clock = clocks[i];
    own.energy = own.modes.energy();
  }

  const double push = touch.normal.dot(impulse), given = touch.normal.dot(force.impulse());
  if (!(push > 0.0) || !(given > 0.0)) return {.start = time, .step = force.step, .samples = {}};
  const Vec3 along = std::min(1.0, push / given) / push * impulse;
  for (Eigen::Vector3f& sample : force.samples)
    sample = (touch.normal.dot(sample.cast<double>()) * along).cast<float>();
  force = force.coarser(base::shortest_force_step);
  for (std::size_t i = 0; i < 2; ++i) {
    const ImpactBody& body = bodies[i == 0 ? touch.a : touch.b];
    follow(body.body, body.pose.to_local(touch.point),
           force.rotated(body.pose.orientation.conjugate(), i == 0 ? 1.0 : -1.0));
  }
  return force;
}

void CompliantImpactLaw::follow(std::uint32_t body, const Vec3& point,
                                const base::ForceHistory& force) {
  Body& own = known(body);
  if (own.modes.size() == 0 || force.empty()) return;
  const util::FlushDenormals guard;
  const double before = own.clock, energy = own.modes.energy();
  wind_to(own, force.start);
  const Eigen::Matrix3Xd shapes = own.surface.compliance->at(point).gains.cast<double>();
  std::vector<double> gains(3 * own.modes.padded(), 0.0);
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t k = 0; k < own.modes.size(); ++k)
      gains[axis * own.modes.padded() + k] =
          shapes(static_cast<Eigen::Index>(axis), static_cast<Eigen::Index>(k));
  ModalContact contact(own.modes, std::move(gains), force.step);
  for (const Eigen::Vector3f& sample : force.samples) {
    const std::array<double, 3> components = {double(sample.x()), double(sample.y()),
                                              double(sample.z())};
    contact.advance(components);
  }
  own.modes.limit_steps();
  leave_at(own, force.end(), before);
  // Less what they lost meanwhile.
  energy_.modal_before += energy;
  energy_.modal_after += own.energy;
}

double CompliantImpactLaw::mobility(std::uint32_t body, const Vec3& point,
                                    const Vec3& normal) const {
  const auto& compliance = known(body).surface.compliance;
  if (!compliance) return 0.0;
  const base::ContactCompliance::Point at = compliance->at(point);
  const std::vector<base::Mode>& modes = compliance->modes();
  double density = normal.dot(at.unknown * normal);  // of squared shapes [s/kg]
  if (density == 0.0 && !modes.empty()) {
    density = (at.gains.transpose() * normal.cast<float>()).cast<double>().squaredNorm() /
              (2.0 * pi * modes.back().frequency);
  }
  return normal.dot(at.mobility * normal) + 0.5 * pi * density;
}

void CompliantImpactLaw::serialize(util::Archive& archive) {
  archive.same(bodies_.size());
  archive.number(energy_);
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    bool is_known = bodies_[i].is_known;
    archive.number(is_known);
    if (!is_known) continue;
    Body& body = known(i);
    archive.number(body.clock, body.energy);
    body.modes.serialize(archive);
  }
}

}  // namespace peal::contact
