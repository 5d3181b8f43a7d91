#include <peal/util/version.h>

#include <CLI/CLI.hpp>

#include "verbs.h"

int main(int argc, char** argv) {
  using namespace peal;

  CLI::App app{
      "Peal renders physically based sound for animation: give it meshes, materials and motion,\n"
      "and it computes what a listener hears.\n"
      "\n"
      "  peal render scenes/basics/hello/scene.json -o out/hello     your first sound\n"
      "  peal inspect mug.obj                                        what Peal sees in a mesh\n"
      "  peal plot out/hello/audio.wav                               look at a sound",
      "peal"};
  app.set_version_flag("--version", "peal " + util::version());
  app.require_subcommand(1);
  app.footer(
      "`peal VERB --help` explains a verb. Scenes are described in docs/scene-format.md.\n"
      "Exit codes: 0 fine, 2 wrong usage, 3 bad input, 4 the numbers went wrong.");

  apps::Console console;
  apps::add_render(app, console);
  apps::add_inspect(app, console);
  apps::add_plot(app, console);
  apps::add_validate(app, console);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? apps::fine : apps::bad_usage;
  } catch (...) {
    return console.error(std::current_exception());
  }
  return apps::fine;
}
