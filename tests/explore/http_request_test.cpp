#include <peal/explore/http_request.h>
#include <peal/util/random.h>

#include <gtest/gtest.h>

namespace peal::explore {
namespace {

constexpr std::string_view this_host = "127.0.0.1:4000";

int status_of(std::string_view head) {
  const ParsedHead parsed = parse_head(head);
  if (!parsed.request) return parsed.refusal.status;
  const auto refusal = refuse_foreign(*parsed.request, this_host);
  return refusal ? refusal->status : 200;
}

TEST(HttpRequest, TheRequestsOfThePageAreUnderstood) {
  const ParsedHead get =
      parse_head("GET /session.json?token=a%20b&x=1+2 HTTP/1.1\r\nHost: 127.0.0.1:4000\r\n");
  ASSERT_TRUE(get.request);
  EXPECT_EQ(get.request->path, "/session.json");
  EXPECT_EQ(get.request->query.at("token"), "a b");
  EXPECT_EQ(get.request->query.at("x"), "1 2");
  const std::string_view post =
      "POST /api/solve HTTP/1.1\r\nhost: 127.0.0.1:4000\r\nOrigin: http://127.0.0.1:4000\r\n"
      "Content-Length: 12\r\n";
  EXPECT_EQ(status_of(post), 200);
  EXPECT_EQ(parse_head(post).request->body_size, 12u);
}

TEST(HttpRequest, OtherPagesAndNamesAreRefused) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n"), 421);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: peal.example:4000\r\n"), 421);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: 127.0.0.1:4000\r\nHost: 127.0.0.1:4000\r\n"), 400);
  const std::string post =
      "POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1:4000\r\nContent-Length: 0\r\n";
  EXPECT_EQ(status_of(post), 403) << "without an origin";
  EXPECT_EQ(status_of(post + "Origin: null\r\n"), 403);
  EXPECT_EQ(status_of(post + "Origin: http://peal.example\r\n"), 403);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: 127.0.0.1:4000\r\nOrigin: http://peal.example\r\n"),
            403);
}

TEST(HttpRequest, BodiesAreBoundedByTheirLength) {
  const std::string post =
      "POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1:4000\r\nOrigin: http://127.0.0.1:4000\r\n";
  EXPECT_EQ(status_of(post), 411);
  EXPECT_EQ(status_of(post + "Content-Length: 67108864\r\n"), 200);
  EXPECT_EQ(status_of(post + "Content-Length: 67108865\r\n"), 413);
  EXPECT_EQ(status_of(post + "Content-Length: 99999999999999999999999\r\n"), 413);
  EXPECT_EQ(status_of(post + "Content-Length: -1\r\n"), 400);
  EXPECT_EQ(status_of(post + "Content-Length: 12x\r\n"), 400);
  EXPECT_EQ(status_of(post + "Content-Length:\r\n"), 400);
  EXPECT_EQ(status_of(post + "Transfer-Encoding: chunked\r\n"), 501);
}

TEST(HttpRequest, MalformedRequestsAreRefused) {
  const std::string rest = "\r\nHost: 127.0.0.1:4000\r\n";
  for (const char* line : {"", "GET", "GET /", "GET  HTTP/1.1", "GET / HTTP/2", "PUT / HTTP/1.1",
                           "GET http://a/ HTTP/1.1", "GET /a b HTTP/1.1", "GET /?a HTTP/1.1",
                           "GET /?a=%zz HTTP/1.1", "GET /?a=%0 HTTP/1.1", "GET /?a=%00 HTTP/1.1",
                           "GET /?a=1&a=2 HTTP/1.1", "GET /\x01 HTTP/1.1", "get / HTTP/1.1"}) {
    EXPECT_NE(status_of(line + rest), 200) << line;
  }
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost 127.0.0.1:4000\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: 127.0.0.1:4000\r\n folded\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\nHost: 127.0.0.1:4000\n"), 400);
}

TEST(HttpRequest, DamagedBytesAreAnsweredOrRefused) {
  const std::string seed =
      "POST /api/solve?token=a%20b&name=mug.obj HTTP/1.1\r\nHost: 127.0.0.1:4000\r\n"
      "Origin: http://127.0.0.1:4000\r\nContent-Length: 12\r\nAccept: */*\r\n";
  for (std::uint64_t round = 0; round < 20000; ++round) {
    std::string text = seed;
    const std::uint64_t changes = 1 + util::random_bits(1, round, 0) % 6;
    for (std::uint64_t i = 1; i <= changes; ++i) {
      const std::uint64_t bits = util::random_bits(1, round, i);
      const std::size_t at = bits % text.size();
      if (bits >> 60 < 6)
        text[at] = static_cast<char>(bits >> 32);
      else if (bits >> 60 < 11)
        text.erase(at, 1 + (bits >> 32) % 9);
      else
        text.insert(at, text.substr((bits >> 20) % text.size(), 9));
      if (text.empty()) break;
    }
    const int status = status_of(text);
    EXPECT_TRUE(status == 200 || (status >= 400 && status < 600)) << text;
  }
}

}  // namespace
}  // namespace peal::explore
