#pragma once

#include <peal/geometry/mesh/polygon.h>
#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::geometry {

// Built-in shapes, so that a scene needs no modelling tool. Y is up and normals point out. All are
// watertight but plane_mesh, disc_mesh and polygon_mesh, which are open single sheets. Boxes,
// spheres, cones and tori are centred at the origin.
//
// `edge_length` [m] is the resolution: sides are divided into equal parts no longer than it, and no
// edge is longer than 1.5 times it (the diagonals are). An edge length larger than the shape gives
// the coarsest mesh that still has the shape's topology. Curved surfaces have their vertices on the
// exact surface: the volume converges with the square of the edge length.
//
// Impossible sizes, and edge lengths that ask for more than 20 million triangles, throw
// std::invalid_argument with a sentence that says how to fix it.

TriMesh box_mesh(const Vec3& size, double edge_length);

/// A box with edges and corners rounded with `radius` [m], at most half the smallest side.
TriMesh rounded_box_mesh(const Vec3& size, double radius, double edge_length);

/// An icosahedron whose faces are divided into n^2 triangles each and projected onto the sphere.
TriMesh sphere_mesh(double radius, double edge_length);

TriMesh cylinder_mesh(double radius, double height, double edge_length);

/// A frustum along Y; one of the two radii may be zero, which makes a pointed tip.
TriMesh cone_mesh(double bottom_radius, double top_radius, double height, double edge_length);

/// A ring around the Y axis. `major_radius` is measured to the centre of the tube.
TriMesh torus_mesh(double major_radius, double minor_radius, double edge_length);

/// An open sheet in the XZ plane, facing +Y.
TriMesh plane_mesh(double size_x, double size_z, double edge_length);

/// An open round sheet in the XZ plane, facing +Y.
TriMesh disc_mesh(double radius, double edge_length);

/// An open sheet in the XZ plane, facing +Y, over a simple polygon of corners (x, z) with holes, in
/// either sense.
TriMesh polygon_mesh(Polygon outline, std::vector<Polygon> holes, double edge_length);

/// A turned solid from its closed half section: corners (r, y) in either sense, r >= 0. Sides
/// on the axis make no surface.
TriMesh lathe_mesh(const Polygon& section, double edge_length);

/// A turned wall, as a potter makes it. The profile is the OUTER surface if it is drawn as one
/// draws a cup: from the axis (or the lower rim) outward and up. In general the wall grows to the
/// left of the direction of drawing, by `wall` [m] measured across it. Joints are mitred, ends are
/// closed flat, and an end on the axis closes there: a bowl, a mug. A profile with both ends off
/// the axis makes a tube. Where the wall would not fit (a stem thinner than twice the wall), draw
/// the closed half section instead.
TriMesh lathe_mesh(const std::vector<Vec2>& profile, double wall, double edge_length);

/// The closed half section of such a wall, counter-clockwise.
Polygon wall_section(const std::vector<Vec2>& profile, double wall);

/// A prism along Y, its middle at y = 0, over a polygon with holes in the XZ plane (corners are
/// (x, z), in either sense).
TriMesh extruded_mesh(Polygon outline, std::vector<Polygon> holes, double height,
                      double edge_length);

}  // namespace peal::geometry
