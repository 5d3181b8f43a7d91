#pragma once

#include <peal/elastic/solid.h>
#include <peal/util/archive.h>

#include <cstdint>
#include <optional>
#include <string>

namespace peal::elastic {

/// A description of an element for messages: its location and how much of its volume is left.
std::string description(const InternalForces::Strained& strained);

/// Monitors the volume ratios of the elements of a solid.
///
/// The energy of Saint Venant and Kirchhoff is the same for an element and its mirror image. An
/// element that is pressed through itself (det F <= 0) is therefore attracted to its mirror image,
/// where it stays, and the body is no longer the same. It may be fast enough to come back, so that
/// only elements that stay inside out from check to check are an error.
class VolumeWatch {
 public:
  /// Steps from one check to the next, which takes less than 1 % of the time.
  static constexpr std::int64_t steps = 64;

  /// Checks the elements at `time` [s]. Throws util::NumericsError with the solid and its element
  /// if some were inside out at every check for 1024 steps.
  void look(const Solid& solid, const Nodes& positions, double time);

  /// A sentence for the user if an element was compressed further than the material law is meant
  /// for.
  std::optional<std::string> finding(const std::string& name) const;

  void serialize(util::Archive& archive);

 private:
  InternalForces::Strained least_;  ///< most compressed element of all checks
  double when_ = 0.0;               ///< time of that check [s]
  std::int64_t inside_out_ = 0;     ///< consecutive checks with elements inside out
  double since_ = 0.0;              ///< time of the first of them [s]
};

}  // namespace peal::elastic
