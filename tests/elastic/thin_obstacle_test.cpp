#include <peal/elastic/external_loads.h>
#include <peal/elastic/stepper.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "elastic/contact_bodies.h"

// Solids that land on what is thinner than their faces.

namespace peal::elastic {
namespace {

/// An upright plate, 2 mm thick and 0.1 m high, whose upper edge is along z, at y = 0.
class Upright : public base::SignedDistance {
 public:
  double distance(const Vec3& p, Vec3& normal) const override {
    const Vec3 far = (p + Vec3(0, 0.05, 0)).cwiseAbs() - Vec3(0.001, 0.05, 0.2);
    const Vec3 out = far.cwiseMax(0.0);
    Vec3::Index axis = 0;
    const double inside = std::min(0.0, far.maxCoeff(&axis));
    normal = out.norm() > 0.0 ? Vec3(out.normalized()) : Vec3(Vec3::Unit(axis));
    const Vec3 sign = (p + Vec3(0, 0.05, 0)).unaryExpr([](double v) { return v < 0 ? -1.0 : 1.0; });
    normal = normal.cwiseProduct(sign);
    return out.norm() + inside;
  }
};

/// A sheet with cells of 20 mm that falls on the edge, `aside` of its middle; or flies against it
/// without weight, friction and damping.
struct Fall {
  double lowest = 1.0;  ///< of what was above the edge [m]
  double gained = 0.0;  ///< by contact, over the energy at the start, at most

  Fall(double aside, double speed, bool is_ideal = false) {
    base::Material rubber = soft();
    rubber.young_modulus = 1e6;
    if (!is_ideal) rubber.damping.stiffness = 2e-4;
    std::vector<Solid> solids;
    solids.push_back(make_hexahedral_solid(geometry::box_hexes({0.14, 0.003, 0.1}, {7, 1, 5}, 1),
                                           rubber, HexElement::solid_shell, "sheet"));
    auto made = contact_with(solids, is_ideal ? 0.0 : 0.4,
                             {.name = "plate",
                              .shape = std::make_shared<Upright>(),
                              .width = 0.1,
                              .thickness = 0.002,
                              .motion = std::make_shared<base::Resting>()});
    ObstacleContact& contact = *made;
    std::vector<std::unique_ptr<Load>> loads;
    const Vec3 weight(0, is_ideal ? 0.0 : -9.81, 0);
    loads.push_back(std::make_unique<Gravity>(weight, solids, std::vector{0.0}));
    loads.push_back(std::move(made));
    Stepper stepper(std::move(solids), std::move(loads), {}, {});
    contact.begin(stepper.rate().step(), stepper.solids());
    Nodes x = stepper.solids()[0].rest, v(x.size());
    std::vector<std::size_t> above;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x.add(i, {aside, 0.0016, 0});
      v.set(i, {0, -speed, 0});
      if (std::abs(x.x[i]) < 0.011) above.push_back(i);
    }
    stepper.start_at(0, x, v);
    for (int sample = 0; sample < (is_ideal ? 1200 : 3600); ++sample) {
      stepper.sample();
      if (is_ideal) {
        const EnergyAccount account = stepper.energy();
        const double kept = account.given + contact.energy(instant_before(stepper));
        gained = std::max(gained, kept / account.initial);
      }
      for (const std::size_t i : above) lowest = std::min(lowest, stepper.state().position[0].y[i]);
    }
  }
};

TEST(ElasticContact, ASheetRestsOnTheEdgeOfAPlateThinnerThanItsFaces) {
  for (const double aside : {0.0, 0.003, 0.0071}) {
    EXPECT_GT(Fall(aside, 0.44).lowest, -0.004) << aside;
  }
}

TEST(ElasticContact, ASheetThatFliesAgainstTheEdgeOfAThinPlateGainsNothing) {
  for (const double aside : {0.0, 0.003, 0.0071}) {
    const Fall fall(aside, 0.5, true);
    EXPECT_LT(fall.gained, 1e-4) << aside;
    EXPECT_LT(fall.lowest, 0.0015 - 1e-4) << "it touched";
    EXPECT_GT(fall.lowest, -0.004);
  }
}

}  // namespace
}  // namespace peal::elastic
