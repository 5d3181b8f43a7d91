#pragma once

#include <peal/elastic/contact_faces.h>
#include <peal/elastic/hertz_spring.h>
#include <peal/elastic/obstacle.h>
#include <peal/elastic/solid.h>
#include <peal/util/archive.h>

#include <array>
#include <optional>
#include <string>

namespace peal::elastic {

/// Contact of a solid with a ball whose contact area by Hertz's theory is smaller than half a face.
/// The force of Hertz acts at the deepest point; the local compliance of the elements there is
/// subtracted.
class BallContact {
 public:
  /// The point of a face that is nearest to the centre of the ball.
  struct Touch {
    double depth = 0.0;  ///< depth of the face in the ball; negative: the gap between them [m]
    const ContactFaces::Face* face = nullptr;
    geometry::Vec3 weights = geometry::Vec3::Zero(), normal = geometry::Vec3::UnitY();
  };

  /// Returns whether an obstacle is such a ball: free, under gravity [m/s^2].
  static bool applies(const Obstacle& obstacle, const ContactFaces& solid,
                      const geometry::Vec3& gravity);

  static Touch touch(const ContactFaces::Face& face, const MovingObstacle& ball, const Nodes& x);

  /// Force on the solid at the deepest point of contact at time `t` [s]; 0 without contact [N].
  double force(const Touch& deepest, double t, const Solid& solid, const ContactFaces& faces,
               const MovingObstacle& ball);
  double energy(double depth) const { return spring_ ? spring_->energy(depth) : 0.0; }  ///< [J]
  /// A sentence for the user if the centre of the ball came through the solid.
  std::optional<std::string> finding(const ContactFaces& solid, const MovingObstacle& ball) const;

  void serialize(util::Archive& archive) {
    archive.maybe(spring_), archive.number(pushed_to_, passed_at_);
  }

 private:
  std::optional<HertzSpring> spring_;  ///< present while the ball touches the solid
  std::array<double, 3> pushed_to_{};  ///< where the ball pushed the solid last [m]
  double passed_at_ = -1.0;            ///< time when the centre came through [s]; negative: never
};

}  // namespace peal::elastic
