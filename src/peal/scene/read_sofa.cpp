#include <peal/scene/read_sofa.h>
#include <peal/util/error.h>
#include <peal/util/files.h>

#include <fmt/format.h>
#include <mysofa.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>

namespace peal::scene {

namespace {

using geometry::Vec3;
using Sofa = std::unique_ptr<MYSOFA_HRTF, void (*)(MYSOFA_HRTF*)>;

constexpr std::size_t largest_sofa = std::size_t{1} << 30;  ///< [byte]
constexpr unsigned fewest_directions = 12;
constexpr unsigned most_directions = 30000;
constexpr double longest_response = 0.2;                        ///< [s]
constexpr double nearest_source = 0.2, farthest_source = 20.0;  ///< sources [m]
const char* const expected_convention =
    "Peal reads the convention SimpleFreeFieldHRIR: impulse responses of two ears in free field.";

[[noreturn]] void refuse_sofa(const std::filesystem::path& file, std::string problem,
                              std::string hint = expected_convention) {
  throw util::InputError({file.string(), ""}, std::move(problem), std::move(hint));
}

Sofa load_sofa(const std::filesystem::path& file) {
  const util::InputFile readable(file, largest_sofa);
  int error = MYSOFA_OK;
  // mysofa_load_data() of libmysofa 1.3.1 writes beyond its buffers where a file is cut short.
  Sofa sofa(mysofa_load(file.c_str(), &error), mysofa_free);
  if (!sofa || error != MYSOFA_OK) {
    refuse_sofa(file,
                error == MYSOFA_UNSUPPORTED_FORMAT ? "uses a feature of HDF5 that is not supported"
                                                   : "is not a SOFA file, or is damaged",
                "A SOFA file is a netCDF-4 file (HDF5) as AES69 describes it.");
  }
  return sofa;
}

bool has_values(const MYSOFA_ARRAY& array, std::size_t count) {
  return array.values != nullptr && array.elements >= count;
}

void check_sofa(const MYSOFA_HRTF& sofa, const std::filesystem::path& file) {
  const auto text = [&](const char* name) {
    const char* value = mysofa_getAttribute(sofa.attributes, const_cast<char*>(name));
    return std::string(value == nullptr ? "" : value);
  };
  if (const std::string kind = text("DataType"); kind != "FIR")
    refuse_sofa(file, fmt::format("its data are of type \"{}\", not \"FIR\"", kind));
  if (sofa.R != 2) refuse_sofa(file, fmt::format("has {} receivers, not two ears", sofa.R));
  if (sofa.E != 1) refuse_sofa(file, fmt::format("has {} emitters, not one", sofa.E));
  if (sofa.M < fewest_directions || sofa.M > most_directions) {
    refuse_sofa(file,
                fmt::format("has {} measurements; {} to {} are possible", sofa.M, fewest_directions,
                            most_directions),
                "Directions all around the head are needed.");
  }
  const std::size_t filters = std::size_t{sofa.M} * 2;
  if (sofa.N < 8 || !has_values(sofa.DataIR, filters * sofa.N) ||
      !has_values(sofa.SourcePosition, std::size_t{sofa.M} * 3) ||
      !has_values(sofa.DataSamplingRate, 1) || !has_values(sofa.ListenerView, 3) ||
      !has_values(sofa.ListenerUp, 3)) {
    refuse_sofa(file, "lacks impulse responses, source positions, a sampling rate or the view");
  }
  const float rate = sofa.DataSamplingRate.values[0];
  if (!(rate >= 8000.0f && rate <= 384000.0f) || rate != std::round(rate))
    refuse_sofa(file,
                fmt::format("has a sampling rate of {} Hz; 8000 to 384000 are possible", rate));
  if (sofa.N / static_cast<double>(rate) > longest_response) {
    refuse_sofa(file,
                fmt::format("its responses last {:.3g} s: at most {} s are those of a head",
                            sofa.N / static_cast<double>(rate), longest_response),
                "Responses of a room are of another convention; let the scene have the room.");
  }
}

/// The delay of a filter, which a file may have beside it [samples].
double delay_of(const MYSOFA_HRTF& sofa, std::size_t measurement, std::size_t ear) {
  const MYSOFA_ARRAY& delays = sofa.DataDelay;
  if (delays.values == nullptr) return 0.0;
  if (delays.elements >= 2 * sofa.M)
    return static_cast<double>(delays.values[2 * measurement + ear]);
  return delays.elements >= 2 ? static_cast<double>(delays.values[ear]) : 0.0;
}

/// Measurements at one distance: the one that most have.
double common_distance(const std::vector<double>& distances) {
  std::map<long, std::size_t> counts;  // in centimetres
  for (const double distance : distances) ++counts[std::lround(100.0 * distance)];
  auto best = counts.begin();
  for (auto one = counts.begin(); one != counts.end(); ++one)
    if (one->second >= best->second) best = one;
  return 0.01 * static_cast<double>(best->first);
}

Vec3 vector_at(const MYSOFA_ARRAY& array, std::size_t index) {
  return {static_cast<double>(array.values[3 * index]),
          static_cast<double>(array.values[3 * index + 1]),
          static_cast<double>(array.values[3 * index + 2])};
}

}  // namespace

base::MeasuredHead read_sofa(const std::filesystem::path& file) {
  const Sofa sofa = load_sofa(file);
  check_sofa(*sofa, file);
  mysofa_tocartesian(sofa.get());
  const std::size_t count = sofa->M, length = sofa->N;

  // The head looks along its view; a listener's frame looks along -Z with +Y up.
  const Vec3 view = vector_at(sofa->ListenerView, 0).normalized();
  const Vec3 up = vector_at(sofa->ListenerUp, 0).normalized();
  const Vec3 right = view.cross(up);
  if (!(right.norm() > 0.9)) refuse_sofa(file, "its view and up directions do not make a frame");
  std::vector<Vec3> positions(count);
  std::vector<double> distances(count);
  for (std::size_t m = 0; m < count; ++m) {
    positions[m] = vector_at(sofa->SourcePosition, m);
    distances[m] = positions[m].norm();
    if (!(distances[m] >= nearest_source && distances[m] <= farthest_source)) {
      refuse_sofa(file,
                  fmt::format("measurement {} has its source {:.3g} m from the head; {} to {} are "
                              "possible",
                              m, distances[m], nearest_source, farthest_source));
    }
  }

  base::MeasuredHead head{.file = file.string(),
                          .rate = {std::lround(sofa->DataSamplingRate.values[0])},
                          .distance = common_distance(distances)};
  const char* name = mysofa_getAttribute(sofa->attributes, const_cast<char*>("ListenerShortName"));
  head.name = name == nullptr ? "" : name;
  double most_delay = 0.0;
  for (std::size_t m = 0; m < count; ++m)
    for (std::size_t ear = 0; ear < 2; ++ear) {
      const double delay = delay_of(*sofa, m, ear);
      if (!(delay >= 0.0 && delay / static_cast<double>(head.rate.hz) < longest_response))
        refuse_sofa(file, fmt::format("measurement {} has a delay of {} samples", m, delay));
      most_delay = std::max(most_delay, delay);
    }
  // By the standard, ears are in the order of their positions; +y is left.
  const bool right_first = has_values(sofa->ReceiverPosition, 6) &&
                           sofa->ReceiverPosition.values[1] < sofa->ReceiverPosition.values[4];
  const std::size_t padded = length + static_cast<std::size_t>(std::ceil(most_delay));
  for (std::size_t m = 0; m < count; ++m) {
    if (std::abs(distances[m] - head.distance) > 0.0051) continue;
    const Vec3 toward = positions[m] / distances[m];
    base::MeasuredHead::Response response{
        .direction = Vec3(toward.dot(right), toward.dot(up), -toward.dot(view)).normalized()};
    double energy = 0.0;
    for (std::size_t ear = 0; ear < 2; ++ear) {
      std::vector<float>& of_ear = (ear == 0) != right_first ? response.left : response.right;
      of_ear.assign(padded, 0.0f);
      const auto delay = static_cast<std::size_t>(std::lround(delay_of(*sofa, m, ear)));
      for (std::size_t n = 0; n < length; ++n) {
        const float value = sofa->DataIR.values[(2 * m + ear) * length + n];
        if (!std::isfinite(value))
          refuse_sofa(file, fmt::format("measurement {} is not finite", m));
        of_ear[std::min(n + delay, padded - 1)] = value;
        energy += static_cast<double>(value) * static_cast<double>(value);
      }
    }
    if (energy == 0.0) refuse_sofa(file, fmt::format("measurement {} is silent", m));
    head.responses.push_back(std::move(response));
  }
  if (head.responses.size() < fewest_directions)
    refuse_sofa(file, "has too few directions at one distance",
                "Directions all around are needed.");
  return head;
}

std::filesystem::path default_head() {
  return PEAL_DEFAULT_HEAD;
}

}  // namespace peal::scene
