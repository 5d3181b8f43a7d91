#pragma once

#include <peal/elastic/solid.h>
#include <peal/util/archive.h>

#include <cstdint>
#include <optional>
#include <string>

namespace peal::elastic {

/// An element, where it is and how much of its volume is left, for messages.
std::string description(const InternalForces::Strained& strained);

/// Looks how much of their volume the elements of a solid have left.
///
/// The energy of Saint Venant and Kirchhoff is the same for an element and its mirror image. One
/// that is pressed through itself (det F <= 0) is therefore drawn on to its mirror image, where it
/// stays, and the body is another one. It may have enough speed to come back: an error is what
/// stays inside out from look to look.
class VolumeWatch {
 public:
  /// Steps from one look to the next: less than 1 % of the time.
  static constexpr std::int64_t steps = 64;

  /// At a time [s]. Throws util::NumericsError with the solid and its element if some were inside
  /// out at every look for 1024 steps.
  void look(const Solid& solid, const Nodes& positions, double time);

  /// What is to be told if an element was pressed further than its material is meant for.
  std::optional<std::string> finding(const std::string& name) const;

  void serialize(util::Archive& archive);

 private:
  InternalForces::Strained least_;  ///< of all looks
  double when_ = 0.0;               ///< it was [s]
  std::int64_t inside_out_ = 0;     ///< looks in a row
  double since_ = 0.0;              ///< the first of them [s]
};

}  // namespace peal::elastic
