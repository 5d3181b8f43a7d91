#include <peal/dynamics/liquid_surface.h>
#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/util/fft.h>
#include <peal/util/files.h>
#include <peal/util/measure.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <vector>

#include "source_dir.h"

/// What must be heard in the scenes with water, from short excerpts in a low band.
namespace peal::render::water_gallery {
namespace {

using nlohmann::json;

const std::filesystem::path gallery = PEAL_SOURCE_DIR "/scenes/2018-wave";

json scene_file(const std::string& folder) {
  return json::parse(util::read_file(gallery / folder / "scene.json"), nullptr, true, true);
}

scene::Scene scene_of(const json& text, const std::string& folder) {
  return scene::parse_scene(text.dump(), folder, gallery / folder);
}

std::vector<double> heard(const json& text, const std::string& folder) {
  util::Silent silent;
  return util::as_double(
      render(scene_of(text, folder), silent).listeners.at(0).audio.channels.at(0));
}

/// Power in a band, of arbitrary unit.
class Spectrum {
 public:
  explicit Spectrum(std::vector<double> sound) : power_(size / 2 + 1) {
    sound.resize(size);
    std::vector<std::complex<double>> spectrum(power_.size());
    util::RealFft(size).forward(sound, spectrum);
    for (std::size_t i = 0; i < power_.size(); ++i) power_[i] = std::norm(spectrum[i]);
  }
  double power(double low, double high) const {
    double sum = 0.0;
    for (auto i = static_cast<std::size_t>(low / bin); double(i) <= high / bin; ++i)
      sum += power_[i];
    return sum;
  }
  double strongest(double low, double high) const {
    const auto from = power_.begin() + static_cast<std::ptrdiff_t>(low / bin);
    const auto to = power_.begin() + static_cast<std::ptrdiff_t>(high / bin);
    return bin * static_cast<double>(std::max_element(from, to) - power_.begin());
  }

 private:
  static constexpr std::size_t size = 32768;
  static constexpr double bin = 48000.0 / size;
  std::vector<double> power_;
};

double quarter_wave(double length, double radius) {
  return 343.2 / (4.0 * (length + 0.61 * radius));
}

/// Figure 17: the air of the glass rings at odd multiples of its quarter wave, which the bubble
/// alone over an endless surface (the model "direct") does not have.
TEST(WaterGallerySlow, ASingleBubbleRingsTheAirOfItsGlass) {
  json text = scene_file("single-bubble");
  text["duration"] = 0.2;
  text["radiation"]["max_frequency"] = 3000;
  text["radiation"]["accuracy"] = 0.05;
  const std::vector<double> glass = heard(text, "single-bubble");
  text["radiation"] = {{"model", "direct"}};
  const std::vector<double> free = heard(text, "single-bubble");
  const Spectrum in_glass(glass), alone(free);
  const double first = quarter_wave(0.16, 0.025);
  for (const double line : {first, 3.0 * first}) {
    const double found = in_glass.strongest(0.85 * line, 1.15 * line);
    EXPECT_NEAR(found, line, 0.07 * line);
    const double gain = 10.0 * std::log10(in_glass.power(found - 10.0, found + 10.0) /
                                          alone.power(found - 10.0, found + 10.0));
    RecordProperty("line_hz", std::to_string(found));
    RecordProperty("over_free_space_db", std::to_string(gain));
    EXPECT_GT(gain, 10.0) << found;
  }
}

/// One plink for each drop, at the frequency of its bubble and when its crater has closed.
TEST(WaterGallerySlow, ATapPlinksOnceForEachDrop) {
  json text = scene_file("dripping-faucet");
  text["duration"] = 2.0;
  text["radiation"] = {{"model", "direct"}};
  const scene::Scene parsed = scene_of(text, "dripping-faucet");
  const std::vector<double> sound = heard(text, "dripping-faucet");
  const double loudest = util::peak(sound);
  std::size_t plinks = 0;
  for (const scene::LiquidDrop& drop : parsed.objects.at(1).liquid()->drops) {
    const auto sample = [](double t) { return static_cast<std::size_t>(48000.0 * t); };
    if (drop.time + 0.08 > 2.0) continue;
    const std::span<const double> all(sound);
    const double impact = util::peak(all.subspan(sample(drop.time), sample(0.015)));
    const auto ring = all.subspan(sample(drop.time + 0.02), sample(0.05));
    EXPECT_LT(impact, 1e-3 * loudest) << "the impact itself is silent";
    EXPECT_GT(util::peak(ring), 0.2 * loudest);
    const Spectrum spectrum({ring.begin(), ring.end()});
    EXPECT_NEAR(spectrum.strongest(2000.0, 15000.0), 6300.0, 900.0);
    ++plinks;
  }
  EXPECT_GE(plinks, 2u);
}

/// The band in which the glass raises the sound of a small pour most, against the same bubbles over
/// an endless surface: bubbles differ, the glass does not.
TEST(WaterGallerySlow, AGlassThatIsFilledSoundsAsTheQuarterWaveOfTheAirInIt) {
  double before = 0.0;
  for (const double level : {0.02, 0.06, 0.1}) {
    json text = scene_file("pouring-faucet");
    text["duration"] = 0.6;
    json& liquid = text["objects"][1]["liquid"];
    liquid["level"] = level;
    // The level rises by 2 mm.
    liquid["pour"].update(
        json{{"start", 0.0}, {"flow", 1.5e-5}, {"nozzle_radius", 0.0019}, {"duration", 0.6}});
    text["objects"][1]["sound"] =
        json::parse(R"([{"bubbles": {"coupled": false, "max_frequency": 2500}}])");
    text["radiation"] = {{"model", "wave"}, {"max_frequency", 2500}, {"accuracy", 0.05}};
    const Spectrum glass(heard(text, "pouring-faucet"));
    text["radiation"] = {{"model", "direct"}};
    const Spectrum free(heard(text, "pouring-faucet"));
    // 0.68 a: the end correction of a wall 8 mm thick (Dalmont, Nederveen & Joly 2001).
    const double expected = 343.2 / (4.0 * (0.15 - level - 0.001 + 0.68 * 0.035));
    double found = 0.0, highest = 0.0;
    for (double f = 0.6 * expected; f < 1.6 * expected; f *= 1.01) {
      const double gain = glass.power(0.97 * f, 1.03 * f) / free.power(0.97 * f, 1.03 * f);
      if (gain > highest) highest = gain, found = f;
    }
    RecordProperty("note_hz", std::to_string(found));
    EXPECT_NEAR(found / expected, 1.0, 0.05) << level;
    EXPECT_GT(10.0 * std::log10(highest), 10.0) << "above free space";
    EXPECT_GT(found, 1.2 * before) << "it rises";
    before = found;
  }
}

}  // namespace
}  // namespace peal::render::water_gallery
