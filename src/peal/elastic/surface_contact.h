#pragma once

#include <peal/elastic/contact.h>
#include <peal/elastic/edge_crossing.h>
#include <peal/elastic/load.h>
#include <peal/elastic/outer_forces.h>
#include <peal/elastic/solid.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace peal::elastic {

/// Contact of solids with each other, and with themselves where that is asked for, by penalty.
///
/// Vertices of a surface and the centres of its faces are looked for in the others: one that is
/// inside is pushed to the nearest point of that surface, which is pushed the other way, with a
/// pressure of kappa times its depth, kappa = 2 E* / h, over the point's share of its surface; both
/// surfaces count half. That is the gradient of an energy, k d^2 / 2 of each point: distances d
/// have no steps where the nearest face changes, so that impacts give back what they took. Whether
/// a point is inside is asked of all faces that share the nearest point (Baerentzen & Aanaes 2005,
/// IEEE Trans. Vis. Comput. Graph. 11, 243): one of two at an edge may be wrong. A point that came
/// in through one side of a wall never leaves by the other: it is pushed back to faces that look as
/// the one it came through does, or to a side next to them that its own surface looks at, if that
/// is nearer. A point that passes under an edge, as bodies slide on each other, belongs to the side
/// that its own surface looks at; as deep as it is then, no work was done, so that its spring only
/// comes to bear as it slides on, for the work of that (`unpaid`). Sharp edges that cross between
/// vertices push each other apart across both. Friction is Coulomb's, limited as in
/// ObstacleContact. Pairs that may meet are listed when something has moved a quarter of a margin
/// of half a face, and not looked at while they are too far away to touch.
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
  void keep(util::Archive& archive) override;

 private:
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
  struct Surface {
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
  };
  /// Solids that may meet: samples of the first are looked for in the second; equal: itself.
  struct Pair {
    std::size_t solid = 0, other = 0;
    /// By sample: the face that it came in through, or one that it slid to since; or none.
    std::vector<std::uint32_t> entered;
    /// By sample: the part of its depth that no work was done for, as it came in sideways [m].
    std::vector<double> unpaid;
    std::vector<double> paid_now;  ///< of it, by the work until the next step [m]
  };
  /// A sample of one solid and the faces of another that it may meet.
  struct Meeting {
    std::uint32_t pair = 0;
    std::uint32_t sample = 0;
    std::vector<std::uint32_t> faces;
    std::int64_t next_look = 0;  ///< step up to which it cannot touch
  };
  struct EdgeMeeting {
    std::uint32_t solid = 0, other = 0;
    std::uint32_t edge = 0, other_edge = 0;
    double stiffness = 0.0;  ///< since they crossed [N/m]
  };
  /// A sample and the nearest point of the other surface.
  struct Nearest {
    std::uint32_t face = none;
    geometry::Vec3 weights = geometry::Vec3::Zero();
    geometry::Vec3 way = geometry::Vec3::Zero();  ///< from the sample to it [m]
    bool is_inside = false;
  };
  /// Two points that are pressed apart.
  struct Touch {
    SurfaceSpot on, against;
    geometry::Vec3 normal;   ///< along which the first one is pushed
    double depth = 0.0;      ///< negative: a gap between edges [m]
    double stiffness = 0.0;  ///< [N/m]
  };
  static constexpr std::uint32_t none = 0xffffffff;
  struct Placed;

  void add_samples(Surface& surface, std::size_t number) const;
  void add_edges(Surface& surface) const;
  void look_around(const State& state);
  void list_meetings(const State& state);
  void list_meetings(std::uint32_t pair, const State& state);
  void list_edges(std::size_t solid, std::size_t other, const State& state);
  Nearest nearest(const Meeting& meeting, const State& state) const;
  Nearest nearest_on_side(const Meeting& meeting, const State& state, std::uint32_t side) const;
  bool is_behind(const Meeting& meeting, const State& state, const geometry::Vec3& point,
                 const geometry::Vec3& way) const;
  std::vector<geometry::Vec3> looks_of(const Meeting& meeting, const State& state) const;
  static bool looks_back(const std::vector<geometry::Vec3>& looks, const geometry::Vec3& normal);
  Nearest nearest_facing(const Meeting& meeting, const State& state, double depth,
                         const geometry::Vec3& from, bool is_other_side) const;
  std::uint32_t way_in(const Meeting& meeting, const State& state, const Nearest& found) const;
  Nearest nearer_side(const Meeting& meeting, const State& state, const Nearest& now) const;
  Touch touch_of(const Meeting& meeting, const Nearest& found) const;
  std::optional<Touch> touch_of(const EdgeMeeting& meeting, const State& state) const;
  SharpEdge sharp_edge(std::size_t solid, std::uint32_t edge, const State& state) const;
  void push(Meeting& meeting, const State& state, std::vector<Nodes>& forces);
  void push_edges(const State& state, std::vector<Nodes>& forces);
  const EdgeMeeting* crossed_before(const EdgeMeeting& meeting) const;
  static geometry::Vec3 velocity_of(const Touch& touch, const State& state);
  double press(const Touch& touch, const State& state, std::vector<Nodes>& forces,
               double unpaid = 0.0) const;
  double modulus(const Surface& a, const Surface& b) const;

  std::vector<Surface> surfaces_;
  std::vector<Pair> pairs_;
  double margin_ = 0.0;  ///< [m]
  std::vector<Meeting> meetings_;
  std::vector<EdgeMeeting> edge_meetings_;
  std::vector<EdgeMeeting> crossed_;  ///< that pushed each other in the last step
  std::vector<Nodes> listed_at_;      ///< positions
  double fastest_ = 0.0;              ///< speed of a vertex when last looked at [m/s]
  double step_ = 0.0;                 ///< [s]
  std::int64_t steps_ = 0;
};

}  // namespace peal::elastic
