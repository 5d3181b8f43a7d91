#include <peal/geometry/io/read_stream.h>

#include <algorithm>
#include <cstring>

namespace peal::geometry {

ByteStream::ByteStream(std::string_view bytes) : available_(bytes), size_(bytes.size()) {}

ByteStream::ByteStream(util::InputFile& file, std::size_t window)
    : file_(&file), window_(window), available_(window_.data(), 0), size_(file.size()) {}

void ByteStream::skip(std::size_t count) {
  while (count > available_.size()) {
    const std::size_t passed = available_.size();
    available_.remove_prefix(passed);
    position_ += passed;
    count -= passed;
    refill(1);
  }
  available_.remove_prefix(count);
  position_ += count;
}

/// Moves what is left of the window to its front and fills the rest from the file.
void ByteStream::refill(std::size_t least) {
  least = std::min(least, left());
  if (file_ == nullptr || available_.size() >= least) return;
  std::vector<char> larger;
  if (least > window_.size()) larger.resize(least);
  std::vector<char>& window = larger.empty() ? window_ : larger;
  const std::size_t kept = available_.size();
  std::memmove(window.data(), available_.data(), kept);
  const std::size_t more = std::min(window.size() - kept, left() - kept);
  file_->read(window.data() + kept, more);
  if (!larger.empty()) window_ = std::move(larger);
  available_ = {window_.data(), kept + more};
}

}  // namespace peal::geometry
