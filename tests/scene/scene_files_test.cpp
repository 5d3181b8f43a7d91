#include <peal/scene/scene_files.h>
#include <peal/util/files.h>

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <string>

namespace peal::scene {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

/// A scene that names files in several ways.
class SceneFiles : public testing::Test {
 protected:
  SceneFiles() {
    write("scene.json", R"({ "peal": 1, "$schema": "unused.json", // a comment
      "objects": [ { "name": "other.txt", "mesh": "meshes/mug.obj" },
                   { "motion": { "gltf": "walk.gltf#hip" } },
                   { "mesh_sequence": { "pattern": "cloth.####.ply" } },
                   { "sound": [ { "speaker": { "wav": { "file": "ring.wav" } } } ] } ] })");
    for (const char* name : {"unused.json", "meshes/mug.obj", "my mesh.bin", "cloth.0001.ply",
                             "cloth.0002.ply", "cloth.new.ply", "ring.wav", "stranger.wav"})
      write(name, name);
    write("walk.gltf",
          R"({ "buffers": [ { "uri": "my%20mesh.bin" }, {"uri": "data:ring.wav"} ] })");
  }
  ~SceneFiles() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    util::write_file(folder_ / name, text);
  }
  std::string hash() const { return hash_of_files(files_of_scene(folder_ / "scene.json")); }

  const fs::path folder_ =
      fs::temp_directory_path() / ("peal-scene-files-" + std::to_string(::getpid()));
};

TEST_F(SceneFiles, AreAllThatItNames) {
  std::vector<std::string> names;
  for (const fs::path& file : files_of_scene(folder_ / "." / "scene.json"))
    names.push_back(file.lexically_relative(folder_).string());
  EXPECT_THAT(names, ElementsAre("scene.json", "cloth.0001.ply", "cloth.0002.ply", "meshes/mug.obj",
                                 "my mesh.bin", "ring.wav", "walk.gltf"));
}

TEST_F(SceneFiles, AreKnownByTheirContents) {
  std::set<std::string> hashes = {hash()};
  write("stranger.wav", "changed"), write("unused.json", "changed");
  EXPECT_EQ(hash(), *hashes.begin());
  for (const char* name : {"meshes/mug.obj", "my mesh.bin", "cloth.0002.ply", "ring.wav"}) {
    write(name, "changed");
    EXPECT_TRUE(hashes.insert(hash()).second) << name;
  }
  write("cloth.0003.ply", "");
  EXPECT_TRUE(hashes.insert(hash()).second);
}

TEST_F(SceneFiles, OfABinaryGltfAreNamedInItsJson) {
  const std::string json = R"({"buffers":[{"uri":"ring.wav"}]})";
  std::string bytes("glTF\2\0\0\0____****JSON", 20);
  const auto length = static_cast<std::uint32_t>(json.size());
  std::memcpy(bytes.data() + 12, &length, sizeof(length));
  write("scene.glb", bytes + json);
  EXPECT_EQ(files_of_scene(folder_ / "scene.glb").size(), 2u);
  // Nothing can be made of half a file, but its content counts.
  write("scene.glb", bytes);
  EXPECT_EQ(files_of_scene(folder_ / "scene.glb").size(), 1u);
}

}  // namespace
}  // namespace peal::scene
