#pragma once

#include <peal/base/modes.h>

#include <string>
#include <vector>

namespace peal::plot {

/// Heading of a picture of a body.
struct BodyHeading {
  std::string title;     ///< usually its name
  std::string subtitle;  ///< what it is made of
};

/// Draws the first modes (at most 12) on a sheet, each with its number, frequency and decay time,
/// in its mode shape, strongly exaggerated, in front of the shape at rest in grey. Colours show the
/// displacement along the normal, which moves the air: red outward, blue inward, white where the
/// mode is silent. Returns the bytes of a PNG file; the model must have a mode.
std::string draw_modes(const base::ModalModel& model, const BodyHeading& heading);

/// A picture of a body with a value at each vertex, and dots at some of them: where it is struck
/// and how that sounds.
struct BodyMap {
  std::vector<double> values;       ///< of each vertex, 0 or above
  std::string label;                ///< what they are, with unit
  std::vector<std::uint32_t> dots;  ///< numbers of vertices
};
std::string draw_map(const geometry::TriMesh& surface, const BodyMap& map,
                     const BodyHeading& heading);

}  // namespace peal::plot
