#pragma once

#include <span>
#include <string_view>

namespace peal::explore {

/// A file of the explorer's page, which is part of the program.
struct EmbeddedFile {
  std::string_view name;   ///< "app.js"
  std::string_view type;   ///< media type
  std::string_view bytes;  ///< its content
};

/// All files of the page.
std::span<const EmbeddedFile> embedded_files();
/// One of them; null if there is none of that name.
const EmbeddedFile* embedded_file(std::string_view name);

}  // namespace peal::explore
