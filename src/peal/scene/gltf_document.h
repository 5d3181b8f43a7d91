#pragma once

#include <peal/util/error.h>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace peal::scene::gltf {

/// A value inside the JSON together with its place, so that every complaint can name it.
class Value {
 public:
  Value(const nlohmann::json& json, const std::string& file, std::string path)
      : json_(&json), file_(&file), path_(std::move(path)) {}

  const nlohmann::json& json() const { return *json_; }
  const std::string& path() const { return path_; }

  Value at(const char* key) const;                   ///< throws if the key is missing
  std::optional<Value> find(const char* key) const;  ///< nothing if the key is missing
  Value at(std::size_t index) const;                 ///< an element of an array
  std::size_t array_size() const;                    ///< throws if this is not an array
  const std::string& text() const;
  bool flag() const;
  double number() const;                                                 ///< finite
  std::int64_t integer(std::int64_t smallest, std::int64_t last) const;  ///< both ends included
  /// An index into an array of `count` things of a kind ("nodes", "accessors").
  int index(std::size_t count, const char* kind) const;
  nlohmann::json extras() const;  ///< null if there are none

  [[noreturn]] void fail(const std::string& problem, const std::string& hint = {}) const;

 private:
  const nlohmann::json* json_;
  const std::string* file_;
  std::string path_;
};

/// A glTF file with its buffers at hand.
class Document {
 public:
  Document(std::string_view bytes, std::string name, const std::filesystem::path& base_dir);
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  const std::string& name() const { return name_; }
  Value root() const { return {json_, name_, ""}; }
  std::size_t count(const char* array) const;          ///< length of a top-level array
  Value item(const char* array, std::size_t i) const;  ///< "accessors[3]"
  std::string_view buffer(std::size_t i) const { return buffers_[i]; }

  /// Counts memory taken for decoded data. Many items may name the same bytes, so a small file
  /// could ask for any amount; honest ones share a few times at most.
  void charge(std::uint64_t bytes, const Value& cause);
  /// Bytes of the file and all its buffers.
  std::uint64_t source_bytes() const { return source_bytes_; }

 private:
  std::string_view split_container(std::string_view bytes, std::optional<std::string_view>& binary);
  void parse_json(std::string_view text);
  void check_version_and_extensions() const;
  void load_buffers(std::optional<std::string_view> binary, const std::filesystem::path& base_dir);
  std::string_view load(const Value& uri, const std::filesystem::path& base_dir);

  std::string name_;
  nlohmann::json json_;
  std::map<std::string, std::string> loaded_;  ///< decoded or read, by URI
  std::vector<std::string_view> buffers_;
  std::uint64_t source_bytes_ = 0;
  std::uint64_t charged_ = 0;
};

/// Bytes of a `data:` URI with base64 content.
std::string decode_data_uri(const Value& uri);

}  // namespace peal::scene::gltf
