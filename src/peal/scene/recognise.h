#pragma once

#include <peal/scene/collision_shape.h>

#include <optional>

namespace peal::scene {

/// The ball on which all vertices of a mesh lie, to a ten-thousandth of its radius.
std::optional<BallShape> recognised_ball(const geometry::TriMesh& mesh);

/// The box along the axes of which the mesh is the surface. Its fillet is 0 if its edges are sharp,
/// else that of edges which the mesh rounds in steps of less than 30 degrees.
std::optional<BoxShape> recognised_box(const geometry::TriMesh& mesh);

/// The solid of revolution, around any axis, of which the mesh is the surface: its vertices lie on
/// circles, with gaps of less than 30 degrees.
std::optional<TurnedShape> recognised_turned(const geometry::TriMesh& mesh);

}  // namespace peal::scene
