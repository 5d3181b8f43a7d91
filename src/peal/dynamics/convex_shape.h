#pragma once

#include <peal/dynamics/smooth_shape.h>

namespace peal::dynamics {

/// Makes the surface of a convex solid with flat faces: its distance is exact, edges and corners
/// are rounded by the fillet, or by a third of the solid's least thickness if that is less. Throws
/// std::invalid_argument if the mesh is not such a solid.
std::unique_ptr<SmoothShape> make_convex_shape(const scene::ConvexShape& shape);

}  // namespace peal::dynamics
