#include <peal/listener/pressure_listener.h>

#include <cassert>

namespace peal::listener {

PressureListener::PressureListener(std::string name, std::shared_ptr<const base::Motion> motion,
                                   std::vector<Ear> ears)
    : name_(std::move(name)), motion_(std::move(motion)), ears_(std::move(ears)) {}

std::vector<base::Receiver> PressureListener::receivers() const {
  std::vector<base::Receiver> receivers;
  for (const Ear& ear : ears_) {
    receivers.push_back({.name = '"' + name_ + "\" (" + ear.channel + ")",
                         .motion = motion_,
                         .offset = ear.offset,
                         .response = ear.response});
  }
  return receivers;
}

base::Audio PressureListener::listen(std::span<const base::Signal> pressures) const {
  assert(pressures.size() == ears_.size());
  base::Audio audio{.rate = pressures.front().rate};
  for (std::size_t i = 0; i < ears_.size(); ++i) {
    audio.channels.push_back(pressures[i].samples);
    audio.channel_names.push_back(ears_[i].channel);
  }
  return audio;
}

}  // namespace peal::listener
