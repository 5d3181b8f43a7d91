#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace peal::geometry {

/// Whether the bytes begin as a gzip file does.
bool is_gzip(std::string_view bytes);

/// Decompresses a gzip file piece by piece, so that a small file cannot fill the memory.
class GzipStream {
 public:
  /// `bytes` and `name`, the file for errors, must outlive the stream.
  GzipStream(std::string_view bytes, const std::string& name);
  ~GzipStream();
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  /// Reads the next `count` bytes. Throws InputError if the data are damaged or end before.
  void read(char* into, std::size_t count);
  /// Whether all data were read; then their checksum was right.
  bool at_end();
  /// No more bytes than these can follow: deflate makes at most 1032 of one.
  std::size_t most_left() const;

 private:
  struct State;
  [[noreturn]] void fail(const std::string& problem) const;

  std::unique_ptr<State> state_;
  const std::string& name_;
};

}  // namespace peal::geometry
