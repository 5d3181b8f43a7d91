#include <peal/bubbles/read_tracks.h>
#include <peal/util/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace peal::bubbles {
namespace {

using base::BubbleEnd;
using base::BubbleStart;
using base::BubbleTrack;
using testing::HasSubstr;

const std::string header = "id,time,x,y,z,radius,event,parents\n";

/// The text of the error that a reader throws.
template <class Read>
std::string error_of(const Read& read) {
  try {
    read();
  } catch (const util::InputError& error) {
    return std::string(error.what()) + error.hint();
  }
  return "";
}

std::string table_error(const std::string& rows) {
  return error_of([&] { parse_bubble_table(header + rows, "b.csv"); });
}

TEST(BubbleTable, HasTheLivesOfBubbles) {
  const auto read = parse_bubble_table(header +
                                           "7,0.10,0,-0.01,0,0.002,entrain,\n"
                                           "8,0.10,0.01,-0.01,0,0.001,,\n"
                                           "7,0.11,0,-0.02,0,0.002,,\n"
                                           "8,0.11,0.01,-0.02,0,0.001,merge,\n"
                                           "9,0.12,0,-0.02,0,0.0021,merge,7 8\n"
                                           "9,0.15,0,-0.01,0,0.0021,collapse,\n",
                                       "b.csv");
  ASSERT_EQ(read.population.tracks.size(), 3u);
  const BubbleTrack& merged = read.population.tracks[2];
  EXPECT_EQ(merged.id, 9);
  EXPECT_EQ(merged.start, BubbleStart::merged);
  EXPECT_EQ(merged.end, BubbleEnd::collapsed);
  EXPECT_THAT(merged.parents, testing::ElementsAre(7, 8));
  EXPECT_EQ(merged.samples.size(), 2u);
  EXPECT_EQ(merged.samples[1].position.y(), -0.01);
  EXPECT_EQ(read.population.tracks[0].end, BubbleEnd::merged) << "it has a child";
}

TEST(BubbleTable, NamesTheRecordOfAMistake) {
  EXPECT_THAT(table_error("1,0,0,0,0,-0.001,,\n"),
              AllOf(HasSubstr("record 1, radius"), HasSubstr("too small")));
  EXPECT_THAT(table_error("1,0,0,0,0,0.001,,\n1,0,0,0,0,0.001,,\n"), HasSubstr("ascend"));
  EXPECT_THAT(table_error("1,0,0,0,0,0.001,,\n1,1,0,0,0,0.001,,\n"),
              AllOf(HasSubstr("record 1"), HasSubstr("between 0 s and 1 s")));
  EXPECT_THAT(table_error("1,0,0,0,0,0.001,pop,\n"), HasSubstr("record 1, event"));
  EXPECT_THAT(table_error("1,0,0,0,0,0.001,merge,\n"), HasSubstr("has no parents"));
  EXPECT_THAT(table_error("1,0,0,0,0,0.001,merge,4 5\n"), HasSubstr("no parent 4"));
  EXPECT_THAT(table_error("1,0,0,0,0,0.001,merge,1\n"), HasSubstr("its own parent"));
  EXPECT_THAT(table_error("1,0,0,0,0\n"), HasSubstr("has 5 cells"));
  EXPECT_THAT(table_error("1,0,0,0,0,0.001,,\n2,0,0,0,0,0.001,split,1\n"),
              HasSubstr("before its parent"));
  EXPECT_THAT(table_error("1,0,0,0,0,0.001,collapse,\n1,0.01,0,0,0,0.001,,\n"),
              HasSubstr("has ended"));
  EXPECT_THAT(error_of([] { parse_bubble_table("id,time,x,y,z\n", "b.csv"); }),
              HasSubstr("no column \"radius\""));
  EXPECT_THAT(error_of([] { parse_bubble_table(header + "a,0,0,0,0,1e-3,,\n", "b.csv"); }),
              HasSubstr("not a whole number"));
}

TEST(TrackedBubbles, HaveTheLayoutOfFluidSound) {
  const std::string text =
      "Bub 3 0.002\n"
      "  Start: N 0.1\n"
      "  0.101 1600 0 0.1 0 101325\n"
      "  0.102 1650 0 0.1 0 101325\n"
      "  End: S 0.103 4 5\n"
      "Bub 4 0.0019\n"
      "  Start: S 0.103 3\n"
      "  0.104 1700 0 0.1 0\n"
      "  End: C 0.2\n"
      "Bub 5 0.0005\n"
      "  Start: S 0.103 3\n"
      "Bub 6 0.0005\n"
      "  Start: N 0.3\n";
  const auto read = parse_tracked_bubbles(text, "t.txt");
  ASSERT_EQ(read.population.tracks.size(), 3u);
  const BubbleTrack& split = read.population.tracks[0];
  EXPECT_EQ(split.end, BubbleEnd::split);
  EXPECT_EQ(split.samples[1].frequency, 1650.0);
  EXPECT_EQ(split.samples[0].radius, 0.002);
  ASSERT_EQ(read.notices.size(), 1u);
  EXPECT_THAT(read.notices[0], HasSubstr("1 bubbles"));
}

TEST(TrackedBubbles, NamesTheLineOfAMistake) {
  const auto error = [](const std::string& text) {
    return error_of([&] { parse_tracked_bubbles(text, "t.txt"); });
  };
  EXPECT_THAT(error("Start: N 1\n"), HasSubstr("line 1"));
  EXPECT_THAT(error("Bub 1\n"), HasSubstr("line 1"));
  EXPECT_THAT(error("Bub 1 0.001\nStart: X 1\n1 1 1 1 1\n"), HasSubstr("line 2"));
  EXPECT_THAT(error("Bub 1 0.001\nStart: N 1\n1 1 1\n"), HasSubstr("line 3"));
  EXPECT_THAT(error("Bub 1 0.001\nStart: N 1\n1 1 1 1 1\nBub 1 0.001\nStart: N 1\n1 1 1 1 1\n"),
              HasSubstr("second bubble"));
}

TEST(BubbleEvents, HaveTimesAndRadii) {
  const auto events =
      parse_bubble_events("time,radius_m,amplitude,rise_factor\n0.5,0.001,0.5,0.1\n", "e.csv");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].rise_factor, 0.1);
  EXPECT_EQ(parse_bubble_events("time,radius_m\n0,1e-3\n", "e.csv")[0].amplitude, 1.0);
  EXPECT_THAT(error_of([] { parse_bubble_events("time,radius_m\n0,-1\n", "e.csv"); }),
              HasSubstr("record 1"));
}

TEST(AirParticles, HaveTimesAndPlaces) {
  const auto particles = parse_air_particles("time,x,y,z\n0.5,1,2,3\n", "p.csv");
  ASSERT_EQ(particles.size(), 1u);
  EXPECT_EQ(particles[0].position, geometry::Vec3(1.0, 2.0, 3.0));
}

}  // namespace
}  // namespace peal::bubbles
