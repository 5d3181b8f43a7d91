#pragma once

#include <peal/explore/session.h>

#include <filesystem>
#include <vector>

namespace peal::explore {

/// Writes the page with its bodies as files that any web server can serve, and as one HTML file,
/// explorer.html, that works without one. Returns the files written.
std::vector<std::filesystem::path> export_page(const Session& session,
                                               const std::filesystem::path& folder);

}  // namespace peal::explore
