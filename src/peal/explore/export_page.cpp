#include <peal/explore/body_data.h>
#include <peal/explore/embedded_files.h>
#include <peal/explore/export_page.h>
#include <peal/util/files.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace peal::explore {

namespace {

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? digits[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

void replace(std::string& text, std::string_view from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("the page has changed: " + std::string(from));
  text.replace(at, from.size(), to);
}

/// A file of the page that another holds: its name and its content.
std::string script_with(std::string_view name, std::string_view bytes) {
  return "<script type=\"application/octet-stream\" data-file=\"" + std::string(name) + "\">" +
         base64(bytes) + "</script>\n";
}

using NamedFiles = std::vector<std::pair<std::string, std::string>>;

/// The session without a server, its bodies and its head.
NamedFiles data_files(const Session& session) {
  NamedFiles data;
  data.emplace_back("session.json", session_json(session, false));
  for (std::size_t i = 0; i < session.bodies.size(); ++i)
    data.emplace_back(body_name(i), body_data(*session.bodies[i]));
  if (!session.head.empty()) data.emplace_back(head_name, session.head);
  return data;
}

std::string one_file(const NamedFiles& data) {
  std::string files;
  for (const char* name : {"worklet.js", "core-worker.js", "engine.wasm", "core.wasm"})
    files += script_with(name, embedded_file(name)->bytes);
  for (const auto& [name, bytes] : data) files += script_with(name, bytes);
  std::string page(embedded_file("index.html")->bytes);
  replace(page, "<link rel=\"stylesheet\" href=\"style.css\">",
          "<style>\n" + std::string(embedded_file("style.css")->bytes) + "</style>");
  replace(page, "<script src=\"app.js\" defer></script>",
          files + "<script>\n" + std::string(embedded_file("app.js")->bytes) + "</script>");
  return page;
}

}  // namespace

std::vector<std::filesystem::path> export_page(const Session& session,
                                               const std::filesystem::path& folder) {
  const NamedFiles data = data_files(session);
  std::vector<std::filesystem::path> written;
  const auto write = [&](std::string_view name, std::string_view bytes) {
    written.push_back(folder / name);
    util::write_file(written.back(), bytes);
  };
  for (const EmbeddedFile& file : embedded_files()) write(file.name, file.bytes);
  for (const auto& [name, bytes] : data) write(name, bytes);
  write("explorer.html", one_file(data));
  return written;
}

std::string page_in_one_file(const Session& session) {
  return one_file(data_files(session));
}

}  // namespace peal::explore
