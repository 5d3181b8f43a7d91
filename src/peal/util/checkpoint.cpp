#include <peal/util/checkpoint.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/store.h>
#include <peal/util/store_entry.h>
#include <peal/util/version.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <utility>

namespace peal::util {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse_state(const std::string& problem) {
  throw InputError({}, problem);
}

}  // namespace

Checkpoint::Checkpoint(fs::path folder, std::string key, double pause)
    : folder_(std::move(folder)),
      key_(std::move(key)),
      pause_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause))) {}

bool Checkpoint::restore(const Serializer& serialize) {
  std::error_code none;
  if (!fs::is_regular_file(state_file(), none)) return false;
  // The state to return to if the stored one does not fit.
  Archive start;
  serialize(start);
  std::vector<std::vector<std::byte>> grown;
  for (const auto& list : start.growing()) grown.emplace_back(list.begin(), list.end());
  try {
    read(serialize);
    return true;
  } catch (const InputError& error) {
    notice_ = fmt::format("{}the checkpoint in {} cannot be used ({}): the simulation starts over",
                          cache_notice, folder_.string(), error.problem());
    std::vector<std::size_t> sizes;
    for (const auto& list : grown) sizes.push_back(list.size());
    Archive back(start.written(), std::move(sizes));
    serialize(back);
    for (std::size_t k = 0; k < grown.size(); ++k)
      std::ranges::copy(grown[k], back.growing()[k].begin());
    return false;
  }
}

void Checkpoint::read(const Serializer& serialize) {
  const FileBytes bytes = read_bytes(state_file());
  Archive header(parse_entry(bytes.view(), state_file(), stored::checkpoint, key_));
  std::vector<Part> parts;
  serialize_header(header, parts);
  Archive state(header.left(), sizes_of(parts));
  serialize(state);
  if (!state.left().empty()) refuse_state("of something else");
  read_parts(parts, state.growing());
  parts_ = std::move(parts);
}

/// A state is valid only for the version of the program that wrote it.
void Checkpoint::serialize_header(Archive& archive, std::vector<Part>& parts) const {
  std::string written_by = version();
  archive.text(written_by);
  if (written_by != version()) refuse_state("written by another version of Peal");
  parts.resize(archive.count(parts.size(), sizeof(std::uint64_t) + sizeof(Checksum::Value)));
  for (Part& part : parts) {
    archive.list(part.sizes);
    archive.number(part.sum);
  }
}

fs::path Checkpoint::file_of(const Part& part) const {
  return folder_ / (hex(part.sum) + ".part");
}

/// The sizes of all growing lists.
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
    if (part.sizes.size() != lists.size()) refuse_state("of something else");
    InputFile file(file_of(part), std::numeric_limits<std::size_t>::max());
    Checksum sum;
    for (std::size_t k = 0; k < lists.size(); ++k) {
      const auto grown = lists[k].first(part.sizes[k]);
      lists[k] = lists[k].subspan(grown.size());
      file.read(reinterpret_cast<char*>(grown.data()), grown.size());
      sum.add(grown);
    }
    if (sum.value() != part.sum) refuse_state("wrong checksum of a part");
  }
}

void Checkpoint::write_if_due(const Serializer& serialize) {
  if (has_failed_ || Clock::now() - last_ < pause_) return;
  try {
    write(serialize);
  } catch (const InputError& error) {
    has_failed_ = true;
    notice_ = fmt::format("{}the unfinished motion could not be stored in {} ({})", cache_notice,
                          folder_.string(), error.problem());
  }
  last_ = Clock::now();
}

Checkpoint::Part Checkpoint::next_part(const Archive& state) const {
  Part next;
  Checksum sum;
  std::vector<std::size_t> before = sizes_of(parts_);
  before.resize(state.growing().size());
  for (std::size_t k = 0; k < before.size(); ++k) {
    const std::size_t size = state.growing()[k].size() - before[k];
    next.sizes.push_back(size);
    sum.add(state.growing()[k].last(size));
  }
  next.sum = sum.value();
  return next;
}

void Checkpoint::write(const Serializer& serialize) {
  Archive state;
  serialize(state);
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
  write_entry(state_file(), stored::checkpoint, key_, [&](Archive& archive) {
    serialize_header(archive, parts);
    archive.append(state.written());
  });
  parts_ = std::move(parts);
}

void Checkpoint::remove() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace peal::util
