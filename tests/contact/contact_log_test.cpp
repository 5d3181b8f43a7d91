#include <peal/contact/contact_log.h>
#include <peal/util/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace peal::contact {
namespace {

using testing::HasSubstr;

const std::string log_header =
    "{\"peal_contacts\": 1, \"bodies\": [\"ball\", \"table\"], \"step_s\": 0.001}\n";

std::string log_record(const std::string& time, const std::string& more = "",
                       const std::string& impulse = "[0, 0.2, 0]") {
  return "{\"time_s\": " + time +
         ", \"a\": \"ball\", \"b\": \"table\", \"point_m\": [0, 0, 0.1], \"normal\": [0, 1, 0], "
         "\"impulse_ns\": " +
         impulse + ", \"velocity_m_s\": [0, -1, 0]" + more + "}\n";
}

std::string log_complaint(const std::string& text, bool table = false) {
  try {
    if (table) {
      parse_contact_table(text, "log");
    } else {
      parse_contact_log(text, "log");
    }
    return "";
  } catch (const util::InputError& error) {
    return error.what();
  }
}

TEST(ContactLog, TheForceOfAnImpactIsReadBackAsItWas) {
  base::ContactLog log{.bodies = {"plate", "floor"}, .step = 1.0 / 6000};
  base::ContactRecord record{.time = 1.0 / 3, .body_a = 0, .body_b = 1};
  auto force = std::make_shared<base::ForceHistory>();
  *force = {.start = record.time + 1e-3, .step = 1.0 / 192000, .samples = {}};
  for (int i = 0; i < 9; ++i)
    force->samples.emplace_back(0.1f * static_cast<float>(i) / 3, i == 4 ? 0.0f : 7.7f, -1e-3f);
  record.impulse = force->impulse();
  record.force = force;
  log.records.push_back(record);
  const std::string text = contact_log_text(log);
  const base::ContactLog back = parse_contact_log(text, "log");
  ASSERT_EQ(back.records.size(), 1u);
  ASSERT_TRUE(back.records[0].force);
  EXPECT_EQ(back.records[0].force->start, force->start);
  EXPECT_EQ(back.records[0].force->step, force->step);
  EXPECT_EQ(back.records[0].force->samples, force->samples);
  EXPECT_EQ(contact_log_text(back), text);
}

TEST(ContactLog, AForceThatIsNotTheImpulseIsRefused) {
  const std::string force = ", \"force_n\": [[0, 100, 0], [0, 100, 0]]";
  EXPECT_EQ(log_complaint(log_header + log_record("0", ", \"force_step_s\": 1e-3" + force)), "");
  EXPECT_THAT(log_complaint(log_header + log_record("0", ", \"force_step_s\": 2e-3" + force)),
              HasSubstr("is not the impulse"));
  EXPECT_THAT(log_complaint(log_header + log_record("0", force)), HasSubstr("force_step_s"));
  EXPECT_THAT(log_complaint(log_header + log_record("0",
                                                    ", \"duration_s\": 0.1, "
                                                    "\"force_step_s\": 1e-3" +
                                                        force)),
              HasSubstr("only an impact has a force"));
}

TEST(ContactLog, WhatIsWrittenIsReadBack) {
  base::ContactLog log{.bodies = {"a \"quoted\" name", "Tisch"}, .step = 1.0 / 6000};
  for (int i = 0; i < 20; ++i) {
    base::ContactRecord record{.time = 0.1 * i, .body_a = 1, .body_b = 0};
    record.point = {0.1 / 3, -1e-9 * i, 7.0};
    record.normal = base::Vec3(1, 2, i).normalized();
    record.impulse = 1e-3 * i * record.normal;
    record.velocity = {-0.1, 0.2 / 7, -3};
    record.duration = i % 3 == 0 ? 0.0 : 1.0 / 6000;
    record.rolling = i % 4 == 0 ? 0.7 : 0.0;
    log.records.push_back(record);
  }
  const std::string text = contact_log_text(log);
  const base::ContactLog back = parse_contact_log(text, "log");
  EXPECT_EQ(back.bodies, log.bodies);
  EXPECT_EQ(back.step, log.step);
  ASSERT_EQ(back.records.size(), log.records.size());
  for (std::size_t i = 0; i < log.records.size(); ++i) {
    EXPECT_EQ(back.records[i].time, log.records[i].time);
    EXPECT_EQ(back.records[i].point, log.records[i].point);
    EXPECT_NEAR((back.records[i].normal - log.records[i].normal).norm(), 0.0, 1e-15);
    EXPECT_EQ(back.records[i].impulse, log.records[i].impulse);
    EXPECT_EQ(back.records[i].velocity, log.records[i].velocity);
    EXPECT_EQ(back.records[i].duration, log.records[i].duration);
    EXPECT_EQ(back.records[i].rolling, log.records[i].rolling);
  }
}

TEST(ContactLog, ErrorsNameTheRecord) {
  EXPECT_EQ(log_complaint(log_header + log_record("0.1")), "");
  EXPECT_THAT(log_complaint(log_header + log_record("0.2") + log_record("0.1")),
              HasSubstr("record 2: its time 0.1 s is before"));
  EXPECT_THAT(log_complaint(log_header + log_record("0.2") + log_record("0.3", "", "[0, NaN, 0]")),
              HasSubstr("record 2"));
  for (const std::string word : {"NaN", "nan", "Infinity", "-inf"}) {
    const std::string said = log_complaint(log_header + "\n" + log_record("0.2") +
                                           log_record("0.3", "", "[0, " + word + ", 0]"));
    EXPECT_THAT(said, HasSubstr("record 2, line 4, column"));
    EXPECT_THAT(said, HasSubstr(word.substr(word[0] == '-') + " is not a finite number"));
    EXPECT_THAT(said, testing::Not(HasSubstr("quotes")));
  }
  EXPECT_THAT(log_complaint(log_header + log_record("0.2", "", "[0, nanny, 0]")),
              HasSubstr("record 1, line 2, column"));
  EXPECT_THAT(log_complaint(log_header + log_record("0.2", "", "[0, null, 0]")),
              HasSubstr("record 1.impulse_ns[1]"));
  EXPECT_THAT(log_complaint(log_header + log_record("0.2", "", "[0, 1e400, 0]")),
              HasSubstr("record 1"));
  EXPECT_THAT(log_complaint(log_header + log_record("0.2", "", "[0, -0.2, 0]")),
              HasSubstr("record 1: the impulse pulls"));
  EXPECT_THAT(log_complaint(log_header + log_record("0.2", ", \"colour\": 1")),
              HasSubstr("record 1.colour"));
  std::string unknown = log_header + log_record("0.2");
  unknown.replace(unknown.rfind("\"table\""), 7, "\"tabel\"");
  EXPECT_THAT(log_complaint(unknown), HasSubstr("no body is called \"tabel\""));
  std::string itself = log_header + log_record("0.2");
  itself.replace(itself.rfind("\"table\""), 7, "\"ball\"");
  EXPECT_THAT(log_complaint(itself), HasSubstr("record 1: a body cannot touch itself"));
  EXPECT_THAT(log_complaint(log_header + "{\"time_s\": 1}\n"), HasSubstr("record 1"));
  EXPECT_THAT(log_complaint(""), HasSubstr("empty"));
  EXPECT_THAT(log_complaint("{\"peal_contacts\": 2, \"bodies\": [\"a\"]}"),
              HasSubstr("header.peal_contacts"));
}

TEST(ContactLog, AnyOrderIsTakenIfTheHeaderSaysSo) {
  std::string text = log_header + log_record("0.2") + log_record("0.1");
  text.replace(text.find("\"step_s\""), 8, "\"order\": \"any\", \"step_s\"");
  EXPECT_EQ(parse_contact_log(text, "log").records.size(), 2u);
}

TEST(ContactTable, ColumnsAreFoundByManyNames) {
  const std::string text =
      "Time;Body A;Body B;Contact Point.x;contact_point[y];ContactPointZ;N.x;N.y;N.z;"
      "Impulse;Relative Velocity X;Relative Velocity Y;Relative Velocity Z\r\n"
      "0.5;ball;table;0;0;0.1;0;1;0;0.25;0;-2;0\r\n"
      "0.75;ball;floor;0;0;0.1;0;1;0;0.125;0;-1;0\r\n";
  const base::ContactLog log = parse_contact_table(text, "log.csv");
  ASSERT_EQ(log.records.size(), 2u);
  EXPECT_EQ(log.bodies, (std::vector<std::string>{"ball", "table", "floor"}));
  EXPECT_EQ(log.records[0].impulse, base::Vec3(0, 0.25, 0));
  EXPECT_EQ(log.records[1].body_b, 2u);
  EXPECT_EQ(log.records[1].velocity, base::Vec3(0, -1, 0));
}

TEST(ContactTable, ErrorsNameTheRecord) {
  const std::string head = "t,a,b,px,py,pz,nx,ny,nz,jx,jy,jz,vx,vy,vz\n";
  EXPECT_EQ(log_complaint(head + "0,x,y,0,0,0,0,1,0,0,1,0,0,-1,0\n", true), "");
  EXPECT_THAT(log_complaint(head + "0,x,y,0,0,0,0,1,0,0,nan,0,0,-1,0\n", true),
              HasSubstr("is \"nan\", not a number"));
  EXPECT_THAT(log_complaint(head + "0,x,y,0,,0,0,1,0,0,1,0,0,-1,0\n", true),
              HasSubstr("record 1: the cell for p (y) is empty"));
  EXPECT_EQ(log_complaint("comment," + head + "\"a, b\",0,x,y,0,0,0,0,1,0,0,1,0,0,-1,0\n", true),
            "");
  EXPECT_THAT(log_complaint(head + "0,x,y,0,0,0,0,1,0\n", true), HasSubstr("has 9 cells"));
  EXPECT_THAT(log_complaint(head + "1,x,y,0,0,0,0,1,0,0,1,0,0,-1,0\n"
                                   "0,x,y,0,0,0,0,1,0,0,1,0,0,-1,0\n",
                            true),
              HasSubstr("record 2: its time"));
  EXPECT_THAT(log_complaint("t,a,b,px,py\n", true), HasSubstr("no column for p"));
}

TEST(ContactLog, ContactsAtRestAreWrittenAsRecordsThatLast) {
  base::ContactLog log{.bodies = {"mug", "table"}, .step = 0.001};
  log.records.push_back({.time = 0.5, .body_a = 0, .body_b = 1, .impulse = {0, 0.1, 0}});
  log.rests.push_back({.begin = 0.25, .end = 0.75, .body_a = 0, .body_b = 1, .impulse = 1.5});
  const base::ContactLog read = parse_contact_log(contact_log_text(log), "log");
  ASSERT_EQ(read.records.size(), 2u);
  EXPECT_EQ(read.records[0].time, 0.25);
  EXPECT_EQ(read.records[0].duration, 0.5);
  EXPECT_EQ(read.records[0].impulse, base::Vec3(0, 1.5, 0));
  EXPECT_EQ(read.records[1].time, 0.5);
}

}  // namespace
}  // namespace peal::contact
