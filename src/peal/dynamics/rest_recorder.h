#pragma once

#include <peal/base/contact.h>
#include <peal/util/archive.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace peal::dynamics {

/// Joins the contacts at rest of single steps to those of a log. One that is reported again within
/// a few steps, near the point where it was, goes on; while one of its bodies sleeps it goes on
/// without being reported.
class RestRecorder {
 public:
  /// `step`: of the simulation [s]. `rests` must outlive it, and gets the contacts in the order of
  /// their beginnings.
  RestRecorder(double step, std::vector<base::RestingContact>& rests)
      : step_(step), rests_(rests) {}

  /// Of one step that begins at `time` [s]; `impulse` is along the normal [N s].
  void add(double time, double duration, const base::RestingContact& contact, double impulse);
  /// Ends a step at `time` [s].
  void end_step(double time, const std::function<bool(std::uint32_t)>& is_asleep);

  void serialize(util::Archive& archive);

 private:
  struct Open {
    std::size_t rest;
    base::Vec3 last;  ///< where it was last reported [m]
    double counted;   ///< time for which its impulse is known [s]
    double rate;      ///< mean force in that time [N]
  };

  double step_;
  std::vector<base::RestingContact>& rests_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Open>> open_;
};

}  // namespace peal::dynamics
