#pragma once

#include <cstddef>
#include <cstdint>

namespace peal::render {

/// Throws InputError if the sound of a render does not fit into the memory of this machine,
/// whatever the radiator.
void check_sound_memory(std::size_t receivers, std::int64_t samples);

}  // namespace peal::render
