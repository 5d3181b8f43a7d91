#include <peal/util/archive.h>
#include <peal/util/error.h>

#include <cstring>

namespace peal::util {

void Archive::bytes(std::span<std::byte> raw) {
  if (raw.empty()) return;
  if (!reads_) {
    if (write_) return write_(raw);
    written_.append(reinterpret_cast<const char*>(raw.data()), raw.size());
    return;
  }
  if (left_bytes_ < raw.size()) throw InputError({}, "cut short");
  left_bytes_ -= raw.size();
  if (read_) return read_(raw);
  std::memcpy(raw.data(), left_.data(), raw.size());
  left_.remove_prefix(raw.size());
}

void Archive::append(std::string_view written) {
  if (write_) return write_(std::as_bytes(std::span(written)));
  written_ += written;
}

void Archive::truth(bool& value) {
  auto byte = static_cast<std::uint8_t>(value);
  number(byte);
  if (byte > 1) throw InputError({}, "neither true nor false");
  value = byte == 1;
}

void Archive::text(std::string& letters) {
  letters.resize(count(letters.size()));
  bytes(std::as_writable_bytes(std::span(letters)));
}

void Archive::texts(std::vector<std::string>& all) {
  all.resize(count(all.size(), sizeof(std::uint64_t)));
  for (std::string& one : all) text(one);
}

std::size_t Archive::count(std::size_t items, std::size_t least_bytes) {
  std::uint64_t size = items;
  number(size);
  if (reads_ && size > left_bytes_ / least_bytes) throw InputError({}, "cut short");
  return size;
}

std::size_t Archive::grown_length(std::size_t size) const {
  const std::size_t number = growing_.size();
  if (number >= grown_.size() || grown_[number] % size != 0)
    throw InputError({}, "of something else");
  return grown_[number] / size;
}

void Archive::same(std::uint64_t value) {
  std::uint64_t written = value;
  number(written);
  if (written != value) throw InputError({}, "of something else");
}

}  // namespace peal::util
