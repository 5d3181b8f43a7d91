#pragma once

#include <peal/dynamics/islands.h>
#include <peal/dynamics/rigid_bodies.h>
#include <peal/util/archive.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace peal::dynamics {

/// Tracks which bodies sleep. An island in which nothing has moved for a time_to_sleep sleeps until
/// something comes near; the impulses of its contacts at rest continue unchanged.
class SleepTracker {
 public:
  explicit SleepTracker(std::size_t bodies) : bodies_(bodies) {}

  bool is_asleep(std::size_t body) const { return bodies_[body].is_asleep; }
  /// Impulse per step of the contacts at rest of a sleeping body [N s].
  double rest_rate(std::size_t body) const { return bodies_[body].rest_rate; }

  void wake(std::size_t body);
  /// Removes sleeping islands that nothing disturbs, and wakes all bodies of the others.
  void wake_disturbed(std::vector<Island>& islands);
  /// Adds the impulse of a contact at rest [N s].
  void add_rest(std::size_t body, double impulse) { bodies_[body].rest += impulse; }
  /// Called at the end of a step. Once a time_to_sleep, islands that have hardly moved fall asleep.
  void update(std::span<const Island> islands, const RigidSettings& settings,
              const StepClock& clock, RigidBodies& bodies);

  void serialize(util::Archive& archive);

 private:
  struct Body {
    std::optional<base::Pose> seen;  ///< pose at the last check for movement
    bool is_calm = false, is_asleep = false;
    double rest = 0.0, rest_seen = 0.0;  ///< impulse of its contacts at rest, now and then [N s]
    double rest_rate = 0.0;              ///< that impulse per step while asleep [N s]
  };

  std::vector<Body> bodies_;
  std::int64_t looked_at_ = 0;  ///< step at which all bodies were last checked for movement
};

}  // namespace peal::dynamics
