#include <peal/bubbles/check_tracks.h>
#include <peal/bubbles/read_tracks.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::bubbles {

using base::BubbleEnd;
using base::BubbleStart;
using base::BubbleTrack;

namespace {

void check_samples(const BubbleTrack& track, const std::string& place, util::Problems& problems) {
  for (std::size_t i = 1; i < track.samples.size(); ++i) {
    const double gap = track.samples[i].time - track.samples[i - 1].time;
    if (gap <= 0.0) {
      problems.add(place,
                   fmt::format("the times of bubble {} do not ascend: {:g} s after {:g} s",
                               track.id, track.samples[i].time, track.samples[i - 1].time),
                   "Sort its records by time, or give different bubbles different ids.");
      return;
    }
    if (gap > track_limits::longest_gap) {
      problems.add(place,
                   fmt::format("bubble {} has no record between {:g} s and {:g} s", track.id,
                               track.samples[i - 1].time, track.samples[i].time),
                   "Add the missing frames; or end it and begin another with its own id.");
      return;
    }
  }
}

/// A child that begins this much before its parent ends is a slip of the tracker [s].
constexpr double overlap = 0.01;

void check_parent(BubbleTrack& parent, const BubbleTrack& child, const std::string& place,
                  util::Problems& problems) {
  if (child.begin_time() <= parent.begin_time()) {
    problems.add(place,
                 fmt::format("bubble {} begins at {:g} s, before its parent {}", child.id,
                             child.begin_time(), parent.id),
                 "Check the column \"parents\".");
    return;
  }
  if (std::abs(child.begin_time() - parent.end_time()) >
      std::max(overlap, track_limits::longest_gap)) {
    problems.add(place,
                 fmt::format("bubble {} begins at {:g} s, but its parent {} ends at {:g} s",
                             child.id, child.begin_time(), parent.id, parent.end_time()),
                 "A bubble that merges or splits ends when its children begin.");
    return;
  }
  // What it overlaps is the child's.
  while (parent.samples.size() > 1 && parent.end_time() > child.begin_time())
    parent.samples.pop_back();
  if (parent.end == BubbleEnd::unknown)
    parent.end = child.start == BubbleStart::split ? BubbleEnd::split : BubbleEnd::merged;
}

}  // namespace

void finish_tracks(base::BubblePopulation& population, const TrackPlaces& places,
                   util::Problems& problems) {
  auto& tracks = population.tracks;
  std::erase_if(tracks, [](const BubbleTrack& track) { return track.samples.empty(); });
  std::ranges::stable_sort(tracks, {}, [](const BubbleTrack& track) { return track.begin_time(); });
  std::unordered_map<std::int64_t, std::size_t> number;
  for (std::size_t i = 0; i < tracks.size(); ++i) number.emplace(tracks[i].id, i);
  const auto place = [&](const BubbleTrack& track) {
    const auto found = places.find(track.id);
    return found == places.end() ? fmt::format("bubble {}", track.id) : found->second;
  };
  for (BubbleTrack& track : tracks) {
    check_samples(track, place(track), problems);
    for (const std::int64_t id : track.parents) {
      const auto parent = number.find(id);
      if (parent == number.end()) {
        problems.add(place(track), fmt::format("bubble {} has no parent {}", track.id, id),
                     "Parents are ids of bubbles in the same file.");
      } else if (id == track.id) {
        problems.add(place(track), fmt::format("bubble {} is its own parent", track.id));
      } else {
        check_parent(tracks[parent->second], track, place(track), problems);
      }
    }
  }
}

}  // namespace peal::bubbles
