#pragma once

#include <peal/util/error.h>

#include <string>
#include <vector>

namespace peal::util {

/// Several problems of one file, reported together. what() lists them; a single problem is thrown
/// as a plain InputError.
class InputErrors : public InputError {
 public:
  /// `count` is the number of problems, `all` those that are reported.
  InputErrors(const std::string& file, std::size_t count, std::vector<InputError> all);

  const std::vector<InputError>& all() const { return all_; }

 private:
  std::vector<InputError> all_;
};

/// Collects the problems of a file, so that one run reports all of them.
class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}

  void add(std::string at, std::string problem, std::string hint = {});
  /// Adds a problem in another file that this one refers to at `at`.
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
