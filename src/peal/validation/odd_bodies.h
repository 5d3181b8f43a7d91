#pragma once

#include <peal/base/material.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/geometry/volume/tet_mesh.h>

#include <string>
#include <vector>

/// Meshes as people have them: parts that cross, noise, holes, walls inside.
namespace peal::validation {

struct OddBody {
  std::string name;
  geometry::TriMesh mesh;
  base::Material material;
};

/// A sphere of radius 50 mm whose vertices are off by a normal distribution of `noise` of the
/// radius.
geometry::TriMesh noisy_ball(double noise, double edge_length);

/// A lumpy body of 20 cm with noise of 0.15 mm, as a scanner sees it.
geometry::TriMesh scanned_lump(double edge_length);

/// A chair of 13 boxes that cross each other, and the exact surface of their union.
geometry::TriMesh box_chair();
geometry::TriMesh box_chair_union();
/// The union as tetrahedra with edges along the axes of at most `longest` [m].
geometry::TetMesh box_chair_tets(double longest);

/// A dozen bodies, each with other faults.
std::vector<OddBody> odd_bodies();

}  // namespace peal::validation
