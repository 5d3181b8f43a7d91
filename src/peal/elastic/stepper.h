#pragma once

#include <peal/base/time.h>
#include <peal/elastic/energy_book.h>
#include <peal/elastic/largest_frequency.h>
#include <peal/elastic/load.h>
#include <peal/elastic/selective_mass_scaling.h>
#include <peal/elastic/solid.h>
#include <peal/elastic/volume_watch.h>

#include <memory>
#include <span>
#include <vector>

namespace peal::elastic {

struct StepperSettings {
  base::Rate audio;          ///< its sample is a whole number of steps
  double safety = 0.9;       ///< fraction of the longest stable step
  int steps_per_sample = 0;  ///< 0: chosen; more than needed is fine, fewer an InputError
  int multiple_of = 1;       ///< divisor of the chosen number of steps a sample
  int least_steps = 1;       ///< least number that is chosen for a sample
};

/// Leapfrog over several solids (docs/theory/elastic.md).
///
///     v(n+1/2) = ((1 - alpha dt/2) v(n-1/2) + dt f(n) / m) / (1 + alpha dt/2)
///     x(n+1)   = x(n) + dt v(n+1/2)
///
/// where elements are evaluated at x(n) + beta v(n-1/2), which gives the damping beta K v with one
/// evaluation.
class Stepper {
 public:
  /// Solids start at rest. Throws util::InputError if `steps_per_sample` is given and unstable.
  Stepper(std::vector<Solid> solids, std::vector<std::unique_ptr<Load>> loads,
          std::vector<Constraint> constraints, const StepperSettings& settings);

  const std::vector<Solid>& solids() const { return solids_; }
  const State& state() const { return state_; }
  /// Sets positions and velocities at time zero, before the first step.
  void start_at(std::size_t solid, Nodes positions, Nodes velocities);

  base::Rate rate() const { return rate_; }  ///< steps a second: a multiple of the audio rate
  int steps_per_sample() const { return steps_per_sample_; }
  std::int64_t index() const { return index_; }          ///< steps done
  double time() const { return rate_.seconds(index_); }  ///< [s]
  double largest_frequency() const {
    return largest_frequency_;
  }  ///< of the discrete solids [rad/s]
  /// The highest frequency of a solid for which steps are short enough [Hz]. It is far below the
  /// step rate if damping is what limits the step.
  double borne_frequency(std::size_t solid) const;
  const FreeAxes& free_axes(std::size_t solid) const { return free_[solid]; }

  /// Does one step. Throws util::NumericsError with the solid and its worst element if energy came
  /// from nowhere, or if a solid has become too stiff for the step or has elements that stay inside
  /// out; these are checked at intervals.
  void step();
  void step(std::int64_t count);
  /// Steps to the next sample of audio.
  void sample() { step(steps_per_sample_); }

  /// How far the elements of a solid were compressed.
  const VolumeWatch& volumes(std::size_t solid) const { return volumes_[solid]; }

  /// Energy balance at the time before the last step. Evaluates the energy of all elements, which
  /// costs as much as a step.
  EnergyAccount energy() const;
  EnergyAccount energy(std::size_t solid) const;
  /// What to add to the energy at that time for a sum that leapfrog keeps to the fourth order of
  /// the step while modes exchange energy: dt^2 / 12 (a M a + v K v), over the elements (Engle,
  /// Skeel & Drees 2005). A mode of angular frequency w has w^2 dt^2 / 6 of its energy more than
  /// `energy()` counts: as energy climbs to higher modes, `energy()` falls by as much and none is
  /// lost. Solids must not be damped. Evaluates three times the forces of all elements.
  double shadow_energy() const;

  /// Serializes all that changes from step to step, including loads.
  void serialize(util::Archive& archive);

 private:
  void choose_step(const StepperSettings& settings);
  Kick kick_of(const Solid& solid) const;
  void move(std::size_t solid, const Kick& kick, Work& work);
  std::span<const geometry::Vec3> held_points(const Constraint& constraint, double t);
  void move_constrained();
  void hold_hinges(std::size_t solid, const Kick& kick, Work& work);
  void book();
  double elastic_energy(std::size_t solid) const;
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
  std::vector<Nodes> inner_, outer_;         ///< forces of elements and of loads [N]
  std::vector<MassScaledKick> apart_;        ///< by solid
  std::vector<std::vector<double>> ease_;    ///< by solid and node: inverse mass [1/kg]
  std::vector<Nodes> ahead_;                 ///< x + beta v, where it is needed [m]
  std::vector<geometry::Vec3> held_points_;  ///< of one constraint [m]
  std::vector<FreeAxes> free_;               ///< by solid
  std::vector<FrequencyWatch> watches_;      ///< by solid
  std::vector<VolumeWatch> volumes_;         ///< by solid
  std::vector<double> load_stiffness_;       ///< by solid: largest over mass [1/s^2]
  std::vector<Work> work_;                   ///< of the present step, by solid
  std::vector<EnergyBook> books_;            ///< by solid
  double rounding_ = 0.0;                    ///< kinetic energy of rounding errors [J]
};

}  // namespace peal::elastic
