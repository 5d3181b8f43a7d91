#include <peal/geometry/io/inflate.h>
#include <peal/util/error.h>

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace peal::geometry {

struct GzipStream::State {
  z_stream stream{};
  std::string_view left;  ///< compressed bytes that zlib has not been given
  bool ended = false;
};

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

GzipStream::GzipStream(std::string_view bytes, const std::string& name)
    : state_(std::make_unique<State>()), name_(name) {
  constexpr int gzip_only = 16 + MAX_WBITS;
  state_->left = bytes;
  if (inflateInit2(&state_->stream, gzip_only) != Z_OK)
    throw std::runtime_error("zlib could not be started");
}

GzipStream::~GzipStream() {
  inflateEnd(&state_->stream);
}

void GzipStream::fail(const std::string& problem) const {
  throw util::InputError({name_, ""}, problem, "Copy the file again, or export it again.");
}

void GzipStream::read(char* into, std::size_t count) {
  constexpr std::size_t most = std::numeric_limits<uInt>::max() / 2;
  z_stream& stream = state_->stream;
  while (count > 0) {
    if (state_->ended) fail("the file ends too early");
    if (stream.avail_in == 0) {
      const std::size_t given = std::min(state_->left.size(), most);
      // zlib does not write to its input.
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(state_->left.data()));
      stream.avail_in = static_cast<uInt>(given);
      state_->left.remove_prefix(given);
    }
    const auto asked = static_cast<uInt>(std::min(count, most));
    stream.next_out = reinterpret_cast<Bytef*>(into);
    stream.avail_out = asked;
    const int result = inflate(&stream, Z_NO_FLUSH);
    const std::size_t got = asked - stream.avail_out;
    into += got;
    count -= got;
    if (result == Z_STREAM_END) {
      state_->ended = true;
    } else if (result == Z_BUF_ERROR && state_->left.empty()) {
      fail("the compressed data end too early");
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      fail("the compressed data are damaged");
    }
  }
}

bool GzipStream::at_end() {
  if (state_->ended) return true;
  // The end of the data comes after their last byte.
  z_stream& stream = state_->stream;
  Bytef beyond = 0;
  if (stream.avail_in == 0 && !state_->left.empty()) return false;
  stream.next_out = &beyond;
  stream.avail_out = 1;
  const int result = inflate(&stream, Z_NO_FLUSH);
  if (result == Z_STREAM_END) state_->ended = true;
  if (result == Z_DATA_ERROR) fail("the compressed data are damaged");
  return state_->ended && stream.avail_out == 1;
}

std::size_t GzipStream::most_left() const {
  constexpr std::size_t most_ratio = 1032, window = std::size_t{64} << 10;
  if (state_->ended) return 0;
  return (state_->left.size() + state_->stream.avail_in) * most_ratio + window;
}

}  // namespace peal::geometry
