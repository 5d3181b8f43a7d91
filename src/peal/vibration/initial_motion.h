#pragma once

#include <peal/scene/scene.h>
#include <peal/vibration/ideal_shape.h>
#include <peal/vibration/modal_response.h>

#include <vector>

namespace peal::vibration {

/// A profile along an ideal shape in its modes: the integral of profile times shape over its mass,
/// for each mode [m kg^1/2 or m/s kg^1/2]. These are van den Doel & Pai 1998, equations 4 and 5,
/// with mass-normalised shapes and with y_0 and v_0 where they belong (the print has them swapped).
/// Strings and bars: over x. Membranes and plates: over the distance from `at` [m].
std::vector<double> in_modes(const IdealShape& shape, const scene::IdealShape& description,
                             const std::vector<Vec2>& profile, const Vec2& at);

/// What an ideal shape that is left to itself does, as a force from which it follows.
ModalForce initial_force(const IdealShape& shape, const scene::IdealShape& description,
                         const scene::InitialMotion& initial, const Vec2& at, double time);

}  // namespace peal::vibration
