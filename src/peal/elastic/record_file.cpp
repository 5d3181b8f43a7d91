#include <peal/elastic/surface_record.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/large_pages.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace peal::elastic {

namespace {

constexpr std::string_view record_magic = "PEALREC2";

/// Numbers as they are in memory: the files are this machine's own.
class RecordWriter {
 public:
  explicit RecordWriter(const std::filesystem::path& file) : out_(file, std::ios::binary) {}

  template <class Number>
  void number(Number value) {
    bytes(&value, sizeof(value));
  }
  template <class Item>
  void list(const std::vector<Item>& items) {
    number(static_cast<std::uint64_t>(items.size()));
    bytes(items.data(), items.size() * sizeof(Item));
  }
  void texts(const std::vector<std::string>& all) {
    number(static_cast<std::uint64_t>(all.size()));
    for (const std::string& text : all) list(std::vector<char>(text.begin(), text.end()));
  }
  void bytes(const void* data, std::size_t count) {
    out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(count));
  }
  /// Whether everything has arrived.
  bool close() {
    out_.close();
    return static_cast<bool>(out_);
  }

 private:
  std::ofstream out_;
};

/// Straight into place, as records are large. Throws InputError where the file ends too soon.
class RecordReader {
 public:
  explicit RecordReader(const std::filesystem::path& file)
      : file_(file, std::numeric_limits<std::size_t>::max()), left_(file_.size()) {}

  template <class Number>
  Number number() {
    Number value;
    bytes(&value, sizeof(value));
    return value;
  }
  template <class Item>
  std::vector<Item> list() {
    const auto count = number<std::uint64_t>();
    if (count > left_ / sizeof(Item)) throw util::InputError({}, "the record is cut");
    std::vector<Item> items;
    items.reserve(count);
    util::prefer_large_pages(items.data(), count * sizeof(Item));
    items.resize(count);
    bytes(items.data(), count * sizeof(Item));
    return items;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> all;
    for (auto left = number<std::uint64_t>(); left > 0; --left) {
      const std::vector<char> text = list<char>();
      all.emplace_back(text.begin(), text.end());
    }
    return all;
  }
  void bytes(void* into, std::size_t count) {
    if (count > left_) throw util::InputError({}, "the record is cut");
    left_ -= count;
    file_.read(static_cast<char*>(into), count);
  }
  bool is_empty() const { return left_ == 0; }

 private:
  util::InputFile file_;
  std::size_t left_;  ///< [bytes]
};

bool is_whole(const SurfaceRecord& record) {
  const std::size_t channels = record.channels();
  if (channels == 0 || record.rate.hz <= 0 || record.displacements.empty()) return false;
  if (record.accelerations.size() % channels != 0 || record.displacements.size() % channels != 0)
    return false;
  for (const geometry::Triangle& triangle : record.mesh.triangles) {
    for (const std::uint32_t corner : triangle) {
      if (corner >= record.mesh.vertices.size()) return false;
    }
  }
  return true;
}

bool is_whole(const base::ContactLog& log) {
  return std::ranges::all_of(log.records, [&](const base::ContactRecord& record) {
    return std::max(record.body_a, record.body_b) < log.bodies.size();
  });
}

}  // namespace

void write_recording(const std::filesystem::path& file, const Recording& recording) {
  util::write_file(file, [&](const std::filesystem::path& temporary) {
    RecordWriter out(temporary);
    out.bytes(record_magic.data(), record_magic.size());
    out.number(static_cast<std::uint64_t>(recording.surfaces.size()));
    for (const SurfaceRecord& record : recording.surfaces) {
      out.number(record.rate.hz);
      out.list(record.mesh.vertices);
      out.list(record.mesh.triangles);
      out.list(record.accelerations);
      out.list(record.displacements);
    }
    out.number(static_cast<std::uint64_t>(recording.paths.size()));
    for (const PathRecord& path : recording.paths) out.list(path.poses);
    out.texts(recording.contacts.bodies);
    out.number(recording.contacts.step);
    out.list(recording.contacts.records);
    out.number(recording.rest_impulse);
    out.texts(recording.findings);
    if (!out.close()) throw util::InputError({file.string(), ""}, "cannot be written");
  });
}

std::optional<Recording> read_recording(const std::filesystem::path& file) try {
  if (!std::filesystem::exists(file)) return std::nullopt;
  RecordReader in(file);
  std::array<char, record_magic.size()> magic;
  in.bytes(magic.data(), magic.size());
  if (std::string_view(magic.data(), magic.size()) != record_magic) return std::nullopt;
  Recording recording;
  for (auto left = in.number<std::uint64_t>(); left > 0; --left) {
    SurfaceRecord& record = recording.surfaces.emplace_back();
    record.rate.hz = in.number<std::int64_t>();
    record.mesh.vertices = in.list<geometry::Vec3>();
    record.mesh.triangles = in.list<geometry::Triangle>();
    record.accelerations = in.list<float>();
    record.displacements = in.list<float>();
    if (!is_whole(record)) return std::nullopt;
  }
  for (auto left = in.number<std::uint64_t>(); left > 0; --left) {
    recording.paths.push_back({in.list<double>()});
  }
  recording.contacts.bodies = in.texts();
  recording.contacts.step = in.number<double>();
  recording.contacts.records = in.list<base::ContactRecord>();
  recording.rest_impulse = in.number<double>();
  recording.findings = in.texts();
  if (!is_whole(recording.contacts)) return std::nullopt;
  if (!in.is_empty()) return std::nullopt;
  return recording;
} catch (const util::InputError&) {
  return std::nullopt;
}

}  // namespace peal::elastic
