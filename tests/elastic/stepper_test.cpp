#include <peal/elastic/stepper.h>

#include <elastic/trial_solids.h>
#include <gtest/gtest.h>

namespace peal::elastic {
namespace {

Stepper free_stepper(Solid solid) {
  std::vector<Solid> solids;
  solids.push_back(std::move(solid));
  return Stepper(std::move(solids), {}, {}, {});
}

TEST(Stepper, AFreeSolidKeepsItsEnergyAndMomentum) {
  for (const TrialSolid& trial : trial_solids()) {
    Stepper stepper = free_stepper(trial.make());
    const Nodes& rest = stepper.solids()[0].rest;
    stepper.start_at(0, rest, shaken(Nodes(rest.size()), 0.1));
    stepper.step();
    const double before = stepper.energy().initial;
    stepper.step(2000);
    EXPECT_NEAR(stepper.energy().imbalance(), 0.0, 1e-4 * before) << trial.name;
  }
}

}  // namespace
}  // namespace peal::elastic
