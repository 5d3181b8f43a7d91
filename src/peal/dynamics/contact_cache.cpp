#include <peal/dynamics/contact_cache.h>
#include <peal/dynamics/serialize_vectors.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace peal::dynamics {

namespace {

constexpr double same_instant = 1e-9;   ///< rounding of times [s]
constexpr double same_contact = 0.05;   ///< distance between contacts, of the bodies' size
constexpr double same_direction = 0.9;  ///< cosine of 26 degrees between their normals

/// Key of the pair to which a contact point with this key belongs.
std::uint64_t pair_of_key(std::uint64_t key) {
  return key & ~std::uint64_t{0xffffffff};
}

}  // namespace

const CachedContact* ContactCache::find(const ContactPoint& contact_point, double now,
                                        double size) const {
  const auto pair = contacts_.find(pair_key(contact_point.body_a, contact_point.body_b));
  if (pair == contacts_.end()) return nullptr;
  const CachedContact* nearest = nullptr;
  double least = same_contact * size;
  for (const CachedContact& one : pair->second) {
    if (std::abs(one.until - now) > same_instant) continue;  // of another time
    if (one.key == contact_point.key) return &one;
    const double apart = (one.point - contact_point.point).norm();
    if (apart < least && one.normal.dot(contact_point.normal) > same_direction) {
      nearest = &one;
      least = apart;
    }
  }
  return nearest;
}

void ContactCache::replace(std::span<const BodyPair> pairs,
                           std::span<const CachedContact> contacts) {
  for (const BodyPair& pair : pairs) {
    if (const auto old = contacts_.find(pair_key(pair.a, pair.b)); old != contacts_.end())
      old->second.clear();
  }
  for (const CachedContact& one : contacts) {
    assert(one.duration > 0.0 && "a contact that lasts has a duration");
    contacts_[pair_of_key(one.key)].push_back(one);
  }
}

void ContactCache::serialize(util::Archive& archive) {
  std::vector<std::uint64_t> pairs;
  for (const auto& [pair, contacts] : contacts_) pairs.push_back(pair);
  std::ranges::sort(pairs);
  archive.list(pairs);
  for (const std::uint64_t pair : pairs) {
    std::vector<CachedContact>& contacts = contacts_[pair];
    contacts.resize(archive.count(contacts.size()));
    for (CachedContact& one : contacts) {
      archive.number(one.key, one.duration, one.until);
      serialize_vectors(archive, one.point, one.normal, one.impulse);
    }
  }
}

}  // namespace peal::dynamics
