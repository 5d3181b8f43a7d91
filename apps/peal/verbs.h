#pragma once

#include "console.h"

namespace CLI {
class App;
}

/// Each verb adds itself to the command line and runs when it is chosen; failures are exceptions.
namespace peal::apps {

void add_render(CLI::App& app, Console& console);
void add_inspect(CLI::App& app, Console& console);
void add_modes(CLI::App& app, Console& console);
void add_strike(CLI::App& app, Console& console);
void add_precompute(CLI::App& app, Console& console);
void add_merge(CLI::App& app, Console& console);
void add_submit(CLI::App& app, Console& console);
void add_status(CLI::App& app, Console& console);
void add_plot(CLI::App& app, Console& console);
void add_cache(CLI::App& app, Console& console);
void add_explore(CLI::App& app, Console& console);
void add_validate(CLI::App& app, Console& console);

}  // namespace peal::apps
