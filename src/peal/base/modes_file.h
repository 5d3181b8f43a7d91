#pragma once

#include <peal/base/modes.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace peal::base {

/// The bytes of a .modes file (docs/modes-format.md).
std::string modes_bytes(const ModalModel& model);

/// Parses the bytes of a .modes file. Throws util::InputError located in `file` if they are
/// incomplete or invalid.
ModalModel parse_modes(std::string_view bytes, const std::string& file);

void write_modes(const std::filesystem::path& path, const ModalModel& model);
ModalModel read_modes(const std::filesystem::path& path);

}  // namespace peal::base
