#pragma once

#include <peal/base/listener.h>

namespace peal::listener {

/// Hears at fixed points of its frame, one channel each: the pressure at one point for mono; for
/// stereo at two, as far apart as ears, so that direction is heard as a difference in arrival time
/// and, near a source, in level; or what a head or a microphone makes of it in the middle.
class PressureListener : public base::Listener {
 public:
  struct Ear {
    std::string channel;                                        ///< "mono", "left", "right"
    base::Vec3 offset;                                          ///< in the listener's frame [m]
    std::shared_ptr<const base::DirectionalResponse> response;  ///< null: the pressure
  };

  PressureListener(std::string name, std::shared_ptr<const base::Motion> motion,
                   std::vector<Ear> ears);

  const std::string& name() const override { return name_; }
  std::vector<base::Receiver> receivers() const override;
  base::Audio listen(std::span<const base::Signal> pressures) const override;

 private:
  std::string name_;
  std::shared_ptr<const base::Motion> motion_;
  std::vector<Ear> ears_;
};

}  // namespace peal::listener
