#pragma once

#include <peal/scene/collision_shape.h>

#include <optional>

namespace peal::scene {

/// The ball on which all vertices of a mesh lie, to a ten-thousandth of its radius.
std::optional<BallShape> recognised_ball(const geometry::TriMesh& mesh);

/// The box along the axes of which the mesh is the surface.
std::optional<BoxShape> recognised_box(const geometry::TriMesh& mesh);

}  // namespace peal::scene
