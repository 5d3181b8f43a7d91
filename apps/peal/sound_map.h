#pragma once

#include <peal/base/modes.h>
#include <peal/plot/body_picture.h>
#include <peal/vibration/sound_map.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <vector>

namespace CLI {
class App;
}

namespace peal::apps {

struct SoundMapArguments {
  std::vector<std::filesystem::path> files;  ///< .json or .png
  vibration::SonicDistance distance;
};

void add_sound_map_options(CLI::App& verb, SoundMapArguments& arguments);

/// Chooses the points at which the body's sounds differ and writes them into the files. Returns
/// what is worth to report them.
nlohmann::ordered_json write_sound_map(const base::ModalModel& model,
                                       const SoundMapArguments& arguments,
                                       const plot::BodyHeading& heading);

}  // namespace peal::apps
