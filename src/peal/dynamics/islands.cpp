#include <peal/dynamics/islands.h>
#include <peal/util/disjoint_sets.h>

#include <algorithm>

namespace peal::dynamics {

bool acts(const RigidJoint& joint, const RigidBodies& bodies) {
  return bodies[joint.body].is_there && (!joint.other || bodies[*joint.other].is_there);
}

std::vector<Island> find_islands(const RigidBodies& bodies, std::span<const BodyPair> pairs,
                                 std::span<const RigidJoint> joints) {
  util::DisjointSets sets(bodies.size());
  for (const BodyPair& pair : pairs) {
    if (bodies[pair.a].is_free && bodies[pair.b].is_free) sets.join(pair.a, pair.b);
  }
  for (const RigidJoint& joint : joints) {
    if (acts(joint, bodies) && joint.other && bodies[joint.body].is_free &&
        bodies[*joint.other].is_free)
      sets.join(joint.body, *joint.other);
  }
  std::vector<Island> islands;
  std::vector<std::size_t> island_of(bodies.size());
  for (const std::uint32_t i : bodies.free()) {
    const std::uint32_t root = sets.root(i);
    if (root == i) {
      island_of[i] = islands.size();
      islands.emplace_back();
    } else {
      island_of[i] = island_of[root];
    }
    islands[island_of[i]].bodies.push_back(i);
  }
  for (const BodyPair& pair : pairs) {
    Island& island = islands[island_of[bodies[pair.a].is_free ? pair.a : pair.b]];
    island.pairs.push_back(pair);
    island.is_driven = island.is_driven || bodies[pair.a].is_moving || bodies[pair.b].is_moving;
  }
  for (std::uint32_t k = 0; k < joints.size(); ++k) {
    const RigidJoint& joint = joints[k];
    if (!acts(joint, bodies)) continue;
    Island& island = islands[island_of[bodies[joint.body].is_free ? joint.body : *joint.other]];
    island.joints.push_back(k);
    island.is_driven = island.is_driven || bodies[joint.body].is_moving ||
                       (joint.other && bodies[*joint.other].is_moving);
  }
  // A body that does not exist is an island of its own.
  std::erase_if(islands, [&](const Island& island) { return !bodies[island.bodies[0]].is_there; });
  return islands;
}

}  // namespace peal::dynamics
