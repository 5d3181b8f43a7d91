#include <peal/radiation/motion_survey.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::radiation {

namespace {

constexpr base::Rate survey_rate{1000};

}  // namespace

void refuse_supersonic(const std::string& name, double speed, double t, const base::World& world) {
  const double limit = base::largest_mach * world.medium.speed_of_sound;
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
  const auto jumps = motion.jumps();
  base::Vec3 last = motion.pose(0.0).to_world(offset);
  for (std::int64_t i = 1; i <= steps(); ++i) {
    const double before = survey_rate.seconds(i - 1), t = survey_rate.seconds(i);
    const base::Vec3 next = motion.pose(t).to_world(offset);
    const auto jump = std::ranges::upper_bound(jumps, before);
    const bool jumped = jump != jumps.end() && *jump <= t;
    if (!jumped) refuse_supersonic(name, (next - last).norm() / survey_rate.step(), t, world_);
    last = next;
  }
}

Approach MotionSurvey::approach(const base::PointSource& source,
                                const base::Receiver& receiver) const {
  const auto source_at = [&](std::int64_t i) {
    return source.motion->pose(survey_rate.seconds(i)).to_world(source.offset);
  };
  const auto receiver_at = [&](std::int64_t i) {
    return receiver.motion->pose(survey_rate.seconds(i)).to_world(receiver.offset);
  };
  base::Vec3 from = source_at(0), to = receiver_at(0);
  Approach nearest{.distance = (to - from).norm()};
  if (source.motion->is_still() && receiver.motion->is_still()) return nearest;
  const double mach_per_step = 1.0 / (survey_rate.step() * world_.medium.speed_of_sound);
  for (std::int64_t i = 1; i <= steps(); ++i) {
    const base::Vec3 next_from = source_at(i), next_to = receiver_at(i);
    const double distance = (next_to - next_from).norm();
    const base::Vec3 towards = (next_to - next_from) / std::max(distance, 1e-12);
    const double source_mach = (next_from - from).dot(towards) * mach_per_step;
    const double receiver_mach = (next_to - to).dot(towards) * mach_per_step;
    from = next_from;
    to = next_to;
    if (std::max(std::abs(source_mach), std::abs(receiver_mach)) < base::largest_mach) {  // no jump
      const double ratio = (1.0 - receiver_mach) / (1.0 - source_mach);
      nearest.highest_ratio = std::max(nearest.highest_ratio, ratio);
      nearest.lowest_ratio = std::min(nearest.lowest_ratio, ratio);
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
