#pragma once

#include <peal/base/pressure_slice.h>
#include <peal/base/world.h>
#include <peal/plot/field_picture.h>
#include <peal/util/progress.h>

#include <filesystem>
#include <string>
#include <vector>

namespace peal::render {

/// The pressure on a plane over time, ready to be drawn.
struct Slices {
  double rate = 30.0;  ///< frames per second of the scene's time [1/s]
  std::vector<base::PressureSlice> frames;
  base::World world;  ///< surfaces to draw
  double full = 1.0;  ///< pressure of the strongest colours in all frames [Pa]
  bool has_movie = false;
};

/// Finds the range of colours: the largest of all frames' 99th percentiles of pressure, so that a
/// few cells at a source do not pale the rest, rounded up.
Slices make_slices(std::vector<base::PressureSlice> frames, double rate, base::World world);

/// Cross sections of the surfaces of bodies with the plane of a slice.
std::vector<plot::Section> sections_at(const base::World& world, const base::PressureSlice& slice);

inline constexpr const char* slices_name = "slices";  ///< folder of pictures and grids

/// Removes the files of an earlier write_slices(); other files stay.
void remove_slices(const std::filesystem::path& folder);

/// Writes every frame as a picture, slices/frame-00000.png, ..., and as a grid for ParaView,
/// slices/slice-00000.vti, ...
void write_slices(const std::filesystem::path& folder, const Slices& slices,
                  const std::string& title, util::Progress& progress);

}  // namespace peal::render
