#include <peal/base/motion_survey.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace peal::base {

namespace {

constexpr Rate survey_rate{1000};
constexpr double shortest = 1e-7;  ///< shortest interval between two surveyed times [s]

}  // namespace

bool jumps_between(const Motion& motion, double begin, double end) {
  const auto jumps = motion.jumps();
  const auto jump = std::ranges::upper_bound(jumps, begin);
  return jump != jumps.end() && *jump <= end;
}

void refuse_supersonic(const std::string& name, double speed, double t, const World& world) {
  const double limit = largest_mach * world.medium.speed_of_sound;
  if (speed < limit) return;
  throw util::InputError(
      {"", name},
      fmt::format(
          "moves at {:.0f} m/s at t = {:.4g} s; only motion below {:.0f} m/s can be rendered",
          speed, t, limit),
      "Slow the motion down, check its units and times, or use STEP keys for a jump.");
}

std::int64_t MotionSurvey::steps() const {
  return world_.samples * survey_rate.hz / world_.rate.hz + 1;
}

std::vector<double> MotionSurvey::times(const Motion& motion) const {
  std::vector<double> regular, all;
  for (std::int64_t i = 0; i <= steps(); ++i) regular.push_back(survey_rate.seconds(i));
  const double last = regular.back();
  std::ranges::merge(regular, motion.kinks(), std::back_inserter(all));
  std::erase_if(all, [&](double t) { return t < 0.0 || t > last; });
  const auto coincide = [](double a, double b) { return b - a < shortest; };
  all.erase(std::unique(all.begin(), all.end(), coincide), all.end());
  return all;
}

void MotionSurvey::check_speed(const std::string& name, const Motion& motion,
                               const Vec3& offset) const {
  if (motion.is_still()) return;
  Vec3 last = motion.pose(0.0).to_world(offset);
  double before = 0.0;
  for (const double t : times(motion)) {
    const Vec3 next = motion.pose(t).to_world(offset);
    if (t > before && !jumps_between(motion, before, t)) {
      refuse_supersonic(name, (next - last).norm() / (t - before), t, world_);
    }
    last = next;
    before = t;
  }
}

Approach MotionSurvey::approach(const Motion& source, const Vec3& source_offset,
                                const Receiver& receiver) const {
  const auto source_at = [&](std::int64_t i) {
    return source.pose(survey_rate.seconds(i)).to_world(source_offset);
  };
  const auto receiver_at = [&](std::int64_t i) {
    return receiver.motion->pose(survey_rate.seconds(i)).to_world(receiver.offset);
  };
  Vec3 from = source_at(0), to = receiver_at(0);
  Approach nearest{.distance = (to - from).norm()};
  if (source.is_still() && receiver.motion->is_still()) return nearest;
  const double mach_per_step = 1.0 / (survey_rate.step() * world_.medium.speed_of_sound);
  for (std::int64_t i = 1; i <= steps(); ++i) {
    const Vec3 next_from = source_at(i), next_to = receiver_at(i);
    const double distance = (next_to - next_from).norm();
    const Vec3 towards = (next_to - next_from) / std::max(distance, 1e-12);
    const double source_mach = (next_from - from).dot(towards) * mach_per_step;
    const double receiver_mach = (next_to - to).dot(towards) * mach_per_step;
    from = next_from;
    to = next_to;
    if (std::max(std::abs(source_mach), std::abs(receiver_mach)) < largest_mach) {  // no jump
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

Approach joined(const Approach& a, const Approach& b) {
  Approach both = b.distance < a.distance ? b : a;
  both.highest_ratio = std::max(a.highest_ratio, b.highest_ratio);
  both.lowest_ratio = std::min(a.lowest_ratio, b.lowest_ratio);
  return both;
}

std::string MotionSurvey::describe(const Approach& nearest, const Receiver& receiver) const {
  std::string text =
      fmt::format("{:.3g} m from {}, {:.3g} ms of travel time", nearest.distance, receiver.name,
                  1e3 * nearest.distance / world_.medium.speed_of_sound);
  if (nearest.highest_ratio > 1.0 || nearest.lowest_ratio < 1.0) {
    text += fmt::format(" at closest approach, t = {:.3g} s; Doppler shift from {:.4f} to {:.4f}",
                        nearest.time, nearest.lowest_ratio, nearest.highest_ratio);
  }
  return text;
}

}  // namespace peal::base
