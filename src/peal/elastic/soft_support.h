#pragma once

#include <peal/elastic/load.h>
#include <peal/elastic/solid.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::elastic {

/// Felt, foam or rubber between a part of a solid and a stand that does not move: springs and
/// dampers from its nodes to anchors, which are where the nodes start, and apart from them if the
/// support carries weight there. Springs are shared out by the masses of the nodes, so that the
/// part moves as one.
class SoftSupport : public Load {
 public:
  /// `stiffness` [N/m] and `damping` [N s/m] are those of all nodes together.
  SoftSupport(const Solid& solid, std::size_t number, std::vector<std::uint32_t> nodes,
              double stiffness, double damping);

  void add(double t, const State& state, std::vector<Nodes>& forces) override;
  double stiffness(std::size_t solid, std::size_t node) const override;
  double energy(const State& state) const override;
  void serialize(util::Archive& archive) override;

  std::size_t solid() const { return solid_; }

 private:
  friend void carry_weight(std::span<SoftSupport* const> supports, const Solid& solid,
                           const Nodes& start, const geometry::Vec3& gravity);

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

/// Anchors the supports of a solid so that it is in balance where it starts, as a rigid body: the
/// weight of a free solid is carried by its supports as it would be if it had come to rest on them.
/// What they cannot carry (a turn about a single point) is left.
void carry_weight(std::span<SoftSupport* const> supports, const Solid& solid, const Nodes& start,
                  const geometry::Vec3& gravity);

}  // namespace peal::elastic
