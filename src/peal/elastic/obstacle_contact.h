#pragma once

#include <peal/elastic/ball_contact.h>
#include <peal/elastic/contact_faces.h>
#include <peal/elastic/face_sampling.h>
#include <peal/elastic/face_watch.h>
#include <peal/elastic/load.h>
#include <peal/elastic/obstacle.h>
#include <peal/elastic/penalty.h>
#include <peal/elastic/solid.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace peal::elastic {

/// Penalty contact of solids with obstacles.
///
/// The gap is integrated over each face of the solid at some of its points (FaceSampling), where a
/// pressure acts (penalty.h). The pressure derives from an energy, so that impacts conserve energy.
/// Balls whose contact is smaller than faces have a force by Hertz (BallContact). Friction is
/// Coulomb's, limited so that it slows nodes down without reversing their motion. Faces that are
/// too far away to touch soon are skipped (FaceWatch).
///
/// Free obstacles move in the steps of the solids. base::RigidContacts resolves their contacts with
/// each other once in many steps.
class ObstacleContact : public Load {
 public:
  /// `sides` has one entry a solid; `held` marks the nodes that are fixed by something else.
  ObstacleContact(const std::vector<Solid>& solids, const std::vector<ContactSide>& sides,
                  const std::vector<std::vector<bool>>& held, std::vector<Obstacle> obstacles,
                  const geometry::Vec3& gravity,
                  std::unique_ptr<base::RigidContacts> between_obstacles = nullptr);

  /// Called before the first step with the length of a step [s] and the solids, which must outlive
  /// this object.
  void begin(double step, const std::vector<Solid>& solids);
  /// Throws util::InputError if a solid and an obstacle start inside of each other; the name of the
  /// solid is the location.
  void refuse_overlaps(const State& state);

  void add(double t, const State& state, std::vector<Nodes>& forces) override;
  double stiffness(std::size_t solid, std::size_t node) const override;
  double energy(const State& state) const override;
  void serialize(util::Archive& archive) override;

  std::size_t free_obstacles() const { return free_.size(); }
  /// Pose of the i-th free obstacle.
  base::Pose free_pose(std::size_t i) const;
  /// Contacts of obstacles with each other; null if nothing resolves them.
  const base::RigidContacts* between_obstacles() const { return between_.get(); }
  /// Sentences about penetration that contact could not prevent so far.
  std::vector<std::string> diagnostics() const;
  /// Kinetic and gravitational energy of free obstacles [J].
  double rigid_energy() const;

 private:
  using Face = ContactFaces::Face;
  /// An obstacle and a solid.
  struct Pair {
    std::size_t obstacle = 0, solid = 0;
    FaceSampling sampling;
    FaceWatch watch = {};
    std::optional<BallContact> ball = {};  ///< present if the contact area is smaller than faces
  };
  /// A force on a point of a face.
  struct Push {
    const Face* face = nullptr;
    geometry::Vec3 weights;  ///< of the corners of the face
    geometry::Vec3 at;       ///< [m]
    geometry::Vec3 normal;   ///< outward normal of the obstacle
    double force = 0.0;      ///< along the normal [N]
    double share = 1.0;      ///< fraction of the face that the point stands for
  };

  double modulus(const ContactFaces& faces, const MovingObstacle& obstacle) const;
  FaceWatch::Closing closing_of(const Pair& pair) const;
  void press(Pair& pair, const State& state, Nodes& forces);
  double press_face(const Pair& pair, const Face& face, const State& state, Nodes& forces);
  void press_ball(Pair& pair, const State& state, Nodes& forces);
  void push(const Pair& pair, const Push& push, const State& state, Nodes& forces);
  double energy_of_face(const Pair& pair, const Face& face, const Nodes& x) const;
  void move_obstacles();
  void meet_obstacles();

  std::vector<ContactFaces> surfaces_;  ///< one a solid
  std::vector<MovingObstacle> obstacles_;
  std::vector<Pair> pairs_;        ///< in the order of obstacles
  std::vector<std::size_t> free_;  ///< indices of free obstacles
  geometry::Vec3 gravity_;
  std::unique_ptr<base::RigidContacts> between_;
  std::int64_t steps_between_ = 1;              ///< steps between two updates of `between_`
  double step_ = 0.0;                           ///< [s]
  const std::vector<Solid>* solids_ = nullptr;  ///< set by begin()
  std::int64_t steps_ = 0;
};

}  // namespace peal::elastic
