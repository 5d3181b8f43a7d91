#include <peal/bubbles/check_tracks.h>
#include <peal/bubbles/read_tracks.h>
#include <peal/util/csv_table.h>
#include <peal/util/error.h>
#include <peal/util/files.h>

#include <fmt/format.h>

#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace peal::bubbles {

namespace {

using base::Bubble;
using base::BubbleEnd;
using base::BubbleStart;
using base::BubbleTrack;
using util::NumberRange;
using util::Problems;

constexpr NumberRange time_range = {
    .min = -track_limits::time, .max = track_limits::time, .unit = "s"};
constexpr NumberRange place_range = {
    .min = -track_limits::distance, .max = track_limits::distance, .unit = "m"};
constexpr NumberRange radius_range = {
    .min = track_limits::smallest_radius, .max = track_limits::largest_radius, .unit = "m"};
constexpr NumberRange frequency_range = {.min = 0.0, .max = 1e7, .unit = "Hz"};

/// Words of a line, at most so many.
std::vector<std::string_view> words(std::string_view line, std::size_t most) {
  std::vector<std::string_view> result;
  while (result.size() < most) {
    line = util::trimmed(line);
    if (line.empty()) break;
    const std::size_t end = line.find_first_of(" \t");
    result.push_back(line.substr(0, end));
    line = end == std::string_view::npos ? std::string_view() : line.substr(end);
  }
  return result;
}

constexpr std::size_t most_relatives = 1000;

std::vector<std::int64_t> ids(std::span<const std::string_view> texts, const std::string& at,
                              Problems& problems) {
  std::vector<std::int64_t> result;
  for (const std::string_view text : texts)
    result.push_back(util::parse_integer(text, at, problems));
  return result;
}

enum TrackColumn { id_at, t_at, x_at, y_at, z_at, radius_at, event_at, parents_at, frequency_at };

const std::vector<util::CsvTable::Column> track_columns = {
    {"id"},
    {"time"},
    {"x"},
    {"y"},
    {"z"},
    {"radius"},
    {"event", false},
    {"parents", false},
    {"frequency", false},
};

/// The event of a record; whether it begins or ends the bubble shows later.
void read_event(const util::CsvTable& table, BubbleTrack& track, Problems& problems) {
  const std::string_view event = table.text(event_at);
  const bool is_first = track.samples.size() == 1;
  if (event.empty()) return;
  // A bubble that ends must not have further records: the last event counts.
  if (event == "entrain" && is_first) {
    track.start = BubbleStart::entrained;
  } else if (event == "collapse") {
    track.end = BubbleEnd::collapsed;
  } else if (event == "merge") {
    if (is_first)
      track.start = BubbleStart::merged;
    else
      track.end = BubbleEnd::merged;
  } else if (event == "split") {
    if (is_first)
      track.start = BubbleStart::split;
    else
      track.end = BubbleEnd::split;
  } else {
    problems.add(table.row_name() + ", event",
                 fmt::format("\"{}\" is no event of a bubble{}", event.substr(0, 40),
                             event == "entrain" ? " that has begun" : ""),
                 "Events are entrain, merge, split and collapse.");
  }
}

}  // namespace

ReadTracks parse_bubble_table(std::string_view bytes, const std::string& name) {
  Problems problems(name);
  util::CsvTable table(bytes, name, track_columns);
  ReadTracks read;
  auto& tracks = read.population.tracks;
  std::unordered_map<std::int64_t, std::size_t> number;
  TrackPlaces places;
  while (table.next(problems)) {
    const std::int64_t id =
        util::parse_integer(table.text(id_at), table.row_name() + ", id", problems);
    const auto [found, is_new] = number.emplace(id, tracks.size());
    if (is_new) {
      tracks.push_back({.id = id});
      places.emplace(id, table.row_name());
    }
    BubbleTrack& track = tracks[found->second];
    if (track.end != BubbleEnd::unknown) {
      problems.add(table.row_name(), fmt::format("bubble {} has ended before", id),
                   "Give different bubbles different ids.");
    }
    Bubble bubble{.time = table.number(t_at, time_range, problems),
                  .position = {table.number(x_at, place_range, problems),
                               table.number(y_at, place_range, problems),
                               table.number(z_at, place_range, problems)},
                  .radius = table.number(radius_at, radius_range, problems)};
    if (table.has(frequency_at)) {
      NumberRange range = frequency_range;
      range.above_min = true;
      bubble.frequency = table.number(frequency_at, range, problems);
    }
    track.samples.push_back(bubble);
    read_event(table, track, problems);
    if (table.has(parents_at)) {
      const auto texts = words(table.text(parents_at), most_relatives);
      track.parents = ids(texts, table.row_name() + ", parents", problems);
    }
  }
  for (const BubbleTrack& track : tracks) {
    const bool has_origin = track.start != BubbleStart::entrained;
    if (has_origin && track.parents.empty()) {
      problems.add(places.at(track.id),
                   fmt::format("bubble {} {} but has no parents", track.id,
                               track.start == BubbleStart::merged ? "merged" : "split off"),
                   "Name them in the column \"parents\".");
    }
  }
  if (problems.count() == 0) finish_tracks(read.population, places, problems);
  problems.throw_if_any();
  return read;
}

namespace {

/// The lines of one bubble of the layout of FluidSound.
class TrackedBubbleReader {
 public:
  TrackedBubbleReader(std::string_view bytes, const std::string& name)
      : rest_(bytes), problems_(name) {}

  ReadTracks read() {
    while (!rest_.empty()) {
      const std::string_view line = util::take_line(rest_);
      line_name_ = fmt::format("line {}", ++line_);
      const auto text = words(line, most_relatives);
      if (text.empty()) continue;
      if (text[0] == "Bub") {
        begin(text);
      } else if (read_.population.tracks.empty()) {
        throw util::InputError({problems_.file(), line_name_}, "is not the first line of a bubble",
                               "A bubble begins with \"Bub\", its number and its radius [m].");
      } else if (text[0] == "Start:") {
        start(text);
      } else if (text[0] == "End:") {
        end(text);
      } else {
        sample(text);
      }
    }
    close();
    if (problems_.count() == 0) finish_tracks(read_.population, places_, problems_);
    problems_.throw_if_any();
    if (without_data_ > 0) {
      read_.notices.push_back(fmt::format("{} bubbles of {} have no samples and are left out",
                                          without_data_, problems_.file()));
    }
    return std::move(read_);
  }

 private:
  BubbleTrack& track() { return read_.population.tracks.back(); }

  void begin(std::span<const std::string_view> text) {
    close();
    read_.population.tracks.emplace_back();
    start_time_.reset();
    if (text.size() < 3) {
      problems_.add(line_name_, "needs the number and the radius of a bubble");
      return;
    }
    track().id = util::parse_integer(text[1], line_name_, problems_);
    radius_ = util::parse_number(text[2], radius_range, line_name_, problems_);
    if (!places_.emplace(track().id, line_name_).second)
      problems_.add(line_name_, fmt::format("a second bubble {}", track().id));
    number_.emplace(track().id, read_.population.tracks.size() - 1);
  }

  /// A bubble ends with its last sample if it has no line "End:".
  void close() {
    auto& tracks = read_.population.tracks;
    if (tracks.empty() || !tracks.back().samples.empty()) return;
    // It merged or split before it was sampled: it is where its parent was.
    const auto parent = std::ranges::find_if(tracks, [&](const BubbleTrack& one) {
      return !track().parents.empty() && one.id == track().parents.front() && !one.samples.empty();
    });
    if (start_time_ && parent != tracks.end()) {
      tracks.back().samples.push_back(
          {.time = *start_time_, .position = parent->samples.back().position, .radius = radius_});
      return;
    }
    places_.erase(tracks.back().id);
    left_out_.insert(tracks.back().id);
    tracks.pop_back();
    ++without_data_;
  }

  void start(std::span<const std::string_view> text) {
    if (text.size() < 3) {
      problems_.add(line_name_, "needs how and when the bubble begins",
                    "Write Start: N, M or S, the time and the parents.");
      return;
    }
    if (text[1] == "N") {
      track().start = BubbleStart::entrained;
    } else if (text[1] == "M") {
      track().start = BubbleStart::merged;
    } else if (text[1] == "S") {
      track().start = BubbleStart::split;
    } else {
      problems_.add(line_name_,
                    fmt::format("\"{}\" is no start of a bubble", text[1].substr(0, 40)),
                    "Starts are N (new), M (merged) and S (split).");
    }
    start_time_ = util::parse_number(text[2], time_range, line_name_, problems_);
    for (const std::int64_t id : ids(text.subspan(3), line_name_, problems_))
      if (!left_out_.contains(id)) track().parents.push_back(id);
  }

  void end(std::span<const std::string_view> text) {
    if (text.size() >= 2 && text[1] == "C") {
      track().end = BubbleEnd::collapsed;
    } else if (text.size() >= 2 && text[1] == "M") {
      track().end = BubbleEnd::merged;
    } else if (text.size() >= 2 && text[1] == "S") {
      track().end = BubbleEnd::split;
    } else {
      problems_.add(line_name_, "does not say how the bubble ends",
                    "Ends are M (merged), S (split) and C (collapsed).");
    }
  }

  void sample(std::span<const std::string_view> text) {
    if (text.size() < 5) {
      problems_.add(line_name_, fmt::format("has {} numbers", text.size()),
                    "A sample is: time, frequency, x, y, z and the pressure.");
      return;
    }
    const auto number = [&](std::size_t i, const NumberRange& range) {
      return util::parse_number(text[i], range, line_name_, problems_);
    };
    Bubble bubble{
        .time = number(0, time_range),
        .position = {number(2, place_range), number(3, place_range), number(4, place_range)},
        .radius = radius_};
    // Programs that found no frequency write 0.
    if (const double frequency = number(1, frequency_range); frequency > 0.0)
      bubble.frequency = frequency;
    track().samples.push_back(bubble);
  }

  std::string_view rest_;
  Problems problems_;
  ReadTracks read_;
  TrackPlaces places_;
  std::unordered_set<std::int64_t> left_out_;
  std::unordered_map<std::int64_t, std::size_t> number_;  ///< of each id in the list of tracks
  std::optional<double> start_time_;
  double radius_ = 0.0;
  std::size_t line_ = 0, without_data_ = 0;
  std::string line_name_;
};

}  // namespace

ReadTracks parse_tracked_bubbles(std::string_view bytes, const std::string& name) {
  return TrackedBubbleReader(bytes, name).read();
}

ReadTracks read_tracks(const std::filesystem::path& path) {
  const std::string bytes = util::read_file(path);
  return std::string_view(bytes).starts_with("Bub ") ? parse_tracked_bubbles(bytes, path.string())
                                                     : parse_bubble_table(bytes, path.string());
}

std::vector<BubbleEvent> parse_bubble_events(std::string_view bytes, const std::string& name) {
  Problems problems(name);
  util::CsvTable table(bytes, name,
                       {{"time"}, {"radius_m"}, {"amplitude", false}, {"rise_factor", false}});
  std::vector<BubbleEvent> events;
  while (table.next(problems)) {
    BubbleEvent event{.time = table.number(0, time_range, problems),
                      .radius = table.number(1, radius_range, problems)};
    if (table.has(2)) event.amplitude = table.number(2, {.min = 0.0, .max = 1000.0}, problems);
    if (table.has(3)) event.rise_factor = table.number(3, {.min = 0.0, .max = 10.0}, problems);
    events.push_back(event);
  }
  problems.throw_if_any();
  return events;
}

std::vector<AirParticle> parse_air_particles(std::string_view bytes, const std::string& name) {
  Problems problems(name);
  util::CsvTable table(bytes, name, {{"time"}, {"x"}, {"y"}, {"z"}});
  std::vector<AirParticle> particles;
  while (table.next(problems)) {
    particles.push_back({.time = table.number(0, time_range, problems),
                         .position = {table.number(1, place_range, problems),
                                      table.number(2, place_range, problems),
                                      table.number(3, place_range, problems)}});
  }
  problems.throw_if_any();
  return particles;
}

}  // namespace peal::bubbles
