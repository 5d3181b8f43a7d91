#include <peal/util/error.h>
#include <peal/util/json.h>

#include <gmock/gmock.h>

namespace peal::util {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// What parse_json says about a text; "" if it accepts it.
std::string json_complaint(std::string_view text) {
  try {
    parse_json(text, "a.json");
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Json, ReadsCommentsNumbersTextAndNesting) {
  const auto document = parse_json(R"(// head
    { "a": [1, -2.5e-1, true, null], /* between */ "b": { "c": "// not a comment \u00e9" } })",
                                   "a.json");
  EXPECT_EQ(document["a"][0], 1);
  EXPECT_EQ(document["a"][1], -0.25);
  EXPECT_EQ(document["a"][2], true);
  EXPECT_TRUE(document["a"][3].is_null());
  EXPECT_EQ(document["b"]["c"], "// not a comment é");
}

TEST(Json, AcceptsAByteOrderMarkAndWindowsLines) {
  EXPECT_EQ(parse_json("\xEF\xBB\xBF{\r\n\"a\": 1\r\n}", "a.json")["a"], 1);
}

TEST(Json, NamesLineColumnAndLikelyCauseOfSyntaxErrors) {
  const std::pair<const char*, std::string> cases[] = {
      {"{\"a\": 1,\n}", "a.json: line 2, column 1: a comma before the closing bracket"},
      {"{\"a\": [1, 2,]}", "a.json: line 1, column 13: a comma before the closing bracket"},
      {"{\"a\": 1\n \"b\": 2}",
       "a.json: line 2, column 4: a comma or a closing bracket is missing"},
      {"{\"a\" 1}", "a.json: line 1, column 6: a colon is missing after a key"},
      {"{a: 1}", "a.json: line 1, column 2: a key was expected"},
      {"{'a': 1}", "a.json: line 1, column 2: a key was expected"},
      {"{\"a\": steel}", "a.json: line 1, column 7: a word without quotes"},
      {"{\"a\": True}", "a.json: line 1, column 7: a word without quotes"},
      {"{\"a\": NaN}", "a.json: line 1, column 7: a word without quotes"},
      {"{\"a\": \"steel}\n", "a.json: line 1, column 14: a string has no closing quote"},
      {"{\"a\": \"steel", "a.json: line 1, column 13: the file ends inside a text"},
      {"{\"a\": \"C:\\mesh\"}", "a.json: line 1, column 11: an invalid text in quotes"},
      {"{\"a\": [1, 2", "a.json: line 1, column 12: the file ends too early"},
      {"", "a.json: is empty"},
      {"{\"a\": .5}", "a.json: line 1, column 7: "},
      {"{\"a\": -}", "a.json: line 1, column 8: not a valid JSON number"},
      {"{\"a\": 1} }", "a.json: line 1, column 10: more text after the end"},
      {"{\"a\": 1 /* open", "a.json: line 1, column 16: a comment that is not closed"},
      {"{\"a\": 1e400}", "a.json: line 1, column 11: a number too large"},
      {"{\"a\": -1e400}", "a.json: line 1, column 12: a number too large"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_THAT(json_complaint(text), StartsWith(expected)) << text;
  }
}

TEST(Json, CountsColumnsInLettersNotBytes) {
  EXPECT_THAT(json_complaint("{\"é\" 1}"), StartsWith("a.json: line 1, column 6"));
}

TEST(Json, RefusesKeysGivenTwiceAndSaysWhere) {
  EXPECT_THAT(json_complaint(R"({"objects": [{}, {"mesh": "a", "mesh": "b"}]})"),
              StartsWith("a.json: objects[1].mesh: this key is given twice"));
}

TEST(Json, RefusesWhatIsNotUtf8) {
  EXPECT_THAT(json_complaint("{\"a\": \"\xE9t\xE9\"}"),
              HasSubstr("column 8: the text is not UTF-8"));
  EXPECT_THAT(json_complaint("// \xE9\n{}"), HasSubstr("not UTF-8")) << "in a comment as well";
  EXPECT_THAT(json_complaint("{\"a\": \"\xC0\x80\"}"), HasSubstr("not UTF-8")) << "overlong";
  EXPECT_THAT(json_complaint("{\"a\": \"\xED\xA0\x80\"}"), HasSubstr("not UTF-8")) << "surrogate";
  EXPECT_THAT(json_complaint("{\"a\": \"\xF0\x9F\x98\"}"), HasSubstr("not UTF-8")) << "cut short";
  EXPECT_THAT(json_complaint(std::string_view("\xFF\xFE{\0}\0", 6)), HasSubstr("UTF-16"));
  EXPECT_THAT(json_complaint(std::string_view("{}\0{", 4)), HasSubstr("zero byte"));
  EXPECT_EQ(json_complaint("{\"a\": \"\xF0\x9F\x98\x80\"}"), "");
}

TEST(Json, LimitsDepth) {
  EXPECT_EQ(json_complaint(std::string(64, '[') + std::string(64, ']')), "");
  EXPECT_THAT(json_complaint(std::string(65, '[') + std::string(65, ']')),
              HasSubstr("levels deep"));
  EXPECT_THAT(json_complaint(std::string(1'000'000, '[')), HasSubstr("levels deep"));
}

TEST(Json, PathsQuoteOddKeys) {
  EXPECT_EQ(json_path("", "a"), "a");
  EXPECT_EQ(json_path("a", "b_2"), "a.b_2");
  EXPECT_EQ(json_path("a", 3), "a[3]");
  EXPECT_EQ(json_path("a", "b c"), "a[\"b c\"]");
  EXPECT_EQ(json_path("", "x\n"), "[\"x\\n\"]");
}

}  // namespace
}  // namespace peal::util
