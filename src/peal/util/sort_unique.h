#pragma once

#include <algorithm>
#include <vector>

namespace peal::util {

/// Sorts a list in ascending order and removes duplicates.
template <class T>
void sort_unique(std::vector<T>& list) {
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace peal::util
