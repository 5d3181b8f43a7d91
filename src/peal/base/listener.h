#pragma once

#include <peal/base/directional_response.h>
#include <peal/base/motion.h>
#include <peal/base/signal.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace peal::base {

/// A point that receives pressure, fixed in a moving frame. Radiators that know where sound comes
/// from (`direct`, `precomputed`, `rays`) apply the response, if there is one; it may be used by
/// several threads.
struct Receiver {
  std::string name;  ///< for messages: "main, left ear"
  std::shared_ptr<const Motion> motion;
  Vec3 offset = Vec3::Zero();  ///< in the motion's frame [m]
  std::shared_ptr<const DirectionalResponse> response = nullptr;
};

/// A listener: receivers in space, and the mapping of their pressures to channels. The listener's
/// frame looks along its -Z with +Y up and +X to the right (as a glTF camera).
class Listener {
 public:
  virtual ~Listener() = default;

  virtual const std::string& name() const = 0;
  virtual std::vector<Receiver> receivers() const = 0;
  /// Computes channels from the pressures [Pa] at the receivers, in the order of receivers().
  virtual Audio listen(std::span<const Signal> pressures) const = 0;
};

}  // namespace peal::base
