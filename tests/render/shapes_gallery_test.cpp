#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/util/files.h>
#include <peal/util/measure.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>

/// What must be heard in the scenes of scenes/1998-shapes, in numbers: partials as measured from
/// the audio, and modes that are missing where a node line is struck.
namespace peal::render {
namespace {

using nlohmann::json;

const std::filesystem::path shapes_gallery = PEAL_SOURCE_DIR "/scenes/1998-shapes";

json shape_scene(const std::string& name) {
  return json::parse(util::read_file(shapes_gallery / name / "scene.json"), nullptr, true, true);
}

/// What the listener hears, in Pa.
std::vector<double> heard(const json& scene, const std::string& name) {
  util::Silent silent;
  const auto parsed = scene::parse_scene(scene.dump(), name, shapes_gallery / name);
  return util::as_double(render(parsed, silent).listeners.at(0).audio.channels.at(0));
}

/// One strike of the scene alone, or at another point, for a second.
std::vector<double> one_strike(json scene, const std::string& name, std::size_t number,
                               const json& at = {}) {
  json& object = scene["objects"][0];
  json strike = object["strikes"][number];
  strike["t"] = 0.01;
  if (!at.is_null()) strike["at"] = at;
  object["strikes"] = json::array({strike});
  if (object["sound"][0].is_object()) object["sound"][0]["modal"].erase("click");
  scene["duration"] = 1.0;
  return heard(scene, name);
}

/// From 20 ms on, when the blow has arrived and ended.
std::span<const double> ringing(const std::vector<double>& sound) {
  return std::span(sound).subspan(960);
}

void expect_partials(const std::vector<double>& sound, double lowest,
                     const std::vector<double>& ratios, double tolerance) {
  for (const double ratio : ratios) {
    const double f = lowest * ratio;
    const util::Tone tone = util::find_mode(ringing(sound), 48000, f, 0.03 * f);
    EXPECT_NEAR(tone.frequency, f, tolerance * f) << ratio;
    EXPECT_GT(tone.amplitude, 0.0);
  }
}

/// Level of the mode at f in one sound over that in another [dB]: it is 0 where both have it.
double level_of(const std::vector<double>& a, const std::vector<double>& b, double f) {
  const auto window = [](const std::vector<double>& x) { return ringing(x).first(24000); };
  return 20.0 * std::log10(util::tone_at(window(a), 48000, f).amplitude /
                           util::tone_at(window(b), 48000, f).amplitude);
}

TEST(ShapesGallery, TheStringIsHarmonicAndLacksWhatHasANodeThere) {
  const json scene = shape_scene("string");
  const auto end = one_strike(scene, "string", 2);
  const double f = 0.5 / 0.65 * std::sqrt(73.9 / (7850 * M_PI * 0.0003545 * 0.0003545));
  EXPECT_NEAR(f, 118.7676, 0.05);
  expect_partials(end, f, {1, 2, 3, 4, 5, 6, 7}, 1e-5);
  const auto fifth = one_strike(scene, "string", 1), middle = one_strike(scene, "string", 0);
  EXPECT_LT(level_of(fifth, end, 5 * f), -60);
  EXPECT_LT(level_of(fifth, end, 10 * f), -60);
  EXPECT_GT(level_of(fifth, end, 4 * f), -10);
  EXPECT_LT(level_of(middle, end, 2 * f), -60);
  EXPECT_GT(level_of(middle, end, 3 * f), -10);
  EXPECT_GT(util::spectral_centroid(end, 48000), 1.5 * util::spectral_centroid(middle, 48000));
}

TEST(ShapesGallery, TheClampedBarHasFewInharmonicPartials) {
  const json scene = shape_scene("bar");
  const auto off = one_strike(scene, "bar", 1);
  const double f = std::pow(4.730040744862704 / 0.3, 2) / (2 * M_PI) * std::sqrt(200e9 / 7850) *
                   0.005 / std::sqrt(12.0);
  expect_partials(off, f, {1, 2.756538507099961, 5.403917632383322, 8.93295035238193}, 1e-5);
  const auto middle = one_strike(scene, "bar", 0);
  EXPECT_LT(level_of(middle, off, 2.756538507099961 * f), -60);
  EXPECT_GT(level_of(middle, off, 5.403917632383322 * f), -20);
  const auto soft = one_strike(scene, "bar", 2);
  EXPECT_LT(level_of(soft, off, 5.403917632383322 * f), -20);
}

TEST(ShapesGallery, TheSquareMembraneIsThatOfFigures5To7) {
  const json scene = shape_scene("rectangular-membrane");
  const auto corner = one_strike(scene, "rectangular-membrane", 0);
  const auto middle = one_strike(scene, "rectangular-membrane", 2);
  expect_partials(middle, 500.0, {1.0, 1.58113883008419, 2.23606797749979}, 2e-4);
  EXPECT_GT(util::spectral_centroid(corner, 48000), 1.5 * util::spectral_centroid(middle, 48000));
  // (2, 2) at 1000 Hz and (2, 4) have two half waves along x.
  EXPECT_LT(level_of(middle, corner, 1000.0), -50);
}

TEST(ShapesGallery, TheDrumStruckInTheMiddleHasRoundModesOnly) {
  json scene = shape_scene("circular-membrane");
  scene["objects"][0]["sound"][0]["modal"]["max_frequency"] = 1500;
  const auto middle = one_strike(scene, "circular-membrane", 0);
  const auto off = one_strike(scene, "circular-membrane", 1);
  const double f = 2.404825557695773 / (2 * M_PI * 0.2) * std::sqrt(2000 / (1380 * 0.00025));
  expect_partials(middle, f, {1.0, 2.295417267427}, 1e-4);
  expect_partials(off, f, {1.0, 1.593340506}, 1e-4);
  EXPECT_LT(level_of(middle, off, 1.593340506 * f), -40);
}

TEST(ShapesGallery, ThePlateStruckInTheMiddleLacksNodalDiameters) {
  const json scene = shape_scene("circular-plate");
  const auto middle = one_strike(scene, "circular-plate", 0);
  const auto off = one_strike(scene, "circular-plate", 1);
  const double stiffness = 110e9 * 1e-9 / (12 * (1 - 0.34 * 0.34));
  const double f = 10.2158262298673 / (2 * M_PI * 0.01) * std::sqrt(stiffness / (8530 * 0.001));
  expect_partials(off, f, {1.0, 2.08112325, 3.41401992, 3.89309168}, 1e-5);
  EXPECT_LT(level_of(middle, off, 2.08112325 * f), -60);
  EXPECT_LT(level_of(middle, off, 3.41401992 * f), -60);
}

TEST(ShapesGallery, TheLHasItsPublishedPartials) {
  json scene = shape_scene("l-membrane");
  scene["objects"][0]["sound"][0]["modal"]["max_frequency"] = 300;  // fewer modes are found sooner
  const auto sound = one_strike(scene, "l-membrane", 1);
  const double f =
      std::sqrt(9.63972384402194) / (2 * M_PI * 0.2) * std::sqrt(2000 / (1380 * 0.00025));
  const auto ratio = [](double lambda) { return std::sqrt(lambda / 9.63972384402194); };
  expect_partials(sound, f, {1.0, ratio(15.1972519264543), ratio(19.7392088021787)}, 1e-4);
  const auto between = one_strike(scene, "l-membrane", 1, {-0.1, 0, 0});
  EXPECT_LT(level_of(between, sound, ratio(19.7392088021787) * f), -30);
}

TEST(ShapesGallery, AStrikeIsHeardAfterItsWayAndFallsWithDistance) {
  json scene = shape_scene("string");
  const auto near = one_strike(scene, "string", 0);
  scene["listeners"][0]["mono"]["position"] = {0, 0, 4};
  const auto far = one_strike(scene, "string", 0);
  const auto first = [](const std::vector<double>& x) {
    return std::ranges::find_if(x, [&](double p) { return std::abs(p) > 1e-3 * util::peak(x); }) -
           x.begin();
  };
  EXPECT_NEAR(static_cast<double>(first(far) - first(near)), 3.0 / 343.2 * 48000, 1.5);
  EXPECT_NEAR(util::peak(near) / util::peak(far), 4.0, 0.05);
}

TEST(ShapesGallery, TheClickIsTheSameForTheSameSeedAndIsOver) {
  json scene = shape_scene("bar");
  scene["duration"] = 0.5;
  scene["objects"][0]["strikes"] = json::array({scene["objects"][0]["strikes"][0]});
  const auto with = heard(scene, "bar");
  EXPECT_EQ(with, heard(scene, "bar"));
  scene["objects"][0]["sound"] = {"modal"};
  const auto without = heard(scene, "bar");
  EXPECT_NE(with, without);
  for (std::size_t n = 5200; n < with.size(); ++n) ASSERT_EQ(with[n], without[n]);
}

}  // namespace
}  // namespace peal::render
