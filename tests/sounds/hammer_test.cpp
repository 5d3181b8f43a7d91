#include <peal/contact/hertz.h>
#include <peal/fem/lame.h>
#include <peal/scene/read_scene.h>
#include <peal/sounds/hammer.h>
#include <peal/sounds/ringing_body.h>
#include <peal/util/progress.h>
#include <peal/vibration/make_ideal_shape.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace peal::sounds {
namespace {

/// A body that does not ring.
class Rigid : public base::ContactCompliance {
 public:
  const std::vector<base::Mode>& modes() const override { return modes_; }
  double cut() const override { return 0.0; }
  Point at(const geometry::Vec3&) const override { return {.gains = Eigen::Matrix3Xf(3, 0)}; }

 private:
  std::vector<base::Mode> modes_;
};

scene::Object struck(const std::string& body, const std::string& strikes) {
  return scene::parse_scene(
             fmt::format(R"({{"peal": 1, "duration": 2, "listeners": [{{"mono": {{}}}}],
                             "objects": [{{"name": "body", {}, "sound": ["modal"],
                             "strikes": [{}]}}]}})",
                         body, strikes),
             "scene.json", ".")
      .objects.at(0);
}

std::string hammer_at(double t, double speed, const std::string& at, const std::string& material) {
  return fmt::format(R"({{"t": {}, "at": {}, "hammer": {{"speed": {}, "mass": 0.02, "radius": 0.01,
                         "material": "{}", "restitution": 0.8}}}})",
                     t, at, speed, material);
}

TEST(HammerAnalytic, ARigidBodyIsStruckForHertzsTime) {
  const std::string ball = R"("shape": {"sphere": 0.04}, "material": "steel")";
  for (const double speed : {0.5, 2.0, 8.0}) {
    const scene::Object object = struck(ball, hammer_at(0.1, speed, "[0, 0.04, 0]", "steel"));
    std::vector<std::string> notices;
    const auto forces = hammer_forces(object, std::make_shared<Rigid>(), notices);
    ASSERT_EQ(forces.size(), 1u);
    const base::Material& steel = *object.material;
    const double body = steel.density * 4.0 / 3.0 * M_PI * std::pow(0.04, 3);
    const auto side = [&](double mass, double radius) {
      return contact::ContactSide{1.0 / mass, radius, fem::contact_compliance(steel)};
    };
    const contact::HertzContact hertz =
        contact::hertz_contact(side(body, 0.04), side(0.02, 0.01), speed, 0.01);
    const base::ForcePulse& pulse = forces[0].force.pulse;
    EXPECT_NEAR(pulse.impulse, 1.8 * hertz.mass * speed, 1e-3 * hertz.mass * speed);
    EXPECT_NEAR(pulse.contact_time, 0.9 * hertz.contact_time(), 0.08 * hertz.contact_time());
    EXPECT_NEAR(forces[0].force.history->peak(), hertz.peak_force(), 0.02 * hertz.peak_force());
    EXPECT_NEAR(forces[0].patch, hertz.contact_radius(), 0.03 * hertz.contact_radius());
    EXPECT_LT(forces[0].force.direction.y(), -0.99) << "a facet lies as the ball does";
    ASSERT_EQ(notices.size(), 1u);
  }
}

/// Where the middle of a struck body's energy lies [Hz].
double brightness(const std::string& body, const std::string& strike) {
  const scene::Object object = struck(body, strike);
  util::Silent silent;
  std::vector<std::string> notices;
  const RingingBody ringing =
      make_ringing_body(object, {.max_frequency = 10000.0}, base::Medium(), silent, notices);
  const base::Rate rate{48000};
  const auto at = static_cast<std::int64_t>(rate.samples(ringing.response->last_contact())) + 1;
  const Eigen::MatrixXf v = ringing.response->evaluate(
      rate, {at, at + 400}, vibration::ModalResponse::Quantity::velocity);
  double sum = 0.0, energy = 0.0;
  for (Eigen::Index n = 0; n < v.rows(); ++n) {
    const double part = static_cast<double>(v.row(n).squaredNorm());
    energy += part;
    sum += part * ringing.model->modes[static_cast<std::size_t>(n)].frequency;
  }
  return sum / energy;
}

TEST(Hammer, HarderBlowsAreBrighter) {
  const std::string plate =
      R"("shape": {"plate": {"size": [0.3, 0.22], "thickness": 0.01, "edges": "supported"}},
         "material": "steel")";
  const auto of = [&](double speed, const std::string& material) {
    return brightness(plate, hammer_at(0.01, speed, "[0.04, 0.005, 0.03]", material));
  };
  const double soft = of(0.3, "oak"), hard = of(6.0, "oak"), steel = of(0.3, "steel");
  EXPECT_GT(hard, 1.15 * soft);
  EXPECT_GT(steel, 1.15 * soft);
}

TEST(Hammer, AnAreaIsDullerThanAPoint) {
  const std::string plate =
      R"("shape": {"plate": {"size": [0.3, 0.22], "thickness": 0.01, "edges": "supported"}},
         "material": "steel")";
  const auto of = [&](const std::string& patch) {
    return brightness(plate, fmt::format(R"({{"t": 0, "at": [0.04, 0.005, 0.03],
               "force": {{"impulse": 0.1, "contact_time": 0.0001{}}}}})",
                                         patch));
  };
  EXPECT_LT(of(R"(, "patch_radius": 0.05)"), 0.8 * of(""));
}

}  // namespace
}  // namespace peal::sounds
