#include "sound_map.h"

#include <peal/util/error.h>
#include <peal/util/files.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "number_between.h"

namespace peal::apps {

namespace {

using Json = nlohmann::ordered_json;

Json numbers(const geometry::Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

/// Each point with what an impact of unit force against the normal does to each mode.
Json map_json(const base::ModalModel& model, const vibration::SoundMap& map,
              const vibration::SonicDistance& distance) {
  Json modes = Json::array();
  for (const base::Mode& mode : model.modes)
    modes.push_back({{"frequency_hz", mode.frequency}, {"decay_rate_per_s", mode.decay_rate}});
  Json points = Json::array();
  for (const std::uint32_t vertex : map.points) {
    const Eigen::VectorXf row = map.gains.row(vertex);
    points.push_back({{"at_m", numbers(model.surface.vertices[vertex])},
                      {"vertex", vertex},
                      {"gains", std::vector<float>(row.begin(), row.end())}});
  }
  Json vertices = Json::array(), triangles = Json::array();
  for (const geometry::Vec3& v : model.surface.vertices) vertices.push_back(numbers(v));
  for (const geometry::Triangle& t : model.surface.triangles) triangles.push_back(t);
  return {{"mass_kg", model.mass},
          {"threshold_decades", distance.threshold},
          {"inaudible", distance.inaudible},
          {"modes", modes},
          {"points", points},
          {"surface", {{"vertices_m", vertices}, {"triangles", triangles}}},
          {"nearest", map.nearest}};
}

/// Mean frequency of an impact's energy at each vertex [Hz]; where nothing moves, that of a
/// neighbour.
std::vector<double> brightness(const base::ModalModel& model, const vibration::SoundMap& map) {
  std::vector<double> values;
  for (Eigen::Index v = 0; v < map.gains.rows(); ++v) {
    double sum = 0.0, energy = 0.0;
    for (Eigen::Index m = 0; m < map.gains.cols(); ++m) {
      const double gain = static_cast<double>(map.gains(v, m));
      sum += gain * gain * model.modes[static_cast<std::size_t>(m)].frequency;
      energy += gain * gain;
    }
    values.push_back(energy > 0.0 ? sum / energy : 0.0);
  }
  std::vector<bool> known = map.moves;
  for (bool spreads = true; spreads;) {
    spreads = false;
    for (const geometry::Triangle& corners : model.surface.triangles) {
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t from = corners[k], to = corners[(k + 1) % 3];
        if (!known[from] || known[to]) continue;
        values[to] = values[from];
        spreads = known[to] = true;
      }
    }
  }
  return values;
}

}  // namespace

void add_sound_map_options(CLI::App& verb, SoundMapArguments& arguments) {
  verb.add_option("--sound-map", arguments.files,
                  "Write the points at which strikes sound different: FILE.json for programs,\n"
                  "FILE.png as a picture; may be given twice")
      ->check(CLI::Validator(
          [](std::string& name) {
            const auto ending = std::filesystem::path(name).extension();
            return ending == ".json" || ending == ".png" ? ""
                                                         : name + " ends neither in .json nor .png";
          },
          "FILE"));
  verb.add_option("--sonic-distance", arguments.distance.threshold,
                  "Sounds that differ by less count as the same [decades of energy]")
      ->default_val(arguments.distance.threshold)
      ->check(number_between(0.01, 1000.0));
}

Json write_sound_map(const base::ModalModel& model, const SoundMapArguments& arguments,
                     const plot::BodyHeading& heading) {
  const vibration::SoundMap map = vibration::sound_map(model, arguments.distance);
  for (const std::filesystem::path& file : arguments.files) {
    if (file.extension() == ".json") {
      util::write_file(file, map_json(model, map, arguments.distance).dump() + "\n");
    } else {
      util::write_file(file, plot::draw_map(model.surface,
                                            {.values = brightness(model, map),
                                             .label = "mean frequency of a strike's energy (Hz)",
                                             .dots = map.points},
                                            heading));
    }
  }
  return {{"points", map.points.size()}, {"vertices", model.surface.vertices.size()}};
}

}  // namespace peal::apps
