#include <peal/util/nearest_word.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace peal::util {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> two_back(columns), previous(columns), current(columns);
  for (std::size_t j = 0; j < columns; ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j < columns; ++j) {
      const std::size_t replace = previous[j - 1] + (a[i - 1] != b[j - 1]);
      current[j] = std::min({replace, previous[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], two_back[j - 2] + 1);
      }
    }
    std::swap(two_back, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::string nearest_word(std::string_view word, std::span<const std::string> known) {
  if (word.size() > 64) return {};
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggest(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t short_list = 12;
  const std::string nearest = nearest_word(word, known);
  const std::string question = nearest.empty() ? "" : fmt::format("Did you mean \"{}\"?", nearest);
  if (!nearest.empty() && known.size() > short_list) return question;
  return fmt::format("{}{}Known: {}.", question, nearest.empty() ? "" : " ",
                     fmt::join(known, ", "));
}

}  // namespace peal::util
