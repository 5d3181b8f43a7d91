#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>

#include "console.h"

namespace peal::apps {

/// The nodes of a glTF file: name, mesh, materials, motion, and whether Peal's keys are on them.
/// Empty for other files.
nlohmann::ordered_json describe_nodes(const std::filesystem::path& file);

void print_nodes(const Console& console, const nlohmann::ordered_json& nodes);

}  // namespace peal::apps
