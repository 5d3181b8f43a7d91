#pragma once

#include <peal/util/json_reader.h>
#include <peal/util/problems.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace peal::util {

/// A text without the blanks, tabs and quotation marks around it.
std::string_view trimmed(std::string_view text);

/// Takes the next line of a text from it, without its end.
std::string_view take_line(std::string_view& text);

/// The number that a text is, in decimal notation; reports what is none or out of range at `at`
/// and returns 0.
double parse_number(std::string_view text, const NumberRange& range, const std::string& at,
                    Problems& problems);
std::int64_t parse_integer(std::string_view text, const std::string& at, Problems& problems);

/// A table whose first row names its columns, separated by commas, semicolons or tabs. Names count
/// without case and blanks. Empty lines and lines that begin with # are skipped.
class CsvTable {
 public:
  struct Column {
    std::string name;  ///< in lower case
    bool is_required = true;
  };

  /// Throws InputError if a required column is missing, or one is unknown.
  CsvTable(std::string_view bytes, const std::string& file, const std::vector<Column>& columns);

  /// Goes to the next row; false at the end. Reports and skips rows with another number of cells.
  bool next(Problems& problems);
  const std::string& row_name() const { return row_name_; }  ///< "record 3"

  /// Of the current row, by the number in the list of columns. Missing columns are empty texts.
  std::string_view text(std::size_t column) const;
  bool has(std::size_t column) const { return !text(column).empty(); }
  double number(std::size_t column, const NumberRange& range, Problems& problems) const;

 private:
  std::vector<std::string_view> split(std::string_view line) const;

  std::string_view rest_;
  char separator_ = ',';
  std::vector<int> at_;  ///< cell of each column; -1: not there
  std::vector<Column> columns_;
  std::size_t width_ = 0, record_ = 0;
  std::vector<std::string_view> cells_;
  std::string row_name_;
};

}  // namespace peal::util
