#include <peal/explore/http_server.h>
#include <peal/util/error.h>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace peal::explore {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int most_connections = 32;
constexpr auto request_time = std::chrono::seconds(10);

/// What a page of this origin may do: run and fetch what comes from here, nothing else.
constexpr std::string_view content_policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "connect-src 'self'; style-src 'self'; img-src 'self' data: blob:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

std::string_view phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 421:
      return "Misdirected Request";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Bad Request";
  }
}

/// A connection, closed at the end.
class Connection {
 public:
  explicit Connection(int descriptor)
      : descriptor_(descriptor), end_(Clock::now() + request_time) {}
  ~Connection() { ::close(descriptor_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// The next bytes, at most `most`; nothing if they do not come in time.
  bool receive(std::string& into, std::size_t most) {
    if (!wait(POLLIN)) return false;
    char buffer[65536];
    const ssize_t got = ::recv(descriptor_, buffer, std::min(most, sizeof buffer), 0);
    if (got <= 0) return false;
    into.append(buffer, static_cast<std::size_t>(got));
    return true;
  }

  void send(std::string_view bytes) {
    while (!bytes.empty() && wait(POLLOUT)) {
      const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      end_ = Clock::now() + request_time;
    }
  }

  /// Waits for the other side to close, so that it receives an answer that it did not wait for.
  void finish() {
    ::shutdown(descriptor_, SHUT_WR);
    end_ = std::min(end_, Clock::now() + std::chrono::milliseconds(200));
    std::string rest;
    while (receive(rest, 65536)) rest.clear();
  }

 private:
  bool wait(short events) const {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now()).count();
    pollfd wanted{descriptor_, events, 0};
    return left > 0 && ::poll(&wanted, 1, static_cast<int>(left)) > 0;
  }

  int descriptor_;
  Clock::time_point end_;
};

/// A request whose head and body arrived, or why it is refused.
ParsedHead receive_request(Connection& connection, const std::string& host) {
  std::string bytes;
  std::size_t end = std::string::npos;
  while (end == std::string::npos) {
    if (bytes.size() > largest_head) return {std::nullopt, {431, "the headers are too long"}};
    if (!connection.receive(bytes, largest_head))
      return {std::nullopt, {408, "the request did not arrive in time"}};
    end = bytes.find("\r\n\r\n");
  }
  ParsedHead parsed = parse_head(std::string_view(bytes).substr(0, end + 2));
  if (!parsed.request) return parsed;
  if (const auto refusal = refuse_foreign(*parsed.request, host)) return {std::nullopt, *refusal};
  std::string& body = parsed.request->body;
  body = bytes.substr(end + 4, parsed.request->body_size);
  while (body.size() < parsed.request->body_size) {
    if (!connection.receive(body, parsed.request->body_size - body.size()))
      return {std::nullopt, {408, "the upload did not arrive in time"}};
  }
  return parsed;
}

void send_response(Connection& connection, const HttpResponse& response) {
  const std::string_view body =
      response.constant_body.empty() ? std::string_view(response.body) : response.constant_body;
  connection.send(fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: "
      "no-referrer\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\nContent-Security-Policy: {}\r\n\r\n",
      response.status, phrase(response.status), response.type, body.size(), content_policy));
  connection.send(body);
  connection.finish();
}

}  // namespace

HttpServer::HttpServer(int port, Handler handler) : handler_(std::move(handler)) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (socket_ < 0 || ::bind(socket_, any, size) != 0 || ::listen(socket_, 64) != 0) {
    const std::string problem = std::strerror(errno);
    if (socket_ >= 0) ::close(socket_);
    throw util::InputError({"", "--port"},
                           fmt::format("port {} cannot be opened: {}", port, problem),
                           "Leave out --port to use any free one.");
  }
  ::getsockname(socket_, any, &size);
  port_ = ntohs(address.sin_port);
}

HttpServer::~HttpServer() {
  ::close(socket_);
  // Threads of connections refer to this object; each ends within its time.
  while (connections_ > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

std::string HttpServer::host() const {
  return fmt::format("127.0.0.1:{}", port_);
}

void HttpServer::run(const std::atomic<bool>& stop, double period,
                     const std::function<void()>& meanwhile) {
  while (!stop) {
    pollfd wanted{socket_, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(1000.0 * period));
    meanwhile();
    if (ready <= 0) continue;
    const int connection = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    if (connections_ >= most_connections) {
      ::close(connection);
      continue;
    }
    ++connections_;
    std::thread([this, connection] {
      answer(connection);
      --connections_;
    }).detach();
  }
}

void HttpServer::answer(int descriptor) const {
  Connection connection(descriptor);
  try {
    ParsedHead parsed = receive_request(connection, host());
    if (!parsed.request) {
      send_response(connection,
                    {.status = parsed.refusal.status, .body = parsed.refusal.reason + "\n"});
      return;
    }
    send_response(connection, handler_(*parsed.request));
  } catch (const std::exception& error) {
    send_response(connection, {.status = 500, .body = std::string(error.what()) + "\n"});
  }
}

}  // namespace peal::explore
