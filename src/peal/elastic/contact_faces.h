#pragma once

#include <peal/elastic/penalty.h>
#include <peal/elastic/solid.h>
#include <peal/geometry/mesh/triangle.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace peal::elastic {

/// The faces of a solid that obstacles may touch: those whose nodes nothing else constrains.
class ContactFaces {
 public:
  struct Face {
    std::array<std::uint32_t, 3> nodes;
    double area = 0.0;   ///< at rest [m^2]
    double reach = 0.0;  ///< from its centre to its corners at rest [m]
    double size = 0.0;   ///< h [m]
    double mass = 0.0;   ///< part of the mass of its nodes that belongs to the face [kg]
  };

  /// `held` says which nodes are fixed by something else.
  ContactFaces(const Solid& solid, const ContactSide& side, const std::vector<bool>& held);

  const std::string& name() const { return name_; }
  const std::vector<Face>& faces() const { return faces_; }
  double friction() const { return friction_; }      ///< mu [1]
  double compliance() const { return compliance_; }  ///< [1/Pa]
  double largest() const;                            ///< size of the largest face [m]
  double fastest() const { return fastest_; }  ///< largest speed of a node when last measured [m/s]
  /// Sum over the faces at a node of a third of their area over their size [m].
  double node_area(std::size_t node) const { return node_area_[node]; }

  /// Measures fastest(). Callers must allow for the speed that nodes gain until the next call.
  void measure_speed(const Nodes& velocity);
  void serialize(util::Archive& archive) { archive.number(fastest_); }

 private:
  std::string name_;
  std::vector<Face> faces_;
  std::vector<double> node_area_;
  double compliance_ = 0.0;
  double friction_ = 0.0;
  double fastest_ = 0.0;
};

inline geometry::Corners corners_of(const ContactFaces::Face& face, const Nodes& x) {
  return {x.at(face.nodes[0]), x.at(face.nodes[1]), x.at(face.nodes[2])};
}

/// The point of a face with these weights of its corners; its velocity if `x` are velocities.
inline geometry::Vec3 point_of(const ContactFaces::Face& face, const Nodes& x,
                               const geometry::Vec3& weights) {
  return weights[0] * x.at(face.nodes[0]) + weights[1] * x.at(face.nodes[1]) +
         weights[2] * x.at(face.nodes[2]);
}

}  // namespace peal::elastic
