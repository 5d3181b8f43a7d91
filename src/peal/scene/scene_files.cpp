#include <peal/scene/scene_files.h>
#include <peal/util/checksum.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/fingerprint.h>
#include <peal/util/json.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <span>
#include <string_view>

namespace peal::scene {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_name = 4096;

bool is_document(const fs::path& file) {
  const std::string extension = file.extension().string();
  return extension == ".json" || extension == ".jsonl" || extension == ".gltf" ||
         extension == ".glb";
}

/// The JSON of a scene or of a glTF file, or the header of JSON Lines; null if there is none.
nlohmann::json document_of(const fs::path& file) try {
  std::string bytes = util::read_file(file);
  constexpr std::size_t header = 20;  // of a .glb, and of its first chunk [byte]
  if (bytes.starts_with("glTF") && bytes.size() > header) {
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 12, sizeof(length));
    bytes = bytes.substr(header, length);
  }
  if (file.extension() == ".jsonl") bytes.resize(std::min(bytes.find('\n'), bytes.size()));
  return util::parse_json(bytes, file.string());
} catch (const util::InputError&) {
  return nullptr;  // those who need it read it with all checks
}

void add_texts(const nlohmann::json& value, std::set<std::string>& texts) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (!text.empty() && text.size() < longest_name && !text.starts_with("data:") &&
        text.find('\0') == std::string::npos)
      texts.insert(text);
  } else if (value.is_array()) {
    for (const auto& part : value) add_texts(part, texts);
  } else if (value.is_object()) {
    for (const auto& [key, part] : value.items()) {
      if (key != "$schema") add_texts(part, texts);  // that is for editors
    }
  }
}

/// "my%20mesh.bin" in a glTF file is "my mesh.bin".
std::string uri_decoded(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto is_digit = [&](std::size_t at) {
      return at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    if (text[i] == '%' && is_digit(i + 1) && is_digit(i + 2)) {
      result += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// The files of a sequence, "cloth.####.ply" or "cloth.%04d.ply".
void add_numbered(const fs::path& pattern, std::set<fs::path>& files) {
  const std::string name = pattern.filename().string();
  const std::size_t begin = name.find_first_of("#%");
  if (begin == std::string::npos) return;
  const std::size_t end = name[begin] == '#' ? name.find_first_not_of('#', begin)
                                             : std::min(name.find('d', begin), name.size() - 1) + 1;
  const std::string head = name.substr(0, begin);
  const std::string tail = end < name.size() ? name.substr(end) : "";
  std::error_code error;
  const fs::path folder = pattern.has_parent_path() ? pattern.parent_path() : fs::path(".");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string other = entry.path().filename().string();
    if (other.size() <= head.size() + tail.size() || !other.starts_with(head) ||
        !other.ends_with(tail))
      continue;
    const std::string_view number =
        std::string_view(other).substr(head.size(), other.size() - head.size() - tail.size());
    if (number.find_first_not_of("0123456789") == std::string_view::npos && is_file(entry.path()))
      files.insert(entry.path());
  }
}

void add_named(const fs::path& document, std::set<fs::path>& files) {
  std::set<std::string> texts;
  add_texts(document_of(document), texts);
  std::set<fs::path> found;
  for (const std::string& text : texts) {
    // "scene.glb#phone" is a node of a file.
    for (const std::string& name : {text, text.substr(0, text.rfind('#')), uri_decoded(text)}) {
      const fs::path file = (document.parent_path() / name).lexically_normal();
      if (is_file(file)) found.insert(file);
    }
    add_numbered(document.parent_path() / text, found);
  }
  for (const fs::path& file : found) {
    if (files.insert(file).second && is_document(file)) add_named(file, files);
  }
}

}  // namespace

std::vector<fs::path> files_of_scene(const fs::path& scene) {
  const fs::path own = scene.lexically_normal();
  std::set<fs::path> files = {own};
  add_named(own, files);
  files.erase(own);
  std::vector<fs::path> all = {own};
  all.insert(all.end(), files.begin(), files.end());
  return all;
}

std::string hash_of_files(const std::vector<fs::path>& files) {
  constexpr std::size_t at_once = std::size_t{1} << 20;  // [byte]
  std::vector<char> block(at_once);
  util::Fingerprint fingerprint;
  for (const fs::path& path : files) {
    util::InputFile file(path, std::numeric_limits<std::size_t>::max());
    util::Checksum sum;
    for (std::size_t left = file.size(); left > 0;) {
      const std::size_t count = std::min(left, at_once);
      file.read(block.data(), count);
      sum.add(std::as_bytes(std::span(block).first(count)));
      left -= count;
    }
    fingerprint.add(path.filename().string());
    fingerprint.add(file.size());
    fingerprint.add(util::hex(sum.value()));
  }
  return fingerprint.hex();
}

}  // namespace peal::scene
