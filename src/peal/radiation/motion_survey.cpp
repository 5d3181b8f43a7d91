#include <peal/radiation/motion_survey.h>
#include <peal/radiation/piece.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::radiation {

namespace {

constexpr base::Rate survey_rate{1000};

}  // namespace

void refuse_supersonic(const std::string& name, double speed, double t, const base::World& world) {
  const double limit = largest_mach * world.medium.speed_of_sound;
  if (speed < limit) return;
  throw util::InputError(
      {"", name},
      fmt::format("moves at {:.0f} m/s at t = {:.3f} s; \"direct\" carries sound only below "
                  "{:.0f} m/s",
                  speed, t, limit),
      "Slow the motion down, check its units and times, or use step keys for a jump.");
}

std::int64_t MotionSurvey::steps() const {
  return world_.samples * survey_rate.hz / world_.rate.hz + 1;
}

void MotionSurvey::check_speed(const std::string& name, const base::Motion& motion,
                               const base::Vec3& offset) const {
  if (motion.is_still()) return;
  for (const Piece& piece : pieces(motion)) {
    base::Vec3 last = motion.pose(piece.clamp(0.0)).to_world(offset);
    for (std::int64_t i = 1; i <= steps(); ++i) {
      const double t = survey_rate.seconds(i);
      const base::Vec3 next = motion.pose(piece.clamp(t)).to_world(offset);
      refuse_supersonic(name, (next - last).norm() / survey_rate.step(), t, world_);
      last = next;
    }
  }
}

Approach MotionSurvey::approach(const base::PointSource& source,
                                const base::Receiver& receiver) const {
  const auto separation = [&](std::int64_t i) {
    const double t = survey_rate.seconds(i);
    return (receiver.motion->pose(t).to_world(receiver.offset) -
            source.motion->pose(t).to_world(source.offset))
        .norm();
  };
  Approach nearest{.distance = separation(0)};
  if (source.motion->is_still() && receiver.motion->is_still()) return nearest;
  double last = nearest.distance;
  for (std::int64_t i = 1; i <= steps(); ++i) {
    const double distance = separation(i);
    const double closing = (last - distance) / survey_rate.step() / world_.medium.speed_of_sound;
    last = distance;
    if (std::abs(closing) < largest_mach) {  // not a jump
      nearest.highest_ratio = std::max(nearest.highest_ratio, 1.0 / (1.0 - closing));
      nearest.lowest_ratio = std::min(nearest.lowest_ratio, 1.0 / (1.0 - closing));
    }
    if (distance < nearest.distance) {
      nearest.distance = distance;
      nearest.time = survey_rate.seconds(i);
    }
  }
  return nearest;
}

std::string describe(const base::PointSource& source, const base::Receiver& receiver,
                     const Approach& nearest) {
  std::string text =
      fmt::format("\"{}\" is {:.3g} m from {}", source.name, nearest.distance, receiver.name);
  if (nearest.highest_ratio > 1.0 || nearest.lowest_ratio < 1.0) {
    text += fmt::format(
        " at t = {:.3g} s, its nearest; its pitch lies between {:.4f} and {:.4f} of what it emits",
        nearest.time, nearest.lowest_ratio, nearest.highest_ratio);
  }
  return text;
}

}  // namespace peal::radiation
