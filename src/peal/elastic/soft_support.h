#pragma once

#include <peal/elastic/load.h>
#include <peal/elastic/solid.h>

#include <cstdint>
#include <vector>

namespace peal::elastic {

/// Felt, foam or rubber between a part of a solid and a stand that does not move: springs and
/// dampers from its nodes to where they start. They are shared out by the masses of the nodes, so
/// that the part moves as one.
class SoftSupport : public Load {
 public:
  /// `stiffness` [N/m] and `damping` [N s/m] are those of all nodes together.
  SoftSupport(const Solid& solid, std::size_t number, std::vector<std::uint32_t> nodes,
              double stiffness, double damping);

  void add(double t, const State& state, std::vector<Nodes>& forces) override;
  double stiffness(std::size_t solid, std::size_t node) const override;
  double energy(const State& state) const override;
  void serialize(util::Archive& archive) override;

 private:
  struct Spring {
    std::uint32_t node = 0;
    double mass = 0.0;       ///< [kg]
    double stiffness = 0.0;  ///< [N/m]
    double damping = 0.0;    ///< [N s/m]
  };

  std::size_t solid_;
  std::vector<Spring> springs_;  ///< in the order of nodes
  std::vector<double> anchors_;  ///< x, y, z of each spring once the solid has started [m]
};

}  // namespace peal::elastic
