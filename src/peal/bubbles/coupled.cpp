#include <peal/base/existence.h>
#include <peal/bubbles/coupled.h>
#include <peal/bubbles/coupled_group.h>
#include <peal/util/disjoint_sets.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <array>
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
/// of the radius.
constexpr double frequency_change = 5e-4, place_change = 0.25;

/// A bubble whose own ringing has decayed to this part no longer belongs to the system: -80 dB.
/// What is left is how the others move it.
constexpr double forgotten = 1e-4;

/// An inverse that grew by new bubbles this often is made anew, which forgets rounding errors.
constexpr int most_growth = 32;

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
      for (CoupledGroup& group : groups_) advance(group, n);
    }
    for (CoupledGroup& group : groups_) put_away(group);
    for (const ActiveChain& one : active_) leave(one);
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
      reserve(chain, n);
      begin(chain, n);
    }
    if (n % renewal_interval == 0) {
      for (CoupledGroup& group : groups_) put_away(group);
      const bool has_newborn = std::exchange(has_newborn_, false);
      const auto ended = [&](const ActiveChain& one) {
        if (!has_ended(one, n)) return false;
        leave(one);
        return true;
      };
      bool must_renew = std::erase_if(active_, ended) > 0;
      must_renew |= std::ranges::any_of(active_, [&](const ActiveChain& one) {
        const OscillatorKey key = chains_[one.chain].at(rate_.seconds(n));
        return std::abs(key.omega - one.key.omega) > frequency_change * key.omega ||
               (key.position - one.key.position).norm() > place_change * key.radius;
      });
      if (must_renew) {
        renew(n);
      } else if (has_newborn) {
        take_in_newborn();
      }
    }
  }

  /// Memory for the ringing of a chain, so that its samples do not move while they grow.
  void reserve(std::size_t chain, std::int64_t n) {
    const Chain& one = chains_[chain];
    double ringing = -std::log(forgotten) / one.keys.back().beta;
    if (one.fade_begin) ringing = *one.fade_begin + one.fade_duration - rate_.seconds(n);
    const double samples = rate_.samples(ringing + longest_forcing) + 2.0 * renewal_interval;
    const auto most = static_cast<double>(settings_.range.end - n + renewal_interval);
    const auto size = static_cast<std::size_t>(std::clamp(samples, 0.0, std::max(most, 0.0)));
    played_[chain].sound.volume_acceleration.reserve(size);
    played_[chain].sound.volume_velocity.reserve(size);
  }

  /// Until the next renewal a bubble is alone: its forcing lasts about as long.
  void begin(std::size_t chain, std::int64_t n) {
    ActiveChain& one = active_.emplace_back();
    one.chain = chain;
    one.key = chains_[chain].at(rate_.seconds(n));
    rescale(one, one.key);
    CoupledGroup& group = groups_.emplace_back();
    group.members = {active_.size() - 1};
    factor(group);
    take_out(group);
    has_newborn_ = true;
  }

  bool has_ended(const ActiveChain& one, std::int64_t n) const {
    const Chain& chain = chains_[one.chain];
    if (chain.fade_begin && rate_.seconds(n) >= *chain.fade_begin + chain.fade_duration)
      return true;
    if (one.forcing < chain.forcings.size()) return false;
    const double since = rate_.seconds(n) - chain.forcings.back().begin;
    return since * one.key.beta > -std::log(forgotten);
  }

  /// What a bubble takes along when it is no longer followed.
  void leave(const ActiveChain& one) {
    const double y = one.key.omega * one.y, u = one.u / one.warp;
    played_[one.chain].energy.remaining += 0.5 * unit_mass() * diagonal(one) * (y * y + u * u);
  }

  /// rho / (4 pi), the mass for which y and u have the energy 1/2 m u^2.
  double unit_mass() const { return settings_.liquid.density / (4.0 * std::numbers::pi); }
  static double diagonal(const ActiveChain& one) { return one.key.radius / one.key.capacitance; }

  /// New keys, groups and inverses.
  void renew(std::int64_t n) {
    for (ActiveChain& one : active_) {
      const OscillatorKey key = chains_[one.chain].at(rate_.seconds(n));
      rescale(one, key);
      one.key = key;
      one.is_newborn = false;
    }
    util::DisjointSets sets(active_.size());
    for (std::size_t i = 0; i < active_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) join_coupled(sets, i, j);
    groups_ = groups_of(sets);
    for (CoupledGroup& group : groups_) {
      factor(group);
      take_out(group);
    }
  }

  /// Bubbles that were alone since they began join the others, which have not changed: an inverse
  /// grows by their rows.
  void take_in_newborn() {
    util::DisjointSets sets(active_.size());
    std::vector<CoupledGroup> before = std::move(groups_);
    std::vector<std::size_t> group_before(active_.size());
    for (std::size_t g = 0; g < before.size(); ++g) {
      for (const std::size_t member : before[g].members) {
        group_before[member] = g;
        sets.join(static_cast<std::uint32_t>(member),
                  static_cast<std::uint32_t>(before[g].members.front()));
      }
    }
    for (std::size_t i = 0; i < active_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        if (active_[i].is_newborn || active_[j].is_newborn) join_coupled(sets, i, j);
    }
    groups_ = groups_of(sets);
    for (CoupledGroup& group : groups_) {
      // The largest of the groups that it is made of.
      std::size_t old = group_before[group.members.front()];
      for (const std::size_t member : group.members)
        if (before[group_before[member]].members.size() > before[old].members.size())
          old = group_before[member];
      grow(before[old], group);
      take_out(group);
    }
    for (ActiveChain& one : active_) one.is_newborn = false;
  }

  void join_coupled(util::DisjointSets& sets, std::size_t i, std::size_t j) const {
    if (std::abs(coupling(active_[i].key, active_[j].key)) >= weakest_coupling)
      sets.join(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
  }

  std::vector<CoupledGroup> groups_of(util::DisjointSets& sets) const {
    std::vector<CoupledGroup> groups;
    std::vector<std::size_t> group_of(active_.size(), std::numeric_limits<std::size_t>::max());
    for (std::size_t i = 0; i < active_.size(); ++i) {
      std::size_t& group = group_of[sets.root(static_cast<std::uint32_t>(i))];
      if (group == std::numeric_limits<std::size_t>::max()) {
        group = groups.size();
        groups.emplace_back();
      }
      groups[group].members.push_back(i);
    }
    return groups;
  }

  /// Volume, velocity and what damping has to take stay as they are in new units.
  void rescale(ActiveChain& one, const OscillatorKey& key) const {
    const double root = one.key.radius > 0.0 ? std::sqrt(one.key.radius / key.radius) : 0.0;
    const double x = 0.5 * key.omega * step_;
    const double warp = std::tan(x) / x;
    one.y *= root;
    one.u *= root * warp / one.warp;
    one.last_change *= root * warp / one.warp;
    one.warp = warp;
    one.to_acceleration = std::sqrt(key.radius) * x * x / (std::sin(x) * std::sin(x)) / step_;
  }

  /// Of the system that is inverted.
  float entry(std::size_t i, std::size_t j) const {
    if (i != j) return static_cast<float>(coupling(active_[i].key, active_[j].key));
    const ActiveChain& one = active_[i];
    const double x = std::tan(0.5 * one.key.omega * step_);
    return static_cast<float>(diagonal(one) * (1.0 + step_ * one.key.beta + x * x));
  }

  void factor(CoupledGroup& group) const {
    const auto count = static_cast<Index>(group.members.size());
    MatrixXf system(count, count);
    for (Index j = 0; j < count; ++j) {
      for (Index i = j; i < count; ++i)
        system(i, j) = system(j, i) = entry(group.members[static_cast<std::size_t>(i)],
                                            group.members[static_cast<std::size_t>(j)]);
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
    group.growth = 0;
  }

  /// Makes the inverse of a group of that of a part of it, by blocks: with P the inverse of A, C
  /// and D the new columns, B = P C and T the inverse of D - C^T B, it is [P + B T B^T, -B T; -T
  /// B^T, T].
  void grow(CoupledGroup& part, CoupledGroup& group) const {
    std::vector<bool> is_old(active_.size());
    for (const std::size_t member : part.members) is_old[member] = true;
    std::vector<std::size_t> added;
    for (const std::size_t member : group.members)
      if (!is_old[member]) added.push_back(member);
    const auto n = static_cast<Index>(part.members.size()), k = static_cast<Index>(added.size());
    if (2 * k > n || part.growth == most_growth) return k == 0 ? keep(part, group) : factor(group);
    group.members = part.members;
    group.members.insert(group.members.end(), added.begin(), added.end());
    if (k == 0) return keep(part, group);
    MatrixXf beside(n, k), corner(k, k);
    for (Index j = 0; j < k; ++j) {
      const std::size_t column = added[static_cast<std::size_t>(j)];
      for (Index i = 0; i < n; ++i)
        beside(i, j) = entry(part.members[static_cast<std::size_t>(i)], column);
      for (Index i = 0; i < k; ++i)
        corner(i, j) = entry(added[static_cast<std::size_t>(i)], column);
    }
    const MatrixXf solved = part.inverse * beside;
    corner.noalias() -= beside.transpose() * solved;
    const Eigen::LLT<MatrixXf> cholesky(corner);
    if (cholesky.info() != Eigen::Success) return factor(group);
    const MatrixXf last = cholesky.solve(MatrixXf::Identity(k, k));
    const MatrixXf across = solved * last;
    group.inverse.resize(n + k, n + k);
    group.inverse.topLeftCorner(n, n) = part.inverse;
    group.inverse.topLeftCorner(n, n).noalias() += across * solved.transpose();
    group.inverse.topRightCorner(n, k) = -across;
    group.inverse.bottomLeftCorner(k, n) = -across.transpose();
    group.inverse.bottomRightCorner(k, k) = last;
    group.growth = part.growth + 1;
  }

  static void keep(CoupledGroup& part, CoupledGroup& group) {
    group.members = part.members;
    group.inverse = std::move(part.inverse);
    group.growth = part.growth;
  }

  /// Moves the state of its members to a group.
  void take_out(CoupledGroup& group) const {
    group.tiles.assign(group.inverse);
    const std::size_t count = group.members.size();
    group.right.assign(group.tiles.padded(), 0.0f);
    group.change.assign(group.tiles.padded(), 0.0f);
    for (auto* list : {&group.y, &group.u, &group.last_change, &group.drag, &group.spring,
                       &group.to_acceleration, &group.to_velocity, &group.forces, &group.damped})
      list->assign(count, 0.0);
    group.accelerations.resize(count * renewal_interval);
    group.velocities.resize(count * renewal_interval);
    for (std::size_t i = 0; i < count; ++i) {
      const ActiveChain& one = active_[group.members[i]];
      const double x = one.key.omega * one.warp;
      group.y[i] = one.y;
      group.u[i] = one.u;
      group.last_change[i] = one.last_change;
      group.drag[i] = 2.0 * one.key.beta * diagonal(one);
      group.spring[i] = x * x * diagonal(one);
      group.to_acceleration[i] = 0.5 * one.to_acceleration;
      group.to_velocity[i] = std::sqrt(one.key.radius) / one.warp;
      if (one.forcing < chains_[one.chain].forcings.size()) group.forced.push_back(i);
    }
  }

  /// Moves the state of a group back to its members, and what they played to their sounds.
  void put_away(CoupledGroup& group) {
    const std::size_t count = group.members.size();
    for (std::size_t i = 0; i < count; ++i) {
      ActiveChain& one = active_[group.members[i]];
      one.y = group.y[i];
      one.u = group.u[i];
      one.last_change = group.last_change[i];
      PlayedChain& played = played_[one.chain];
      // Energies in units that are not warped.
      played.energy.dissipated += unit_mass() * step_ / (one.warp * one.warp) * group.damped[i];
      group.damped[i] = 0.0;
    }
    append(group, group.accelerations, &base::BubbleSound::volume_acceleration);
    append(group, group.velocities, &base::BubbleSound::volume_velocity);
    group.samples = 0;
  }

  /// The mean of M_ii F / (m R^(1/2)) over the step that begins at a sample.
  double mean_force(ActiveChain& one, std::int64_t n) const {
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

  /// Samples of all members to each, some members at a time: lines of the cache hold theirs.
  void append(const CoupledGroup& group, const std::vector<float>& samples,
              std::vector<float> base::BubbleSound::*to) {
    constexpr std::size_t at_a_time = 16;
    const std::size_t count = group.members.size();
    const auto length = static_cast<std::size_t>(group.samples);
    std::array<std::array<float, renewal_interval>, at_a_time> some;
    for (std::size_t first = 0; first < count; first += at_a_time) {
      const std::size_t wide = std::min(at_a_time, count - first);
      for (std::size_t k = 0; k < length; ++k)
        for (std::size_t i = 0; i < wide; ++i) some[i][k] = samples[k * count + first + i];
      for (std::size_t i = 0; i < wide; ++i) {
        std::vector<float>& all = played_[active_[group.members[first + i]].chain].sound.*to;
        all.insert(all.end(), some[i].begin(), some[i].begin() + group.samples);
      }
    }
  }

  /// From sample n to n + 1.
  void advance(CoupledGroup& group, std::int64_t n) {
    const std::size_t count = group.members.size();
    for (const std::size_t i : group.forced)
      group.forces[i] = mean_force(active_[group.members[i]], n);
    double *const y = group.y.data(), *const u = group.u.data();
    const double *const drag = group.drag.data(), *const spring = group.spring.data();
    const double* const forces = group.forces.data();
    float* const __restrict right = group.right.data();
    for (std::size_t i = 0; i < count; ++i)
      right[i] = static_cast<float>(
          step_ * (forces[i] - drag[i] * u[i] - spring[i] * (y[i] + 0.5 * step_ * u[i])));
    group.tiles.multiply(group.right.data(), group.change.data());
    std::erase_if(group.forced, [&](std::size_t i) {
      const ActiveChain& one = active_[group.members[i]];
      const double mean = u[i] + 0.5 * static_cast<double>(group.change[i]);
      played_[one.chain].energy.given +=
          unit_mass() * step_ / (one.warp * one.warp) * forces[i] * mean;
      if (one.forcing < chains_[one.chain].forcings.size()) return false;
      group.forces[i] = 0.0;
      return true;
    });
    move(group);
    ++group.samples;
  }

  void move(CoupledGroup& group) const {
    const std::size_t count = group.members.size();
    const std::size_t first = static_cast<std::size_t>(group.samples) * count;
    const float* const change = group.change.data();
    const double *const to_acceleration = group.to_acceleration.data(), *const to_velocity =
                                                                            group.to_velocity
                                                                                .data();
    const double* const drag = group.drag.data();
    float* const __restrict accelerations = group.accelerations.data() + first;
    float* const __restrict velocities = group.velocities.data() + first;
    double* const __restrict y = group.y.data(), * const __restrict u = group.u.data();
    double* const __restrict last = group.last_change.data(), * const __restrict damped =
                                                                  group.damped.data();
    for (std::size_t i = 0; i < count; ++i) {
      const auto now = static_cast<double>(change[i]);
      accelerations[i] = static_cast<float>((now + last[i]) * to_acceleration[i]);
      velocities[i] = static_cast<float>(to_velocity[i] * u[i]);
      const double mean = u[i] + 0.5 * now;
      damped[i] += drag[i] * mean * mean;
      y[i] += step_ * mean;
      u[i] += now;
      last[i] = now;
    }
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
  std::vector<ActiveChain> active_;
  std::vector<CoupledGroup> groups_;
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
