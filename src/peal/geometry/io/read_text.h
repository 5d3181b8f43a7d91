#pragma once

#include <peal/geometry/io/read_number.h>

#include <string>
#include <string_view>

namespace peal::geometry {

/// The text in quotes for an error message: at most 40 bytes, unprintable ones as \xNN.
std::string in_quotes(std::string_view text);

/// A cursor that moves through the lines of a text and tracks its position. Every line ends in a
/// line feed (a last line without one is copied), so that scanning needs no other bound. Blanks are
/// space, tab and carriage return; a backslash before the end of a line joins it with the next.
class TextCursor {
 public:
  /// `name` is the file for errors. A byte order mark at the start is skipped. Both arguments must
  /// outlive the cursor.
  TextCursor(std::string_view text, const std::string& name);
  TextCursor(const TextCursor&) = delete;
  TextCursor& operator=(const TextCursor&) = delete;

  /// True past the last line. Everything below but line() and fail() needs a line.
  bool at_end() const { return p_ == end_; }
  std::size_t line() const { return line_; }  ///< counted from 1

  const char* position() const { return p_; }
  /// Moves to a position within the line.
  void move_to(const char* position) { p_ = position; }

  void skip_blanks() {
    while (true) {
      while (*p_ == ' ' || *p_ == '\t' || *p_ == '\r') ++p_;
      if (*p_ != '\\' || !skip_continuation()) return;
    }
  }
  /// Skips blanks; true if nothing but a comment is left on the line.
  bool at_line_end() {
    skip_blanks();
    return *p_ == '\n' || *p_ == '#';
  }
  /// Whether a word ends just before `p`.
  static bool ends_word(const char* p) {
    return *p == ' ' || *p == '\n' || *p == '\r' || *p == '\t' || (*p == '\\' && continues(p));
  }

  /// The next word of the line, empty at its end.
  std::string_view word();
  /// The rest of the line, without blanks around it.
  std::string_view rest_of_line();
  /// The next number of the line, which must be finite; `what` names it in errors ("the y
  /// coordinate").
  double number(const char* what) {
    skip_blanks();
    double value = 0.0;
    const char* const end = scan_number(p_, value);
    if (end == nullptr || !ends_word(end) || !(value - value == 0.0)) bad_number(what);
    p_ = end;
    return value;
  }

  /// Moves to the next line and ignores the rest of this one.
  void next_line();
  /// Moves to the end of the statement: of this line and its continuation lines.
  void skip_statement();

  [[noreturn]] void fail(const std::string& problem, const std::string& hint) const;

 private:
  /// Whether the backslash at `p` is the last of its line.
  static bool continues(const char* p) { return p[1] == '\n' || (p[1] == '\r' && p[2] == '\n'); }
  bool skip_continuation();
  void enter_tail_if_due();
  [[noreturn]] void bad_number(const char* what);

  const std::string& name_;
  std::string tail_;  ///< the last statement with a line feed added, if it had none
  const char* p_ = nullptr;
  const char* end_ = nullptr;
  std::size_t line_ = 1;
};

}  // namespace peal::geometry
