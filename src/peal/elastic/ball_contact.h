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

/// A ball whose contact with a solid by Hertz's theory is smaller than half a face: it is met at
/// the deepest point with the force of Hertz, less what elements give way themselves there.
class BallContact {
 public:
  /// Where a face is nearest to the centre of the ball.
  struct Touch {
    double depth = 0.0;  ///< of the face in the ball; negative: the gap between them [m]
    const ContactFaces::Face* face = nullptr;
    geometry::Vec3 weights = geometry::Vec3::Zero(), normal = geometry::Vec3::UnitY();
  };

  /// Whether an obstacle is such a ball: free, under gravity [m/s^2].
  static bool applies(const Obstacle& obstacle, const ContactFaces& solid,
                      const geometry::Vec3& gravity);

  static Touch touch(const ContactFaces::Face& face, const MovingObstacle& ball, const Nodes& x);

  /// The force on the solid at the deepest touch, at a time [s]; 0 if it touches nowhere [N].
  double force(const Touch& deepest, double t, const Solid& solid, const ContactFaces& faces,
               const MovingObstacle& ball);
  double energy(double depth) const { return spring_ ? spring_->energy(depth) : 0.0; }  ///< [J]
  /// A sentence if its centre came through the solid.
  std::optional<std::string> finding(const ContactFaces& solid, const MovingObstacle& ball) const;

  void serialize(util::Archive& archive) {
    archive.maybe(spring_), archive.number(pushed_to_, passed_at_);
  }

 private:
  std::optional<HertzSpring> spring_;  ///< while it touches
  std::array<double, 3> pushed_to_{};  ///< where it pushed the solid last
  double passed_at_ = -1.0;            ///< when its centre came through [s]; or negative
};

}  // namespace peal::elastic
