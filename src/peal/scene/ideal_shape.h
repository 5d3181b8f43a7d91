#pragma once

#include <peal/geometry/mesh/polygon.h>

#include <array>
#include <variant>
#include <vector>

namespace peal::scene {

using geometry::Vec2;

// Bodies whose vibration is known by formula (van den Doel & Pai 1998, section 6). Strings and bars
// lie along X around the origin, membranes and plates in the XZ plane; all move along Y.

/// A taut string, fixed at both ends.
struct IdealString {
  double length = 1.0;    ///< [m]
  double radius = 1e-3;   ///< [m]
  double tension = 1.0;   ///< [N]
  bool is_stiff = false;  ///< its bending stiffness counts: partials are stretched
};

/// Boundary condition at the end of a bar.
enum class BarEnd {
  free,     ///< neither moment nor shear force
  clamped,  ///< neither displacement nor slope
  pinned,   ///< neither displacement nor moment
  sliding,  ///< neither slope nor shear force
};

/// A bar that bends along Y.
struct IdealBar {
  double length = 1.0;     ///< along X [m]
  double width = 0.1;      ///< along Z [m]
  double thickness = 0.1;  ///< along Y [m]
  BarEnd left = BarEnd::free, right = BarEnd::free;
};

struct Rectangle {
  Vec2 size = Vec2::Ones();  ///< along x and z [m], its middle at the origin
};
struct Disc {
  double radius = 1.0;  ///< [m]
};
/// Rectangles and discs are solved exactly, other outlines (corners [x, z], counter-clockwise) by
/// finite elements.
using Outline = std::variant<Rectangle, Disc, geometry::Polygon>;

/// A membrane that is stretched uniformly over its outline and fixed there, and at its holes.
struct IdealMembrane {
  Outline outline;
  std::vector<geometry::Polygon> holes = {};  ///< of a polygon; corners [x, z], clockwise
  double thickness = 1e-3;                    ///< [m]
  double tension = 1.0;                       ///< [N/m]
};

/// Boundary condition at the edge of a plate.
enum class PlateEdge {
  free,       ///< neither moment nor (Kirchhoff's) shear force
  clamped,    ///< neither displacement nor slope
  supported,  ///< neither displacement nor moment
};

struct IdealPlate {
  std::variant<Rectangle, Disc> outline;
  double thickness = 1e-3;  ///< [m]
  /// Edges at low and high x, low and high z; a disc has only the first.
  std::array<PlateEdge, 4> edges = {};
};

using IdealShape = std::variant<IdealString, IdealBar, IdealMembrane, IdealPlate>;

}  // namespace peal::scene
