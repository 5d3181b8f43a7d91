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

/// Penalty contact of solids with each other, and with themselves on request.
///
/// The samples of a surface are its vertices and the centres of its faces. A sample that is inside
/// of another surface is pushed to the nearest point of that surface, which is pushed in the
/// opposite direction, with a pressure (penalty.h) over the area of the sample; both surfaces count
/// half. The force is the gradient of an energy, k d^2 / 2 of each sample: the depth d is
/// continuous where the nearest face changes, so that impacts conserve energy. A sample that came
/// in through one side of a wall is pushed back to that side (SideSearch), or to an adjacent side
/// that faces its own surface, if that is nearer. A sample that passes under an edge while bodies
/// slide on each other belongs to the side that faces its own surface. No work was done on the
/// depth that it has then, so that its spring only takes effect as the sample slides on, by the
/// work of the sliding (`unpaid`). Sharp edges that cross between vertices push each other apart
/// (EdgeContact). Friction is Coulomb's. SurfaceBroadPhase lists which samples may touch which
/// faces; samples are skipped while they are too far away to touch.
class SurfaceContact : public Load {
 public:
  /// `sides` and `touches_itself` have one entry a solid.
  SurfaceContact(const std::vector<Solid>& solids, const std::vector<ContactSide>& sides,
                 const std::vector<bool>& touches_itself);

  /// Sets the step of the simulation [s]; called before the first step.
  void set_step(double step) { step_ = step; }
  /// Throws util::InputError if a solid starts inside of another; its name is the location.
  void refuse_overlaps(const State& state) const;

  void add(double t, const State& state, std::vector<Nodes>& forces) override;
  double stiffness(std::size_t solid, std::size_t node) const override;
  double energy(const State& state) const override;
  void serialize(util::Archive& archive) override;

 private:
  /// How the samples of the first solid of a pair entered the second.
  struct Entries {
    /// By sample: the face through which it came in, or to which it has slid since; or none.
    std::vector<std::uint32_t> face;
    /// By sample: the part of its depth for which no work was done, because it came in sideways
    /// [m].
    std::vector<double> unpaid;
    std::vector<double> paid_now;  ///< part of it paid for until the next step [m]
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
