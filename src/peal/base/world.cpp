#include <peal/base/world.h>

namespace peal::base {

geometry::TriMesh Body::shape(double t) const {
  if (sequence) return shape_at(*sequence, t);
  geometry::TriMesh shape = mesh;
  if (deformation) deformation->vertices(t, shape.vertices);
  return shape;
}

}  // namespace peal::base
