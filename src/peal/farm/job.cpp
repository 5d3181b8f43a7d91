#include <peal/farm/job.h>

#include <fmt/format.h>

#include <cctype>

namespace peal::farm {

namespace {

void add_settings(const SceneSettings& settings, std::vector<std::string>& words) {
  if (settings.tail != 0.0) words.insert(words.end(), {"--tail", fmt::format("{}", settings.tail)});
  for (const std::string& kind : settings.without) words.insert(words.end(), {"--without", kind});
  if (settings.strict) words.emplace_back("--strict");
}

std::vector<std::string> render_command(const Job& job, const Resources& resources) {
  std::vector<std::string> words = {job.program.string(), "render", job.scene.string(), "-o",
                                    job.folder.string()};
  add_settings(job.settings, words);
  words.insert(words.end(), {"--threads", fmt::format("{}", resources.threads)});
  return words;
}

}  // namespace

std::vector<std::string> modes_command(const Job& job) {
  std::vector<std::string> words = render_command(job, job.chunk);
  words.emplace_back("--modes");
  return words;
}

std::vector<std::string> prepare_command(const Job& job) {
  std::vector<std::string> words = render_command(job, job.prepare);
  words.emplace_back("--prepare");
  return words;
}

std::vector<std::string> chunk_command(const Job& job, const std::string& part) {
  std::vector<std::string> words = render_command(job, job.chunk);
  words.insert(words.end(), {"--chunk", part});
  return words;
}

std::vector<std::string> merge_command(const Job& job) {
  std::vector<std::string> words = {job.program.string(),
                                    "merge",
                                    job.folder.string(),
                                    "--scene",
                                    job.scene.string(),
                                    "--threads",
                                    fmt::format("{}", job.merge.threads)};
  words.insert(words.end(), job.output.begin(), job.output.end());
  return words;
}

std::string shell_line(const std::vector<std::string>& words) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+";
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char letter : word)
      line += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    line += '\'';
  }
  return line;
}

std::string repeated(const std::string& command, const std::string& indent) {
  return fmt::format(
      "{0}attempt=1\n"
      "{0}until {1}; do\n"
      "{0}  code=$?\n"
      "{0}  if [ $code -eq 2 ] || [ $code -eq 3 ] || [ $attempt -ge {2} ]; then exit $code; fi\n"
      "{0}  attempt=$((attempt + 1))\n"
      "{0}done\n",
      indent, command, most_attempts);
}

std::string job_name(const std::filesystem::path& scene) {
  // Scenes are often called scene.json: the folder says which one.
  constexpr std::size_t longest = 40;  // Kubernetes allows 63 letters, with those of its own
  std::string name;
  const std::string folder = std::filesystem::absolute(scene).parent_path().filename().string();
  for (const char letter : folder + "-" + scene.stem().string()) {
    const auto c = static_cast<unsigned char>(letter);
    const bool is_plain = c < 128 && std::isalnum(c) != 0;
    if (is_plain) name += static_cast<char>(std::tolower(c));
    if (!is_plain && !name.empty() && name.back() != '-') name += '-';
  }
  name = name.substr(0, longest);
  while (!name.empty() && name.back() == '-') name.pop_back();
  return "peal-" + (name.empty() ? "scene" : name);
}

}  // namespace peal::farm
