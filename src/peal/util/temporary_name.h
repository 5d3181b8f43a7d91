#pragma once

#include <filesystem>

namespace peal::util {

/// Whether a file's name is that of a temporary file of write_file():
/// TARGET.PROCESS-NUMBER-COUNT.tmp and the ending of the target.
bool is_temporary_name(const std::filesystem::path& path);

}  // namespace peal::util
