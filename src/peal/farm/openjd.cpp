#include <peal/farm/engines.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace peal::farm {

namespace {

using Json = nlohmann::ordered_json;

constexpr double openjd_mebibyte = 1024.0 * 1024.0;  // [byte]

/// One step: its command, and what the machine needs. Double braces in paths would be read as
/// expressions; they are not known in file names here.
Json openjd_step(const std::string& name, const std::vector<std::string>& command,
                 const Resources& resources, const char* after) {
  Json step = {{"name", name}};
  if (after != nullptr) step["dependencies"] = Json::array({{{"dependsOn", after}}});
  step["hostRequirements"] = {
      {"amounts", Json::array({{{"name", "amount.worker.vcpu"}, {"min", resources.threads}},
                               {{"name", "amount.worker.memory"},
                                {"min", std::ceil(resources.memory / openjd_mebibyte)}}})},
      {"attributes",
       Json::array({{{"name", "attr.worker.os.family"}, {"anyOf", Json::array({"linux"})}}})}};
  step["script"] = {{"actions",
                     {{"onRun",
                       {{"command", command.front()},
                        {"args", std::vector<std::string>(command.begin() + 1, command.end())},
                        {"timeout", static_cast<std::int64_t>(std::ceil(resources.seconds))}}}}}};
  return step;
}

}  // namespace

std::vector<JobFile> openjd_files(const Job& job) {
  Json chunks = openjd_step(
      "chunks", chunk_command(job, fmt::format("{{{{Task.Param.Chunk}}}}/{}", job.parts)),
      job.chunk, "prepare");
  const auto tasks = [](const std::string& name, std::size_t count) -> Json {
    return {
        {"taskParameterDefinitions",
         Json::array({{{"name", name}, {"type", "INT"}, {"range", fmt::format("1-{}", count)}}})}};
  };
  chunks["parameterSpace"] = tasks("Chunk", job.parts);
  Json steps = Json::array();
  if (job.mode_tasks > 0) {
    steps.push_back(openjd_step("modes", modes_command(job), job.prepare, nullptr));
    steps.back()["parameterSpace"] = tasks("Process", job.mode_tasks);
  }
  steps.push_back(openjd_step("prepare", prepare_command(job), job.prepare,
                              job.mode_tasks > 0 ? "modes" : nullptr));
  steps.push_back(chunks);
  steps.push_back(openjd_step("merge", merge_command(job), job.merge, "chunks"));
  const Json job_template = {
      {"specificationVersion", "jobtemplate-2023-09"}, {"name", job.name}, {"steps", steps}};
  return {{"openjd/template.json", job_template.dump(2) + "\n"}};
}

}  // namespace peal::farm
