#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace peal::fuzzing {

/// Called with what was done to a file and the bytes that came of it.
using Visit = std::function<void(const std::string& what, const std::string& bytes)>;

// Each gives every mutation of its kind, in the same order on every machine.

/// Cut off after every byte.
void truncate(const std::string& seed, const Visit& visit);
/// Each byte replaced by hostile ones, every other by every other of them.
void replace_bytes(const std::string& seed, const Visit& visit);
/// Each number of a text replaced by huge, negative, fractional, infinite and broken ones.
void replace_numbers(const std::string& seed, const Visit& visit);
/// The four bytes at each position replaced by extreme integers and floats of either byte order:
/// counts larger than the file, indices out of range, not-a-number. In a text, which holds no such
/// numbers, at every fourth position.
void replace_words(const std::string& seed, const Visit& visit);
/// Windows line ends, lone carriage returns, no final line end, doubled and reversed lines.
void change_lines(const std::string& seed, const Visit& visit);
/// Random pieces cut, doubled, swapped, and inserted from other seeds, several at a time.
void splice(const std::vector<std::string>& seeds, int count, const Visit& visit);

}  // namespace peal::fuzzing
