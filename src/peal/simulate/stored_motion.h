#pragma once

#include <peal/base/contact.h>
#include <peal/base/motion_result.h>
#include <peal/dynamics/simulated_motion.h>
#include <peal/util/archive.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace peal::simulate {

/// All that a simulation of the free bodies of a scene leaves, so that it can be stored.
struct StoredMotion {
  struct Path {
    std::uint64_t object = 0;
    std::shared_ptr<const dynamics::SimulatedMotion> motion;
  };

  std::vector<Path> paths;  ///< of free bodies
  base::ContactLog log;
  double rest_impulse = 0.0;  ///< [N s]
  std::string solver;
  std::optional<base::ContactEnergy> energy;
  std::vector<std::uint64_t> struck;  ///< objects whose compliance the impact law has asked for
  std::vector<std::string> notices;
};

void serialize(util::Archive& archive, StoredMotion& motion);

}  // namespace peal::simulate
