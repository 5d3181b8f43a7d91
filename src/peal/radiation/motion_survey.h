#pragma once

#include <peal/base/listener.h>
#include <peal/base/world.h>

#include <limits>
#include <string>

namespace peal::radiation {

/// How near a source comes to a receiver, when, and how that bends its pitch.
struct Approach {
  double distance = std::numeric_limits<double>::infinity();  ///< [m]
  double time = 0.0;                                          ///< [s]
  double highest_ratio = 1.0;  ///< frequency heard over frequency emitted
  double lowest_ratio = 1.0;
};

/// A coarse look (1 kHz) at all motions before a render: what cannot be rendered, what will be
/// heard.
class MotionSurvey {
 public:
  explicit MotionSurvey(const base::World& world) : world_(world) {}

  void check_speed(const std::string& name, const base::Motion& motion,
                   const base::Vec3& offset) const;
  Approach approach(const base::PointSource& source, const base::Receiver& receiver) const;

 private:
  std::int64_t steps() const;

  const base::World& world_;
};

/// Throws InputError if something moves too fast for its sound to run ahead of it.
void refuse_supersonic(const std::string& name, double speed, double t, const base::World& world);

/// A sentence for the manifest.
std::string describe(const base::PointSource& source, const base::Receiver& receiver,
                     const Approach& nearest);

}  // namespace peal::radiation
