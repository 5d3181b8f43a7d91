#pragma once

#include <peal/dynamics/islands.h>
#include <peal/dynamics/rigid_bodies.h>
#include <peal/util/archive.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace peal::dynamics {

/// Which bodies sleep. An island in which nothing has moved for a time_to_sleep sleeps, with the
/// impulses of its contacts at rest going on as they were, until something comes near.
class SleepTracker {
 public:
  explicit SleepTracker(std::size_t bodies) : bodies_(bodies) {}

  bool is_asleep(std::size_t body) const { return bodies_[body].is_asleep; }
  /// Of the contacts at rest of a body that sleeps, in a step [N s].
  double rest_rate(std::size_t body) const { return bodies_[body].rest_rate; }

  void wake(std::size_t body);
  /// Removes islands that sleep and that nothing drives, and wakes all bodies of the others.
  void wake_disturbed(std::vector<Island>& islands);
  /// Adds the impulse of a contact at rest [N s].
  void add_rest(std::size_t body, double impulse) { bodies_[body].rest += impulse; }
  /// At the end of a step: once a time_to_sleep, islands that have hardly moved fall asleep.
  void update(std::span<const Island> islands, const RigidSettings& settings,
              const StepClock& clock, RigidBodies& bodies);

  void serialize(util::Archive& archive);

 private:
  struct Body {
    std::optional<base::Pose> seen;  ///< when it was last looked at for movement
    bool is_calm = false, is_asleep = false;
    double rest = 0.0, rest_seen = 0.0;  ///< impulse of its contacts at rest, then as well [N s]
    double rest_rate = 0.0;              ///< of them in a step, asleep [N s]
  };

  std::vector<Body> bodies_;
  std::int64_t looked_at_ = 0;  ///< step at which all bodies were last looked at for movement
};

}  // namespace peal::dynamics
