#include <peal/contact/join_records.h>

#include <gtest/gtest.h>

namespace peal::contact {
namespace {

TEST(JoinRecords, TwoSlidingCornersBecomeFewRecordsWithTheSameImpulse) {
  base::ContactLog log{.bodies = {"block", "floor"}, .step = 1e-5};
  for (int i = 0; i < 100; ++i) {
    for (const double x : {0.0, 0.02}) {
      log.records.push_back({.time = 1e-5 * i,
                             .body_b = 1,
                             .point = {x + 1e-5 * i, 0, 0},
                             .impulse = {0, 1e-6, 0},
                             .velocity = {i < 50 ? 1.0 : 2.0, 0, 0},
                             .duration = 1e-5});
    }
    if (i == 20) log.records.push_back({.time = 2.05e-4, .body_b = 1, .impulse = {0, 1, 0}});
  }
  join_records(log, 1e-4);
  ASSERT_EQ(log.records.size(), 21u);
  EXPECT_EQ(log.step, 1e-4);
  double impulse = 0.0, before = 0.0;
  for (const base::ContactRecord& record : log.records) {
    EXPECT_GE(record.time, before);
    before = record.time;
    if (record.duration == 0.0) continue;
    impulse += record.impulse.y();
    EXPECT_NEAR(record.duration, 1e-4, 1e-12);
    EXPECT_NEAR(record.velocity.x(), record.time < 4.9e-4 ? 1.0 : 2.0, 1e-12);
  }
  EXPECT_NEAR(impulse, 200e-6, 1e-12);
}

TEST(JoinRecords, AContactThatWasGoneIsAnother) {
  base::ContactLog log{.bodies = {"block", "floor"}};
  for (const double t : {0.0, 1e-5, 5e-5, 6e-5})
    log.records.push_back({.time = t, .body_b = 1, .duration = 1e-5});
  join_records(log, 1e-3);
  ASSERT_EQ(log.records.size(), 2u);
  EXPECT_EQ(log.records[1].time, 5e-5);
  EXPECT_NEAR(log.records[1].duration, 2e-5, 1e-12);
}

}  // namespace
}  // namespace peal::contact
