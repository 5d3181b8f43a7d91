#include <peal/geometry/mesh/inside.h>
#include <peal/radiation/receivers_in_solids.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::radiation {

namespace {

constexpr double ear_look = 0.01;  ///< interval at which positions of receivers are checked [s]

/// How often a receiver was inside a body.
struct ReceiverInBody {
  int looks = 0;
  double first = 0.0;  ///< [s]
};

bool never_moves(const base::Body& body, std::span<const base::Receiver> receivers) {
  return body.is_still() && !body.exists &&
         std::ranges::all_of(
             receivers, [](const base::Receiver& receiver) { return receiver.motion->is_still(); });
}

}  // namespace

void check_receivers(const base::World& world, std::span<const base::Receiver> receivers,
                     base::RadiationPlan& plan) {
  const double duration = world.rate.seconds(world.samples);
  for (const base::Body& body : world.bodies) {
    if (body.is_sheet || body.mesh.empty()) continue;
    const int steps =
        never_moves(body, receivers) ? 0 : static_cast<int>(std::ceil(duration / ear_look));
    std::vector<ReceiverInBody> found(receivers.size());
    geometry::TriMesh shape = body.shape(0.0);
    for (int i = 0; i <= steps; ++i) {
      const double t = steps == 0 ? 0.0 : duration * i / steps;
      if (body.exists && !body.exists->contains(t)) continue;
      if (body.changes_shape()) shape = body.shape(t);
      const geometry::Box box = geometry::bounds(shape);
      const base::Pose pose = body.motion->pose(t);
      for (std::size_t r = 0; r < receivers.size(); ++r) {
        const base::Vec3 receiver_point =
            pose.to_local(receivers[r].motion->pose(t).to_world(receivers[r].offset));
        if (!box.contains(receiver_point) || geometry::winding_number(shape, receiver_point) < 0.5)
          continue;
        if (found[r].looks++ == 0) found[r].first = t;
      }
    }
    for (std::size_t r = 0; r < receivers.size(); ++r) {
      if (found[r].looks == 0) continue;
      if (found[r].looks > steps) {
        throw util::InputError({"", "listener " + receivers[r].name},
                               fmt::format("is inside the solid \"{}\"", body.name),
                               "Move the listener into the air.");
      }
      plan.notices.push_back(fmt::format(
          "{} is inside the solid \"{}\" at {:.3g} s; what it receives there is meaningless",
          receivers[r].name, body.name, found[r].first));
    }
  }
}

}  // namespace peal::radiation
