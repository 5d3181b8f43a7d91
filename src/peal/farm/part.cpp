#include <peal/farm/part.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace peal::farm {

namespace {

constexpr std::int64_t most_parts = 1'000'000;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Throws unless 1 <= index <= count.
Part checked_part(std::int64_t index, std::int64_t count, const std::string& what) {
  if (count < 1 || count > most_parts || index < 1 || index > count) {
    throw util::InputError({"", what}, fmt::format("there is no chunk {} of {}", index, count),
                           "Chunks are numbered from 1 to their count: --chunk 1/4 to 4/4.");
  }
  return {static_cast<std::size_t>(index), static_cast<std::size_t>(count)};
}

/// A variable of the environment that is a whole number; absent if it is not set.
std::optional<std::int64_t> number_of(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return std::nullopt;
  if (const auto value = whole_number(text)) return value;
  throw util::InputError({"", variable}, fmt::format("\"{}\" is not a whole number", text));
}

/// CUE_RANGE is "1-8": the first frame and the last one.
std::pair<std::int64_t, std::int64_t> frame_range() {
  const char* const text = std::getenv("CUE_RANGE");
  const std::string range = text != nullptr ? text : "";
  const std::size_t dash = range.find('-');
  const auto first = whole_number(range.substr(0, dash));
  const auto last = dash == std::string::npos ? first : whole_number(range.substr(dash + 1));
  if (!first || !last) {
    throw util::InputError({"", "CUE_RANGE"}, fmt::format("\"{}\" is not a range of frames", range),
                           "Submit the layer with frames from 1 on, or give --chunk i/N.");
  }
  return {*first, *last};
}

}  // namespace

std::string Part::text() const {
  return fmt::format("{}/{}", index, count);
}

Part parse_part(const std::string& text, const std::string& what) {
  const std::size_t slash = text.find('/');
  const auto index = whole_number(std::string_view(text).substr(0, slash));
  const auto count = slash == std::string::npos
                         ? std::nullopt
                         : whole_number(std::string_view(text).substr(slash + 1));
  if (!index || !count) {
    throw util::InputError({"", what}, fmt::format("\"{}\" is not a chunk", text),
                           "Write its number and their count, such as 3/8.");
  }
  return checked_part(*index, *count, what);
}

Part part_from_environment(std::optional<std::size_t> given) {
  const auto count_or = [&](std::int64_t count) {
    return given ? static_cast<std::int64_t>(*given) : count;
  };
  if (const char* const own = std::getenv("PEAL_CHUNK"); own != nullptr && *own != '\0')
    return parse_part(own, "PEAL_CHUNK");
  if (const auto task = number_of("SLURM_ARRAY_TASK_ID")) {
    const std::int64_t first = number_of("SLURM_ARRAY_TASK_MIN").value_or(1);
    const std::int64_t step =
        std::max<std::int64_t>(1, number_of("SLURM_ARRAY_TASK_STEP").value_or(1));
    const std::int64_t count = number_of("SLURM_ARRAY_TASK_COUNT").value_or(0);
    return checked_part((*task - first) / step + 1, count_or(count), "SLURM_ARRAY_TASK_ID");
  }
  if (const auto completion = number_of("JOB_COMPLETION_INDEX")) {
    if (!given) {
      throw util::InputError({"", "--chunk"}, "Kubernetes does not tell how many chunks there are",
                             "Give their count: --chunk /8.");
    }
    return checked_part(*completion + 1, count_or(0), "JOB_COMPLETION_INDEX");
  }
  if (const auto frame = number_of("CUE_IFRAME")) {
    const auto [first, last] = frame_range();
    return checked_part(*frame - first + 1, count_or(last - first + 1), "CUE_IFRAME");
  }
  throw util::InputError({"", "--chunk"}, "the environment does not tell which chunk this is",
                         "Write its number and their count, such as --chunk 3/8. (PEAL_CHUNK=3/8, "
                         "Slurm, Kubernetes and OpenCue tell it.)");
}

std::vector<std::vector<std::size_t>> divide(std::span<const double> work, std::size_t parts) {
  std::vector<std::size_t> order(work.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t unit) { return work[unit]; });
  using Load = std::pair<double, std::size_t>;  // work so far, part
  std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
  for (std::size_t part = 0; part < parts; ++part) least.push({0.0, part});
  std::vector<std::vector<std::size_t>> units(parts);
  for (const std::size_t unit : order) {
    const auto [load, part] = least.top();
    least.pop();
    units[part].push_back(unit);
    least.push({load + work[unit], part});
  }
  for (auto& one : units) std::ranges::sort(one);
  return units;
}

}  // namespace peal::farm
