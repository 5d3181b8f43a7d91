#pragma once

#include <span>
#include <string>
#include <string_view>

namespace peal::util {

/// The number of single-letter edits (insert, delete, replace, swap of neighbours) between two
/// words.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word most like `word`, or "" if none is similar enough.
std::string nearest_word(std::string_view word, std::span<const std::string> known);

/// A sentence for an error: `Did you mean "steel"? Known: brass, glass, steel.` The list is left
/// out if it is long and a word of it is near.
std::string suggest(std::string_view word, std::span<const std::string> known);

}  // namespace peal::util
