#pragma once

#include <peal/elastic/contact.h>
#include <peal/elastic/load.h>
#include <peal/elastic/solid.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace peal::elastic {

/// Contact of solids with each other, and with themselves where that is asked for, by penalty.
///
/// A vertex of one surface that is inside of another is pushed to the nearest point of its surface,
/// which is pushed the other way, with a pressure of kappa times its depth, kappa = 2 E* / h, over
/// the vertex's share of its surface; both surfaces count half, each with its vertices against the
/// other's faces. That is the gradient of an energy, k d^2 / 2 of each vertex: distances d have no
/// steps where the nearest face changes, so that impacts give back what they took. Whether a vertex
/// is inside is asked of all faces that share the nearest point (Baerentzen & Aanaes 2005, IEEE
/// Trans. Vis. Comput. Graph. 11, 243): one of two at an edge may be wrong. Friction is Coulomb's,
/// limited as in ObstacleContact. Pairs that may meet are listed when something has moved a quarter
/// of a margin of half a face, and not looked at while they are too far away to touch.
class SurfaceContact : public Load {
 public:
  /// `sides` and `touches_itself` have one entry a solid.
  SurfaceContact(const std::vector<Solid>& solids, std::vector<ContactSide> sides,
                 const std::vector<bool>& touches_itself);

  /// The step of the simulation [s], before the first one.
  void set_step(double step) { step_ = step; }
  /// Throws util::InputError if a solid starts inside of another: its name is the place.
  void refuse_overlaps(const State& state) const;

  void add(double t, const State& state, std::vector<Nodes>& forces) override;
  double stiffness(std::size_t solid, std::size_t node) const override;
  double energy(const State& state) const override;

 private:
  struct Face {
    std::array<std::uint32_t, 3> nodes;
    double reach = 0.0;  ///< from its centre to its corners at rest [m]
    double size = 0.0;   ///< h [m]
  };
  struct Vertex {
    std::uint32_t node = 0;
    double area = 0.0;  ///< its share of the surface [m^2]
    double size = 0.0;  ///< of the faces around it, in the mean [m]
  };
  struct Surface {
    std::string name;
    geometry::TriMesh mesh;                   ///< at rest
    std::vector<std::uint32_t> surface_node;  ///< of each of its vertices
    std::vector<Face> faces;
    std::vector<Vertex> vertices;
    std::vector<double> mass;  ///< of nodes [kg]
    double compliance = 0.0;   ///< [1/Pa]
    double size = 0.0;         ///< of its largest face [m]
    double finest = 0.0;       ///< size at the finest vertex [m]
    ContactSide side;
  };
  /// A vertex of one solid and the faces of another that it may meet.
  struct Meeting {
    std::uint32_t solid = 0, other = 0;
    std::uint32_t vertex = 0;
    std::vector<std::uint32_t> faces;
    std::int64_t next_look = 0;  ///< step up to which it cannot touch
  };
  /// A vertex and the nearest point of the other surface.
  struct Nearest {
    const Face* face = nullptr;
    geometry::Vec3 weights = geometry::Vec3::Zero();
    geometry::Vec3 way = geometry::Vec3::Zero();  ///< from the vertex to it [m]
    bool is_inside = false;
  };

  void look_around(const State& state);
  void list_meetings(const State& state);
  void list_meetings(std::size_t solid, std::size_t other, const State& state);
  Nearest nearest(const Meeting& meeting, const State& state) const;
  bool is_behind(const Meeting& meeting, const State& state, const geometry::Vec3& point,
                 const geometry::Vec3& way) const;
  double spring(const Meeting& meeting) const;
  bool is_pressed(const Nearest& found) const;
  void push(Meeting& meeting, const State& state, std::vector<Nodes>& forces) const;
  double modulus(const Surface& a, const Surface& b) const;

  std::vector<Surface> surfaces_;
  std::vector<std::array<std::size_t, 2>> pairs_;  ///< of solids that may meet; equal: itself
  double margin_ = 0.0;                            ///< [m]
  std::vector<Meeting> meetings_;
  std::vector<Nodes> listed_at_;  ///< positions
  double fastest_ = 0.0;          ///< speed of a vertex when last looked at [m/s]
  double step_ = 0.0;             ///< [s]
  std::int64_t steps_ = 0;
};

}  // namespace peal::elastic
