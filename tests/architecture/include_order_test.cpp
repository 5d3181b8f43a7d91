#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "source_dir.h"

/// The order of the modules (docs/architecture.md), checked on every #include: a module uses only
/// lower layers; modules of one layer never use each other.
namespace peal {
namespace {

namespace fs = std::filesystem;

const std::vector<std::vector<std::string>> layers{
    {"util"},
    {"geometry"},
    {"base"},
    {"scene", "fem"},
    {"dynamics", "elastic", "contact", "vibration", "bubbles", "shaders", "wave", "radiation",
     "listener", "play", "plot"},
    {"sounds"},
    {"simulate"},
    {"render"},
    {"validation", "explore", "farm"},
};

/// Sub-folders of a module have an order, too: each uses only those before it.
const std::map<std::string, std::vector<std::string>> sub_folders{
    {"geometry", {"mesh", "shapes", "io", "repair", "volume"}},
    {"wave",
     {"grid", "boundary", "scheme", "sources", "far_field", "device", "driver", "multipoles"}},
};

std::optional<std::size_t> layer_of(const std::string& module) {
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    for (const std::string& name : layers[layer]) {
      if (name == module) return layer;
    }
  }
  return std::nullopt;
}

/// Modules that a file includes, as written.
std::vector<std::string> included_modules(const fs::path& file) {
  static const std::regex include(R"re(^\s*#\s*include\s*["<](?:\.\./)*(?:peal/)?(\w+)/)re");
  std::vector<std::string> modules;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_search(line, match, include)) modules.push_back(match[1]);
  }
  return modules;
}

/// Sub-folders of a module that a file includes, as written.
std::vector<std::string> included_sub_folders(const fs::path& file, const std::string& module) {
  const std::regex include(R"re(^\s*#\s*include\s*["<](?:\.\./)*(?:peal/)?)re" + module +
                           R"re(/(\w+)/)re");
  std::vector<std::string> folders;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_search(line, match, include)) folders.push_back(match[1]);
  }
  return folders;
}

bool may_include_within(const std::vector<std::string>& order, const std::string& from,
                        const std::string& to) {
  const auto place = [&](const std::string& name) { return std::ranges::find(order, name); };
  return place(from) != order.end() && place(to) <= place(from);
}

bool may_include(const std::string& from, const std::string& to) {
  return from == to || (layer_of(to) && *layer_of(to) < *layer_of(from));
}

bool is_source(const fs::path& file) {
  return file.extension() == ".h" || file.extension() == ".cpp" || file.extension() == ".cu";
}

TEST(IncludeOrder, TheCheckKnowsRightFromWrong) {
  EXPECT_TRUE(may_include("render", "wave"));
  EXPECT_TRUE(may_include("simulate", "dynamics"));
  EXPECT_FALSE(may_include("simulate", "render"));
  EXPECT_TRUE(may_include("geometry", "util"));
  EXPECT_FALSE(may_include("util", "geometry"));
  EXPECT_FALSE(may_include("wave", "shaders"));
  EXPECT_FALSE(may_include("base", "scene"));
  EXPECT_TRUE(may_include("elastic", "fem"));
  EXPECT_FALSE(may_include("fem", "vibration"));
}

TEST(IncludeOrder, TheCheckKnowsTheOrderOfSubFolders) {
  const std::vector<std::string>& order = sub_folders.at("wave");
  EXPECT_TRUE(may_include_within(order, "scheme", "grid"));
  EXPECT_TRUE(may_include_within(order, "scheme", "scheme"));
  EXPECT_FALSE(may_include_within(order, "grid", "boundary"));
  EXPECT_FALSE(may_include_within(order, "far_field", "driver"));
  EXPECT_FALSE(may_include_within(order, "unknown", "grid"));
  EXPECT_FALSE(may_include_within(order, "driver", "unknown"));
  EXPECT_TRUE(may_include_within(sub_folders.at("geometry"), "volume", "repair"));
  EXPECT_FALSE(may_include_within(sub_folders.at("geometry"), "mesh", "io"));
}

TEST(IncludeOrder, EveryModuleIncludesOnlyLowerLayers) {
  const fs::path root = fs::path(PEAL_SOURCE_DIR) / "src/peal";
  std::size_t includes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!is_source(entry.path())) continue;
    const std::string module = entry.path().lexically_relative(root).begin()->string();
    ASSERT_TRUE(layer_of(module)) << module << " has no place in the order of modules";
    for (const std::string& used : included_modules(entry.path())) {
      if (!fs::is_directory(root / used)) continue;  // a library's header
      ++includes;
      EXPECT_TRUE(may_include(module, used)) << entry.path() << " includes " << used;
    }
  }
  EXPECT_GT(includes, 50u) << "the check looked in the wrong place";
}

TEST(IncludeOrder, EverySubFolderIncludesOnlyThoseBeforeIt) {
  const fs::path root = fs::path(PEAL_SOURCE_DIR) / "src/peal";
  for (const auto& [module, order] : sub_folders) {
    std::size_t includes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(root / module)) {
      if (!is_source(entry.path())) continue;
      const fs::path inside = entry.path().lexically_relative(root / module);
      ASSERT_NE(std::ranges::find(order, inside.begin()->string()), order.end())
          << entry.path() << " has no place in the order of sub-folders";
      for (const std::string& used : included_sub_folders(entry.path(), module)) {
        ++includes;
        EXPECT_TRUE(may_include_within(order, inside.begin()->string(), used))
            << entry.path() << " includes " << used;
      }
    }
    EXPECT_GT(includes, 50u) << "the check looked in the wrong place";
  }
}

TEST(IncludeOrder, NamespacesAreModules) {
  const fs::path root = fs::path(PEAL_SOURCE_DIR) / "src/peal";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!is_source(entry.path())) continue;
    const std::string module = entry.path().lexically_relative(root).begin()->string();
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_NE(text.find("namespace peal::" + module), std::string::npos)
        << entry.path() << " does not open namespace peal::" << module;
  }
}

}  // namespace
}  // namespace peal
