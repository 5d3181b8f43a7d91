#include <peal/util/checkpoint.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/version.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <utility>

namespace peal::util {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view state_magic = "peal-state-1\n";

[[noreturn]] void refuse_state() {
  throw InputError({}, "what was kept is damaged, or of something else");
}

/// Sums up bytes, eight at a time. Every step can be undone, so that no single change is missed.
/// Against accident, not against malice.
std::uint64_t sum_of_bytes(std::span<const std::byte> bytes, std::uint64_t sum = 0) {
  const auto add = [&](std::uint64_t word) {
    sum = (sum ^ word) * 0x9E3779B97F4A7C15ull;
    sum ^= sum >> 32;
  };
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= bytes.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, &bytes[i], sizeof(word));
    add(word);
  }
  std::uint64_t rest = 0;
  if (i < bytes.size()) std::memcpy(&rest, &bytes[i], bytes.size() - i);
  add(rest);
  add(bytes.size());
  return sum;
}

void keep_text(Archive& archive, std::string_view text) {
  std::vector<char> letters(text.begin(), text.end());
  archive.list(letters);
  if (std::string_view(letters.data(), letters.size()) != text) refuse_state();
}

}  // namespace

Checkpoint::Checkpoint(fs::path folder, std::string key, double pause)
    : folder_(std::move(folder)),
      key_(std::move(key)),
      pause_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause))) {}

bool Checkpoint::restore(const Keep& keep) {
  std::error_code error;
  if (!fs::is_regular_file(folder_ / "state", error)) return false;
  // What to go back to if it turns out that it does not fit.
  Archive start;
  keep(start);
  std::vector<std::vector<std::byte>> grown;
  for (const auto& list : start.growing()) grown.emplace_back(list.begin(), list.end());
  try {
    read(keep);
    return true;
  } catch (const InputError&) {
    std::vector<std::size_t> sizes;
    for (const auto& list : grown) sizes.push_back(list.size());
    Archive back(start.written(), std::move(sizes));
    keep(back);
    for (std::size_t k = 0; k < grown.size(); ++k)
      std::ranges::copy(grown[k], back.growing()[k].begin());
    return false;
  }
}

void Checkpoint::read(const Keep& keep) {
  const FileBytes bytes = read_bytes(folder_ / "state");
  std::string_view content = bytes.view();
  std::uint64_t sum = 0;
  if (content.size() < sizeof(sum)) refuse_state();
  std::memcpy(&sum, content.data() + content.size() - sizeof(sum), sizeof(sum));
  content.remove_suffix(sizeof(sum));
  if (sum_of_bytes(std::as_bytes(std::span(content))) != sum) refuse_state();
  Archive header(content);
  std::vector<Part> parts;
  keep_header(header, parts);
  Archive state(header.left(), sizes_of(parts));
  keep(state);
  if (!state.left().empty()) refuse_state();
  read_parts(parts, state.growing());
  parts_ = std::move(parts);
}

void Checkpoint::keep_header(Archive& archive, std::vector<Part>& parts) const {
  keep_text(archive, state_magic);
  keep_text(archive, version());
  keep_text(archive, key_);
  parts.resize(archive.count(parts.size()));
  for (Part& part : parts) {
    archive.list(part.sizes);
    archive.number(part.sum);
  }
}

fs::path Checkpoint::file_of(const Part& part) const {
  return folder_ / fmt::format("{:016x}.part", part.sum);
}

/// Of all growing lists.
std::vector<std::size_t> Checkpoint::sizes_of(const std::vector<Part>& parts) {
  std::vector<std::size_t> sizes;
  for (const Part& part : parts) {
    sizes.resize(part.sizes.size());
    for (std::size_t k = 0; k < sizes.size(); ++k) sizes[k] += part.sizes[k];
  }
  return sizes;
}

void Checkpoint::read_parts(const std::vector<Part>& parts,
                            std::vector<std::span<std::byte>> lists) const {
  for (const Part& part : parts) {
    if (part.sizes.size() != lists.size()) refuse_state();
    InputFile file(file_of(part), std::numeric_limits<std::size_t>::max());
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < lists.size(); ++k) {
      const auto grown = lists[k].first(part.sizes[k]);
      lists[k] = lists[k].subspan(grown.size());
      file.read(reinterpret_cast<char*>(grown.data()), grown.size());
      sum = sum_of_bytes(grown, sum);
    }
    if (sum != part.sum) refuse_state();
  }
}

void Checkpoint::write_if_due(const Keep& keep) {
  if (has_failed_ || Clock::now() - last_ < pause_) return;
  try {
    write(keep);
  } catch (const InputError&) {
    has_failed_ = true;
  }
  last_ = Clock::now();
}

Checkpoint::Part Checkpoint::next_part(const Archive& state) const {
  Part next;
  std::vector<std::size_t> before = sizes_of(parts_);
  before.resize(state.growing().size());
  for (std::size_t k = 0; k < before.size(); ++k) {
    const std::size_t size = state.growing()[k].size() - before[k];
    next.sizes.push_back(size);
    next.sum = sum_of_bytes(state.growing()[k].last(size), next.sum);
  }
  return next;
}

void Checkpoint::write(const Keep& keep) {
  Archive state;
  keep(state);
  std::vector<Part> parts = parts_;
  const Part& next = parts.emplace_back(next_part(state));
  write_file(file_of(next), [&](const fs::path& temporary) {
    std::ofstream out(temporary, std::ios::binary);
    for (std::size_t k = 0; k < next.sizes.size(); ++k) {
      const auto grown = state.growing()[k].last(next.sizes[k]);
      out.write(reinterpret_cast<const char*>(grown.data()),
                static_cast<std::streamsize>(grown.size()));
    }
    out.close();
    if (!out) throw InputError({temporary.string(), ""}, "cannot be written");
  });
  Archive whole;
  keep_header(whole, parts);
  std::string bytes(whole.written());
  bytes += state.written();
  const std::uint64_t sum = sum_of_bytes(std::as_bytes(std::span(bytes)));
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof(sum));
  write_file(folder_ / "state", bytes);
  parts_ = std::move(parts);
}

void Checkpoint::remove() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace peal::util
