#include <peal/util/error.h>
#include <peal/validation/validation.h>
#include <peal/wave/driver/wave_device.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "device_option.h"
#include "verbs.h"

namespace peal::apps {

namespace {

using Json = nlohmann::ordered_json;

struct ValidateArguments {
  std::string name;
  std::filesystem::path folder;
  std::string device = "auto";
};

Json describe(const validation::Result& result) {
  Json claims = Json::array();
  for (const auto& claim : result.outcome.claims) {
    claims.push_back({{"quantity", claim.quantity},
                      {"unit", claim.unit},
                      {"published", claim.published},
                      {"ours", claim.ours},
                      {"tolerance", claim.tolerance},
                      {"agrees", claim.holds()}});
  }
  return {{"key", result.entry->key},       {"title", result.entry->title},
          {"source", result.entry->source}, {"agrees", result.outcome.holds()},
          {"seconds", result.seconds},      {"claims", claims}};
}

void run(const Console& console, const ValidateArguments& arguments) {
  const wave::DeviceScope device(arguments.device);
  const auto progress = console.progress();
  const auto results = validation::run(arguments.name, *progress);
  const auto report = validation::write_report(arguments.folder, results);
  if (console.json) {
    Json entries = Json::array();
    for (const auto& result : results) entries.push_back(describe(result));
    console.document({{"report", report.string()}, {"entries", entries}});
  } else {
    for (const auto& result : results) {
      console.line(fmt::format("{:8} {}", result.outcome.holds() ? "agrees" : "DIFFERS",
                               result.entry->title));
      for (const auto& claim : result.outcome.claims) {
        console.line(fmt::format("    {:9}{}: {:.8g}, ours {:.8g} {}",
                                 claim.holds() ? "" : "differs", claim.quantity, claim.published,
                                 claim.ours, claim.unit));
      }
    }
    console.line(report.string());
  }
  const bool all_agree = std::ranges::all_of(
      results, [](const validation::Result& result) { return result.outcome.holds(); });
  if (!all_agree) throw util::NumericsError("some results differ: see " + report.string());
}

}  // namespace

void add_validate(CLI::App& app, Console& console) {
  CLI::App* verb = app.add_subcommand("validate",
                                      "Recompute published and exact results and write a report "
                                      "with the published value, ours, the\n"
                                      "verdict and plots.");
  auto arguments = std::make_shared<ValidateArguments>();
  verb->add_option("NAME", arguments->name, "One entry, such as moving-monopole (default: all)");
  verb->add_option("-o,--output", arguments->folder,
                   "Folder of REPORT.md (REPORT-NAME.md for one entry) and the plots")
      ->default_val("validation");
  add_device_option(*verb, arguments->device);
  verb->add_flag("--json", console.json, "Print the results as JSON");
  verb->callback([&console, arguments] { run(console, *arguments); });
}

}  // namespace peal::apps
