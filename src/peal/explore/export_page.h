#pragma once

#include <peal/explore/session.h>

#include <filesystem>
#include <string>
#include <vector>

namespace peal::explore {

/// Writes the page with its bodies as files that any web server can serve, and as one HTML file,
/// explorer.html, that works without one. Returns the files written.
std::vector<std::filesystem::path> export_page(const Session& session,
                                               const std::filesystem::path& folder);

/// The page with its bodies as one HTML file that works without a server.
std::string page_in_one_file(const Session& session);

}  // namespace peal::explore
