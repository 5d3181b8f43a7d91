#pragma once

#include <peal/scene/gltf.h>
#include <peal/util/error.h>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace peal::scene {

inline std::string base64(std::string_view bytes) {
  static constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string code;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t j = 0; j < 3; ++j) {
      bits = bits << 8 | (j < have ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      code += j <= have ? alphabet[bits >> (18 - 6 * j) & 63] : '=';
    }
  }
  return code;
}

/// Puts glTF files together for tests: `json` is open for mischief before text() or glb().
class GltfBuilder {
 public:
  nlohmann::json json = {{"asset", {{"version", "2.0"}}}};
  std::string binary;

  /// Appends numbers to the buffer as a view with an accessor; returns the accessor's index.
  template <class T>
  int accessor(const std::vector<T>& numbers, const char* type, int component_type,
               bool normalized = false) {
    while (binary.size() % 4 != 0) binary += '\0';
    const std::size_t bytes = numbers.size() * sizeof(T);
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", bytes}});
    binary.append(reinterpret_cast<const char*>(numbers.data()), bytes);
    const std::string kind = type;
    const std::size_t width = kind == "SCALAR" ? 1 : kind == "VEC3" ? 3 : kind == "VEC4" ? 4 : 16;
    nlohmann::json entry = {{"bufferView", json["bufferViews"].size() - 1},
                            {"componentType", component_type},
                            {"count", numbers.size() / width},
                            {"type", type}};
    if (normalized) entry["normalized"] = true;
    return push("accessors", entry);
  }
  int floats(const std::vector<float>& numbers, const char* type) {
    return accessor(numbers, type, 5126);
  }

  int push(const char* array, const nlohmann::json& entry) {
    json[array].push_back(entry);
    return static_cast<int>(json[array].size()) - 1;
  }

  /// One animation with one channel.
  int animate(int node, const char* path, const std::vector<float>& times,
              const std::vector<float>& values, const char* interpolation = "LINEAR") {
    const int input = floats(times, "SCALAR");
    const std::string_view kind = path;
    const int output = floats(values, kind == "rotation"  ? "VEC4"
                                      : kind == "weights" ? "SCALAR"
                                                          : "VEC3");
    return push(
        "animations",
        {{"channels", {{{"sampler", 0}, {"target", {{"node", node}, {"path", path}}}}}},
         {"samplers", {{{"input", input}, {"output", output}, {"interpolation", interpolation}}}}});
  }

  std::string text() const {
    nlohmann::json copy = json;
    if (!binary.empty()) {
      copy["buffers"] = {{{"byteLength", binary.size()},
                          {"uri", "data:application/octet-stream;base64," + base64(binary)}}};
    }
    return copy.dump();
  }

  std::string glb() const {
    nlohmann::json copy = json;
    std::string body = binary;
    while (body.size() % 4 != 0) body += '\0';
    if (!binary.empty()) copy["buffers"] = {{{"byteLength", binary.size()}}};
    std::string header = copy.dump();
    while (header.size() % 4 != 0) header += ' ';
    const auto word = [](std::size_t value) {
      const auto number = static_cast<std::uint32_t>(value);
      std::string bytes(4, '\0');
      std::memcpy(bytes.data(), &number, 4);
      return bytes;
    };
    return "glTF" + word(2) + word(28 + header.size() + body.size()) + word(header.size()) +
           "JSON" + header + word(body.size()) + std::string("BIN\0", 4) + body;
  }
};

inline GltfFile parse(const GltfBuilder& builder) {
  return parse_gltf(builder.text(), "a.gltf", "");
}

/// What the reader says about a file; "" if it accepts it.
inline std::string complaint(const GltfBuilder& builder) {
  try {
    parse(builder);
    return "";
  } catch (const util::InputError& error) {
    return error.what();
  }
}

}  // namespace peal::scene
