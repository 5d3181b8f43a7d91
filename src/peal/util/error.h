#pragma once

#include <stdexcept>
#include <string>

namespace peal::util {

/// The location of a problem in the user's input.
struct Location {
  std::string file;  ///< path as the user gave it; empty if there is no file
  std::string at;    ///< "objects[2].material", "line 17", "byte 312"; empty for the whole file
};

/// Invalid input, reported so that the user can act: where, what is wrong, how to fix it. Exit code
/// 3. Nothing has been written when it is thrown.
class InputError : public std::runtime_error {
 public:
  InputError(Location location, std::string problem, std::string hint = {});

  const Location& location() const { return location_; }
  const std::string& problem() const { return problem_; }
  const std::string& hint() const { return hint_; }

 private:
  Location location_;
  std::string problem_;
  std::string hint_;
};

/// The input was valid but the computation went wrong (not finite, unstable). Exit code 4.
class NumericsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The text "file: at", or whichever part is known.
std::string to_string(const Location& location);

}  // namespace peal::util
