#pragma once

#include <peal/util/error.h>

#include <string>
#include <vector>

namespace peal::util {

/// Several problems of one file, told together. what() lists them; with one problem it is thrown
/// as a plain InputError.
class InputErrors : public InputError {
 public:
  /// `count` is how many there are, `all` those that are reported.
  InputErrors(const std::string& file, std::size_t count, std::vector<InputError> all);

  const std::vector<InputError>& all() const { return all_; }

 private:
  std::vector<InputError> all_;
};

/// Gathers what is wrong with a file, so that one run tells the user everything.
class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}

  void add(std::string at, std::string problem, std::string hint = {});
  /// A problem found in another file that this one names at `at`.
  void add(std::string at, const InputError& error);

  std::size_t count() const { return count_; }
  const std::string& file() const { return file_; }
  void throw_if_any() const;

 private:
  static constexpr std::size_t most_reported = 20;  ///< further ones are only counted

  std::string file_;
  std::size_t count_ = 0;
  std::vector<InputError> reported_;
};

}  // namespace peal::util
