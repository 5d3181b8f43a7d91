#pragma once

#include <peal/base/time.h>
#include <peal/elastic/largest_frequency.h>
#include <peal/elastic/load.h>
#include <peal/elastic/selective_mass_scaling.h>
#include <peal/elastic/solid.h>
#include <peal/elastic/volume_watch.h>

#include <memory>
#include <vector>

namespace peal::elastic {

struct StepperSettings {
  base::Rate audio;          ///< steps are whole fractions of its sample
  double safety = 0.9;       ///< of the longest stable step
  int steps_per_sample = 0;  ///< 0: chosen; more than needed is fine, fewer an InputError
  int multiple_of = 1;       ///< what the chosen number of steps a sample is a multiple of
  int least_steps = 1;       ///< a sample, of what is chosen
};

/// Where the energy is [J]: kinetic as m v(n-1/2) v(n+1/2) / 2, whose sum with the elastic leapfrog
/// keeps to round-off in a linear solid. Without damping of stiffness `imbalance()` is zero but for
/// the error of leapfrog, which stays bounded; with it, minus what was damped away.
struct EnergyAccount {
  double initial = 0.0;  ///< kinetic and elastic at the start
  double kinetic = 0.0;
  double elastic = 0.0;
  double given = 0.0;        ///< by loads and moving constraints since
  double mass_damped = 0.0;  ///< taken by damping of mass since

  double imbalance() const { return kinetic + elastic + mass_damped - given - initial; }
};

/// Leapfrog over several solids (docs/theory/elastic.md).
///
///     v(n+1/2) = ((1 - alpha dt/2) v(n-1/2) + dt f(n) / m) / (1 + alpha dt/2)
///     x(n+1)   = x(n) + dt v(n+1/2)
///
/// where elements are asked at x(n) + beta v(n-1/2), which damps as beta K v for one evaluation.
class Stepper {
 public:
  /// Solids start at rest. Throws util::InputError if `steps_per_sample` is given and unstable.
  Stepper(std::vector<Solid> solids, std::vector<std::unique_ptr<Load>> loads,
          std::vector<Constraint> constraints, const StepperSettings& settings);

  const std::vector<Solid>& solids() const { return solids_; }
  const State& state() const { return state_; }
  /// Before the first step: positions and velocities at time zero.
  void start_at(std::size_t solid, Nodes positions, Nodes velocities);

  base::Rate rate() const { return rate_; }  ///< of steps: a whole multiple of audio's
  int steps_per_sample() const { return steps_per_sample_; }
  std::int64_t index() const { return index_; }          ///< steps made
  double time() const { return rate_.seconds(index_); }  ///< [s]
  double largest_frequency() const {
    return largest_frequency_;
  }  ///< of the discrete solids [rad/s]
  /// That a solid can tremble with before steps are too long for it [Hz]. It lies far below the
  /// rate of steps if damping is what makes these short.
  double borne_frequency(std::size_t solid) const;
  const FreeAxes& free_axes(std::size_t solid) const { return free_[solid]; }

  /// One step. Throws util::NumericsError with the solid and its worst element if there is energy
  /// that came from nowhere, or if a solid has become so stiff that steps are too long for it or
  /// stays pressed through itself: that is looked at now and then.
  void step();
  void step(std::int64_t count);
  /// Up to the next whole sample of audio.
  void sample() { step(steps_per_sample_); }

  /// How far the elements of a solid were pressed.
  const VolumeWatch& volumes(std::size_t solid) const { return volumes_[solid]; }

  /// At the instant before the last step. Evaluates the energy of all elements: as dear as a step.
  EnergyAccount energy() const;

  /// All that changes from step to step, loads included.
  void serialize(util::Archive& archive);

 private:
  void choose_step(const StepperSettings& settings);
  Kick kick_of(const Solid& solid) const;
  void move(std::size_t solid, const Kick& kick, Work& work);
  void move_constrained(Work& work);
  void book(const Work& work);
  double elastic_energy() const;
  double rounding() const;
  void watch_stiffness();
  [[noreturn]] void report_blow_up() const;
  [[noreturn]] void report_long_steps(std::size_t solid, double longest) const;

  std::vector<Solid> solids_;
  std::vector<std::unique_ptr<Load>> loads_;
  std::vector<Constraint> constraints_;
  base::Rate rate_;
  int steps_per_sample_ = 1;
  double largest_frequency_ = 0.0;
  std::int64_t index_ = 0;
  State state_;
  std::vector<Nodes> inner_, outer_;           ///< forces of elements and of loads [N]
  std::vector<MassScaledKick> apart_;          ///< by solid
  std::vector<std::vector<double>> ease_;      ///< by solid and node: 1 over its mass [1/kg]
  std::vector<Nodes> ahead_;                   ///< x + beta v, where it is needed [m]
  std::vector<FreeAxes> free_;                 ///< by solid
  std::vector<FrequencyWatch> watches_;        ///< by solid
  std::vector<VolumeWatch> volumes_;           ///< by solid
  std::vector<double> load_stiffness_;         ///< by solid: the most over mass [1/s^2]
  double rounding_ = 0.0;                      ///< kinetic energy that is nothing [J]
  double initial_ = 0.0, kinetic_ = 0.0;       ///< [J], as the following
  double given_ = 0.0, damped_ = 0.0;          ///< up to half a step after the last instant
  double given_now_ = 0.0, damped_now_ = 0.0;  ///< up to the last instant
  double turnover_ = 0.0;                      ///< all that was given or taken
};

}  // namespace peal::elastic
