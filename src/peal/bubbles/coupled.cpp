#include <peal/base/existence.h>
#include <peal/bubbles/coupled.h>
#include <peal/util/disjoint_sets.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace peal::bubbles {

namespace {

using base::BubbleEnergy;
using base::Rate;
using Eigen::Index;
using Eigen::MatrixXf;
using Eigen::VectorXf;

/// The system is renewed when a frequency has changed by this part of it, or a place by this part
/// of the radius, which is looked at every so many samples.
constexpr double frequency_change = 5e-4, place_change = 0.25;
constexpr std::int64_t renewal_interval = 32;

/// A bubble whose own ringing has decayed to this part no longer belongs to the system: -80 dB.
/// What is left is how the others move it.
constexpr double forgotten = 1e-4;

/// A chain that rings.
struct Active {
  std::size_t chain = 0;
  OscillatorKey key;           ///< as of the last renewal
  double y = 0.0, u = 0.0;     ///< V / R^(1/2), and its rate by the trapezoidal rule
  double last_change = 0.0;    ///< of u in the step before
  std::size_t forcing = 0;     ///< the first that has not ended
  double warp = 1.0;           ///< tan x / x, x = omega h / 2
  double to_acceleration = 1;  ///< from changes of u to V''
};

/// Bubbles that feel each other, and the inverse of their system.
struct Group {
  std::vector<std::size_t> members;  ///< of the list of active bubbles
  MatrixXf inverse;                  ///< of M + h beta M_ii + h^2 omega^2 M_ii / 4
  VectorXf right, change;
};

class CoupledPlayer {
 public:
  CoupledPlayer(std::span<const Chain> chains, const OscillatorSettings& settings)
      : chains_(chains), settings_(settings), rate_(settings.rate), step_(settings.rate.step()) {
    played_.resize(chains.size());
    for (std::size_t i = 0; i < chains.size(); ++i) {
      played_[i].sound.bubble = chains[i].bubble;
      played_[i].sound.path = path_of(chains[i]);
      if (!chains[i].forcings.empty()) waiting_.push_back(i);
    }
    std::ranges::stable_sort(waiting_, {}, [&](std::size_t i) { return birth(i); });
  }

  std::vector<PlayedChain> play() {
    std::int64_t n = settings_.range.begin;
    if (!waiting_.empty()) n = std::min(n, birth(waiting_.front()));
    n = std::max(n, settings_.range.begin - 10 * rate_.hz);
    for (; n < settings_.range.end; ++n) {
      if (active_.empty()) {
        if (next_ == waiting_.size()) break;
        n = std::max(n, birth(waiting_[next_]));
        if (n >= settings_.range.end) break;
      }
      begin_and_end(n);
      for (Group& group : groups_) advance(group, n);
    }
    for (const Active& one : active_) leave(one);
    finish();
    return std::move(played_);
  }

 private:
  /// The sample whose step the first forcing begins in.
  std::int64_t birth(std::size_t chain) const {
    return static_cast<std::int64_t>(
        std::floor(rate_.samples(chains_[chain].forcings.front().begin)));
  }

  void begin_and_end(std::int64_t n) {
    for (; next_ < waiting_.size() && birth(waiting_[next_]) <= n; ++next_) {
      const std::size_t chain = waiting_[next_];
      if (birth(chain) < n) continue;  // long before the range
      played_[chain].sound.start = n;
      begin(chain, n);
    }
    if (n % renewal_interval == 0) {
      bool must_renew = std::exchange(has_newborn_, false);
      const auto ended = [&](const Active& one) {
        if (!has_ended(one, n)) return false;
        leave(one);
        return true;
      };
      must_renew |= std::erase_if(active_, ended) > 0;
      must_renew |= std::ranges::any_of(active_, [&](const Active& one) {
        const OscillatorKey key = chains_[one.chain].at(rate_.seconds(n));
        return std::abs(key.omega - one.key.omega) > frequency_change * key.omega ||
               (key.position - one.key.position).norm() > place_change * key.radius;
      });
      if (must_renew) renew(n);
    }
  }

  /// Until the next renewal a bubble is alone: its forcing lasts about as long.
  void begin(std::size_t chain, std::int64_t n) {
    Active& one = active_.emplace_back();
    one.chain = chain;
    one.key = chains_[chain].at(rate_.seconds(n));
    rescale(one, one.key);
    Group& group = groups_.emplace_back();
    group.members = {active_.size() - 1};
    factor(group, MatrixXf::Constant(1, 1, static_cast<float>(diagonal(one))), {0});
    has_newborn_ = true;
  }

  bool has_ended(const Active& one, std::int64_t n) const {
    const Chain& chain = chains_[one.chain];
    if (chain.fade_begin && rate_.seconds(n) >= *chain.fade_begin + chain.fade_duration)
      return true;
    if (one.forcing < chain.forcings.size()) return false;
    const double since = rate_.seconds(n) - chain.forcings.back().begin;
    return since * one.key.beta > -std::log(forgotten);
  }

  /// What a bubble takes along when it is no longer followed.
  void leave(const Active& one) {
    const double y = one.key.omega * one.y, u = one.u / one.warp;
    played_[one.chain].energy.remaining += 0.5 * unit_mass() * diagonal(one) * (y * y + u * u);
  }

  /// rho / (4 pi), the mass for which y and u have the energy 1/2 m u^2.
  double unit_mass() const { return settings_.liquid.density / (4.0 * std::numbers::pi); }
  static double diagonal(const Active& one) { return one.key.radius / one.key.capacitance; }

  /// New keys, groups and inverses.
  void renew(std::int64_t n) {
    for (Active& one : active_) {
      const OscillatorKey key = chains_[one.chain].at(rate_.seconds(n));
      rescale(one, key);
      one.key = key;
    }
    util::DisjointSets sets(active_.size());
    MatrixXf mass(active_.size(), active_.size());
    for (std::size_t i = 0; i < active_.size(); ++i) {
      mass(static_cast<Index>(i), static_cast<Index>(i)) = static_cast<float>(diagonal(active_[i]));
      for (std::size_t j = 0; j < i; ++j) {
        const auto m = static_cast<float>(coupling(active_[i].key, active_[j].key));
        mass(static_cast<Index>(i), static_cast<Index>(j)) = m;
        mass(static_cast<Index>(j), static_cast<Index>(i)) = m;
        if (std::abs(m) >= static_cast<float>(weakest_coupling))
          sets.join(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
      }
    }
    groups_.clear();
    std::vector<std::size_t> group_of(active_.size(), std::numeric_limits<std::size_t>::max());
    for (std::size_t i = 0; i < active_.size(); ++i) {
      std::size_t& group = group_of[sets.root(static_cast<std::uint32_t>(i))];
      if (group == std::numeric_limits<std::size_t>::max()) {
        group = groups_.size();
        groups_.emplace_back();
      }
      groups_[group].members.push_back(i);
    }
    for (Group& group : groups_) factor(group, mass, group.members);
  }

  /// Volume, velocity and what damping has to take stay as they are in new units.
  void rescale(Active& one, const OscillatorKey& key) const {
    const double root = one.key.radius > 0.0 ? std::sqrt(one.key.radius / key.radius) : 0.0;
    const double x = 0.5 * key.omega * step_;
    const double warp = std::tan(x) / x;
    one.y *= root;
    one.u *= root * warp / one.warp;
    one.last_change *= root * warp / one.warp;
    one.warp = warp;
    one.to_acceleration = std::sqrt(key.radius) * x * x / (std::sin(x) * std::sin(x)) / step_;
  }

  /// `rows` are those of its members in a matrix of all couplings.
  void factor(Group& group, const MatrixXf& all, const std::vector<std::size_t>& rows) const {
    const auto count = static_cast<Index>(group.members.size());
    MatrixXf system(count, count);
    for (Index j = 0; j < count; ++j)
      for (Index i = 0; i < count; ++i)
        system(i, j) = all(static_cast<Index>(rows[static_cast<std::size_t>(i)]),
                           static_cast<Index>(rows[static_cast<std::size_t>(j)]));
    for (Index i = 0; i < count; ++i) {
      const Active& one = active_[group.members[static_cast<std::size_t>(i)]];
      const double x = std::tan(0.5 * one.key.omega * step_);
      system(i, i) += static_cast<float>(diagonal(one) * (step_ * one.key.beta + x * x));
    }
    // The coupling of bubbles that touch is a model: where it is more than the mass they have, it
    // is weakened.
    Eigen::LLT<MatrixXf> cholesky(system);
    while (cholesky.info() != Eigen::Success) {
      const VectorXf kept = system.diagonal();
      system *= 0.5f;
      system.diagonal() = kept;
      cholesky.compute(system);
    }
    group.inverse = cholesky.solve(MatrixXf::Identity(count, count));
    group.right.resize(count);
    group.change.resize(count);
  }

  /// The mean of M_ii F / (m R^(1/2)) over the step that begins at a sample.
  double mean_force(Active& one, std::int64_t n) const {
    const Chain& chain = chains_[one.chain];
    const double begin = rate_.seconds(n), end = rate_.seconds(n + 1);
    double sum = 0.0;
    for (std::size_t f = one.forcing; f < chain.forcings.size(); ++f) {
      const Forcing& forcing = chain.forcings[f];
      if (forcing.begin >= end) break;
      const double a = std::clamp(begin - forcing.begin, 0.0, forcing.duration);
      const double b = std::clamp(end - forcing.begin, 0.0, forcing.duration);
      sum += forcing.curvature * (b * b * b - a * a * a) / 3.0;
      if (f == one.forcing && forcing.begin + forcing.duration <= end) ++one.forcing;
    }
    return sum / step_ * diagonal(one) / std::sqrt(one.key.radius) * one.warp;
  }

  /// From sample n to n + 1.
  void advance(Group& group, std::int64_t n) {
    const std::size_t count = group.members.size();
    forces_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      Active& one = active_[group.members[i]];
      const double x = one.key.omega * one.warp;
      forces_[i] = mean_force(one, n);
      group.right[static_cast<Index>(i)] = static_cast<float>(
          step_ * (forces_[i] - diagonal(one) * (2.0 * one.key.beta * one.u +
                                                 x * x * (one.y + 0.5 * step_ * one.u))));
    }
    group.change.noalias() = group.inverse.selfadjointView<Eigen::Lower>() * group.right;
    for (std::size_t i = 0; i < count; ++i) {
      Active& one = active_[group.members[i]];
      const auto change = static_cast<double>(group.change[static_cast<Index>(i)]);
      write(one, change);
      const double mean = one.u + 0.5 * change;
      // Energies in units that are not warped.
      const double work = unit_mass() * step_ / (one.warp * one.warp);
      BubbleEnergy& energy = played_[one.chain].energy;
      energy.given += work * forces_[i] * mean;
      energy.dissipated += work * 2.0 * one.key.beta * diagonal(one) * mean * mean;
      one.y += step_ * mean;
      one.u += change;
      one.last_change = change;
    }
  }

  void write(const Active& one, double change) {
    base::BubbleSound& sound = played_[one.chain].sound;
    sound.volume_acceleration.push_back(
        static_cast<float>(0.5 * (change + one.last_change) * one.to_acceleration));
    sound.volume_velocity.push_back(
        static_cast<float>(std::sqrt(one.key.radius) * one.u / one.warp));
  }

  /// The ends of all sounds.
  void finish() {
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      base::BubbleSound& sound = played_[i].sound;
      if (sound.volume_acceleration.empty()) continue;
      played_[i].energy.radiated += lost_energy(chains_[i], sound, settings_).radiated;
      const Chain& chain = chains_[i];
      if (chain.fade_begin) {
        fade_out(sound, rate_, *chain.fade_begin, chain.fade_duration);
      } else if (sound.end() < settings_.range.end) {
        // It ended when it was hardly heard; the rest of it falls to zero, too.
        const double periods = 2.0 * std::numbers::pi / chain.keys.back().omega;
        const double duration = std::max(1e-3, 2.0 * periods);
        fade_out(sound, rate_, rate_.seconds(sound.end()) - duration, duration);
      }
      trim(sound, settings_.range);
    }
  }

  std::span<const Chain> chains_;
  const OscillatorSettings& settings_;
  Rate rate_;
  double step_;  ///< [s]
  std::vector<PlayedChain> played_;
  std::vector<std::size_t> waiting_;  ///< chains in the order of their births
  std::size_t next_ = 0;              ///< of them, the first that has not begun
  std::vector<Active> active_;
  std::vector<Group> groups_;
  std::vector<double> forces_;
  bool has_newborn_ = false;
};

}  // namespace

double coupling(const OscillatorKey& a, const OscillatorKey& b) {
  const double product = a.radius * b.radius;
  const double square = (a.position - b.position).squaredNorm();
  const double direct = 1.0 / std::sqrt(square / product + 4.0);
  const double depths = std::max(a.depth, a.radius) * std::max(b.depth, b.radius);
  if (std::isinf(depths)) return direct;
  return direct - std::sqrt(product / (square + 4.0 * depths));
}

std::vector<PlayedChain> play_coupled(std::span<const Chain> chains,
                                      const OscillatorSettings& settings) {
  return CoupledPlayer(chains, settings).play();
}

}  // namespace peal::bubbles
