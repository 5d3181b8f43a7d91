#pragma once

#include <filesystem>

namespace peal::render {

/// Rethrows the error that is being handled, inside a handler. Stages know objects, not files: an
/// InputError or a NumericsError that names no file gets this one.
[[noreturn]] void rethrow_in_file(const std::filesystem::path& file);

}  // namespace peal::render
