#include <peal/util/files.h>
#include <peal/util/version.h>
#include <peal/validation/validation.h>

#include <fmt/format.h>

#include <algorithm>

namespace peal::validation {

namespace {

std::string section(const Result& result) {
  const Entry& entry = *result.entry;
  std::string text =
      fmt::format("## {}\n\n{}\n\nSource: {}.\n\n", entry.title, entry.method, entry.source);
  text += "| quantity | published or exact | ours | difference | allowed | verdict |\n";
  text += "| --- | --- | --- | --- | --- | --- |\n";
  for (const Claim& claim : result.outcome.claims) {
    text += fmt::format("| {} | {:.8g} {} | {:.8g} {} | {:.2e} | {:.2e} | {} |\n", claim.quantity,
                        claim.published, claim.unit, claim.ours, claim.unit, claim.error(),
                        claim.tolerance, claim.holds() ? "agrees" : "**differs**");
  }
  if (!result.outcome.remarks.empty()) text += "\n" + result.outcome.remarks + "\n";
  for (std::size_t i = 0; i < result.outcome.charts.size(); ++i) {
    text +=
        fmt::format("\n![{}]({}/plot-{}.png)\n", result.outcome.charts[i].title, entry.key, i + 1);
  }
  return text;
}

}  // namespace

std::filesystem::path write_report(const std::filesystem::path& folder,
                                   const std::vector<Result>& results) {
  const auto agreeing =
      std::ranges::count_if(results, [](const Result& result) { return result.outcome.holds(); });
  std::string text = fmt::format(
      "# Validation report\n\nWritten by `peal validate`, Peal {}. Each section states a published "
      "or exact result, what Peal\ncomputes for it, and whether they agree; what differs is listed "
      "as well as what agrees.\n\n{} of {} entries agree.\n\n| entry | verdict |\n| --- | --- |\n",
      util::version(), agreeing, results.size());
  for (const Result& result : results) {
    text += fmt::format("| {} | {} |\n", result.entry->title,
                        result.outcome.holds() ? "agrees" : "**differs**");
  }
  for (const Result& result : results) {
    for (std::size_t i = 0; i < result.outcome.charts.size(); ++i) {
      plot::write_line_chart(folder / result.entry->key / fmt::format("plot-{}.png", i + 1),
                             result.outcome.charts[i]);
    }
    text += "\n" + section(result);
  }
  // A single entry must not replace the report of all.
  const bool all = results.size() == entries().size();
  const std::filesystem::path report =
      folder / (all ? "REPORT.md" : "REPORT-" + results.front().entry->key + ".md");
  util::write_file(report, text);
  return report;
}

}  // namespace peal::validation
