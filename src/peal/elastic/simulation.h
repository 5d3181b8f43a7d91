#pragma once

#include <peal/base/motion.h>
#include <peal/elastic/obstacle_contact.h>
#include <peal/elastic/soft_support.h>
#include <peal/elastic/stepper.h>
#include <peal/elastic/surface_contact.h>
#include <peal/elastic/surface_record.h>
#include <peal/util/checkpoint.h>
#include <peal/util/decimator.h>
#include <peal/util/progress.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace peal::elastic {

/// Initial state of a solid.
struct SolidStart {
  base::Pose frame;                                  ///< frame of the solid at rest in the world
  geometry::Vec3 velocity = geometry::Vec3::Zero();  ///< velocity of its centre of mass [m/s]
  geometry::Vec3 angular_velocity = geometry::Vec3::Zero();  ///< [rad/s]
  double settling = 0.0;  ///< time over which its weight is applied [s]
};

/// Solids, constraints and loads that are simulated together.
struct Simulated {
  std::vector<Solid> solids;
  std::vector<SolidStart> starts;  ///< one a solid
  std::vector<Constraint> constraints;
  geometry::Vec3 gravity = geometry::Vec3::Zero();  ///< [m/s^2]
  std::vector<std::unique_ptr<SoftSupport>> supports;
  std::vector<std::unique_ptr<Load>> loads;  ///< other loads
  std::unique_ptr<ObstacleContact> contact;  ///< null: no contact with rigid bodies
  std::unique_ptr<SurfaceContact> surfaces;  ///< null: no contact of solids with each other
};

/// Rates of the audio and of the record of a simulation.
struct SimulationRates {
  base::Rate audio;      ///< its sample is a whole number of steps
  int record_every = 1;  ///< samples of audio: 1 to 8, a divisor of its rate
  double band = util::DecimatorChain::pass_band;  ///< part of the record rate resolved

  base::Rate record() const { return {audio.hz / record_every}; }
  /// Returns the lowest record rate that resolves all frequencies below `highest`, but at least
  /// `least` [Hz].
  static SimulationRates up_to(double highest, double least, base::Rate audio);
};

/// Estimate of the cost of a simulation on this machine.
struct SimulationCost {
  std::vector<std::string> diagnostics;  ///< sentences about how it would be done
  double seconds = 0.0;
};

/// Estimates the cost by running the first few samples. Throws as simulate() does.
SimulationCost simulation_cost(Simulated simulated, const SimulationRates& rates,
                               std::int64_t samples, const std::optional<double>& longest_step);

/// Services for a simulation that takes long.
struct LongRun {
  util::Checkpoint* checkpoint = nullptr;             ///< saved at intervals; null: none
  std::function<void(const std::string&)> tell = {};  ///< receives notices before it is done
};

/// Simulates `samples` samples of audio and records the surfaces. Solids at rest that are firmly
/// fixed, or lie on soft supports, start in equilibrium under gravity, because otherwise they would
/// ring from the start; unless their weight is applied over a settling time. `longest_step` is the
/// longest step that the user allows [s]. Throws util::InputError with the name of a solid if that
/// step is too long to be stable, or if a solid starts inside of an obstacle, and
/// util::NumericsError if the solution becomes invalid. With a checkpoint the simulation resumes
/// from there, with the same result, and saves itself there at intervals.
Recording simulate(Simulated simulated, const SimulationRates& rates, std::int64_t samples,
                   const std::optional<double>& longest_step, util::Progress& progress,
                   const LongRun& long_run = {});

}  // namespace peal::elastic
