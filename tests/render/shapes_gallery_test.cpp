#include <algorithm>

#include "render/struck_scene.h"

/// What must be heard in the scenes of scenes/1998-shapes, in numbers: partials as measured from
/// the audio, and modes that are missing where a node line is struck.
namespace peal::render {
namespace {

json shape_scene(const std::string& name) {
  return gallery_scene("1998-shapes/" + name);
}

TEST(ShapesGallery, TheStringIsHarmonicAndLacksWhatHasANodeThere) {
  const json scene = shape_scene("string");
  const auto end = one_strike(scene, "1998-shapes/string", 2);
  const double f = 0.5 / 0.65 * std::sqrt(73.9 / (7850 * M_PI * 0.0003545 * 0.0003545));
  EXPECT_NEAR(f, 118.7676, 0.05);
  expect_partials(end, f, {1, 2, 3, 4, 5, 6, 7}, 1e-5);
  const auto fifth = one_strike(scene, "1998-shapes/string", 1),
             middle = one_strike(scene, "1998-shapes/string", 0);
  EXPECT_LT(level_of(fifth, end, 5 * f), -60);
  EXPECT_LT(level_of(fifth, end, 10 * f), -60);
  EXPECT_GT(level_of(fifth, end, 4 * f), -10);
  EXPECT_LT(level_of(middle, end, 2 * f), -60);
  EXPECT_GT(level_of(middle, end, 3 * f), -10);
  EXPECT_GT(util::spectral_centroid(end, 48000), 1.5 * util::spectral_centroid(middle, 48000));
}

TEST(ShapesGallery, TheClampedBarHasFewInharmonicPartials) {
  const json scene = shape_scene("bar");
  const auto off = one_strike(scene, "1998-shapes/bar", 1);
  const double f = std::pow(4.730040744862704 / 0.3, 2) / (2 * M_PI) * std::sqrt(200e9 / 7850) *
                   0.005 / std::sqrt(12.0);
  expect_partials(off, f, {1, 2.756538507099961, 5.403917632383322, 8.93295035238193}, 1e-5);
  const auto middle = one_strike(scene, "1998-shapes/bar", 0);
  EXPECT_LT(level_of(middle, off, 2.756538507099961 * f), -60);
  EXPECT_GT(level_of(middle, off, 5.403917632383322 * f), -20);
  const auto soft = one_strike(scene, "1998-shapes/bar", 2);
  EXPECT_LT(level_of(soft, off, 5.403917632383322 * f), -20);
}

TEST(ShapesGallery, TheSquareMembraneIsThatOfFigures5To7) {
  const json scene = shape_scene("rectangular-membrane");
  const auto corner = one_strike(scene, "1998-shapes/rectangular-membrane", 0);
  const auto middle = one_strike(scene, "1998-shapes/rectangular-membrane", 2);
  expect_partials(middle, 500.0, {1.0, 1.58113883008419, 2.23606797749979}, 2e-4);
  EXPECT_GT(util::spectral_centroid(corner, 48000), 1.5 * util::spectral_centroid(middle, 48000));
  // (2, 2) at 1000 Hz and (2, 4) have two half waves along x.
  EXPECT_LT(level_of(middle, corner, 1000.0), -60);
}

TEST(ShapesGallery, TheDrumStruckInTheMiddleHasRoundModesOnly) {
  const json scene = up_to(shape_scene("circular-membrane"), 1500);
  const auto middle = one_strike(scene, "1998-shapes/circular-membrane", 0);
  const auto off = one_strike(scene, "1998-shapes/circular-membrane", 1);
  const double f = 2.404825557695773 / (2 * M_PI * 0.2) * std::sqrt(2000 / (1380 * 0.00025));
  expect_partials(middle, f, {1.0, 2.295417267427}, 1e-4);
  expect_partials(off, f, {1.0, 1.593340506}, 1e-4);
  EXPECT_LT(level_of(middle, off, 1.593340506 * f), -60);
}

TEST(ShapesGallery, ThePlateStruckInTheMiddleLacksNodalDiameters) {
  const json scene = shape_scene("circular-plate");
  const auto middle = one_strike(scene, "1998-shapes/circular-plate", 0);
  const auto off = one_strike(scene, "1998-shapes/circular-plate", 1);
  const double stiffness = 110e9 * 1e-9 / (12 * (1 - 0.34 * 0.34));
  const double f = 10.2158262298673 / (2 * M_PI * 0.01) * std::sqrt(stiffness / (8530 * 0.001));
  expect_partials(off, f, {1.0, 2.08112325, 3.41401992, 3.89309168}, 1e-5);
  EXPECT_LT(level_of(middle, off, 2.08112325 * f), -60);
  EXPECT_LT(level_of(middle, off, 3.41401992 * f), -60);
}

TEST(ShapesGallery, TheLHasItsPublishedPartials) {
  const json scene = up_to(shape_scene("l-membrane"), 300);
  const auto sound = one_strike(scene, "1998-shapes/l-membrane", 1);
  const double f =
      std::sqrt(9.63972384402194) / (2 * M_PI * 0.2) * std::sqrt(2000 / (1380 * 0.00025));
  const auto ratio = [](double lambda) { return std::sqrt(lambda / 9.63972384402194); };
  expect_partials(sound, f, {1.0, ratio(15.1972519264543), ratio(19.7392088021787)}, 1e-4);
  const auto between = one_strike(scene, "1998-shapes/l-membrane", 1, {-0.1, 0, 0});
  EXPECT_LT(level_of(between, sound, ratio(19.7392088021787) * f), -60);
}

TEST(ShapesGallery, AStrikeIsHeardAfterItsWayAndFallsWithDistance) {
  json scene = shape_scene("string");
  const auto near = one_strike(scene, "1998-shapes/string", 0);
  scene["listeners"][0]["mono"]["position"] = {0, 0, 4};
  const auto far = one_strike(scene, "1998-shapes/string", 0);
  const auto first = [](const std::vector<double>& x) {
    return std::ranges::find_if(x, [&](double p) { return std::abs(p) > 0.05 * util::peak(x); }) -
           x.begin();
  };
  EXPECT_NEAR(static_cast<double>(first(far) - first(near)), 3.0 / 343.2 * 48000, 1.5);
  EXPECT_NEAR(util::peak(near) / util::peak(far), 4.0, 0.05);
}

TEST(ShapesGallery, TheClickIsTheSameForTheSameSeedAndIsOver) {
  json scene = shape_scene("bar");
  scene["duration"] = 0.5;
  scene["objects"][0]["strikes"] = json::array({scene["objects"][0]["strikes"][0]});
  const auto with = listener_audio(scene, "1998-shapes/bar");
  EXPECT_EQ(with, listener_audio(scene, "1998-shapes/bar"));
  scene["objects"][0]["sound"] = {"modal"};
  const auto without = listener_audio(scene, "1998-shapes/bar");
  EXPECT_NE(with, without);
  for (std::size_t n = 5200; n < with.size(); ++n) ASSERT_EQ(with[n], without[n]);
}

}  // namespace
}  // namespace peal::render
