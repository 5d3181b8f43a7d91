#include <peal/base/stored_contacts.h>
#include <peal/util/error.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

namespace peal::base {

namespace {

void serialize(util::Archive& archive, std::shared_ptr<const ForceHistory>& force) {
  bool is_known = force != nullptr;
  archive.number(is_known);
  if (!is_known) return;
  ForceHistory history;
  if (!archive.reads()) history = *force;
  archive.number(history.start, history.step);
  history.samples.resize(archive.count(history.samples.size(), sizeof(Eigen::Vector3f)));
  for (Eigen::Vector3f& sample : history.samples)
    archive.number(sample.x(), sample.y(), sample.z());
  if (archive.reads()) force = std::make_shared<const ForceHistory>(std::move(history));
}

}  // namespace

void serialize(util::Archive& archive, std::vector<ContactRecord>& records) {
  constexpr std::size_t bytes_each = 4 * sizeof(Vec3) + 3 * sizeof(double);
  records.resize(archive.count(records.size(), bytes_each));
  for (ContactRecord& record : records) {
    archive.number(record.time, record.body_a, record.body_b, record.duration, record.rolling);
    for (Vec3* vector : {&record.point, &record.normal, &record.impulse, &record.velocity})
      archive.number(vector->x(), vector->y(), vector->z());
    serialize(archive, record.force);
  }
}

void serialize(util::Archive& archive, std::vector<RestingContact>& rests) {
  constexpr std::size_t bytes_each = 2 * sizeof(Vec3) + 3 * sizeof(double);
  rests.resize(archive.count(rests.size(), bytes_each));
  for (RestingContact& rest : rests) {
    archive.number(rest.begin, rest.end, rest.body_a, rest.body_b, rest.impulse);
    for (Vec3* vector : {&rest.point, &rest.normal})
      archive.number(vector->x(), vector->y(), vector->z());
  }
}

void serialize(util::Archive& archive, ContactLog& log) {
  archive.texts(log.bodies);
  archive.number(log.step);
  serialize(archive, log.records);
  serialize(archive, log.rests);
  const auto check = [&](std::uint32_t a, std::uint32_t b) {
    if (std::max(a, b) >= log.bodies.size())
      throw util::InputError({}, "a body that does not exist");
  };
  for (const ContactRecord& record : log.records) check(record.body_a, record.body_b);
  for (const RestingContact& rest : log.rests) check(rest.body_a, rest.body_b);
}

}  // namespace peal::base
