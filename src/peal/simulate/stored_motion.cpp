#include <peal/base/stored_contacts.h>
#include <peal/simulate/stored_motion.h>

namespace peal::simulate {

void serialize(util::Archive& archive, StoredMotion& stored) {
  stored.paths.resize(archive.count(stored.paths.size(), sizeof(std::uint64_t)));
  for (StoredMotion::Path& path : stored.paths) {
    archive.number(path.object);
    dynamics::SimulatedMotion motion;
    if (!archive.reads()) motion = *path.motion;
    motion.serialize(archive);
    path.motion = std::make_shared<dynamics::SimulatedMotion>(std::move(motion));
  }
  serialize(archive, stored.log);
  archive.number(stored.rest_impulse);
  archive.text(stored.solver);
  archive.maybe(stored.energy);
  archive.list(stored.struck);
  archive.texts(stored.notices);
}

}  // namespace peal::simulate
