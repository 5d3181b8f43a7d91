#pragma once

#include <peal/elastic/load.h>
#include <peal/elastic/solid.h>

#include <cstdint>
#include <vector>

namespace peal::elastic {

/// A stick or mallet with a round head that flies against a shell.
struct MalletBlow {
  double start = 0.0;                                  ///< time when it touches [s]
  geometry::Vec3 at = geometry::Vec3::Zero();          ///< point of the shell at rest [m]
  geometry::Vec3 direction = geometry::Vec3::UnitY();  ///< in the world, of unit length
  double speed = 1.0;                                  ///< [m/s]
  double mass = 0.01;                                  ///< [kg]
  double radius = 0.01;                                ///< of its head [m]
  double modulus = 1e9;       ///< contact modulus E* of head and shell [Pa]
  double restitution = 1.0;   ///< of the two surfaces at this speed [1]
  double patch_radius = 0.0;  ///< least radius of the area that feels it [m]
};

/// The force of a mallet on a shell: Hertz's k d^(3/2), k = 4/3 E* sqrt(R) (Johnson 1985, eq.
/// 4.22), with losses by Hunt & Crossley 1975 for a given restitution (Flores et al. 2011).
///
/// The force is spread over the vertices within the contact radius, but at least one edge. Its
/// depth d is measured
/// against the mean of the same vertices along the direction of the blow, so that force and depth
/// belong to one energy. The mallet moves freely along that direction; the shell may meet it again.
class Mallet : public Load {
 public:
  Mallet(const Solid& shell, std::size_t number, const MalletBlow& blow);

  void add(double t, const State& state, std::vector<Nodes>& forces) override;
  double stiffness(std::size_t solid, std::size_t node) const override;
  double energy(const State& state) const override;
  void serialize(util::Archive& archive) override;

  double kinetic() const { return 0.5 * blow_.mass * speed_ * speed_; }  ///< of the mallet [J]
  double peak_force() const { return peak_; }                            ///< so far [N]
  double contact_time() const { return touched_; }                       ///< so far [s]

 private:
  struct Share {
    std::uint32_t node = 0;
    double part = 0.0;  ///< of the force [1]
  };

  double height(const Nodes& x) const;

  std::size_t solid_;
  MalletBlow blow_;
  double hertz_;               ///< k [N/m^1.5]
  double loss_;                ///< of Hunt & Crossley [s/m]
  double deepest_;             ///< expected [m]
  std::vector<Share> shares_;  ///< in the order of nodes
  bool is_flying_ = false;
  double last_ = 0.0;    ///< time of the last call [s]
  double place_ = 0.0;   ///< of the head along the direction [m]
  double speed_ = 0.0;   ///< [m/s]
  double before_ = 0.0;  ///< height of the shell at the last call [m]
  double peak_ = 0.0, touched_ = 0.0;
};

}  // namespace peal::elastic
