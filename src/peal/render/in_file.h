#pragma once

#include <filesystem>

namespace peal::render {

/// In a handler: throws the error that is being handled again. Stages know objects, not files: an
/// InputError or a NumericsError that names none is told of this one.
[[noreturn]] void rethrow_in_file(const std::filesystem::path& file);

}  // namespace peal::render
