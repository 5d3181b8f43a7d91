#pragma once

#include <peal/base/listener.h>
#include <peal/base/rays_settings.h>
#include <peal/base/world.h>

#include <span>

namespace peal::radiation {

/// Throws InputError if rays from the surface of a body would take more memory than this machine
/// has, which most often means that its size is wrong. A body without shaders counts as one whose
/// recording gives vertices at the audio rate. Only the air and the sample rate of the world are
/// used.
void check_ray_memory(const base::World& world, const base::Body& body,
                      std::span<const base::Receiver> receivers,
                      const base::RaysSettings& settings);

}  // namespace peal::radiation
