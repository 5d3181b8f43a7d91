#pragma once

#include <peal/scene/collision_shape.h>

#include <optional>

namespace peal::scene {

/// Finds the ball on which all vertices of a mesh lie, to a ten-thousandth of its radius.
std::optional<BallShape> recognised_ball(const geometry::TriMesh& mesh);

/// Finds the box along the axes whose surface is the mesh. Its fillet is 0 if its edges are sharp,
/// else the radius of edges that the mesh rounds in steps of less than 30 degrees.
std::optional<BoxShape> recognised_box(const geometry::TriMesh& mesh);

/// Finds the solid of revolution, around any axis, whose surface is the mesh: its vertices lie on
/// circles, with gaps of less than 30 degrees.
std::optional<TurnedShape> recognised_turned(const geometry::TriMesh& mesh);

}  // namespace peal::scene
