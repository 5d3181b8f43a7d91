#include <peal/vibration/modal_rest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>

namespace peal::vibration {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

/// Surfaces that part meet again where they come towards each other. Impacts J = (1 + e) u / G must
/// carry the load, N = rate * mean J, and each takes (1 + e) g^2 / G of a mode's energy: together N
/// g^2 / <u>, whatever e and G are. Impacts come as often as the surfaces come towards each other,
/// so that <u> = <u^2> / <u> over all times, with u = w + v: v that of the vibration, w that of the
/// body as a whole. It is 1.25 times the root of the mean square of v for a body that hovers (w =
/// 0) and 2 times for one that falls as fast as it vibrates, as bodies do whose hops last longer
/// than periods of their modes: then the force in the mean is half of N over it.
constexpr double hopping = 0.5;
/// Contacts are taken as closed while parting would change their rates by less than this.
constexpr double nearly_closed = 0.02;

/// Mean mobility of all modes but one near its frequency: pi/2 times the density of their squared
/// shapes (Skudrzyk 1980), in the octave around it [m/(N s)].
double mean_mobility(std::span<const base::Mode> modes, const Eigen::ArrayXd& squares,
                     std::size_t mode) {
  const double f = modes[mode].frequency;
  double sum = 0.0;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const double ratio = modes[k].frequency / f;
    if (k != mode && ratio > std::numbers::sqrt2 / 2.0 && ratio < std::numbers::sqrt2)
      sum += squares[static_cast<Eigen::Index>(k)];
  }
  return 0.5 * pi * sum / (2.0 * pi * f * (std::numbers::sqrt2 / 2.0));
}

}  // namespace

ModalRest modal_rest(const base::LastingContact& contact, std::span<const base::Mode> modes,
                     const Eigen::ArrayXd& along) {
  ModalRest rest{.begin = contact.begin, .end = contact.end, .shapes = along.square()};
  rest.drag.setZero(along.size());
  const double e = contact.restitution;
  rest.most = hopping * contact.load;
  // An impact J = (1 + e) w / G changes the velocity of a mode by g J: it takes (1 + e) g^2 / G of
  // what the mode has and gives (1 + e)^2 g^2 w^2 / (2 G^2), w^2 being the sum of g^2 times
  // energies and G that of g^2. Rigid motion returns all that it is given.
  const double back = 0.5 * (1.0 + e);
  rest.returned = back / (rest.shapes.sum() + (1.0 - back) * contact.inverse_mass);
  // Half a cycle on a spring with this loss factor gives back e^2 of the energy, as an impact does.
  const double loss = (1.0 - e * e) / pi;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const double w = 2.0 * pi * modes[k].frequency;
    const Complex spring = Complex(0.0, w) / (contact.stiffness * Complex(1.0, loss));
    const double lost = spring.real() + contact.mobility;
    const Complex whole = spring + contact.mobility + contact.inverse_mass / Complex(0.0, w) +
                          mean_mobility(modes, rest.shapes, k);
    rest.drag[static_cast<Eigen::Index>(k)] = lost / std::norm(whole);
  }
  return rest;
}

RestingRates resting_rates(std::span<const ModalRest* const> active,
                           const Eigen::ArrayXd& amplitudes) {
  RestingRates result{.rates = Eigen::ArrayXd::Zero(amplitudes.size()), .is_linear = true};
  for (const ModalRest* rest : active) {
    const double speed = std::sqrt(0.5 * (rest->shapes * amplitudes.square()).sum());
    if (!(rest->most > 0.0)) continue;  // not pressed together
    const Eigen::ArrayXd parting = rest->drag * (speed / rest->most);
    const Eigen::ArrayXd rates = 0.5 * rest->shapes * rest->drag / (1.0 + parting);
    if ((parting <= nearly_closed).all()) {
      result.rates += rates;
      continue;
    }
    result.is_linear = false;
    // Modes that would gain keep what they have: the buzz that they would get is left out.
    const Eigen::ArrayXd own = 0.5 * amplitudes.square();
    const Eigen::ArrayXd kept = parting / (1.0 + parting) * rest->returned * speed * speed;
    result.rates += rates * (1.0 - kept / own.max(kept).max(1e-300));
  }
  return result;
}

}  // namespace peal::vibration
