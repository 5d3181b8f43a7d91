#include <peal/base/stored_contacts.h>
#include <peal/dynamics/rest_recorder.h>
#include <peal/dynamics/serialize_vectors.h>

namespace peal::dynamics {

namespace {

/// A contact that was not reported for more steps has ended: solvers with warm starts leave one out
/// now and then.
constexpr double steps_missed = 8.5;
/// A point moves no further from one report to the next [m].
constexpr double same_point = 0.002;

}  // namespace

void RestRecorder::add(double time, double duration, const base::RestingContact& contact,
                       double impulse) {
  std::vector<Open>& open = open_[{contact.body_a, contact.body_b}];
  Open* nearest = nullptr;
  double least = same_point;
  for (Open& one : open) {
    const double distance = (one.last - contact.point).norm();
    // Another point of the same step is another contact.
    if (rests_[one.rest].end > time + 0.5 * duration || distance > least) continue;
    nearest = &one;
    least = distance;
  }
  if (nearest == nullptr) {
    open.push_back({.rest = rests_.size(), .last = contact.point, .counted = 0.0, .rate = 0.0});
    nearest = &open.back();
    rests_.push_back(contact);
    rests_.back().begin = rests_.back().end = time;
    rests_.back().impulse = 0.0;
  }
  base::RestingContact& rest = rests_[nearest->rest];
  rest.impulse += impulse;
  rest.end = time + duration;
  nearest->last = contact.point;
  nearest->counted += duration;
  nearest->rate += (impulse / duration - nearest->rate) * (duration / nearest->counted);
}

void RestRecorder::end_step(double time, const std::function<bool(std::uint32_t)>& is_asleep) {
  for (auto pair = open_.begin(); pair != open_.end();) {
    const bool sleeps = is_asleep(pair->first.first) || is_asleep(pair->first.second);
    std::erase_if(pair->second, [&](const Open& one) {
      base::RestingContact& rest = rests_[one.rest];
      if (sleeps && time > rest.end) {
        rest.impulse += (time - rest.end) * one.rate;
        rest.end = time;
      }
      return time - rest.end > steps_missed * step_;
    });
    pair = pair->second.empty() ? open_.erase(pair) : std::next(pair);
  }
}

void RestRecorder::serialize(util::Archive& archive) {
  base::serialize(archive, rests_);
  std::size_t pairs = archive.count(open_.size(), 2 * sizeof(std::uint32_t));
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Open>> read;
  for (auto pair = open_.begin(); pairs > 0; --pairs) {
    std::pair<std::uint32_t, std::uint32_t> key;
    std::vector<Open> list;
    if (!archive.reads()) key = pair->first, list = pair->second, ++pair;
    archive.number(key.first, key.second);
    list.resize(archive.count(list.size(), sizeof(Open)));
    for (Open& one : list) {
      archive.number(one.rest, one.counted, one.rate);
      serialize_vectors(archive, one.last);
    }
    read.emplace(key, std::move(list));
  }
  if (archive.reads()) open_ = std::move(read);
}

}  // namespace peal::dynamics
