#include <peal/farm/status.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

#include "verbs.h"

namespace peal::apps {

namespace {

using Json = nlohmann::ordered_json;

Json describe(const farm::Status& status, const std::string& folder) {
  Json failures = Json::array();
  for (const farm::Failure& failure : status.failures) {
    failures.push_back(
        {{"chunk", failure.part}, {"host", failure.host}, {"problem", failure.problem}});
  }
  return {{"folder", folder},
          {"is_planned", status.is_planned},
          {"preparing", status.preparing},
          {"units", status.units},
          {"done", status.done},
          {"running", status.running},
          {"interrupted", status.interrupted},
          {"waiting", status.waiting()},
          {"failures", failures},
          {"work", status.work},
          {"work_done", status.work_done},
          {"work_unit", status.work_unit},
          {"work_per_second", status.speed},
          {"remaining_s", status.seconds_to_go ? Json(*status.seconds_to_go) : Json(nullptr)},
          {"is_merged", status.is_merged}};
}

void print(const Console& console, const farm::Status& status) {
  if (!status.preparing.empty()) console.line(status.preparing + " prepares it");
  if (!status.is_planned && status.preparing.empty()) console.line("not prepared yet");
  if (status.is_planned) {
    const double part = status.work > 0.0 ? status.work_done / status.work : 1.0;
    console.line(fmt::format("{} of {} units done ({:.0f} % of the work), {} running, {} waiting",
                             status.done, status.units, 100.0 * part, status.running,
                             status.waiting()));
  }
  if (status.interrupted > 0) {
    console.line(
        fmt::format("{} interrupted: their processes were killed, and the next ones with "
                    "the same chunks compute them",
                    status.interrupted));
  }
  if (status.speed > 0.0)
    console.line(fmt::format("{:.3g} {} a second", status.speed, status.work_unit));
  if (status.seconds_to_go) console.line(duration_text(*status.seconds_to_go) + " to go");
  for (const farm::Failure& failure : status.failures) {
    console.line(
        fmt::format("chunk {} failed on {}: {}", failure.part, failure.host, failure.problem));
  }
  if (status.is_merged) console.line("merged");
}

void run_status(const Console& console, const std::string& path) {
  const farm::Status status = farm::status_of(farm::SharedFolder(path));
  if (console.json) return console.document(describe(status, path));
  print(console, status);
}

}  // namespace

void add_status(CLI::App& app, Console& console) {
  CLI::App* verb = app.add_subcommand(
      "status",
      "Show how far a shared render is: chunks done, running and failed, and time to go.");
  auto folder = std::make_shared<std::string>();
  verb->add_option("DIR", *folder, "Folder that the machines share")->required();
  verb->add_flag("--json", console.json, "Print the result as JSON");
  verb->callback([&console, folder] { run_status(console, *folder); });
}

}  // namespace peal::apps
