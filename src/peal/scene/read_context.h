#pragma once

#include <peal/base/time.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/scene/gltf.h>
#include <peal/scene/read_scene.h>
#include <peal/util/json_reader.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace peal::scene {

/// State that the readers of a scene's parts share.
struct ReadContext {
  std::filesystem::path base_dir;  ///< files are relative to it; empty: files are refused
  base::Rate rate;
  double duration = 0.0;  ///< [s]
  std::uint64_t seed = 0;
  std::optional<double> fps;  ///< [1/s]
  double frame_start = 0.0;   ///< the frame that is t = 0
  bool frame_start_given = false;
  std::vector<std::string> notices;

  /// Meshes by file and scale, read once.
  std::map<std::string, std::shared_ptr<const geometry::TriMesh>> meshes;
  std::map<std::string, std::shared_ptr<const GltfFile>> gltf_files;
  std::set<std::size_t> silent_or_sounding;  ///< objects whose file says what sounds they make
  std::set<std::string> late_starts;         ///< glTF files with a notice about their first frame

  /// Remaining amounts of what a few words of the file may create.
  SceneLimits left;
};

/// The file that `name` at `value` means, or empty after a report: no such file (with the one in
/// that folder that may be meant), not a regular file.
std::filesystem::path existing_file(const util::JsonValue& value, const std::string& name,
                                    const ReadContext& context);

/// Time [s] of a frame; reports a missing fps.
double frame_time(const util::JsonValue& value, double frame, const ReadContext& context);

geometry::Vec3 read_position(const util::JsonValue& value);
/// Reads {"min": [x, y, z], "max": [x, y, z]}, with a positive size along each axis.
geometry::Box read_box(const util::JsonValue& value);
/// Reads any vector but zero as a unit vector.
geometry::Vec3 read_direction(const util::JsonValue& value);

}  // namespace peal::scene
