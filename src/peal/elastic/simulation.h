#pragma once

#include <peal/base/motion.h>
#include <peal/elastic/obstacle_contact.h>
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

/// How a solid starts.
struct SolidStart {
  base::Pose frame;                                          ///< of the solid at rest, in the world
  geometry::Vec3 velocity = geometry::Vec3::Zero();          ///< of its centre of mass [m/s]
  geometry::Vec3 angular_velocity = geometry::Vec3::Zero();  ///< [rad/s]
  double settling = 0.0;  ///< time in which its weight comes upon it [s]
};

/// Everything that is simulated together.
struct Simulated {
  std::vector<Solid> solids;
  std::vector<SolidStart> starts;  ///< one a solid
  std::vector<Constraint> constraints;
  geometry::Vec3 gravity = geometry::Vec3::Zero();  ///< [m/s^2]
  std::vector<std::unique_ptr<Load>> loads;         ///< others
  std::unique_ptr<ObstacleContact> contact;         ///< null: nothing rigid meets them
  std::unique_ptr<SurfaceContact> surfaces;         ///< null: they do not meet each other
};

/// How often a simulation is heard.
struct SimulationRates {
  base::Rate audio;      ///< steps are whole fractions of its sample
  int record_every = 1;  ///< samples of audio: 1 to 8, of which the rate is a multiple
  double band = util::DecimatorChain::pass_band;  ///< of the record's rate: what it tells rightly

  base::Rate record() const { return {audio.hz / record_every}; }
  /// Records as seldom as tells all that is lower than `highest`, but at `least` or more [Hz].
  static SimulationRates up_to(double highest, double least, base::Rate audio);
};

/// How a simulation would be done, and what it takes on this machine.
struct SimulationCost {
  std::vector<std::string> diagnostics;  ///< sentences about how
  double seconds = 0.0;
};

/// By the first few samples. Throws as simulate().
SimulationCost simulation_cost(Simulated simulated, const SimulationRates& rates,
                               std::int64_t samples, const std::optional<double>& longest_step);

/// What a simulation that takes long does beside.
struct LongRun {
  util::Checkpoint* checkpoint = nullptr;             ///< where it keeps itself now and then
  std::function<void(const std::string&)> tell = {};  ///< what to know before it is done
};

/// Simulates so many samples of audio and records the surfaces. Solids that are fixed firmly and do
/// not move at the start have sagged already under gravity, or they would ring from the start on;
/// unless their weight is to come later.
/// `longest_step` is asked for by the user [s]; throws util::InputError with the name of a solid if
/// it is too long to be stable, or if one starts inside of an obstacle, and util::NumericsError if
/// the numbers go wrong. With a checkpoint it goes on from what was kept there, to the same result,
/// and keeps itself there now and then.
Recording simulate(Simulated simulated, const SimulationRates& rates, std::int64_t samples,
                   const std::optional<double>& longest_step, util::Progress& progress,
                   const LongRun& long_run = {});

}  // namespace peal::elastic
