#include <peal/scene/read_sofa.h>
#include <peal/util/archive.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/program.h>

#include <fmt/format.h>
#include <mysofa.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace peal::scene {

namespace {

using geometry::Vec3;
constexpr std::size_t largest_sofa = std::size_t{1} << 30;  ///< [byte]
/// Of libmysofa; the largest sets take seconds and some gigabytes.
constexpr util::IsolationLimits library_limits{std::chrono::seconds(120), std::size_t{8} << 30};
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

/// What Peal needs of a SOFA file, as libmysofa hands it over. Positions are Cartesian.
struct Sofa {
  int error = MYSOFA_OK;
  std::uint32_t measurements = 0, receivers = 0, emitters = 0, samples = 0;
  std::string data_type, listener_name;
  std::vector<float> responses, sources, rates, view, up, ears, delays;
};

void serialize(util::Archive& archive, Sofa& sofa) {
  archive.number(sofa.error, sofa.measurements, sofa.receivers, sofa.emitters, sofa.samples);
  archive.text(sofa.data_type);
  archive.text(sofa.listener_name);
  for (auto* values : {&sofa.responses, &sofa.sources, &sofa.rates, &sofa.view, &sofa.up,
                       &sofa.ears, &sofa.delays})
    archive.list(*values);
}

std::vector<float> values_of(const MYSOFA_ARRAY& array) {
  if (array.values == nullptr) return {};
  return {array.values, array.values + array.elements};
}

/// libmysofa 1.3.1 writes and reads beyond its buffers where files are damaged.
Sofa load_with_library(const std::filesystem::path& file) {
  Sofa sofa;
  const std::unique_ptr<MYSOFA_HRTF, void (*)(MYSOFA_HRTF*)> loaded(
      mysofa_load(file.c_str(), &sofa.error), mysofa_free);
  if (!loaded && sofa.error == MYSOFA_OK) sofa.error = MYSOFA_INTERNAL_ERROR;
  if (sofa.error != MYSOFA_OK) return sofa;
  const auto text = [&](const char* name) {
    const char* value = mysofa_getAttribute(loaded->attributes, const_cast<char*>(name));
    return std::string(value == nullptr ? "" : value);
  };
  sofa.measurements = loaded->M;
  sofa.receivers = loaded->R;
  sofa.emitters = loaded->E;
  sofa.samples = loaded->N;
  sofa.data_type = text("DataType");
  sofa.listener_name = text("ListenerShortName");
  mysofa_tocartesian(loaded.get());
  sofa.responses = values_of(loaded->DataIR);
  sofa.sources = values_of(loaded->SourcePosition);
  sofa.rates = values_of(loaded->DataSamplingRate);
  sofa.view = values_of(loaded->ListenerView);
  sofa.up = values_of(loaded->ListenerUp);
  sofa.ears = values_of(loaded->ReceiverPosition);
  sofa.delays = values_of(loaded->DataDelay);
  return sofa;
}

Sofa load_sofa(const std::filesystem::path& file) {
  const util::InputFile readable(file, largest_sofa);
  const auto bytes = util::run_isolated(
      [&] {
        Sofa sofa = load_with_library(file);
        util::Archive archive;
        serialize(archive, sofa);
        return std::string(archive.written());
      },
      library_limits);
  Sofa sofa{.error = MYSOFA_INTERNAL_ERROR};
  if (bytes) {
    try {
      util::Archive archive(*bytes);
      serialize(archive, sofa);
    } catch (const util::InputError&) {
      sofa.error = MYSOFA_INTERNAL_ERROR;
    }
  }
  if (sofa.error != MYSOFA_OK) {
    refuse_sofa(file,
                sofa.error == MYSOFA_UNSUPPORTED_FORMAT
                    ? "uses a feature of HDF5 that is not supported"
                    : "is not a SOFA file, or is damaged",
                "A SOFA file is a netCDF-4 file (HDF5) as AES69 describes it.");
  }
  return sofa;
}

void check_sofa(const Sofa& sofa, const std::filesystem::path& file) {
  if (sofa.data_type != "FIR")
    refuse_sofa(file, fmt::format("its data are of type \"{}\", not \"FIR\"", sofa.data_type));
  if (sofa.receivers != 2)
    refuse_sofa(file, fmt::format("has {} receivers, not two ears", sofa.receivers));
  if (sofa.emitters != 1) refuse_sofa(file, fmt::format("has {} emitters, not one", sofa.emitters));
  const std::size_t count = sofa.measurements;
  if (count < fewest_directions || count > most_directions) {
    refuse_sofa(file,
                fmt::format("has {} measurements; {} to {} are possible", count, fewest_directions,
                            most_directions),
                "Directions all around the head are needed.");
  }
  if (sofa.samples < 8 || sofa.responses.size() < 2 * count * sofa.samples ||
      sofa.sources.size() < 3 * count || sofa.rates.empty() || sofa.view.size() < 3 ||
      sofa.up.size() < 3) {
    refuse_sofa(file, "lacks impulse responses, source positions, a sampling rate or the view");
  }
  const float rate = sofa.rates[0];
  if (!(rate >= 8000.0f && rate <= 384000.0f) || rate != std::round(rate))
    refuse_sofa(file,
                fmt::format("has a sampling rate of {} Hz; 8000 to 384000 are possible", rate));
  if (sofa.samples / static_cast<double>(rate) > longest_response) {
    refuse_sofa(file,
                fmt::format("its responses last {:.3g} s: at most {} s are those of a head",
                            sofa.samples / static_cast<double>(rate), longest_response),
                "Responses of a room are of another convention; let the scene have the room.");
  }
}

/// The delay of a filter, which a file may have beside it [samples].
double delay_of(const Sofa& sofa, std::size_t measurement, std::size_t ear) {
  if (sofa.delays.size() >= 2 * std::size_t{sofa.measurements})
    return static_cast<double>(sofa.delays[2 * measurement + ear]);
  return sofa.delays.size() >= 2 ? static_cast<double>(sofa.delays[ear]) : 0.0;
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

Vec3 vector_at(const std::vector<float>& values, std::size_t index) {
  return {static_cast<double>(values[3 * index]), static_cast<double>(values[3 * index + 1]),
          static_cast<double>(values[3 * index + 2])};
}

}  // namespace

base::MeasuredHead read_sofa(const std::filesystem::path& file) {
  const Sofa sofa = load_sofa(file);
  check_sofa(sofa, file);
  const std::size_t count = sofa.measurements, length = sofa.samples;

  // The head looks along its view; a listener's frame looks along -Z with +Y up.
  const Vec3 view = vector_at(sofa.view, 0).normalized();
  const Vec3 up = vector_at(sofa.up, 0).normalized();
  const Vec3 right = view.cross(up);
  if (!(right.norm() > 0.9)) refuse_sofa(file, "its view and up directions do not make a frame");
  std::vector<Vec3> positions(count);
  std::vector<double> distances(count);
  for (std::size_t m = 0; m < count; ++m) {
    positions[m] = vector_at(sofa.sources, m);
    distances[m] = positions[m].norm();
    if (!(distances[m] >= nearest_source && distances[m] <= farthest_source)) {
      refuse_sofa(file,
                  fmt::format("measurement {} has its source {:.3g} m from the head; {} to {} are "
                              "possible",
                              m, distances[m], nearest_source, farthest_source));
    }
  }

  base::MeasuredHead head{.file = file.string(),
                          .name = sofa.listener_name,
                          .rate = {std::lround(sofa.rates[0])},
                          .distance = common_distance(distances)};
  double most_delay = 0.0;
  for (std::size_t m = 0; m < count; ++m)
    for (std::size_t ear = 0; ear < 2; ++ear) {
      const double delay = delay_of(sofa, m, ear);
      if (!(delay >= 0.0 && delay / static_cast<double>(head.rate.hz) < longest_response))
        refuse_sofa(file, fmt::format("measurement {} has a delay of {} samples", m, delay));
      most_delay = std::max(most_delay, delay);
    }
  // By the standard, ears are in the order of their positions; +y is left.
  const bool right_first = sofa.ears.size() >= 6 && sofa.ears[1] < sofa.ears[4];
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
      const auto delay = static_cast<std::size_t>(std::lround(delay_of(sofa, m, ear)));
      for (std::size_t n = 0; n < length; ++n) {
        const float value = sofa.responses[(2 * m + ear) * length + n];
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
