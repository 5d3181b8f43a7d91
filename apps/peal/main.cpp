#include <peal/util/nearest_word.h>
#include <peal/util/version.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>

#include "verbs.h"

namespace {

bool asks_for_json(int argc, char** argv) {
  return std::any_of(argv, argv + argc,
                     [](const char* word) { return !std::strcmp(word, "--json"); });
}

/// What CLI11 says, or which verb was meant.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& error, int argc,
                          char** argv) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  const std::string word = argc > 1 ? argv[1] : "";
  const bool unknown_verb =
      !word.empty() && word[0] != '-' && std::find(verbs.begin(), verbs.end(), word) == verbs.end();
  if (unknown_verb) {
    return "unknown command \"" + word + "\". " + peal::util::suggest(word, verbs);
  }
  return error.what();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace peal;

  CLI::App app{
      "Peal renders physically based sound for animation: give it meshes, materials and "
      "motion,\nand it computes what a listener hears.\n\n  peal render "
      "scenes/basics/hello/scene.json -o out/hello     your first sound\n  peal inspect mug.obj    "
      "                                    check a mesh\n  peal modes mug.obj --material ceramic   "
      "                    how a body rings\n  peal strike mug.obj --material ceramic --at 0 0.09 "
      "0.04     hear one hit\n  peal plot out/hello/audio.wav                               plot a "
      "sound\n  peal explore                                                strike things in a "
      "browser",
      "peal"};
  app.set_version_flag("--version", "peal " + util::version());
  app.require_subcommand(1);
  app.footer(
      "`peal VERB --help` explains a verb. Scenes are described in docs/scene-format.md,\n"
      "bodies in docs/bodies.md.\n"
      "Exit codes: 0 success, 2 wrong usage, 3 bad input, 4 numerical failure or out of memory.");

  apps::Console console;
  apps::add_render(app, console);
  apps::add_inspect(app, console);
  apps::add_modes(app, console);
  apps::add_strike(app, console);
  apps::add_precompute(app, console);
  apps::add_submit(app, console);
  apps::add_status(app, console);
  apps::add_merge(app, console);
  apps::add_plot(app, console);
  apps::add_cache(app, console);
  apps::add_explore(app, console);
  apps::add_validate(app, console);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return console.usage_error(usage_problem(app, error, argc, argv), asks_for_json(argc, argv));
  } catch (...) {
    return console.error(std::current_exception());
  }
  return apps::fine;
}
