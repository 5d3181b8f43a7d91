#include <peal/elastic/contact_faces.h>
#include <peal/fem/lame.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace peal::elastic {

using geometry::Vec3;

ContactFaces::ContactFaces(const Solid& solid, const ContactSide& side,
                           const std::vector<bool>& held)
    : name_(solid.name),
      node_area_(solid.mass.size()),
      compliance_(fem::contact_compliance(solid.material)),
      friction_(side.friction) {
  assert(held.size() == solid.mass.size() && "each node is held or not");
  std::vector<int> valence(solid.mass.size());
  for (std::size_t t = 0; t < solid.surface.triangles.size(); ++t) {
    Face face;
    bool is_held = true;
    for (std::size_t k = 0; k < 3; ++k) {
      face.nodes[k] = solid.surface_node[solid.surface.triangles[t][k]];
      is_held = is_held && held[face.nodes[k]];
    }
    if (is_held || !side.meets_others) continue;
    face.area = geometry::area_vector(solid.surface, t).norm();
    face.size = std::sqrt(2.0 * face.area);
    const Vec3 centre = geometry::triangle_centre(solid.surface, t);
    for (const std::uint32_t node : face.nodes) {
      face.reach = std::max(face.reach, (solid.rest.at(node) - centre).norm());
      node_area_[node] += face.area / (3.0 * face.size);
      ++valence[node];
    }
    faces_.push_back(face);
  }
  for (Face& face : faces_) {
    for (const std::uint32_t node : face.nodes) face.mass += solid.mass[node] / valence[node];
  }
}

double ContactFaces::largest() const {
  double size = 0.0;
  for (const Face& face : faces_) size = std::max(size, face.size);
  return size;
}

void ContactFaces::measure_speed(const Nodes& velocity) {
  double fastest = 0.0;
  for (const Face& face : faces_) {
    for (const std::uint32_t node : face.nodes)
      fastest = std::max(fastest, velocity.at(node).squaredNorm());
  }
  fastest_ = std::sqrt(fastest);
}

}  // namespace peal::elastic
