#pragma once

#include <peal/scene/read_scene.h>
#include <peal/util/problems.h>

#include <fmt/format.h>

#include <string>

#include "source_dir.h"

namespace peal::scene {

/// A scene with these objects and one microphone.
inline std::string scene_with_objects(const std::string& objects, const std::string& more = "") {
  return fmt::format(R"({{"peal": 1, "duration": 2, {} "objects": [{}],
                         "listeners": [{{"name": "mic", "mono": {{}}}}]}})",
                     more, objects);
}

inline std::string scene_with_motion(const std::string& motion, const std::string& more = "") {
  return scene_with_objects(fmt::format(R"({{"motion": {}}})", motion), more);
}

inline std::string scene_with_point(const std::string& keys, const std::string& more = "") {
  return scene_with_objects(fmt::format(R"({{"sound": [{{"point": {{{}}}}}]}})", keys), more);
}

inline std::string scene_with_listener(const std::string& listener) {
  return fmt::format(R"({{"peal": 1, "duration": 2, "objects": [{{}}], "listeners": [{}]}})",
                     listener);
}

inline std::filesystem::path data_folder() {
  return std::filesystem::path(PEAL_SOURCE_DIR) / "tests" / "data" / "manual";
}

inline Scene parse(const std::string& text) {
  return parse_scene(text, "scene.json", data_folder());
}

/// What the reader says about a scene; "" if it accepts it.
inline std::string complaint(const std::string& text) {
  try {
    parse(text);
    return "";
  } catch (const util::InputError& error) {
    return error.what();
  }
}

}  // namespace peal::scene
