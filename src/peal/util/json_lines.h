#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

/// Text with a JSON document on each line (JSON Lines).
namespace peal::util {

/// The lines of a text without their ends; blank ones are passed over.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next(std::string_view& line);

  std::size_t number() const { return number_; }  ///< of the last line, from 1

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

/// Parses one line of a file; errors name `location`, the line's number and the column.
nlohmann::json parse_json_line(std::string_view line, std::size_t number, const std::string& file,
                               const std::string& location);

}  // namespace peal::util
