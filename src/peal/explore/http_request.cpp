#include <peal/explore/http_request.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

namespace peal::explore {

namespace {

ParsedHead refused(int status, std::string reason) {
  return {std::nullopt, {status, std::move(reason)}};
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// A part of a query with its escapes decoded; empty if one is wrong.
std::optional<std::string> decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      result += ' ';
    } else if (text[i] != '%') {
      result += text[i];
    } else {
      unsigned value = 0;
      if (i + 2 >= text.size()) return std::nullopt;
      const auto [end, error] = std::from_chars(&text[i + 1], &text[i + 1] + 2, value, 16);
      if (error != std::errc() || end != &text[i + 1] + 2 || value == 0) return std::nullopt;
      result += static_cast<char>(value);
      i += 2;
    }
  }
  return result;
}

bool parse_query(std::string_view text, std::map<std::string, std::string>& query) {
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) return false;
    auto key = decoded(pair.substr(0, equals)), value = decoded(pair.substr(equals + 1));
    if (!key || !value || !query.emplace(std::move(*key), std::move(*value)).second) return false;
  }
  return true;
}

/// The lines of a head, which end with CR LF each.
std::optional<std::vector<std::string_view>> lines_of(std::string_view head) {
  std::vector<std::string_view> lines;
  while (!head.empty()) {
    const std::size_t end = head.find("\r\n");
    if (end == std::string_view::npos) return std::nullopt;
    lines.push_back(head.substr(0, end));
    head.remove_prefix(end + 2);
  }
  return lines;
}

std::optional<HttpRefusal> parse_request_line(std::string_view line, HttpRequest& request) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || last == first || !is_printable(line))
    return HttpRefusal{400, "the request line is malformed"};
  request.method = line.substr(0, first);
  const std::string_view version = line.substr(last + 1);
  std::string_view target = line.substr(first + 1, last - first - 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0")
    return HttpRefusal{505, "only HTTP/1.0 and HTTP/1.1 are supported"};
  if (request.method != "GET" && request.method != "POST")
    return HttpRefusal{405, "only GET and POST are known"};
  if (target.empty() || target.front() != '/' || target.find(' ') != std::string_view::npos)
    return HttpRefusal{400, "the path is malformed"};
  const std::size_t question = target.find('?');
  if (question != std::string_view::npos) {
    if (!parse_query(target.substr(question + 1), request.query))
      return HttpRefusal{400, "the query is malformed"};
    target = target.substr(0, question);
  }
  request.path = target;
  return std::nullopt;
}

std::optional<HttpRefusal> parse_header(std::string_view line, HttpRequest& request) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
    return HttpRefusal{400, "a header is malformed"};
  const std::string name = lower(line.substr(0, colon));
  if (!request.headers.emplace(name, trimmed(line.substr(colon + 1))).second)
    return HttpRefusal{400, "the header " + name + " is there twice"};
  return std::nullopt;
}

}  // namespace

ParsedHead parse_head(std::string_view head) {
  const auto lines = lines_of(head);
  if (!lines || lines->empty()) return refused(400, "the request is malformed");
  HttpRequest request;
  if (const auto refusal = parse_request_line(lines->front(), request))
    return {std::nullopt, *refusal};
  for (std::size_t i = 1; i < lines->size(); ++i)
    if (const auto refusal = parse_header((*lines)[i], request)) return {std::nullopt, *refusal};
  if (request.headers.contains("transfer-encoding"))
    return refused(501, "transfer encodings are not supported");
  const auto length = request.headers.find("content-length");
  if (length == request.headers.end()) {
    if (request.method == "POST") return refused(411, "a POST needs a Content-Length");
    return {std::move(request), {}};
  }
  const std::string& digits = length->second;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), request.body_size);
  if (error == std::errc::result_out_of_range) return refused(413, "the upload is too large");
  if (error != std::errc() || end != digits.data() + digits.size())
    return refused(400, "the Content-Length is malformed");
  if (request.body_size > largest_body) return refused(413, "the upload is larger than 64 MB");
  return {std::move(request), {}};
}

std::optional<HttpRefusal> refuse_foreign(const HttpRequest& request, std::string_view host) {
  const auto named = request.headers.find("host");
  if (named == request.headers.end() || named->second != host)
    return HttpRefusal{421, "this server answers to " + std::string(host) + " only"};
  const auto origin = request.headers.find("origin");
  const bool has_origin = origin != request.headers.end();
  if (has_origin ? origin->second != "http://" + std::string(host) : request.method != "GET")
    return HttpRefusal{403, "only the explorer's own page may send requests"};
  return std::nullopt;
}

}  // namespace peal::explore
