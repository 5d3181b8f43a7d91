#include <peal/base/stored_contacts.h>
#include <peal/elastic/surface_record.h>
#include <peal/geometry/io/stored_mesh.h>

#include <algorithm>

namespace peal::elastic {

namespace {

void serialize(util::Archive& archive, SurfaceRecord& record) {
  archive.number(record.rate.hz);
  geometry::serialize(archive, record.mesh);
  archive.list(record.accelerations);
  archive.list(record.displacements);
  archive.maybe(record.energy);
  const std::size_t channels = record.channels();
  if (channels == 0 || record.rate.hz <= 0 || record.displacements.empty() ||
      record.accelerations.size() % channels != 0 || record.displacements.size() % channels != 0 ||
      !std::ranges::all_of(record.mesh.vertices,
                           [](const geometry::Vec3& v) { return v.allFinite(); }))
    throw util::InputError({}, "not the record of a surface");
}

void serialize(util::Archive& archive, PathRecord& path) {
  archive.list(path.poses);
  if (path.poses.size() % 7 != 0) throw util::InputError({}, "not the record of a path");
}

/// Reads or writes a list of items of at least `least_bytes` each.
template <class Item>
void serialize_all(util::Archive& archive, std::vector<Item>& items, std::size_t least_bytes) {
  items.resize(archive.count(items.size(), least_bytes));
  for (Item& item : items) serialize(archive, item);
}

}  // namespace

void serialize(util::Archive& archive, Recording& recording) {
  serialize_all(archive, recording.surfaces, 6 * sizeof(std::uint64_t));
  serialize_all(archive, recording.paths, sizeof(std::uint64_t));
  base::serialize(archive, recording.contacts);
  archive.number(recording.rest_impulse);
  archive.texts(recording.diagnostics);
}

}  // namespace peal::elastic
