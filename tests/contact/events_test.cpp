#include <peal/contact/contact_forces.h>
#include <peal/contact/events.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/util/random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace peal::contact {
namespace {

using base::ContactLog;
using base::ContactRecord;
using base::Vec3;

ContactRecord blow(double time, double impulse, double speed, const Vec3& point = Vec3::Zero()) {
  return {.time = time,
          .body_a = 0,
          .body_b = 1,
          .point = point,
          .impulse = {0, impulse, 0},
          .velocity = {0, -speed, 0}};
}

ContactRecord sustained(double time, double duration, const Vec3& velocity, double rolling = 0.0) {
  return {.time = time,
          .body_a = 1,
          .body_b = 0,
          .normal = {0, -1, 0},
          .impulse = {0, -1e-3, 0},
          .velocity = -velocity,
          .duration = duration,
          .rolling = rolling};
}

TEST(ContactEvents, SplitRecordsOfOneBlowBecomeOneImpact) {
  ContactLog log{.bodies = {"a", "b"}, .step = 1.0 / 6000};
  log.records = {blow(0.1, 0.5, 2.0), blow(0.1 + 1.0 / 6000, 0.25, 0.3),
                 blow(0.1 + 2.0 / 6000, 0.125, 0.0), blow(0.4, 0.1, 1.0)};
  const ContactEvents events = contact_events(log);
  ASSERT_EQ(events.impacts.size(), 2u);
  EXPECT_EQ(events.impacts[0].time, 0.1);
  EXPECT_NEAR(events.impacts[0].impulse.y(), 0.875, 1e-15);
  EXPECT_EQ(events.impacts[0].speed, 2.0);
  EXPECT_EQ(events.report.merged, 2u);
}

TEST(ContactEvents, CornersThatLandTogetherStrikeByThemselves) {
  ContactLog log{.bodies = {"a", "b"}};
  for (const double x : {-0.01, 0.01}) {
    for (const double z : {-0.01, 0.01}) log.records.push_back(blow(0.1, 0.1, 1.0, {x, 0, z}));
  }
  EXPECT_EQ(contact_events(log).impacts.size(), 4u);
}

TEST(ContactEvents, RestIsSilentAndSlowBlowsAreNotHeard) {
  ContactLog log{.bodies = {"a", "b"}, .step = 0.001};
  for (int i = 0; i < 1000; ++i) log.records.push_back(sustained(0.001 * i, 0.001, Vec3::Zero()));
  log.records.push_back(blow(1.5, 1e-3, 0.049));
  const ContactEvents events = contact_events(log);
  EXPECT_TRUE(events.impacts.empty());
  EXPECT_TRUE(events.intervals.empty());
  EXPECT_EQ(events.report.dropped, 1001u);
  EXPECT_NEAR(events.report.dropped_impulse, 1.001, 1e-9);
}

/// What engines report a body of 30 g that lies or slides, each step from `begin` on: gravity has
/// given it the speed of a step.
void add_weight(ContactLog& log, double rate, double begin, double slip = 0.0) {
  constexpr double g = 9.81, mass = 0.03;
  const int first = static_cast<int>(std::ceil(begin * rate));
  for (int i = first; i < first + 2 * rate; ++i) {
    log.records.push_back(blow(i / rate, mass * g / rate, g / rate, {slip * i / rate, 0, 0}));
    log.records.back().velocity.x() = slip;
  }
}

/// Times in whole milliseconds, as tables often have them.
ContactLog with_rounded_times(ContactLog log) {
  for (ContactRecord& record : log.records) record.time = std::round(1e3 * record.time) / 1e3;
  return log;
}

TEST(ContactEvents, RestIsSilentAtTheStepsOfEngines) {
  for (const double rate : {50.0, 60.0, 120.0, 240.0}) {
    ContactLog log{.bodies = {"a", "b"}};
    add_weight(log, rate, 0.0);
    ContactLog with_durations = log, with_step = log;
    for (ContactRecord& record : with_durations.records) record.duration = 1 / rate;
    with_step.step = 1 / rate;
    for (const ContactLog& one : {log, with_step, with_durations, with_rounded_times(log)}) {
      const ContactEvents events = contact_events(one);
      EXPECT_TRUE(events.impacts.empty()) << rate << " Hz: " << events.impacts.size();
      EXPECT_TRUE(events.intervals.empty()) << rate << " Hz";
      EXPECT_EQ(events.report.dropped, one.records.size()) << rate << " Hz";
      EXPECT_NEAR(events.report.found_step * rate, one.step == 0.0 ? 1.0 : 0.0, 0.01);
    }
  }
}

TEST(ContactEvents, RestIsSilentInShortLogsToo) {
  for (const double rate : {50.0, 60.0, 120.0}) {
    for (const std::size_t count : {3u, 4u, 5u}) {
      // It lands, and lies still a while later.
      ContactLog log{.bodies = {"a", "b"}};
      add_weight(log, rate, 0.5);
      log.records.resize(count - 1);
      log.records.insert(log.records.begin(), blow(0.1, 0.03, 1.0));
      for (const ContactLog& one : {log, with_rounded_times(log)}) {
        const ContactEvents events = contact_events(one);
        ASSERT_EQ(events.impacts.size(), 1u) << rate << " Hz, " << count << " records";
        EXPECT_EQ(events.impacts[0].time, 0.1);
        EXPECT_EQ(events.report.dropped, count - 1);
      }
    }
  }
}

TEST(ContactEvents, ABlowDoesNotTakeTheRestBesideIt) {
  constexpr double g = 9.81, mass = 0.03;
  for (const double rate : {60.0, 240.0, 6000.0}) {
    ContactLog log{.bodies = {"a", "b"}, .step = 1.0 / rate};
    add_weight(log, rate, 0.1);
    log.records[0].impulse.y() = mass * 0.4;
    log.records[0].velocity.y() = -0.4;
    const ContactEvents events = contact_events(log);
    ASSERT_EQ(events.impacts.size(), 1u) << rate;
    EXPECT_NEAR(events.impacts[0].impulse.y(), mass * 0.4, 1e-12) << rate;
    EXPECT_NEAR(events.report.dropped_impulse,
                mass * g / rate * static_cast<double>(log.records.size() - 1), 1e-9);
  }
}

TEST(ContactEvents, ABlowOnABodyThatRestsIsHeard) {
  for (const double step : {0.0, 1.0 / 60}) {
    ContactLog log{.bodies = {"a", "b"}, .step = step};
    add_weight(log, 60, 0.0);
    log.records[70].velocity.y() -= 0.1;
    const ContactEvents events = contact_events(log);
    ASSERT_EQ(events.impacts.size(), 1u);
    EXPECT_EQ(events.impacts[0].time, 70.0 / 60);
  }
}

TEST(ContactEvents, WhatIsToldWithoutDurationsStillSlides) {
  for (const double rate : {50.0, 60.0, 120.0, 240.0}) {
    ContactLog log{.bodies = {"a", "b"}};
    add_weight(log, rate, 0.0, 0.5);
    ContactLog with_step = log;
    with_step.step = 1 / rate;
    for (const ContactLog& one : {log, with_step, with_rounded_times(log)}) {
      const ContactEvents events = contact_events(one);
      EXPECT_TRUE(events.impacts.empty()) << rate << " Hz";
      ASSERT_EQ(events.intervals.size(), 1u) << rate << " Hz";
      EXPECT_NEAR(events.intervals[0].slid, 1.0, 1e-3);
      EXPECT_NEAR(events.intervals[0].impulse, 2 * 0.03 * 9.81, 1e-9);
    }
  }
}

/// A ball falls from half a metre and keeps 0.7 of its speed, seen at the next step after each
/// touch; in the end it lies.
TEST(ContactEvents, BouncesAtTheStepOfAnEngineStayImpacts) {
  constexpr double g = 9.81, rate = 60;
  for (const double step : {0.0, 1 / rate}) {
    for (const bool then_lies : {true, false}) {
      ContactLog log{.bodies = {"a", "b"}, .step = step};
      double time = std::sqrt(2 * 0.5 / g), speed = g * time;
      std::size_t bounces = 0;
      for (; speed > 0.25; speed *= 0.7, time += 2 * speed / g, ++bounces) {
        // Also in the step after, while it leaves.
        log.records.push_back(blow(std::ceil(time * rate) / rate, 0.03 * 1.7 * speed, speed));
        log.records.push_back(blow((std::ceil(time * rate) + 1) / rate, 0, -0.7 * speed));
      }
      if (then_lies) add_weight(log, rate, time);
      const ContactEvents events = contact_events(log);
      ASSERT_EQ(bounces, 8u);
      EXPECT_EQ(events.impacts.size(), bounces) << step << then_lies;
    }
  }
}

TEST(ContactEvents, BouncesByThemselvesShowNoStep) {
  for (const double restitution : {0.5, 0.7, 0.9, 0.97}) {
    ContactLog log{.bodies = {"a", "b"}};
    double time = 0.0;
    for (double speed = 1.0; speed > 0.05; speed *= restitution) {
      log.records.push_back(blow(time, 0.03 * speed, speed));
      time += 2 * restitution * speed / 9.81;
    }
    const ContactEvents events = contact_events(log);
    EXPECT_EQ(events.report.found_step, 0.0) << restitution;
    EXPECT_EQ(events.impacts.size(), log.records.size()) << restitution;
  }
}

TEST(ContactEvents, SlidingAndRollingAreIntervals) {
  ContactLog log{.bodies = {"a", "b"}, .step = 0.001};
  for (int i = 0; i < 100; ++i) log.records.push_back(sustained(0.001 * i, 0.001, {0.5, 0, 0}));
  for (int i = 100; i < 300; ++i)
    log.records.push_back(sustained(0.001 * i, 0.001, {0, 0, 0}, 0.4));
  for (int i = 900; i < 950; ++i) log.records.push_back(sustained(0.001 * i, 0.001, {0.5, 0, 0}));
  const ContactEvents events = contact_events(log);
  // A ball that slips and then rolls is one contact.
  ASSERT_EQ(events.intervals.size(), 2u);
  EXPECT_NEAR(events.intervals[0].end, 0.3, 1e-9);
  EXPECT_NEAR(events.intervals[0].slid, 0.05, 1e-9);
  EXPECT_NEAR(events.intervals[0].rolled, 0.08, 1e-9);
  EXPECT_NEAR(events.intervals[0].impulse, 0.3, 1e-9);
  EXPECT_NEAR(events.intervals[1].begin, 0.9, 1e-9);
}

TEST(ContactEvents, CornersSlideByThemselves) {
  ContactLog log{.bodies = {"a", "b"}, .step = 0.001};
  for (int i = 0; i < 100; ++i) {
    for (const double z : {0.1, -0.1}) {
      log.records.push_back(sustained(0.001 * i, 0.001, {0.5, 0, 0}));
      log.records.back().point = {0.0005 * i, 0, z};
    }
  }
  const ContactEvents events = contact_events(log);
  ASSERT_EQ(events.intervals.size(), 2u);
  for (const ContactInterval& one : events.intervals) {
    EXPECT_EQ(one.path.size(), 100u);
    EXPECT_NEAR(one.slid, 0.05, 1e-9);
    EXPECT_EQ(one.path.front().point.z(), one.path.back().point.z());
  }
}

/// A tenth of the records strike, as in the busier scenes of Chadwick et al. 2012, Table 2.
ContactLog random_log(std::size_t count) {
  ContactLog log{.bodies = {"a", "b", "c", "d"}, .step = 1e-4};
  const auto uniform = [](std::size_t i, std::uint64_t stream) {
    return util::random_uniform(1, stream, i);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const auto a = static_cast<std::uint32_t>(4 * uniform(i, 1));
    const auto b = static_cast<std::uint32_t>((a + 1 + static_cast<int>(3 * uniform(i, 2))) % 4);
    ContactRecord record = blow(10.0 * uniform(i, 3), uniform(i, 4), uniform(i, 5) - 0.85,
                                {0.05 * uniform(i, 6), 0, 0});
    record.body_a = a;
    record.body_b = b;
    record.velocity.x() = 0.1 * uniform(i, 7);
    record.duration = uniform(i, 8) < 0.5 ? 0.0 : 1e-4;
    log.records.push_back(record);
  }
  return log;
}

TEST(ContactEvents, ShuffledRecordsGiveTheSameEvents) {
  ContactLog log = random_log(5000);
  log.records.push_back(log.records.front());  // and a record that is there twice
  ContactLog shuffled = log;
  for (std::size_t i = shuffled.records.size() - 1; i > 0; --i) {
    std::swap(shuffled.records[i], shuffled.records[(i * 7919) % (i + 1)]);
  }
  const ContactEvents one = contact_events(log), two = contact_events(shuffled);
  ASSERT_EQ(one.impacts.size(), two.impacts.size());
  ASSERT_GT(one.impacts.size(), 100u);
  for (std::size_t i = 0; i < one.impacts.size(); ++i) {
    EXPECT_EQ(one.impacts[i].time, two.impacts[i].time);
    EXPECT_EQ(one.impacts[i].point, two.impacts[i].point);
    EXPECT_EQ(one.impacts[i].impulse, two.impacts[i].impulse);
    EXPECT_EQ(one.impacts[i].speed, two.impacts[i].speed);
  }
  ASSERT_EQ(one.intervals.size(), two.intervals.size());
  EXPECT_EQ(one.report.dropped_impulse, two.report.dropped_impulse);
}

TEST(ContactEvents, TheLedgerCloses) {
  const ContactLog log = random_log(20000);
  const ContactEvents events = contact_events(log);
  double all = 0.0;
  for (const ContactRecord& record : log.records) all += record.impulse.norm();
  const EventReport& report = events.report;
  EXPECT_NEAR(report.impact_impulse + report.continuous_impulse + report.dropped_impulse, all,
              1e-9 * all);
  EXPECT_EQ(events.impacts.size() + report.merged + report.continuous + report.dropped,
            report.records);
}

/// A ball of copper on a slab of the same, 5 m/s: the ball bearing of Chadwick et al. 2012.
std::vector<ContactBody> ball_and_slab() {
  const base::Material copper{
      .name = "copper", .density = 8940, .young_modulus = 123.4e9, .poisson_ratio = 0.34};
  const geometry::TriMesh ball = geometry::sphere_mesh(0.0075, 0.001);
  const geometry::TriMesh slab = geometry::box_mesh({0.5, 0.02, 0.5}, 0.5);
  const auto shape = [](const geometry::TriMesh& mesh) {
    return std::make_shared<LocalShape>(mesh, 3e-4);
  };
  return {{.is_free = true,
           .mass = geometry::mass_properties(ball, 8940),
           .material = copper,
           .motion = std::make_shared<base::Resting>(Vec3(0, 0.0175, 0)),
           .shape = shape(ball),
           .patch = 0.0075},
          {.material = copper,
           .motion = std::make_shared<base::Resting>(Vec3::Zero()),
           .shape = shape(slab),
           .patch = 0.01}};
}

TEST(ContactForces, ABallOnASlabTouchesForItsHertzTime) {
  const base::Impact impact{.time = 0.3,
                            .body_a = 0,
                            .body_b = 1,
                            .point = {0, 0.01, 0},
                            .impulse = {0, 0.02, 0},
                            .speed = 5.0};
  const auto bodies = ball_and_slab();
  const auto forces = contact_forces(std::span(&impact, 1), bodies);
  ASSERT_EQ(forces[0].size(), 1u);
  // Twice as soft as against a rigid wall: 36.68 us x 2^(2/5).
  const double exact = 3.66767227881438e-05 * std::pow(2.0, 0.4);
  EXPECT_NEAR(forces[0][0].pulse.contact_time / exact, 1.0, 0.01) << "the mesh of the ball";
  EXPECT_EQ(forces[0][0].pulse.impulse, 0.02);
  EXPECT_EQ(forces[0][0].pulse.start, 0.3);
  EXPECT_NEAR((forces[0][0].at - Vec3(0, -0.0075, 0)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((forces[0][0].direction - Vec3(0, 1, 0)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((forces[1][0].direction - Vec3(0, -1, 0)).norm(), 0.0, 1e-12);
}

TEST(LocalShape, KnowsFacesEdgesCornersAndRims) {
  const double fillet = 2e-4;
  for (const double edge : {0.02, 0.002}) {  // whatever the mesh
    const LocalShape box(geometry::box_mesh({0.02, 0.02, 0.02}, edge), fillet);
    EXPECT_TRUE(std::isinf(box.radius({0.01, 0.003, 0.002})));
    EXPECT_TRUE(std::isinf(box.radius({0.01, 0.01, 0.003})));
    EXPECT_NEAR(box.radius({0.01, 0.01, 0.01}), fillet, 1e-12);
    EXPECT_NEAR(box.radius({0.0099, 0.0099, 0.0099}), fillet, 1e-12);
  }
  const LocalShape coin(geometry::cylinder_mesh(0.012, 0.002, 0.001), fillet);
  EXPECT_NEAR(coin.radius({0.012 * std::cos(0.3), 0.001, 0.012 * std::sin(0.3)}) /
                  std::sqrt(fillet * 0.012),
              1.0, 0.02);
  const LocalShape ball(geometry::sphere_mesh(0.05, 0.005), fillet);
  EXPECT_NEAR(ball.radius(0.05 * Vec3(1, 2, 3).normalized()), 0.05, 0.05 * 0.02);
}

TEST(ContactEventsSlow, AMillionRecordsTakeAtMostTwoSeconds) {
  const ContactLog log = random_log(1'000'000);
  const auto bodies = ball_and_slab();
  const std::vector<ContactBody> four = {bodies[0], bodies[0], bodies[1], bodies[0]};
  const std::clock_t start = std::clock();
  const ContactEvents events = contact_events(log);
  const auto forces = contact_forces(events.impacts, four);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  RecordProperty("seconds", std::to_string(seconds));
  EXPECT_GT(events.impacts.size(), 1000u);
#ifdef NDEBUG
  EXPECT_LT(seconds, 2.0);
#endif
}

TEST(ContactEvents, StepsOfRestAreOneContactACornerWithItsLoad) {
  const double step = 1.0 / 240;
  ContactLog log{.bodies = {"a", "b"}, .step = step};
  for (int i = 0; i < 240; ++i) {
    for (const double x : {-0.02, 0.02}) {
      ContactRecord record = blow(0.5 + i * step, 2.0 * step, 9.81 * step, {x, 0, 0});
      record.duration = step;
      log.records.push_back(record);
    }
  }
  const ContactEvents events = contact_events(log);
  EXPECT_TRUE(events.impacts.empty());
  ASSERT_EQ(events.rests.size(), 2u);
  for (const base::RestingContact& rest : events.rests) {
    EXPECT_NEAR(rest.begin, 0.5, 1e-9);
    EXPECT_NEAR(rest.end, 1.5, 1e-9);
    EXPECT_NEAR(rest.load(), 2.0, 1e-9);
    EXPECT_NEAR(std::abs(rest.point.x()), 0.02, 1e-12);
  }
}

// A log that Peal wrote has a contact at rest as one record, also right after an impact.
TEST(ContactEvents, AWholeRestIsNoPartOfTheImpactBeforeIt) {
  ContactLog log{.bodies = {"a", "b"}, .step = 1.0 / 6000};
  log.records = {blow(0.1, 0.5, 2.0), sustained(0.1 + 1.0 / 6000, 0.7, Vec3::Zero())};
  const ContactEvents events = contact_events(log);
  ASSERT_EQ(events.impacts.size(), 1u);
  EXPECT_NEAR(events.impacts[0].impulse.y(), 0.5, 1e-15);
  ASSERT_EQ(events.rests.size(), 1u);
  EXPECT_NEAR(events.rests[0].impulse, 1e-3, 1e-12);
  EXPECT_NEAR(events.rests[0].end - events.rests[0].begin, 0.7, 1e-12);
}

}  // namespace
}  // namespace peal::contact
