#include <peal/farm/engines.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::farm {

namespace {

constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;  // [byte]

std::string xml_text(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

/// A layer, whose elements are in the order of OpenCue's cjsl-1.12.dtd. Each frame is a chunk.
std::string opencue_layer(const std::string& name, const char* type,
                          const std::vector<std::string>& command, std::size_t frames,
                          const Resources& resources) {
  return fmt::format(
      "      <layer name=\"{}\" type=\"{}\">\n"
      "        <cmd>{}</cmd>\n"
      "        <range>1-{}</range>\n"
      "        <chunk>1</chunk>\n"
      "        <cores>{}</cores>\n"
      "        <threadable>{}</threadable>\n"
      "        <memory>{}g</memory>\n"
      "        <timeout>{}</timeout>\n"
      "        <services><service>shell</service></services>\n"
      "      </layer>\n",
      name, type, xml_text(shell_line(command)), frames, resources.threads,
      resources.threads > 1 ? "true" : "false",
      std::max(1L, static_cast<long>(std::ceil(resources.memory / gibibyte))),
      static_cast<long>(std::ceil(resources.seconds / 60.0)));
}

std::string opencue_dependence(const std::string& job, const char* layer, const char* on) {
  return fmt::format(
      "    <depend type=\"LAYER_ON_LAYER\" anyframe=\"false\">\n"
      "      <depjob>{0}</depjob>\n"
      "      <deplayer>{1}</deplayer>\n"
      "      <onjob>{0}</onjob>\n"
      "      <onlayer>{2}</onlayer>\n"
      "    </depend>\n",
      job, layer, on);
}

}  // namespace

std::vector<JobFile> opencue_files(const Job& job) {
  const std::string name = xml_text(job.name);
  // OpenCue replaces #IFRAME# with the number of the frame. (#FRAME_END# of a ragged last chunk is
  // beyond the range, so that each frame is a chunk of its own.)
  const std::string part = fmt::format("#IFRAME#/{}", job.parts);
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<!DOCTYPE spec PUBLIC \"SPI Cue  Specification Language\" "
      "\"http://localhost:8080/spcue/dtd/cjsl-1.12.dtd\">\n"
      "<spec>\n"
      "  <show>{}</show>\n"
      "  <shot>{}</shot>\n"
      "  <user>{}</user>\n"
      "  <job name=\"{}\">\n"
      "    <paused>False</paused>\n"
      "    <maxretries>{}</maxretries>\n"
      "    <layers>\n",
      xml_text(job.show), xml_text(job.shot), xml_text(job.user), name, most_attempts - 1);
  const bool has_modes = job.mode_tasks > 0;
  if (has_modes)
    text += opencue_layer("modes", "Util", modes_command(job), job.mode_tasks, job.prepare);
  text += opencue_layer("prepare", "Util", prepare_command(job), 1, job.prepare);
  text += opencue_layer("chunks", "Render", chunk_command(job, part), job.parts, job.chunk);
  text += opencue_layer("merge", "Post", merge_command(job), 1, job.merge);
  text += "    </layers>\n  </job>\n  <depends>\n";
  if (has_modes) text += opencue_dependence(name, "prepare", "modes");
  text += opencue_dependence(name, "chunks", "prepare");
  text += opencue_dependence(name, "merge", "chunks");
  text += "  </depends>\n</spec>\n";
  return {
      {"opencue.xml", text},
      {"submit.py",
       "\"\"\"Submits opencue.xml by OpenCue's own client (pycue).\"\"\"\n"
       "import pathlib\n"
       "\n"
       "import opencue\n"
       "\n"
       "opencue.api.launchSpec((pathlib.Path(__file__).parent / \"opencue.xml\").read_text())\n"}};
}

}  // namespace peal::farm
