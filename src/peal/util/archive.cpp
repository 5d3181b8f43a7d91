#include <peal/util/archive.h>
#include <peal/util/error.h>

#include <cstring>

namespace peal::util {

void Archive::bytes(std::span<std::byte> raw) {
  if (raw.empty()) return;
  if (!reads_) {
    written_.append(reinterpret_cast<const char*>(raw.data()), raw.size());
    return;
  }
  if (left_.size() < raw.size()) throw InputError({}, "what was kept is cut");
  std::memcpy(raw.data(), left_.data(), raw.size());
  left_.remove_prefix(raw.size());
}

std::size_t Archive::length(std::size_t items, std::size_t size) {
  std::uint64_t count = items;
  number(count);
  if (reads_ && count > left_.size() / size) throw InputError({}, "what was kept is cut");
  return count;
}

std::size_t Archive::grown_length(std::size_t size) const {
  const std::size_t number = growing_.size();
  if (number >= grown_.size() || grown_[number] % size != 0)
    throw InputError({}, "what was kept is of something else");
  return grown_[number] / size;
}

void Archive::same(std::uint64_t value) {
  std::uint64_t written = value;
  number(written);
  if (written != value) throw InputError({}, "what was kept is of something else");
}

}  // namespace peal::util
