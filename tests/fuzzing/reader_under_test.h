#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace peal::fuzzing {

/// A reader of files that strangers make. To add one: a line in readers_under_test.cpp and a few
/// small valid files in tests/fuzzing/corpus/<name>/. The mutation run of the ordinary suite and a
/// libFuzzer target fuzz_<name> then cover it.
struct ReaderUnderTest {
  std::string name;  ///< also the folder of its seeds

  /// Reads the bytes as a file's. May throw util::InputError; any other exception is a failure. It
  /// also throws (std::logic_error) if what it read breaks a promise of the reader.
  void (*read)(std::string_view bytes);
};

inline void PrintTo(const ReaderUnderTest& reader, std::ostream* out) {
  *out << reader.name;
}

const std::vector<ReaderUnderTest>& readers_under_test();

/// Reads from a buffer of exactly that size, so that sanitizers see every byte read too far.
/// Returns "" if the bytes were read or refused with a clear error, else what went wrong.
std::string failure(const ReaderUnderTest& reader, std::string_view bytes);

}  // namespace peal::fuzzing
