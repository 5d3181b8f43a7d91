#include <peal/render/sound_memory.h>
#include <peal/util/error.h>
#include <peal/util/machine_memory.h>

#include <fmt/format.h>

namespace peal::render {

void check_sound_memory(std::size_t receivers, std::int64_t samples) {
  // What receivers got, what listeners make of it, and a copy in the scale of the file.
  constexpr double copies = 3.0;
  const double needed =
      copies * sizeof(float) * static_cast<double>(receivers) * static_cast<double>(samples);
  const double there = util::machine_memory();
  if (needed <= util::memory_share * there) return;
  throw util::InputError(
      {"", "listeners"},
      fmt::format("the sound of {} receivers needs {:.3g} GB of the {:.3g} GB of this machine",
                  receivers, 1e-9 * needed, 1e-9 * there),
      "Use fewer listeners, a shorter \"duration\" or a lower \"sample_rate\".");
}

}  // namespace peal::render
