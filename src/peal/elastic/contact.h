#pragma once

#include <peal/base/motion.h>
#include <peal/base/rigid_body.h>
#include <peal/base/rigid_contacts.h>
#include <peal/base/signed_distance.h>
#include <peal/elastic/hertz_spring.h>
#include <peal/elastic/load.h>
#include <peal/elastic/solid.h>
#include <peal/geometry/triangle.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace peal::elastic {

/// How the surface of a solid meets others.
struct ContactSide {
  bool meets_others = true;
  double friction = 0.4;  ///< mu [1]
};

/// Something rigid that solids meet: moved as it is told, or free.
struct Obstacle {
  std::string name;
  std::shared_ptr<const base::SignedDistance> shape;    ///< in its own frame
  std::optional<double> ball_radius = {};               ///< if it is a ball [m]
  geometry::Vec3 ball_centre = geometry::Vec3::Zero();  ///< in its own frame [m]
  /// The second of its three sizes: what is narrower than faces is met where they are deepest [m].
  double width = std::numeric_limits<double>::infinity();
  /// The least of them: of what is thinner than faces, edges are met by parts of faces [m].
  double thickness = std::numeric_limits<double>::infinity();
  geometry::Vec3 thin_axis = geometry::Vec3::UnitX();  ///< along which, in its own frame
  double compliance = 0.0;                             ///< [1/Pa]
  double friction = 0.4;                               ///< mu [1]
  /// One of its points, in its own frame [m]: none is in a solid if no face is in the obstacle and
  /// this one is not in the solid.
  geometry::Vec3 point = geometry::Vec3::Zero();

  std::shared_ptr<const base::Motion> motion = {};  ///< null: free
  // Of a free one:
  base::MassFrame mass = {};
  base::RigidState start = {};
  double reach = 0.0;  ///< of its points from its origin, at most [m]
};

/// The depth that a spring counts [m] whose end is `depth` deep and goes |travel| in a step.
///
/// A spring that is asked once a step and is only there inside gets k d (T - d) / 2 of energy as
/// its end leaves from a depth of d with a travel of T, or takes it as it comes, whatever d happens
/// to be. Counting d (d + T) / (2 T) in place of d, while that is less than T, does neither
/// (docs/theory/elastic.md).
double spring_depth(double depth, double travel);

/// Contact of solids with obstacles, by penalty.
///
/// The gap is integrated over each face of the solid with six points; a pressure of kappa times
/// its depth acts there, kappa = 2 E* / h with E* of the pair and h the size of the face: the
/// compliance of what an element cannot resolve. It has an energy, so that impacts give back what
/// they took. A ball whose contact by Hertz's theory is smaller than half a face is met at the
/// deepest point with the force of Hertz instead, less what elements give way themselves there
/// (HertzSpring). Obstacles that are narrower than faces, pins and tips, could pass between the six
/// points: they are met at the deepest point of each face. Edges of thin plates could, too: faces
/// are met at the centres of their parts, as small as the plate is thin. Friction is Coulomb's,
/// limited to what slows the nodes down without turning them round. Faces that are too far away to
/// touch soon are not looked at: all of them once in many steps, the near ones when they could have
/// come.
///
/// Free obstacles move in the steps of the solids. What they do to each other is asked of
/// base::RigidContacts once in many steps.
class ObstacleContact : public Load {
 public:
  /// `sides` has one entry a solid; `held` says which of its nodes are held by something else.
  ObstacleContact(const std::vector<Solid>& solids, std::vector<ContactSide> sides,
                  const std::vector<std::vector<bool>>& held, std::vector<Obstacle> obstacles,
                  const geometry::Vec3& gravity,
                  std::unique_ptr<base::RigidContacts> between_obstacles = nullptr);

  /// Before the first step: how long steps are [s], and the solids where they now stay.
  void begin(double step, const std::vector<Solid>& solids);
  /// Throws util::InputError if a solid and an obstacle start inside of each other: the name of the
  /// solid is the place.
  void refuse_overlaps(const State& state);

  void add(double t, const State& state, std::vector<Nodes>& forces) override;
  double stiffness(std::size_t solid, std::size_t node) const override;
  double energy(const State& state) const override;
  void keep(util::Archive& archive) override;

  std::size_t free_obstacles() const { return free_.size(); }
  /// Of the i-th free one among the obstacles.
  base::Pose free_pose(std::size_t i) const;
  /// What obstacles did to each other; null: nobody was asked.
  const base::RigidContacts* between_obstacles() const { return between_.get(); }
  /// Sentences about what contact could not hold, so far.
  std::vector<std::string> findings() const;
  /// Of free obstacles: kinetic, and of height [J].
  double rigid_energy() const;

 private:
  struct Face {
    std::array<std::uint32_t, 3> nodes;
    double area = 0.0;   ///< at rest [m^2]
    double reach = 0.0;  ///< from its centre to its corners at rest [m]
    double size = 0.0;   ///< h [m]
    double mass = 0.0;   ///< share of it in its nodes' [kg]
  };
  struct Surface {
    std::string name;
    std::vector<Face> faces;
    std::vector<double> node_area;  ///< by node: a third of its faces' areas over their size [m]
    double compliance = 0.0;        ///< [1/Pa]
    ContactSide side;
    double fastest = 0.0;  ///< speed of a node when last looked at [m/s]
  };
  /// A face that may come to touch before all faces are looked at again.
  struct Watched {
    std::uint32_t face = 0;
    std::int64_t next_look = 0;  ///< step up to which it cannot
  };
  struct Mover {
    Obstacle obstacle;
    base::Pose pose;
    geometry::Vec3 velocity = geometry::Vec3::Zero();  ///< of its origin [m/s]
    geometry::Vec3 turning = geometry::Vec3::Zero();   ///< [rad/s]
    base::RigidState state;                            ///< of a free one
    geometry::Vec3 force = geometry::Vec3::Zero(), torque = geometry::Vec3::Zero();
    double speed = 0.0;   ///< of any of its points, at most [m/s]
    double pushed = 0.0;  ///< base::MovedBody, since obstacles last met [m/s^2]
    std::vector<std::vector<Watched>> watched;  ///< by solid, in the order of faces
    std::vector<bool> is_hertz;                 ///< by solid: a ball that touches less than faces
    std::vector<bool> narrow;                   ///< by solid: could pass between points of faces
    std::vector<int> cuts;  ///< by solid: of faces in four, so that edges cannot pass
    std::vector<std::optional<HertzSpring>> spring;  ///< by solid, of such a ball while it touches
    std::vector<std::array<double, 3>> pushed_to;    ///< by solid: where it pushed it last
    std::vector<double> passed_at;  ///< by solid: when its centre came through [s]; or negative
  };
  /// Where a face is nearest to the centre of a ball.
  struct BallTouch {
    double depth = 0.0;  ///< of the face in the ball; negative: the gap between them [m]
    const Face* face = nullptr;
    geometry::Vec3 weights = geometry::Vec3::Zero(), normal = geometry::Vec3::UnitY();
  };

  /// A point of a face, and the part of the face that it stands for.
  struct FacePoint {
    geometry::Vec3 weights;  ///< of its corners
    double share = 0.0;
  };
  /// Where an obstacle may touch a face.
  struct TouchedPoints {
    bool are_six = false;  ///< those of face_points()
    std::vector<FacePoint> found;
    double gap = std::numeric_limits<double>::infinity();  ///< elsewhere, at least [m]

    std::span<const FacePoint> points() const { return are_six ? face_points() : found; }
  };
  /// A force on a point of a face.
  struct Push {
    const Face* face = nullptr;
    geometry::Vec3 weights;  ///< of its corners
    geometry::Vec3 at;       ///< [m]
    geometry::Vec3 normal;   ///< of the obstacle, outward
    double force = 0.0;      ///< along it [N]
    double share = 1.0;      ///< of the face that the point stands for
  };

  double modulus(const Surface& surface, const Mover& mover) const;
  void place(Mover& mover, double t) const;
  void measure_speeds(const State& state);
  double gap_of_face(const Face& face, const Mover& mover, const Nodes& x) const;
  BallTouch ball_touch(const Face& face, const Mover& mover, const Nodes& x) const;
  std::int64_t may_close(const Mover& mover, const Surface& surface, double gap) const;
  void watch(Mover& mover, std::size_t solid, const Nodes& x) const;
  void press(Mover& mover, std::size_t solid, const State& state, Nodes& forces);
  static geometry::Vec3 point_of(const Face& face, const Nodes& x, const geometry::Vec3& weights) {
    return weights[0] * x.at(face.nodes[0]) + weights[1] * x.at(face.nodes[1]) +
           weights[2] * x.at(face.nodes[2]);
  }
  static std::span<const FacePoint> face_points();
  FacePoint deepest_point(const Face& face, const Mover& mover, const Nodes& x) const;
  double add_centres(const geometry::Corners& corners, const geometry::Corners& part, int cuts,
                     double share, const Mover& mover, std::vector<FacePoint>& centres) const;
  TouchedPoints touched_points(const Face& face, const Mover& mover, std::size_t solid,
                               const Nodes& x) const;
  double press_face(Mover& mover, std::size_t solid, const Face& face, const State& state,
                    Nodes& forces);
  void press_ball(Mover& mover, std::size_t solid, const State& state, Nodes& forces);
  HertzSpring spring_at(const BallTouch& touch, const Mover& mover, std::size_t solid) const;
  geometry::Vec3 relative_velocity(const Mover& mover, const Face& face,
                                   const geometry::Vec3& weights, const geometry::Vec3& at,
                                   const Nodes& velocity) const;
  void push(Mover& mover, std::size_t solid, const Push& push, const State& state, Nodes& forces);
  double energy_of_face(const Face& face, const Mover& mover, std::size_t solid,
                        const Nodes& x) const;
  void kick(Mover& mover, double dt);
  void meet();
  void move();
  double deepest_of_face(const Mover& mover, const geometry::Corners& corners, double least,
                         int halvings) const;
  void refuse_overlap(const Mover& mover, std::size_t solid, const Nodes& x) const;

  std::vector<Surface> surfaces_;
  std::vector<Mover> movers_;
  std::vector<std::size_t> free_;  ///< movers
  geometry::Vec3 gravity_;
  std::unique_ptr<base::RigidContacts> between_;
  std::int64_t steps_between_ = 1;              ///< from one time that obstacles meet to the next
  double step_ = 0.0;                           ///< [s]
  const std::vector<Solid>* solids_ = nullptr;  ///< since begin()
  std::int64_t steps_ = 0;
};

}  // namespace peal::elastic
