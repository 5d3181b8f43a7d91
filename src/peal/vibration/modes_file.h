#pragma once

#include <peal/base/modes.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace peal::vibration {

/// The bytes of a .modes file (docs/modes-format.md).
std::string modes_bytes(const base::ModalModel& model);

/// Reads them back. Throws util::InputError with `file` as its place if they are not whole.
base::ModalModel parse_modes(std::string_view bytes, const std::string& file);

void write_modes(const std::filesystem::path& path, const base::ModalModel& model);
base::ModalModel read_modes(const std::filesystem::path& path);

}  // namespace peal::vibration
