#pragma once

#include <peal/base/pressure_slice.h>

#include <string>

namespace peal::render {

/// A slice as a VTK ImageData file, one cell thick at its place in the world, for ParaView and the
/// like: cell data "pressure" [Pa], NaN where it is not computed, and "solid" (part of the cell, 0
/// to 1), and its time [s].
std::string vti(const base::PressureSlice& slice);

}  // namespace peal::render
