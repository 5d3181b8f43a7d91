#pragma once

#include <peal/util/files.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace peal::geometry {

/// Sequential access to the bytes of a buffer, or of a file through a window small enough to stay
/// in the processor's cache (the page faults of a buffer for a whole file cost more than reading
/// it).
class ByteStream {
 public:
  explicit ByteStream(std::string_view bytes);
  /// `window` is the number of bytes read at a time. The file must outlive the stream.
  explicit ByteStream(util::InputFile& file, std::size_t window = 256 << 10);

  std::size_t position() const { return position_; }      ///< [byte]
  std::size_t left() const { return size_ - position_; }  ///< [byte]

  /// The available bytes, at least `least` of them unless the stream ends first. Valid until the
  /// next call.
  std::string_view peek(std::size_t least) {
    if (available_.size() < least) refill(least);
    return available_;
  }
  /// Skips at most left() bytes.
  void skip(std::size_t count);

 private:
  void refill(std::size_t least);

  util::InputFile* file_ = nullptr;
  std::vector<char> window_;
  std::string_view available_;
  std::size_t position_ = 0;
  std::size_t size_ = 0;
};

}  // namespace peal::geometry
