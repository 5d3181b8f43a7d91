#pragma once

#include <peal/base/time.h>
#include <peal/geometry/mesh/vector.h>

#include <string>
#include <vector>

namespace peal::base {

/// Head-related impulse responses as they were measured, one a direction for each ear.
struct MeasuredHead {
  struct Response {
    geometry::Vec3 direction;        ///< to the source: a listener's frame, unit length
    std::vector<float> left, right;  ///< of equal length for all directions
  };

  std::string file;  ///< for messages
  std::string name;  ///< what the file says about itself
  Rate rate;
  double distance = 0.0;  ///< of the sources from the middle of the head [m]
  std::vector<Response> responses;
};

}  // namespace peal::base
