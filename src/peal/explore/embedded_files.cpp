#include <peal/explore/embedded_files.h>

#include <algorithm>
#include <array>

// clang-format off
#define PEAL_EMBED(symbol, file)                                            \
  __asm__(".section .rodata\n"                                              \
          ".global peal_page_" #symbol "\npeal_page_" #symbol ":\n"         \
          ".incbin \"" PEAL_PAGE "/" file "\"\n"                            \
          ".global peal_page_end_" #symbol "\npeal_page_end_" #symbol ":\n" \
          ".byte 0\n.previous\n");                                          \
  extern "C" const char peal_page_##symbol[], peal_page_end_##symbol[];
// clang-format on

PEAL_EMBED(index, "index.html")
PEAL_EMBED(style, "style.css")
PEAL_EMBED(app, "app.js")
PEAL_EMBED(worklet, "worklet.js")
PEAL_EMBED(worker, "core-worker.js")
PEAL_EMBED(engine, "engine.wasm")
PEAL_EMBED(core, "core.wasm")

namespace peal::explore {

namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::span<const EmbeddedFile> embedded_files() {
  static const std::array<EmbeddedFile, 7> files = {{
      {"index.html", "text/html; charset=utf-8", between(peal_page_index, peal_page_end_index)},
      {"style.css", "text/css; charset=utf-8", between(peal_page_style, peal_page_end_style)},
      {"app.js", "text/javascript; charset=utf-8", between(peal_page_app, peal_page_end_app)},
      {"worklet.js", "text/javascript; charset=utf-8",
       between(peal_page_worklet, peal_page_end_worklet)},
      {"core-worker.js", "text/javascript; charset=utf-8",
       between(peal_page_worker, peal_page_end_worker)},
      {"engine.wasm", "application/wasm", between(peal_page_engine, peal_page_end_engine)},
      {"core.wasm", "application/wasm", between(peal_page_core, peal_page_end_core)},
  }};
  return files;
}

const EmbeddedFile* embedded_file(std::string_view name) {
  const auto file = std::ranges::find(embedded_files(), name, &EmbeddedFile::name);
  return file == embedded_files().end() ? nullptr : &*file;
}

}  // namespace peal::explore
