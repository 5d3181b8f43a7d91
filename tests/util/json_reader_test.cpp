#include <peal/util/json_reader.h>

#include <gmock/gmock.h>

namespace peal::util {
namespace {

using testing::HasSubstr;

/// Runs a reader over a document and returns the message that comes of it, "" if none.
template <class Reader>
std::string message_of(const char* text, Reader read) {
  const nlohmann::json document = parse_json(text, "a.json");
  Problems problems("a.json");
  read(JsonValue(document, "", problems));
  try {
    problems.throw_if_any();
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

std::string number_message(const char* text, const NumberRange& range) {
  return message_of(text, [&](const JsonValue& value) {
    JsonObject object(value, "a thing");
    object.number("x", range, 0.0);
    object.finish();
  });
}

TEST(JsonReader, TellsWhyANumberIsRefused) {
  const NumberRange band = {.min = 1, .max = 24000, .unit = "Hz", .reason = "half the rate"};
  EXPECT_EQ(number_message(R"({"x": 440})", band), "");
  EXPECT_EQ(number_message(R"({"x": 30000})", band),
            "a.json: x: 30000 Hz is too large\n"
            "  Give a number from 1 to 24000 Hz (half the rate).");
  EXPECT_EQ(number_message(R"({"x": -1})", {.min = 0, .unit = "s", .above_min = true}),
            "a.json: x: -1 s is too small\n  Give a number above 0 s.");
  EXPECT_EQ(number_message(R"({"x": 0})", {.min = 0, .max = 9, .unit = "s", .above_min = true}),
            "a.json: x: 0 s is too small\n  Give a number above 0 and up to 9 s.");
  EXPECT_EQ(number_message(R"({"x": "440"})", band),
            "a.json: x: must be a number [Hz], not the text \"440\"\n  Remove the quotes: 440.");
  EXPECT_EQ(number_message(R"({"x": [1]})", band),
            "a.json: x: must be a number [Hz], not a list of 1 value");
}

TEST(JsonReader, IntegersAreWholeAndInRange) {
  const auto read = [](const char* text) {
    return message_of(text, [](const JsonValue& value) { value.integer(0, 10); });
  };
  EXPECT_EQ(read("10"), "");
  EXPECT_EQ(read("7.0"), "");
  EXPECT_THAT(read("7.5"), HasSubstr("must be a whole number from 0 to 10, not 7.5"));
  EXPECT_THAT(read("-1"), HasSubstr("-1 is too small"));
  EXPECT_THAT(read("18446744073709551615"), HasSubstr("18446744073709551615 is too large"));
  EXPECT_THAT(read("1e300"), HasSubstr("too large"));
}

TEST(JsonReader, AMisspeltRequiredKeyIsToldOnce) {
  const std::string message = message_of(R"({"durration": 5})", [](const JsonValue& value) {
    JsonObject object(value, "a thing");
    object.required_number("duration", {}, "\"duration\": 5");
    object.number("seed", {}, 0.0);
    object.finish();
  });
  EXPECT_EQ(message,
            "a.json: durration: unknown key\n"
            "  Did you mean \"duration\"? Known: duration, seed.");
}

TEST(JsonReader, MissingKeysComeWithAnExample) {
  const std::string message = message_of("{}", [](const JsonValue& value) {
    JsonObject object(value, "a thing");
    object.required_number("duration", {}, "\"duration\": 5");
    object.finish();
  });
  EXPECT_EQ(message, "a.json: \"duration\" is missing\n  For example: \"duration\": 5");
}

TEST(JsonReader, OneOfRefusesTwoAndNone) {
  const auto read = [](const char* text) {
    return message_of(text, [](const JsonValue& value) {
      JsonObject object(value, "a thing");
      const std::vector<std::string> keys = {"mono", "stereo"};
      object.one_of(keys, "\"mono\": {}");
      object.finish();
    });
  };
  EXPECT_EQ(read(R"({"mono": 1})"), "");
  EXPECT_THAT(read(R"({"mono": 1, "stereo": 2})"),
              HasSubstr("stereo: \"mono\" is already given: only one of them is possible"));
  EXPECT_THAT(read("{}"), HasSubstr("one of mono, stereo is missing"));
  EXPECT_THAT(read(R"({"monno": 1})"), HasSubstr("Did you mean \"mono\"?"));
  EXPECT_THAT(read("[]"), HasSubstr("must be a thing: { ... }, not a list of 0 values"));
}

TEST(JsonReader, SeveralProblemsAreListedTogether) {
  const nlohmann::json document = {{"a", "x"}, {"b", -1}};
  Problems problems("a.json");
  JsonObject object(JsonValue(document, "", problems), "a thing");
  object.number("a", {}, 0.0);
  object.number("b", {.min = 0, .unit = "s"}, 0.0);
  object.finish();
  try {
    problems.throw_if_any();
    FAIL() << "no error";
  } catch (const InputErrors& errors) {
    ASSERT_EQ(errors.all().size(), 2u);
    EXPECT_EQ(errors.all()[1].location().at, "b");
    EXPECT_STREQ(errors.what(),
                 "a.json: 2 problems\n"
                 "  1. a: must be a number, not the text \"x\"\n"
                 "  2. b: -1 s is too small\n"
                 "     Give a number of at least 0 s.");
  }
}

TEST(JsonReader, AFloodOfProblemsIsCutShort) {
  Problems problems("a.json");
  for (int i = 0; i < 100; ++i) problems.add("x", "wrong");
  try {
    problems.throw_if_any();
    FAIL() << "no error";
  } catch (const InputErrors& errors) {
    EXPECT_EQ(errors.all().size(), 21u);
    EXPECT_EQ(errors.all().back().problem(), "and 80 more like these");
    EXPECT_THAT(errors.what(), HasSubstr("100 problems"));
  }
}

}  // namespace
}  // namespace peal::util
