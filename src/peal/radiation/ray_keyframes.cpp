#include <peal/base/existence.h>
#include <peal/radiation/ray_keyframes.h>
#include <peal/radiation/update_rate.h>
#include <peal/util/parallel.h>
#include <peal/util/sort_unique.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace peal::radiation {

namespace {

constexpr double shadow_time = 2.7e-3;  ///< approximate interval of occlusion updates [s]

/// The hops between updates of moving occlusion, a power of 2.
std::int64_t shadow_hops(const RayScene& scene) {
  const auto hops = std::max(1LL, std::llround(shadow_time / scene.time(1)));
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(hops)));
}

}  // namespace

RayKeyframes::RayKeyframes(const RayScene& scene, RadiatingSurface& surface, Occluders& occluders,
                           std::size_t body)
    : scene_(scene),
      surface_(surface),
      occluders_(occluders),
      number_(body),
      all_around_(scene.settings.form == base::RaysSettings::Form::kirchhoff),
      has_shadows_(!all_around_ || scene.world.bodies.size() > 1),
      shadows_move_(!occluders.are_still(body)),
      placed_(ReceiverTrack::at_once + 1),
      is_complete_(placed_.size()),
      steady_(scene.receivers.size()),
      changing_(scene.receivers.size()),
      chains_(scene.receivers.size()),
      last_(scene.receivers.size()) {}

/// A mask in which every sample point is visible.
std::vector<char> RayKeyframes::all_samples() const {
  std::vector<char> all(Coordinates::padded(surface_.sample_points()));
  std::fill_n(all.begin(), surface_.sample_points(), char{1});
  return all;
}

std::vector<char> RayKeyframes::visible_samples(const PlacedSurface& placed,
                                                const ReceiverGeometry& receiver_geometry) const {
  std::vector<char> is_seen = all_samples();
  for (std::size_t i = 0; i < surface_.sample_points() && !all_around_ && !surface_.body().is_sheet;
       ++i)
    is_seen[i] = placed.normals.at(i).dot(receiver_geometry.receiver_point -
                                          placed.sample_points.at(i)) > 0.0;
  occluders_.mark_hidden(
      placed.sample_points, receiver_geometry.receiver_point,
      occluders_.between(placed.box, receiver_geometry.receiver_point, own_number()), is_seen);
  return is_seen;
}

double RayKeyframes::part_of_area(const std::vector<char>& is_seen) const {
  const std::vector<double>& areas = surface_.samples().area;
  if (std::memchr(is_seen.data(), 0, areas.size()) == nullptr) return 1.0;
  double seen = 0.0, all = 0.0;
  for (std::size_t i = 0; i < areas.size(); ++i) {
    all += areas[i];
    if (is_seen[i] != 0) seen += areas[i];
  }
  return seen / all;
}

double RayKeyframes::level(std::size_t receiver, double hop) const {
  if (!all_around_ || visibility_.empty()) return 1.0;
  const auto after = std::ranges::upper_bound(
      visibility_, hop, {},
      [](const VisibilitySample& look) { return static_cast<double>(look.hop); });
  if (after == visibility_.begin()) return after->seen[receiver];
  const VisibilitySample& before = *(after - 1);
  if (after == visibility_.end()) return before.seen[receiver];
  const double passed =
      (hop - static_cast<double>(before.hop)) / static_cast<double>(after->hop - before.hop);
  // A linear change would click at its corners if a body appears or vanishes at once.
  const bool is_cut = occluders_.begin_or_end(scene_.time(before.hop), scene_.time(after->hop));
  return std::lerp(before.seen[receiver], after->seen[receiver],
                   is_cut ? base::existence_rise(passed) : passed);
}

/// The surface at a hop, complete for all of its triangles.
std::shared_ptr<const PlacedSurface> RayKeyframes::complete_at(std::int64_t hop) {
  const std::shared_ptr<PlacedSurface>& placed = placed_at(hop);
  char& is_complete = is_complete_[static_cast<std::size_t>(hop - begin_)];
  if (is_complete == 0) surface_.complete(*placed);
  is_complete = 1;
  return placed;
}

/// Updates visibility at intervals of `length` hops.
void RayKeyframes::look(const ReceiverTrack& track, std::int64_t begin, std::int64_t length) {
  const bool goes_on = !visibility_.empty() && visibility_.back().hop == begin;
  visibility_.erase(visibility_.begin(), visibility_.end() - (goes_on ? 1 : 0));
  for (std::int64_t hop = begin; hop <= begin + ReceiverTrack::at_once; hop += length) {
    if (goes_on && hop == begin) continue;
    VisibilitySample& now = visibility_.emplace_back();
    now.hop = hop;
    now.placed = placed_at(hop);
    surface_.take_samples(*now.placed);
    if (!all_around_) complete_at(hop);
    occluders_.set_time(scene_.time(hop), own_number());
    for (std::size_t r = 0; r < scene_.receivers.size(); ++r) {
      std::vector<char> is_seen = visible_samples(*now.placed, track.receiver_geometry(r, hop));
      if (all_around_) {
        now.seen.push_back(part_of_area(is_seen));
      } else {
        now.is_seen.push_back(std::move(is_seen));
      }
    }
  }
}

/// For each sample point, whether it is on one of these triangles and visible.
std::vector<char> RayKeyframes::audible_samples(const std::vector<std::uint32_t>& faces,
                                                const std::vector<char>& is_seen) const {
  std::vector<char> is_audible(is_seen.size());
  for (const std::uint32_t number : faces) {
    const RadiatingSurface::TriangleSamples& face = surface_.faces()[number];
    std::copy(is_seen.begin() + face.begin, is_seen.begin() + face.end,
              is_audible.begin() + face.begin);
  }
  return is_audible;
}

/// Divides the triangles into those whose visibility is the same at all updates and those whose
/// visibility changes.
void RayKeyframes::part(std::size_t receiver, Steady& steady, Changing& changing) const {
  const bool has_gaps = !all_around_ && !visibility_.empty();
  const std::vector<char> is_seen =
      has_gaps ? visibility_.front().is_seen[receiver] : all_samples();
  std::vector<char> changes(is_seen.size());
  for (std::size_t k = 0; k < visibility_.size() && has_gaps; ++k) {
    const VisibilitySample& look = visibility_[k];
    const char *const then = is_seen.data(), *const now = look.is_seen[receiver].data();
    char* const changed = changes.data();
    for (std::size_t i = 0; i < is_seen.size(); ++i)
      changed[i] |= static_cast<char>(now[i] ^ then[i]);
  }
  std::vector<std::uint32_t> stay;
  changing.faces.clear();
  for (std::uint32_t p = 0; p < surface_.faces().size(); ++p) {
    const RadiatingSurface::TriangleSamples& face = surface_.faces()[p];
    const bool stays = std::all_of(changes.begin() + face.begin, changes.begin() + face.end,
                                   [](char change) { return change == 0; });
    (stays ? stay : changing.faces).push_back(p);
  }
  steady = {surface_.channels_of(stay), audible_samples(stay, is_seen)};
  changing.channels = surface_.channels_of(changing.faces);
}

std::shared_ptr<RayFilters> RayKeyframes::spare() {
  if (spare_.empty()) return std::make_shared<RayFilters>();
  auto response = std::move(spare_.back());
  spare_.pop_back();
  return response;
}

/// Working memory that no thread uses.
std::unique_ptr<RayFilters::Work> RayKeyframes::borrowed_work() {
  const std::lock_guard lock(mutex_);
  if (works_.empty()) return std::make_unique<RayFilters::Work>();
  auto work = std::move(works_.back());
  works_.pop_back();
  return work;
}

/// Empties a chain; its filters are reused for new ones.
void RayKeyframes::release(Chain& chain) {
  for (Key& key : chain) {
    if (key.response.use_count() == 1) spare_.push_back(std::move(key.response));
    key.response.reset();
  }
  chain.clear();
}

/// Adds the keyframes of the unchanging triangles. Successive keyframes share their filters if
/// nothing has changed.
void RayKeyframes::add_steady(const ReceiverTrack& track, std::int64_t length, std::size_t receiver,
                              std::vector<Task>& tasks) {
  Chain& chain = chains_[receiver][0];
  Steady steady;
  part(receiver, steady, changing_[receiver]);
  Key last = chain.empty() ? Key{} : chain.back();
  if (!(steady == steady_[receiver])) last.response.reset();
  release(chain);
  steady_[receiver] = std::move(steady);
  for (std::int64_t hop = begin_; hop <= begin_ + ReceiverTrack::at_once; hop += length) {
    const auto placed = complete_at(hop);
    const ReceiverGeometry& receiver_geometry = track.receiver_geometry(receiver, hop);
    const bool stays =
        last.response && placed->is_same_as(*last_[receiver]) &&
        (last.hop == hop || receiver_geometry.receiver_point ==
                                track.receiver_geometry(receiver, last.hop).receiver_point);
    if (!stays && last.response.use_count() == 1) spare_.push_back(std::move(last.response));
    chain.push_back({hop, stays ? last.response : spare()});
    if (!stays)
      tasks.push_back({chain.back().response.get(), placed.get(), steady_[receiver].channels,
                       steady_[receiver].is_audible, receiver_geometry});
    last = chain.back();
    last_[receiver] = placed;
  }
}

/// Completes the surface at all updates of visibility for the triangles that change for any
/// receiver.
void RayKeyframes::complete_changing() {
  std::vector<std::uint32_t> faces;
  for (const Changing& some : changing_)
    faces.insert(faces.end(), some.faces.begin(), some.faces.end());
  if (faces.empty()) return;
  util::sort_unique(faces);
  for (const VisibilitySample& look : visibility_) {
    if (is_complete_[static_cast<std::size_t>(look.hop - begin_)] == 0)
      surface_.complete(*look.placed, faces);
  }
}

void RayKeyframes::add_changing(const ReceiverTrack& track, std::size_t receiver,
                                std::vector<Task>& tasks) {
  Chain& chain = chains_[receiver][1];
  release(chain);
  const auto& [faces, channels] = changing_[receiver];
  if (faces.empty()) return;
  for (const VisibilitySample& look : visibility_) {
    chain.push_back({look.hop, spare()});
    tasks.push_back({chain.back().response.get(), look.placed.get(), channels,
                     audible_samples(faces, look.is_seen[receiver]),
                     track.receiver_geometry(receiver, look.hop)});
  }
}

void RayKeyframes::move_to(const ReceiverTrack& track, std::int64_t begin) {
  const bool goes_on = begin == begin_ + ReceiverTrack::at_once;
  const char is_complete = goes_on ? is_complete_.back() : char{0};
  std::ranges::fill(is_complete_, char{0});
  is_complete_.front() = is_complete;
  begin_ = begin;
  // The first surface is already known if this interval follows the last one.
  std::ranges::fill(std::span(placed_).first(placed_.size() - 1), nullptr);
  for (std::size_t i = 0; i < placed_.size(); ++i)
    placed_[i] = surface_.at(scene_.time(begin + static_cast<std::int64_t>(i)));
  std::int64_t key_length = ReceiverTrack::at_once, visibility_interval = ReceiverTrack::at_once;
  if (!scene_.is_still) {
    const UpdateRate pace(scene_, track, begin, placed_);
    key_length = pace.key_length();
    visibility_interval = pace.visibility_interval();
  }
  if (has_shadows_ && (!scene_.is_still || visibility_.empty()))
    look(track, begin,
         shadows_move_ ? std::min(visibility_interval, shadow_hops(scene_)) : visibility_interval);
  std::vector<Task> tasks;
  for (std::size_t r = 0; r < scene_.receivers.size(); ++r) add_steady(track, key_length, r, tasks);
  complete_changing();
  for (std::size_t r = 0; r < scene_.receivers.size(); ++r) add_changing(track, r, tasks);
  util::parallel_for(static_cast<std::int64_t>(tasks.size()), [&](std::int64_t i) {
    const Task& task = tasks[static_cast<std::size_t>(i)];
    std::unique_ptr<RayFilters::Work> work = borrowed_work();
    task.response->take(surface_, *task.placed, task.channels, task.is_audible,
                        task.receiver_geometry, *work);
    const std::lock_guard lock(mutex_);
    works_.push_back(std::move(work));
  });
}

}  // namespace peal::radiation
