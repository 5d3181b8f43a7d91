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

/// Contact of solids with obstacles, by penalty.
///
/// The gap is integrated over each face of the solid at some of its points (FaceSampling); a
/// pressure acts there (penalty.h). It has an energy, so that impacts give back what they took.
/// Balls whose contact is smaller than faces have a force by Hertz (BallContact). Friction is
/// Coulomb's, limited to what slows the nodes down without turning them round. Faces that are too
/// far away to touch soon are not looked at (FaceWatch).
///
/// Free obstacles move in the steps of the solids. What they do to each other is asked of
/// base::RigidContacts once in many steps.
class ObstacleContact : public Load {
 public:
  /// `sides` has one entry a solid; `held` says which of its nodes are fixed by something else.
  ObstacleContact(const std::vector<Solid>& solids, const std::vector<ContactSide>& sides,
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
  void serialize(util::Archive& archive) override;

  std::size_t free_obstacles() const { return free_.size(); }
  /// Of the i-th free one among the obstacles.
  base::Pose free_pose(std::size_t i) const;
  /// What obstacles did to each other; null: nobody was asked.
  const base::RigidContacts* between_obstacles() const { return between_.get(); }
  /// Sentences about what contact could not hold, so far.
  std::vector<std::string> diagnostics() const;
  /// Of free obstacles: kinetic, and of height [J].
  double rigid_energy() const;

 private:
  using Face = ContactFaces::Face;
  /// An obstacle and a solid.
  struct Pair {
    std::size_t obstacle = 0, solid = 0;
    FaceSampling sampling;
    FaceWatch watch = {};
    std::optional<BallContact> ball = {};  ///< if it touches less than faces
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
  std::vector<Pair> pairs_;        ///< all of the first obstacle, then of the next
  std::vector<std::size_t> free_;  ///< obstacles
  geometry::Vec3 gravity_;
  std::unique_ptr<base::RigidContacts> between_;
  std::int64_t steps_between_ = 1;              ///< from one time that obstacles meet to the next
  double step_ = 0.0;                           ///< [s]
  const std::vector<Solid>* solids_ = nullptr;  ///< since begin()
  std::int64_t steps_ = 0;
};

}  // namespace peal::elastic
