#pragma once

#include <peal/base/material.h>
#include <peal/scene/ideal_shape.h>
#include <peal/vibration/ideal_shape.h>

namespace peal::vibration {

/// The modes of an ideal shape as described in a scene.
std::unique_ptr<IdealShape> make_ideal_shape(const scene::IdealShape& shape,
                                             const base::Material& material,
                                             const ModeLimits& limits);

/// The area of the shape seen from +Y, along which it is struck and moves [m^2].
double facing_area(const scene::IdealShape& shape);

}  // namespace peal::vibration
