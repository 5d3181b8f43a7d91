#include <peal/util/cache.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>

#include "number_between.h"
#include "verbs.h"

namespace peal::apps {

namespace {

struct CacheArguments {
  bool size = false, clear = false;
  std::optional<double> limit;  ///< [GB]
};

constexpr double gigabyte = 1e9;  // [byte]

void run_cache(const Console& console, const CacheArguments& arguments) {
  if (arguments.limit)
    util::set_cache_limit(static_cast<std::uintmax_t>(std::llround(*arguments.limit * gigabyte)));
  const util::CacheUse removed = arguments.clear ? util::clear_cache() : util::trim_cache();
  const util::CacheUse use = util::cache_use();
  const auto folder = util::whole_cache_folder();
  const auto gigabytes = [](std::uintmax_t bytes) { return static_cast<double>(bytes) / gigabyte; };
  if (console.json) {
    console.document({{"folder", folder ? folder->string() : ""},
                      {"bytes", use.bytes},
                      {"files", use.files},
                      {"limit_bytes", util::cache_limit()},
                      {"removed_bytes", removed.bytes},
                      {"removed_files", removed.files}});
    return;
  }
  if (removed.files > 0)
    console.line(
        fmt::format("removed {:.3g} GB in {} files", gigabytes(removed.bytes), removed.files));
  console.line(fmt::format("{}: {:.3g} GB in {} files, of at most {:.3g} GB",
                           folder ? folder->string() : "no cache folder", gigabytes(use.bytes),
                           use.files, gigabytes(util::cache_limit())));
}

}  // namespace

void add_cache(CLI::App& app, Console& console) {
  CLI::App* verb = app.add_subcommand(
      "cache",
      "Show or clear the cache of computed results.\n\nModes, motion of deformable bodies, "
      "distance fields and finished parts of wave renders are\nstored in $XDG_CACHE_HOME/peal or "
      "~/.cache/peal. Above the limit, renders remove the least\nrecently used.");
  auto arguments = std::make_shared<CacheArguments>();
  verb->add_flag("--size", arguments->size, "Print the size of the cache (the default)");
  verb->add_flag("--clear", arguments->clear, "Remove all cached results");
  verb->add_option("--limit", arguments->limit,
                   "Set the limit for this and later runs (default: 20)")
      ->check(number_between(0.0, 1e6))
      ->type_name("GB");
  verb->add_flag("--json", console.json, "Print the result as JSON");
  verb->callback([&console, arguments] { run_cache(console, *arguments); });
}

}  // namespace peal::apps
