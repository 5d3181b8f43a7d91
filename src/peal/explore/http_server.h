#pragma once

#include <peal/explore/http_request.h>

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

namespace peal::explore {

/// The answer to a request.
struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::string_view constant_body = {};  ///< sent in place of `body` if not empty
};

/// A small HTTP server for one page: it listens on 127.0.0.1 only, answers one request a
/// connection, gives a request ten seconds to arrive, and refuses more than 32 connections at a
/// time. Requests that did not come from its own page are refused before the handler sees them.
class HttpServer {
 public:
  using Handler = std::function<HttpResponse(HttpRequest&)>;

  /// Opens the port; 0: any free one. Throws util::InputError if it is taken.
  HttpServer(int port, Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::string host() const;  ///< "127.0.0.1:41234"

  /// Answers requests until `stop` is set, and at least every `period` seconds calls `meanwhile`.
  void run(const std::atomic<bool>& stop, double period, const std::function<void()>& meanwhile);

 private:
  void answer(int connection) const;

  int socket_ = -1;
  int port_ = 0;
  Handler handler_;
  std::atomic<int> connections_ = 0;
};

}  // namespace peal::explore
