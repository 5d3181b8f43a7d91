#include <peal/contact/events.h>
#include <peal/contact/inferred_contacts.h>
#include <peal/geometry/shapes/shapes.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace peal::contact {
namespace {

using base::Vec3;

/// A pose at every frame, straight lines between them.
class KeyedAtFrames : public base::Motion {
 public:
  KeyedAtFrames(const std::function<base::Pose(double)>& motion, double rate, double length)
      : rate_(rate) {
    for (double k = 0.0; k <= length * rate; ++k) {
      keys_.push_back(motion(k / rate));
      times_.push_back(k / rate);
    }
  }

  base::Pose pose(double t) const override {
    const double at = std::clamp(t * rate_, 0.0, static_cast<double>(keys_.size()) - 1.0);
    const auto k = std::min(static_cast<std::size_t>(at), keys_.size() - 2);
    const double part = at - static_cast<double>(k);
    return {.position = keys_[k].position + part * (keys_[k + 1].position - keys_[k].position),
            .orientation = keys_[k].orientation.slerp(part, keys_[k + 1].orientation)};
  }
  bool is_still() const override { return false; }
  std::span<const double> kinks() const override { return times_; }

 private:
  double rate_;  ///< [Hz]
  std::vector<base::Pose> keys_;
  std::vector<double> times_;  ///< [s]
};

constexpr double swing_length = 1.2;  ///< [s]
constexpr double arm = 0.09;          ///< from the pivot to the middle of the spoon [m]

/// A spoon on a pivot, thick 2 mm, that swings towards a cup and strikes its wall, which it is
/// keyed to enter by `overlap` [m], at `time` [s].
base::Pose spoon_pose(double t, double time, double overlap, double distance) {
  constexpr double amplitude = 0.3, rate = 10.0, restitution = 0.6;
  const double s = t - time;
  const double phase = std::min((s < 0.0 ? -s : restitution * s) * rate, 1.5);
  constexpr double lean = 0.1, above_rim = 0.06;
  const double angle = lean + amplitude * std::sin(phase);
  const double x = 0.04 + 0.001 / std::cos(lean) - above_rim * std::tan(lean) + distance - overlap;
  return {.position = Vec3(x + arm * std::sin(angle), 0.16 - arm * std::cos(angle), 0),
          .orientation = geometry::Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ()))};
}

std::vector<ContactBody> spoon_and_cup(const std::function<base::Pose(double)>& spoon,
                                       double rate) {
  // The cup has walls of 2 mm; its rim is at a height of 0.1 m.
  const geometry::TriMesh cup = geometry::lathe_mesh(
      {{0, 0}, {0.04, 0}, {0.04, 0.1}, {0.038, 0.1}, {0.038, 0.004}, {0, 0.004}}, 0.012);
  const geometry::TriMesh bar = geometry::box_mesh({0.002, 0.18, 0.015}, 0.18);
  std::vector<ContactBody> bodies(2);
  bodies[0] = {.is_free = false,
               .motion = std::make_shared<base::Resting>(),
               .shape = std::make_shared<LocalShape>(cup, 5e-4),
               .patch = 0.04};
  bodies[1] = {.is_free = true,
               .mass = geometry::mass_properties(bar, 7850.0),
               .motion = std::make_shared<KeyedAtFrames>(spoon, rate, swing_length),
               .shape = std::make_shared<LocalShape>(bar, 2e-4),
               .patch = 0.0075};
  for (ContactBody& body : bodies) {
    body.material = {.density = 7850.0, .young_modulus = 200e9, .poisson_ratio = 0.3};
  }
  return bodies;
}

std::vector<base::ContactRecord> blows_on_cup(const std::vector<ContactBody>& bodies) {
  return infer_contacts(bodies, {true, false}, swing_length, 0.05);
}

TEST(InferredContacts, EqualBlowsAreEquallyLoud) {
  // Wherever the frames lie, and however far the keys go into the wall.
  for (const auto& [rate, overlap] : std::vector<std::array<double, 2>>{
           {60.0, 0.0}, {60.0, 0.002}, {60.0, 0.006}, {24.0, 0.0}, {24.0, 0.004}}) {
    std::vector<double> impulses, times, heights;
    for (const double phase : {0.0, 0.3, 0.6, 0.9}) {
      const double time = 0.5 + phase / rate, entry = overlap;
      const std::vector<ContactBody> bodies =
          spoon_and_cup([&](double t) { return spoon_pose(t, time, entry, 0.0); }, rate);
      const base::ContactLog log{.bodies = {"cup", "spoon"}, .records = blows_on_cup(bodies)};
      const auto which = testing::PrintToString(std::vector{rate, overlap, phase});
      ASSERT_EQ(log.records.size(), 1u) << which;
      const base::ContactEvents events = contact_events(log, {.find_steps = false});
      ASSERT_EQ(events.impacts.size(), 1u) << which;
      const auto forces = contact_forces(events.impacts, bodies);
      impulses.push_back(forces[0][0].pulse.impulse);
      times.push_back(forces[0][0].pulse.contact_time);
      heights.push_back(forces[0][0].at.y());
      EXPECT_LT(log.records[0].normal.x(), -0.97) << which;
      EXPECT_NEAR(std::hypot(forces[0][0].at.x(), forces[0][0].at.z()), 0.04, 5e-4) << which;
    }
    const auto ratio = [](const std::vector<double>& values) {
      const auto [least, most] = std::ranges::minmax(values);
      return most / least;
    };
    const auto which = testing::PrintToString(std::vector{rate, overlap});
    EXPECT_LT(ratio(impulses), 1.15) << which;
    EXPECT_LT(ratio(times), 1.1) << which;
    EXPECT_LT(std::ranges::max(heights) - std::ranges::min(heights), 0.012) << which;
  }
}

TEST(InferredContacts, WhatNeverMeetsDoesNotStrike) {
  // It turns as fast as when it strikes, but in the air; or passes beside the cup at 6 m/s.
  for (const double rate : {24.0, 60.0}) {
    for (const double distance : {0.22, 0.05, 0.02}) {
      const double away = distance;
      EXPECT_TRUE(blows_on_cup(spoon_and_cup(
                                   [&](double t) { return spoon_pose(t, 0.507, 0.0, away); }, rate))
                      .empty())
          << rate << " Hz, " << distance << " m";
    }
    const auto beside = [](double t) {
      return base::Pose{.position = Vec3(2.0 * std::abs(t - 0.5) * 6.0 - 0.1, 0.05, 0.06)};
    };
    EXPECT_TRUE(blows_on_cup(spoon_and_cup(beside, rate)).empty()) << rate;
  }
}

}  // namespace
}  // namespace peal::contact
