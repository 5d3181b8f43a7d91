#pragma once

#include <peal/base/work_units.h>
#include <peal/farm/part.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace peal::farm {

/// Options of the command line that change the sound of a scene.
struct SceneSettings {
  double tail = 0.0;                 ///< [s]
  std::vector<std::string> without;  ///< kinds of sound
  bool strict = false;

  std::string text() const;  ///< for comparison and messages: "--tail 1 --strict", or "no options"
  bool operator==(const SceneSettings&) const = default;
};

/// What a render is, for those who share it: nothing may differ between them.
struct Identity {
  std::string version;     ///< of Peal
  std::string build;       ///< hash of the program
  std::string scene_hash;  ///< of all files of the scene
  SceneSettings settings;

  /// A hash of all of it.
  std::string hash() const;
};

/// The identity of a render of this scene by this program.
Identity identity_of(const std::filesystem::path& scene, const SceneSettings& settings);

/// The plan of a shared render, DIR/plan.json. Whoever prepares the render writes it, when motion,
/// modes and all else that chunks depend on is stored; it never changes.
struct Plan {
  struct Unit {
    std::string name;
    double work = 0.0;           ///< in `work_unit`
    std::filesystem::path file;  ///< of its result, relative to the folder of results
  };

  std::filesystem::path scene;
  Identity identity;
  std::string model;      ///< of radiation
  std::string work_unit;  ///< "cell updates"
  double memory = 0.0;    ///< of the largest unit [byte]
  std::vector<Unit> units;

  std::vector<double> work() const;  ///< of each unit
};

/// Throws InputError for what is no plan.
Plan parse_plan(std::string_view bytes, const std::string& file);
std::string plan_text(const Plan& plan);

/// Throws InputError that says what differs, unless the plan is that of the same render.
void check_identity(const Plan& plan, const Identity& own, const std::filesystem::path& file);

}  // namespace peal::farm
