#pragma once

#include <peal/base/contact_compliance.h>
#include <peal/base/impact_law.h>
#include <peal/base/material.h>
#include <peal/contact/impact_system.h>
#include <peal/contact/local_shape.h>
#include <peal/contact/modal_oscillators.h>
#include <peal/geometry/mesh/vector.h>

#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace peal::contact {

using geometry::Vec3;

/// What the impact law needs to know of a body.
struct ImpactSurface {
  base::Material material;
  std::shared_ptr<const LocalShape> shape;                  ///< null: `radius` everywhere
  double radius = std::numeric_limits<double>::infinity();  ///< of curvature [m]
  double patch = std::numeric_limits<double>::infinity();   ///< largest radius of contact [m]
  /// Null: only rigid motion and Hertz's local indentation.
  std::shared_ptr<const base::ContactCompliance> compliance;
  /// Finds it when the body first takes part in an impact, because modes take long to find.
  std::function<std::shared_ptr<const base::ContactCompliance>()> find_compliance = nullptr;
};

struct ImpactLawSettings {
  /// The longest step: 1/192000 s is 4 steps a sample of audio and 10 a period at 20 kHz [s].
  double longest_step = 1.0 / 192000.0;
  /// Steps in a contact of rigid bodies, at least.
  double steps_per_contact = 20.0;
};

/// Bodies that ring when they meet (docs/theory/contact.md): the contact force is found together
/// with the compliance of the bodies, from the ringing that earlier impacts have left.
///
/// Each body has a clock, to which its modes have been followed. Between impacts they ring freely.
/// An impact on a body that moves freely begins when the last one on it is over. One on a body that
/// is held does not wait: modes are linear, and others may strike it elsewhere at any time.
class CompliantImpactLaw : public base::ImpactLaw {
 public:
  explicit CompliantImpactLaw(std::vector<ImpactSurface> bodies, ImpactLawSettings settings = {});

  bool matters(std::span<const base::ImpactBody> bodies,
               std::span<const base::ImpactContact> touches, double time) const override;
  double reach(std::uint32_t body_a, std::uint32_t body_b, double speed) const override;
  base::ImpactOutcome strike(std::span<const base::ImpactBody> bodies,
                             std::span<const base::ImpactContact> touches, double time) override;
  void serialize(util::Archive& archive) override;

  /// The force of an impact at `time` [s] of which the impulse of b on a is known [N s]: in the
  /// course that the impact of these bodies has by itself, along the impulse and no larger than it.
  /// The modes follow that force.
  base::ForceHistory strike_with(std::span<const base::ImpactBody> bodies,
                                 const base::ImpactContact& touch, const Vec3& impulse,
                                 double time);
  /// Lets the modes of a body follow a force on it, in the body's frame like its point [m].
  void follow(std::uint32_t body, const Vec3& point, const base::ForceHistory& force);

  /// Velocity for a force along `normal` (both in the body's frame) that does not come back soon:
  /// by waves that leave, and by the modes in the mean over their frequencies (Skudrzyk 1980)
  /// [m/(N s)].
  double mobility(std::uint32_t body, const Vec3& point, const Vec3& normal) const;

  /// Of all impacts so far.
  const base::ImpactEnergy& energy() const { return energy_; }

  /// The compliance of a body's modes; null for a rigid body.
  const base::ContactCompliance* compliance(std::uint32_t body) const {
    return known(body).surface.compliance.get();
  }
  /// The modes of a body at its clock, which are the law's own.
  const ModalOscillators& modes(std::uint32_t body) const { return known(body).modes; }
  double clock(std::uint32_t body) const { return bodies_[body].clock; }  ///< [s]

 private:
  struct Body {
    ImpactSurface surface;
    ModalOscillators modes{std::span<const base::Mode>()};
    bool is_known = false;     ///< its compliance has been looked for
    double clock = 0.0;        ///< [s]
    double energy = 0.0;       ///< of the modes then [J]
    double least_decay = 0.0;  ///< of all modes [1/s]
  };
  /// A contact with what rigid bodies would do there.
  struct Meeting {
    ImpactSystem::Contact contact;
    double mass = 0.0;          ///< effective, of both [kg]
    double contact_time = 0.0;  ///< Hertz's, of rigid bodies [s]
  };

  /// The body with its compliance.
  Body& known(std::uint32_t body) const;
  Meeting meeting(std::span<const base::ImpactBody> bodies, const base::ImpactContact& touch,
                  double least_speed) const;
  double lowest_frequency(std::span<const base::ImpactBody> bodies) const;
  double step_for(double contact_time, double restitution) const;

  void wind_to(Body& body, double time);
  void leave_at(Body& body, double time, double before);
  void add_up(const base::ImpactEnergy& energy);

  mutable std::vector<Body> bodies_;
  ImpactLawSettings settings_;
  base::ImpactEnergy energy_;
};

}  // namespace peal::contact
