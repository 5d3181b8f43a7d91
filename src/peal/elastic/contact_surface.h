#pragma once

#include <peal/elastic/edge_crossing.h>
#include <peal/elastic/external_loads.h>
#include <peal/elastic/penalty.h>
#include <peal/elastic/solid.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace peal::elastic {

/// The surface of a solid, as other surfaces meet it: faces, samples of them, and sharp edges.
struct ContactSurface {
  struct Face {
    std::array<std::uint32_t, 3> nodes;
    double reach = 0.0;  ///< from its centre to its corners at rest [m]
    double size = 0.0;   ///< h [m]
  };
  /// A vertex (one node) or the centre of a face.
  struct Sample {
    SurfaceSpot spot;
    geometry::Vec3 rest;  ///< [m]
    double area = 0.0;    ///< its share of the surface [m^2]
    double size = 0.0;    ///< of the faces around it, in the mean [m]
  };
  struct Edge {
    std::array<std::uint32_t, 2> nodes;
    std::array<std::uint32_t, 2> faces;
    geometry::Vec3 rest;       ///< its middle [m]
    geometry::Vec3 direction;  ///< at rest, of unit length
    double length = 0.0;       ///< [m]
  };

  ContactSurface(const Solid& solid, std::size_t number, const ContactSide& side);

  /// A sharp edge where it is now.
  SharpEdge sharp_edge(std::uint32_t edge, const Nodes& x) const;

  std::string name;
  geometry::TriMesh mesh;                   ///< at rest
  std::vector<std::uint32_t> surface_node;  ///< of each of its vertices
  std::vector<Face> faces;
  std::vector<Sample> samples;
  std::vector<std::vector<std::uint32_t>> around;  ///< by sample: faces that it is part of
  std::vector<Edge> edges;                         ///< sharp ones
  std::vector<double> mass;                        ///< of nodes [kg]
  std::vector<double> area;                        ///< of nodes: their share of it [m^2]
  std::vector<double> hardness;  ///< of nodes: stiffness of their contacts over E* [m]
  double compliance = 0.0;       ///< [1/Pa]
  double size = 0.0;             ///< of its largest face [m]
  double finest = std::numeric_limits<double>::infinity();  ///< of its finest sample [m]
  ContactSide side;

 private:
  void add_samples(std::size_t number);
  void add_edges();
};

/// E* of two surfaces [Pa].
inline double modulus_of(const ContactSurface& a, const ContactSurface& b) {
  return contact_modulus(a.compliance, b.compliance);
}

}  // namespace peal::elastic
