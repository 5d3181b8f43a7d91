#include <peal/geometry/io/read_text.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace peal::geometry {

namespace {

/// Whether the last line goes on behind its end: a backslash stands before it.
bool ends_in_continuation(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text.ends_with('\\');
}

/// Where the last statement begins, if the text does not end in a line feed that closes it;
/// otherwise the length of the text.
std::size_t start_of_open_statement(std::string_view text) {
  if (text.ends_with('\n') && !ends_in_continuation(text)) return text.size();
  std::string_view before = text;
  if (before.ends_with('\n')) before.remove_suffix(1);
  while (true) {
    const std::size_t feed = before.rfind('\n');
    if (feed == std::string_view::npos) return 0;
    if (!ends_in_continuation(before.substr(0, feed + 1))) return feed + 1;
    before = before.substr(0, feed);
  }
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string out = "\"";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + (text.size() > longest ? "...\"" : "\"");
}

TextCursor::TextCursor(std::string_view text, const std::string& name) : name_(name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t split = start_of_open_statement(text);
  if (split < text.size()) {
    tail_ = text.substr(split);
    if (!tail_.ends_with('\n')) tail_ += '\n';
    if (ends_in_continuation(tail_)) tail_ += '\n';
  }
  p_ = text.data();
  end_ = text.data() + split;
  enter_tail_if_due();
}

void TextCursor::enter_tail_if_due() {
  if (p_ != end_ || tail_.empty() || end_ == tail_.data() + tail_.size()) return;
  p_ = tail_.data();
  end_ = tail_.data() + tail_.size();
}

std::string_view TextCursor::word() {
  skip_blanks();
  const char* const start = p_;
  while (!ends_word(p_)) ++p_;
  return {start, static_cast<std::size_t>(p_ - start)};
}

std::string_view TextCursor::rest_of_line() {
  skip_blanks();
  const char* const start = p_;
  p_ = static_cast<const char*>(std::memchr(p_, '\n', static_cast<std::size_t>(end_ - p_)));
  const char* last = p_;
  while (last > start && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r')) --last;
  return {start, static_cast<std::size_t>(last - start)};
}

void TextCursor::next_line() {
  if (*p_ != '\n') {
    p_ = static_cast<const char*>(std::memchr(p_, '\n', static_cast<std::size_t>(end_ - p_)));
  }
  ++p_;
  ++line_;
  enter_tail_if_due();
}

void TextCursor::skip_statement() {
  while (true) {
    const char* const start = p_;
    p_ = static_cast<const char*>(std::memchr(p_, '\n', static_cast<std::size_t>(end_ - p_)));
    const std::string_view passed(start, static_cast<std::size_t>(p_ - start) + 1);
    if (!ends_in_continuation(passed)) return;
    ++p_;
    ++line_;
  }
}

bool TextCursor::skip_continuation() {
  if (!continues(p_)) return false;
  p_ += p_[1] == '\n' ? 2 : 3;
  ++line_;
  return true;
}

void TextCursor::bad_number(const char* what) {
  if (at_line_end()) {
    fail(fmt::format("{} is missing", what), "Give it as a decimal number such as 0.25.");
  }
  const std::string found = in_quotes(word());
  fail(fmt::format("{} is {}, not a finite number", what, found),
       "Give it as a decimal number such as 0.25 or 2.5e-1, at most 1.7e308 in size.");
}

void TextCursor::fail(const std::string& problem, const std::string& hint) const {
  throw util::InputError({name_, fmt::format("line {}", line_)}, problem, hint);
}

}  // namespace peal::geometry
