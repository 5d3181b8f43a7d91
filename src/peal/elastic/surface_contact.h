#pragma once

#include <peal/elastic/contact_surface.h>
#include <peal/elastic/edge_contact.h>
#include <peal/elastic/load.h>
#include <peal/elastic/penalty.h>
#include <peal/elastic/point_contact.h>
#include <peal/elastic/side_search.h>
#include <peal/elastic/solid.h>
#include <peal/elastic/surface_broad_phase.h>

#include <cstdint>
#include <vector>

namespace peal::elastic {

/// Contact of solids with each other, and with themselves where that is asked for, by penalty.
///
/// Vertices of a surface and the centres of its faces are looked for in the others: one that is
/// inside is pushed to the nearest point of that surface, which is pushed the other way, with a
/// pressure (penalty.h) over the point's share of its surface; both surfaces count half. That is
/// the gradient of an energy, k d^2 / 2 of each point: distances d have no steps where the nearest
/// face changes, so that impacts give back what they took. A point that came in through one side of
/// a wall is pushed back to that side (SideSearch), or to a side next to it that its own surface
/// looks at, if that is nearer. A point that passes under an edge, as bodies slide on each other,
/// belongs to the side that its own surface looks at; as deep as it is then, no work was done, so
/// that its spring only comes to bear as it slides on, for the work of that (`unpaid`). Sharp edges
/// that cross between vertices push each other apart (EdgeContact). Friction is Coulomb's. Which
/// samples may meet which faces is listed by SurfaceBroadPhase; they are not looked at while they
/// are too far away to touch.
class SurfaceContact : public Load {
 public:
  /// `sides` and `touches_itself` have one entry a solid.
  SurfaceContact(const std::vector<Solid>& solids, const std::vector<ContactSide>& sides,
                 const std::vector<bool>& touches_itself);

  /// The step of the simulation [s], before the first one.
  void set_step(double step) { step_ = step; }
  /// Throws util::InputError if a solid starts inside of another: its name is the place.
  void refuse_overlaps(const State& state) const;

  void add(double t, const State& state, std::vector<Nodes>& forces) override;
  double stiffness(std::size_t solid, std::size_t node) const override;
  double energy(const State& state) const override;
  void serialize(util::Archive& archive) override;

 private:
  /// How the samples of a pair's first solid came into the second.
  struct Entries {
    /// By sample: the face that it came in through, or one that it slid to since; or none.
    std::vector<std::uint32_t> face;
    /// By sample: the part of its depth that no work was done for, as it came in sideways [m].
    std::vector<double> unpaid;
    std::vector<double> paid_now;  ///< of it, by the work until the next step [m]
  };

  SideSearch search(const SampleCandidate& candidate, const State& state) const;
  PointContact contact_of(const SampleCandidate& candidate, const NearestPoint& found) const;
  void press_sample(SampleCandidate& candidate, const State& state, std::vector<Nodes>& forces);

  std::vector<ContactSurface> surfaces_;
  SurfaceBroadPhase broad_phase_;
  std::vector<Entries> entries_;  ///< one a pair of the broad phase
  EdgeContact edges_;
  double step_ = 0.0;  ///< [s]
  std::int64_t steps_ = 0;
};

}  // namespace peal::elastic
