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

/// The surface of a solid for contact with other surfaces: faces, samples, and sharp edges.
struct ContactSurface {
  struct Face {
    std::array<std::uint32_t, 3> nodes;
    double reach = 0.0;  ///< from its centre to its corners at rest [m]
    double size = 0.0;   ///< h [m]
  };
  /// A sample point: a vertex (one node) or the centre of a face.
  struct Sample {
    SurfaceSpot spot;
    geometry::Vec3 rest;  ///< [m]
    double area = 0.0;    ///< area that the sample stands for [m^2]
    double size = 0.0;    ///< mean size of the faces around it [m]
  };
  struct Edge {
    std::array<std::uint32_t, 2> nodes;
    std::array<std::uint32_t, 2> faces;
    geometry::Vec3 rest;       ///< midpoint [m]
    geometry::Vec3 direction;  ///< at rest, of unit length
    double length = 0.0;       ///< [m]
  };

  ContactSurface(const Solid& solid, std::size_t number, const ContactSide& side);

  /// Sharp edge number `edge` with nodes at `x`.
  SharpEdge sharp_edge(std::uint32_t edge, const Nodes& x) const;

  std::string name;
  geometry::TriMesh mesh;                   ///< at rest
  std::vector<std::uint32_t> surface_node;  ///< node of each vertex of `mesh`
  std::vector<Face> faces;
  std::vector<Sample> samples;
  std::vector<std::vector<std::uint32_t>> around;  ///< by sample: faces that contain it
  std::vector<Edge> edges;                         ///< sharp edges
  std::vector<double> mass;                        ///< of each node [kg]
  std::vector<double> area;                        ///< area that each node stands for [m^2]
  std::vector<double> hardness;                    ///< contact stiffness of each node over E* [m]
  double compliance = 0.0;                         ///< [1/Pa]
  double size = 0.0;                               ///< size of the largest face [m]
  double finest = std::numeric_limits<double>::infinity();  ///< size of the finest sample [m]
  ContactSide side;

 private:
  void add_samples(std::size_t number);
  void add_edges();
};

/// Contact modulus E* of two surfaces [Pa].
inline double modulus_of(const ContactSurface& a, const ContactSurface& b) {
  return contact_modulus(a.compliance, b.compliance);
}

}  // namespace peal::elastic
