#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace peal::explore {

/// A request to the explorer's server.
struct HttpRequest {
  std::string method;                          ///< "GET" or "POST"
  std::string path;                            ///< "/app.js"; no escapes are decoded in it
  std::map<std::string, std::string> query;    ///< decoded
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::size_t body_size = 0;                   ///< [byte]
  std::string body;
};

/// Why a request is refused: the status of the answer and a sentence.
struct HttpRefusal {
  int status = 400;
  std::string reason;
};

/// A request's head, or why it is refused.
struct ParsedHead {
  std::optional<HttpRequest> request;
  HttpRefusal refusal;
};

inline constexpr std::size_t largest_head = 16384;                  ///< [byte]
inline constexpr std::size_t largest_body = std::size_t{64} << 20;  ///< [byte]

/// Parses the lines up to the empty one, without it. Strict: HTTP/1.0 or 1.1, GET or POST, no
/// header twice, no transfer encoding, a length for each body.
ParsedHead parse_head(std::string_view head);

/// Whether a request comes from the page itself: its only Host is this one, and its Origin, which
/// every POST has, is its page. Other pages in the same browser can send requests here, too.
std::optional<HttpRefusal> refuse_foreign(const HttpRequest& request, std::string_view host);

}  // namespace peal::explore
