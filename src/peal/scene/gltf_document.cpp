#include <peal/scene/gltf_document.h>
#include <peal/util/files.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace peal::scene::gltf {

namespace {

constexpr std::uint64_t most_bytes_per_source_byte = 64;
constexpr std::uint64_t always_allowed_bytes = 1 << 20;
constexpr int deepest_nesting = 128;  // copying deeper JSON would overflow the stack

std::uint32_t word(std::string_view bytes, std::size_t offset) {
  std::uint32_t value;  // glTF is little-endian, as are the machines Peal runs on
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// Nesting of brackets outside strings; the parser itself would take any depth.
int nesting(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

std::string percent_decoded(std::string_view uri) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0) {
      text += static_cast<char>(16 * digit(uri[i + 1]) + digit(uri[i + 2]));
      i += 2;
    } else {
      text += uri[i];
    }
  }
  return text;
}

/// Extensions that change neither where vertices are nor how nodes move.
bool leaves_shape_alone(const std::string& extension) {
  static constexpr std::array prefixes = {"KHR_materials_",       "KHR_texture_", "EXT_texture_",
                                          "MSFT_texture_",        "KHR_lights_",  "KHR_xmp",
                                          "KHR_mesh_quantization"};
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const char* prefix) { return extension.starts_with(prefix); });
}

}  // namespace

Document::Document(std::string_view bytes, std::string name, const std::filesystem::path& base_dir)
    : name_(std::move(name)), source_bytes_(bytes.size()) {
  std::optional<std::string_view> binary;
  parse_json(split_container(bytes, binary));
  check_version_and_extensions();
  load_buffers(binary, base_dir);
}

std::string_view Document::split_container(std::string_view bytes,
                                           std::optional<std::string_view>& binary) {
  if (!bytes.starts_with("glTF")) return bytes;
  const auto fail = [&](std::size_t byte, const std::string& problem) {
    throw util::InputError({name_, fmt::format("byte {}", byte)}, problem,
                           "Export the .glb again; it may have been cut short.");
  };
  if (bytes.size() < 20) fail(bytes.size(), "the GLB header is cut short");
  if (word(bytes, 4) != 2) fail(4, fmt::format("is GLB version {}, not 2", word(bytes, 4)));
  if (word(bytes, 8) != bytes.size()) {
    fail(8, fmt::format("the header says {} bytes, but the file has {}", word(bytes, 8),
                        bytes.size()));
  }
  constexpr std::uint32_t json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;
  std::string_view text;
  for (std::size_t offset = 12, chunk = 0; offset < bytes.size(); ++chunk) {
    if (bytes.size() - offset < 8) fail(offset, "the header of a chunk is cut short");
    const std::size_t size = word(bytes, offset);
    const std::uint32_t kind = word(bytes, offset + 4);
    offset += 8;
    if (size > bytes.size() - offset) fail(offset - 8, "a chunk is longer than the file");
    if (chunk == 0 && kind != json_chunk) fail(offset - 4, "the first chunk is not JSON");
    if (chunk == 0) text = bytes.substr(offset, size);
    if (chunk == 1 && kind == binary_chunk) binary = bytes.substr(offset, size);
    offset += size;
  }
  return text;
}

void Document::parse_json(std::string_view text) {
  if (nesting(text) > deepest_nesting) {
    throw util::InputError({name_, ""},
                           fmt::format("brackets are nested deeper than {}", deepest_nesting));
  }
  try {
    json_ = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw util::InputError(
        {name_, fmt::format("byte {} of the JSON", error.byte)},
        "is not JSON: " + std::string(error.what()).substr(0, 200),
        "A glTF file is JSON (.gltf), or binary and starts with \"glTF\" (.glb).");
  } catch (const nlohmann::json::exception& error) {
    throw util::InputError({name_, ""}, "is not JSON: " + std::string(error.what()).substr(0, 200));
  }
  if (!json_.is_object()) throw util::InputError({name_, ""}, "is JSON, but not a glTF object");
}

void Document::check_version_and_extensions() const {
  const Value version = root().at("asset").at("version");
  if (!version.text().starts_with("2.")) {
    version.fail(fmt::format("is \"{}\", but Peal reads glTF 2.0", version.text()));
  }
  const auto required = root().find("extensionsRequired");
  if (!required) return;
  for (std::size_t i = 0; i < required->array_size(); ++i) {
    const std::string& extension = required->at(i).text();
    if (leaves_shape_alone(extension)) continue;
    const bool compressed =
        extension == "KHR_draco_mesh_compression" || extension == "EXT_meshopt_compression";
    required->at(i).fail(
        fmt::format("the file needs the extension {}, which Peal does not read", extension),
        compressed ? "Export without compression." : "Export without this extension.");
  }
}

std::size_t Document::count(const char* array) const {
  const auto value = root().find(array);
  return value ? value->array_size() : 0;
}

Value Document::item(const char* array, std::size_t i) const {
  return root().at(array).at(i);
}

void Document::load_buffers(std::optional<std::string_view> binary,
                            const std::filesystem::path& base_dir) {
  for (std::size_t i = 0; i < count("buffers"); ++i) {
    const Value buffer = item("buffers", i);
    const Value length = buffer.at("byteLength");
    const auto wanted = static_cast<std::size_t>(length.integer(0, std::int64_t{1} << 40));
    std::string_view data;
    if (const auto uri = buffer.find("uri")) {
      data = load(*uri, base_dir);
    } else if (i == 0 && binary) {
      data = *binary;
    } else {
      buffer.fail("has no \"uri\", and the file has no binary chunk for it");
    }
    if (wanted > data.size()) {
      length.fail(fmt::format("is {}, but there are only {} bytes", wanted, data.size()),
                  "Export again; the data may have been cut short.");
    }
    buffers_.push_back(data.substr(0, wanted));
  }
}

std::string_view Document::load(const Value& uri, const std::filesystem::path& base_dir) {
  const std::string& text = uri.text();
  const auto known = loaded_.find(text);
  if (known != loaded_.end()) return known->second;

  if (text.starts_with("data:")) return loaded_[text] = decode_data_uri(uri);
  const std::filesystem::path path = percent_decoded(text);
  const bool climbs = std::find(path.begin(), path.end(), "..") != path.end();
  if (text.empty() || text.find("://") != std::string::npos || path.is_absolute() || climbs ||
      base_dir.empty() || path.native().find('\0') != std::string::npos) {
    uri.fail(fmt::format("\"{}\" is not a file beside this one", text.substr(0, 200)),
             "Keep the .bin file in the same folder, or export one .glb file.");
  }
  std::string& data = loaded_[text];
  data = util::read_file(base_dir / path);
  source_bytes_ += data.size();
  return data;
}

void Document::charge(std::uint64_t bytes, const Value& cause) {
  charged_ += bytes;
  if (charged_ > most_bytes_per_source_byte * source_bytes_ + always_allowed_bytes) {
    cause.fail(fmt::format("the file's data is used so many times that it needs more than {} times "
                           "the memory of the file",
                           most_bytes_per_source_byte),
               "Share meshes between nodes instead of data between meshes.");
  }
}

std::string decode_data_uri(const Value& uri) {
  const std::string& text = uri.text();
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos || !std::string_view(text).substr(0, comma).ends_with(";base64")) {
    uri.fail("is a data URI that is not base64");
  }
  std::string_view code = std::string_view(text).substr(comma + 1);
  while (code.ends_with('=')) code.remove_suffix(1);
  static constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<int, 256> value;
  value.fill(-1);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    value[static_cast<unsigned char>(alphabet[i])] = static_cast<int>(i);
  }
  std::string data;
  data.reserve(code.size() / 4 * 3 + 3);
  unsigned bits = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const int six = value[static_cast<unsigned char>(code[i])];
    if (six < 0) uri.fail(fmt::format("character {} is not base64", comma + 1 + i));
    bits = (bits << 6 | static_cast<unsigned>(six)) & 0xFFFFFF;
    if (i % 4 != 0) data += static_cast<char>(bits >> (6 - 2 * (i % 4)) & 0xFF);
  }
  return data;
}

}  // namespace peal::scene::gltf
