#pragma once

#include <peal/base/medium.h>

namespace peal::vibration {

/// The radiation amplitude of all modes as in the paper, whose amplitudes have no unit and do not
/// depend on the radiation of a shape. Here the lowest mode is as loud as a surface that radiates
/// its power rho c A <v^2> evenly in all directions: rho c w_1 sqrt(A / (4 pi m)), with the moving
/// area A and the mass m of the body.
double paper_loudness(double lowest_frequency, double area, double mass,
                      const base::Medium& medium);

}  // namespace peal::vibration
