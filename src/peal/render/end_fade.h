#pragma once

#include <peal/render/render.h>

namespace peal::render {

/// Fades what still sounds at the end of the scene over its last 10 ms, or a tenth of it if it is
/// shorter, so that files end without a click. Adds a notice of its level if that is less than 60
/// dB below the loudest.
void fade_ends(Sound& sound);

}  // namespace peal::render
