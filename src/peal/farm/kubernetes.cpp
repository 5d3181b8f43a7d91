#include <peal/farm/engines.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace peal::farm {

namespace {

using Json = nlohmann::ordered_json;

constexpr double mebibyte = 1024.0 * 1024.0;  // [byte]

Json kubernetes_container(const Job& job, const std::vector<std::string>& command,
                          const Resources& resources) {
  const Json amounts = {{"cpu", fmt::format("{}", resources.threads)},
                        {"memory", fmt::format("{}Mi", std::ceil(resources.memory / mebibyte))}};
  return {{"name", "peal"},
          {"image", job.image},
          {"command", command},
          {"resources", {{"requests", amounts}, {"limits", {{"memory", amounts["memory"]}}}}},
          {"volumeMounts", Json::array({{{"name", "shared"}, {"mountPath", job.mount.string()}}})}};
}

Json kubernetes_job(const Job& job, const std::string& stage, Json spec, const Json& container) {
  spec["template"] = {
      {"spec",
       {{"restartPolicy", "Never"},
        {"containers", Json::array({container})},
        {"volumes", Json::array({{{"name", "shared"},
                                  {"persistentVolumeClaim", {{"claimName", job.claim}}}}})}}}};
  return {{"apiVersion", "batch/v1"},
          {"kind", "Job"},
          {"metadata", {{"name", job.name + "-" + stage}, {"labels", {{"app", job.name}}}}},
          {"spec", spec}};
}

/// Errors of use and of input (exit codes 2 and 3) fail again: the job ends at once.
Json failure_policy() {
  const Json our_errors = {{"action", "FailJob"},
                           {"onExitCodes", {{"operator", "In"}, {"values", Json::array({2, 3})}}}};
  const Json lost_machines = {
      {"action", "Ignore"},
      {"onPodConditions", Json::array({{{"type", "DisruptionTarget"}, {"status", "True"}}})}};
  return {{"rules", Json::array({our_errors, lost_machines})}};
}

}  // namespace

/// Jobs of Kubernetes do not depend on each other: the first chunk that runs prepares the render
/// while the others wait, and the merge waits for them all.
std::vector<JobFile> kubernetes_files(const Job& job) {
  const auto parts = static_cast<std::int64_t>(job.parts);
  // The index is a variable that Peal reads itself.
  Json chunks = {{"completionMode", "Indexed"},
                 {"completions", parts},
                 {"parallelism", parts},
                 {"backoffLimit", (most_attempts - 1) * parts},
                 {"podFailurePolicy", failure_policy()}};
  std::vector<std::string> merge = merge_command(job);
  merge.emplace_back("--wait");
  const double everything =
      job.prepare.seconds + most_attempts * job.chunk.seconds + job.merge.seconds;
  Json merging = {{"backoffLimit", most_attempts - 1},
                  {"activeDeadlineSeconds", static_cast<std::int64_t>(std::ceil(everything))},
                  {"podFailurePolicy", failure_policy()}};
  const Json list = {
      {"apiVersion", "v1"},
      {"kind", "List"},
      {"items",
       Json::array(
           {kubernetes_job(job, "chunks", chunks,
                           kubernetes_container(
                               job, chunk_command(job, "/" + std::to_string(parts)), job.chunk)),
            kubernetes_job(job, "merge", merging, kubernetes_container(job, merge, job.merge))})}};
  return {{"kubernetes.json", list.dump(2) + "\n"}};
}

}  // namespace peal::farm
