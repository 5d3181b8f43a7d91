#include <peal/base/existence.h>
#include <peal/radiation/ray_keys.h>
#include <peal/radiation/surface_pace.h>
#include <peal/util/parallel.h>
#include <peal/util/sort_unique.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace peal::radiation {

namespace {

constexpr double shadow_time = 2.7e-3;  ///< from one look for shadows to the next, about [s]

/// The same as a power of 2 [beats].
std::int64_t shadow_beats(const RayScene& scene) {
  const auto beats = std::max(1LL, std::llround(shadow_time / scene.time(1)));
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(beats)));
}

}  // namespace

RayKeys::RayKeys(const RayScene& scene, SoundingSurface& surface, Occluders& occluders,
                 std::size_t body)
    : scene_(scene),
      surface_(surface),
      occluders_(occluders),
      number_(body),
      all_around_(scene.settings.form == base::RaysSettings::Form::kirchhoff),
      has_shadows_(!all_around_ || scene.world.bodies.size() > 1),
      shadows_move_(!occluders.are_still(body)),
      placed_(SurfaceTrack::at_once + 1),
      is_complete_(placed_.size()),
      steady_(scene.receivers.size()),
      changing_(scene.receivers.size()),
      chains_(scene.receivers.size()),
      last_(scene.receivers.size()) {}

/// As if all were seen.
std::vector<char> RayKeys::all_places() const {
  std::vector<char> all(Coordinates::padded(surface_.places()));
  std::fill_n(all.begin(), surface_.places(), char{1});
  return all;
}

std::vector<char> RayKeys::seen_places(const PlacedSurface& placed, const Hearing& hearing) const {
  std::vector<char> is_seen = all_places();
  for (std::size_t i = 0; i < surface_.places() && !all_around_ && !surface_.body().is_sheet; ++i)
    is_seen[i] = placed.normals.at(i).dot(hearing.ear - placed.places.at(i)) > 0.0;
  occluders_.mark_hidden(placed.places, hearing.ear,
                         occluders_.between(placed.box, hearing.ear, own_number()), is_seen);
  return is_seen;
}

double RayKeys::part_of_area(const std::vector<char>& is_seen) const {
  const std::vector<double>& areas = surface_.samples().area;
  if (std::memchr(is_seen.data(), 0, areas.size()) == nullptr) return 1.0;
  double seen = 0.0, all = 0.0;
  for (std::size_t i = 0; i < areas.size(); ++i) {
    all += areas[i];
    if (is_seen[i] != 0) seen += areas[i];
  }
  return seen / all;
}

double RayKeys::level(std::size_t receiver, double beat) const {
  if (!all_around_ || looks_.empty()) return 1.0;
  const auto after = std::ranges::upper_bound(
      looks_, beat, {}, [](const Look& look) { return static_cast<double>(look.beat); });
  if (after == looks_.begin()) return after->seen[receiver];
  const Look& before = *(after - 1);
  if (after == looks_.end()) return before.seen[receiver];
  const double passed =
      (beat - static_cast<double>(before.beat)) / static_cast<double>(after->beat - before.beat);
  // What appears or vanishes at once would click with the corners of a straight line.
  const bool is_cut = occluders_.begin_or_end(scene_.time(before.beat), scene_.time(after->beat));
  return std::lerp(before.seen[receiver], after->seen[receiver],
                   is_cut ? base::existence_rise(passed) : passed);
}

/// With all of its pieces.
std::shared_ptr<const PlacedSurface> RayKeys::complete_at(std::int64_t beat) {
  const std::shared_ptr<PlacedSurface>& placed = placed_at(beat);
  char& is_complete = is_complete_[static_cast<std::size_t>(beat - begin_)];
  if (is_complete == 0) surface_.complete(*placed);
  is_complete = 1;
  return placed;
}

/// Looks what is hidden, so many beats apart.
void RayKeys::look(const SurfaceTrack& track, std::int64_t begin, std::int64_t length) {
  const bool goes_on = !looks_.empty() && looks_.back().beat == begin;
  looks_.erase(looks_.begin(), looks_.end() - (goes_on ? 1 : 0));
  for (std::int64_t beat = begin; beat <= begin + SurfaceTrack::at_once; beat += length) {
    if (goes_on && beat == begin) continue;
    Look& now = looks_.emplace_back();
    now.beat = beat;
    now.placed = placed_at(beat);
    surface_.take_places(*now.placed);
    if (!all_around_) complete_at(beat);
    occluders_.set_time(scene_.time(beat), own_number());
    for (std::size_t r = 0; r < scene_.receivers.size(); ++r) {
      std::vector<char> is_seen = seen_places(*now.placed, track.hearing(r, beat));
      if (all_around_) {
        now.seen.push_back(part_of_area(is_seen));
      } else {
        now.is_seen.push_back(std::move(is_seen));
      }
    }
  }
}

/// Of all places, whether they are on these pieces and seen.
std::vector<char> RayKeys::heard_of(const std::vector<std::uint32_t>& pieces,
                                    const std::vector<char>& is_seen) const {
  std::vector<char> is_heard(is_seen.size());
  for (const std::uint32_t number : pieces) {
    const SoundingSurface::Piece& piece = surface_.pieces()[number];
    std::copy(is_seen.begin() + piece.begin, is_seen.begin() + piece.end,
              is_heard.begin() + piece.begin);
  }
  return is_heard;
}

/// Parts the pieces into those that stay as they are at all looks and those that do not.
void RayKeys::part(std::size_t receiver, Steady& steady, Changing& changing) const {
  const bool has_gaps = !all_around_ && !looks_.empty();
  const std::vector<char> is_seen = has_gaps ? looks_.front().is_seen[receiver] : all_places();
  std::vector<char> changes(is_seen.size());
  for (std::size_t k = 0; k < looks_.size() && has_gaps; ++k) {
    const Look& look = looks_[k];
    const char *const then = is_seen.data(), *const now = look.is_seen[receiver].data();
    char* const changed = changes.data();
    for (std::size_t i = 0; i < is_seen.size(); ++i)
      changed[i] |= static_cast<char>(now[i] ^ then[i]);
  }
  std::vector<std::uint32_t> stay;
  changing.pieces.clear();
  for (std::uint32_t p = 0; p < surface_.pieces().size(); ++p) {
    const SoundingSurface::Piece& piece = surface_.pieces()[p];
    const bool stays = std::all_of(changes.begin() + piece.begin, changes.begin() + piece.end,
                                   [](char change) { return change == 0; });
    (stays ? stay : changing.pieces).push_back(p);
  }
  steady = {surface_.channels_of(stay), heard_of(stay, is_seen)};
  changing.channels = surface_.channels_of(changing.pieces);
}

std::shared_ptr<RayResponse> RayKeys::spare() {
  if (spare_.empty()) return std::make_shared<RayResponse>();
  auto response = std::move(spare_.back());
  spare_.pop_back();
  return response;
}

/// One that no thread uses.
std::unique_ptr<RayResponse::Work> RayKeys::borrowed_work() {
  const std::lock_guard lock(mutex_);
  if (works_.empty()) return std::make_unique<RayResponse::Work>();
  auto work = std::move(works_.back());
  works_.pop_back();
  return work;
}

/// Its responses give their memory to new ones.
void RayKeys::release(Chain& chain) {
  for (Key& key : chain) {
    if (key.response.use_count() == 1) spare_.push_back(std::move(key.response));
    key.response.reset();
  }
  chain.clear();
}

/// Where nothing has changed from one key to the next they share their response.
void RayKeys::add_steady(const SurfaceTrack& track, std::int64_t length, std::size_t receiver,
                         std::vector<Task>& tasks) {
  Chain& chain = chains_[receiver][0];
  Steady steady;
  part(receiver, steady, changing_[receiver]);
  Key last = chain.empty() ? Key{} : chain.back();
  if (!(steady == steady_[receiver])) last.response.reset();
  release(chain);
  steady_[receiver] = std::move(steady);
  for (std::int64_t beat = begin_; beat <= begin_ + SurfaceTrack::at_once; beat += length) {
    const auto placed = complete_at(beat);
    const Hearing& hearing = track.hearing(receiver, beat);
    const bool stays = last.response && placed->is_same_as(*last_[receiver]) &&
                       (last.beat == beat || hearing.ear == track.hearing(receiver, last.beat).ear);
    if (!stays && last.response.use_count() == 1) spare_.push_back(std::move(last.response));
    chain.push_back({beat, stays ? last.response : spare()});
    if (!stays)
      tasks.push_back({chain.back().response.get(), placed.get(), steady_[receiver].channels,
                       steady_[receiver].is_heard, hearing});
    last = chain.back();
    last_[receiver] = placed;
  }
}

/// At all looks, what changes for any receiver.
void RayKeys::complete_changing() {
  std::vector<std::uint32_t> pieces;
  for (const Changing& some : changing_)
    pieces.insert(pieces.end(), some.pieces.begin(), some.pieces.end());
  if (pieces.empty()) return;
  util::sort_unique(pieces);
  for (const Look& look : looks_) {
    if (is_complete_[static_cast<std::size_t>(look.beat - begin_)] == 0)
      surface_.complete(*look.placed, pieces);
  }
}

void RayKeys::add_changing(const SurfaceTrack& track, std::size_t receiver,
                           std::vector<Task>& tasks) {
  Chain& chain = chains_[receiver][1];
  release(chain);
  const auto& [pieces, channels] = changing_[receiver];
  if (pieces.empty()) return;
  for (const Look& look : looks_) {
    chain.push_back({look.beat, spare()});
    tasks.push_back({chain.back().response.get(), look.placed.get(), channels,
                     heard_of(pieces, look.is_seen[receiver]), track.hearing(receiver, look.beat)});
  }
}

void RayKeys::move_to(const SurfaceTrack& track, std::int64_t begin) {
  const bool goes_on = begin == begin_ + SurfaceTrack::at_once;
  const char is_complete = goes_on ? is_complete_.back() : char{0};
  std::ranges::fill(is_complete_, char{0});
  is_complete_.front() = is_complete;
  begin_ = begin;
  // The first one is known if this goes on.
  std::ranges::fill(std::span(placed_).first(placed_.size() - 1), nullptr);
  for (std::size_t i = 0; i < placed_.size(); ++i)
    placed_[i] = surface_.at(scene_.time(begin + static_cast<std::int64_t>(i)));
  std::int64_t key_length = SurfaceTrack::at_once, look_length = SurfaceTrack::at_once;
  if (!scene_.is_still) {
    const SurfacePace pace(scene_, track, begin, placed_);
    key_length = pace.key_length();
    look_length = pace.look_length();
  }
  if (has_shadows_ && (!scene_.is_still || looks_.empty()))
    look(track, begin, shadows_move_ ? std::min(look_length, shadow_beats(scene_)) : look_length);
  std::vector<Task> tasks;
  for (std::size_t r = 0; r < scene_.receivers.size(); ++r) add_steady(track, key_length, r, tasks);
  complete_changing();
  for (std::size_t r = 0; r < scene_.receivers.size(); ++r) add_changing(track, r, tasks);
  util::parallel_for(static_cast<std::int64_t>(tasks.size()), [&](std::int64_t i) {
    const Task& task = tasks[static_cast<std::size_t>(i)];
    std::unique_ptr<RayResponse::Work> work = borrowed_work();
    task.response->take(surface_, *task.placed, task.channels, task.is_heard, task.hearing, *work);
    const std::lock_guard lock(mutex_);
    works_.push_back(std::move(work));
  });
}

}  // namespace peal::radiation
