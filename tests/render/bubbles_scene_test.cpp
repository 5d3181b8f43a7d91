#include <peal/bubbles/drops.h>
#include <peal/bubbles/pulsation.h>
#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/util/files.h>
#include <peal/util/measure.h>
#include <peal/util/spectrum.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "source_dir.h"

namespace peal::render {
namespace {

using nlohmann::json;

const std::filesystem::path rain_folder = PEAL_SOURCE_DIR "/scenes/bodies/rain";

/// The scene with one of its sounds, as its left ear hears it.
std::vector<double> hear_sound(std::size_t number, double duration) {
  json scene = json::parse(util::read_file(rain_folder / "scene.json"), nullptr, true, true);
  scene["duration"] = duration;
  const json sound = scene["objects"][0]["sound"][number];
  scene["objects"][0]["sound"] = json::array({sound});
  util::Silent silent;
  const auto parsed = scene::parse_scene(scene.dump(), "rain", rain_folder);
  return util::as_double(render(parsed, silent).listeners.at(0).audio.channels.at(0));
}

double mean_square(std::span<const double> samples) {
  double sum = 0.0;
  for (const double x : samples) sum += x * x;
  return sum / static_cast<double>(samples.size());
}

TEST(BubblesSceneSlow, RainHissesAndDropsPlink) {
  const std::vector<double> drop = hear_sound(1, 0.3);
  const double speed = bubbles::falling_speed(0.0046, 0.085, 9.81);
  const auto bubble = bubbles::bubble_of_drop(0.0046, speed, base::Liquid{});
  ASSERT_TRUE(bubble);
  // Before the crater closes there is silence; then one plink.
  const auto sample = [](double t) { return static_cast<std::size_t>(48000.0 * t); };
  const auto before = std::span(drop).first(sample(0.12));
  const auto plink = std::span(drop).subspan(sample(0.131), sample(0.004));
  EXPECT_LT(mean_square(before), 1e-6 * mean_square(plink));
  const double expected = bubbles::pulsation(bubble->radius, base::Liquid{}).frequency();
  EXPECT_NEAR(util::find_tone(plink, 48000.0).frequency / expected, 1.0, 0.1);

  const std::vector<double> rain = hear_sound(0, 0.3);
  double high = 0.0, low = 0.0;
  for (int i = 0; i < 40; ++i) {
    const auto part = std::span(rain).subspan(4800, 9600);
    const double a = util::tone_at(part, 48000.0, 14000.0 + 80.0 * i).amplitude;
    const double b = util::tone_at(part, 48000.0, 2000.0 + 80.0 * i).amplitude;
    high += a * a;
    low += b * b;
  }
  EXPECT_GT(10.0 * std::log10(high / low), 15.0);
}

}  // namespace
}  // namespace peal::render
