#include <peal/render/numbered_files.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace peal::render {

std::string NumberedFiles::name(std::size_t number) const {
  return fmt::format("{}{:05}{}", begin, number, end);
}

bool NumberedFiles::has(const std::string& name) const {
  if (!name.starts_with(begin) || !name.ends_with(end)) return false;
  if (name.size() < begin.size() + 5 + end.size()) return false;
  const auto first = name.begin() + static_cast<std::ptrdiff_t>(begin.size());
  return std::all_of(first, name.end() - static_cast<std::ptrdiff_t>(end.size()),
                     [](char c) { return std::isdigit(static_cast<unsigned char>(c)); });
}

void NumberedFiles::remove_from(const std::filesystem::path& folder) const {
  std::error_code ignored;
  std::vector<std::filesystem::path> old;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (has(entry.path().filename().string())) old.push_back(entry.path());
  }
  for (const auto& file : old) std::filesystem::remove(file, ignored);
  std::filesystem::remove(folder, ignored);
}

NumberedFiles movie_frames() {
  return {"frame-", ".png"};
}

}  // namespace peal::render
