#include <peal/geometry/shapes/shapes.h>
#include <peal/shaders/speaker_patch.h>
#include <peal/sounds/point.h>
#include <peal/sounds/speaker.h>
#include <peal/util/error.h>
#include <peal/util/measure.h>
#include <peal/util/parallel.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/accelerations_of.h"

namespace peal::sounds {
namespace {

using base::Rate;
using base::SampleRange;
using geometry::Box;
using geometry::TriMesh;
using geometry::Vec3;

constexpr Rate audio{48000};
constexpr Rate solver{144000};

std::vector<std::string> ignored;

shaders::ShaderContext context_of(double seconds) {
  return {.rate = audio,
          .samples = static_cast<std::int64_t>(seconds * 48000),
          .seed = 1,
          .notices = &ignored};
}

/// What a one-triangle speaker plays over a stretch.
std::vector<double> accelerations(const base::SurfaceSource& source, Rate rate, SampleRange range) {
  base::Coefficients values;
  source.coefficients(rate, range, values);
  EXPECT_EQ(source.basis(std::array<base::SurfacePoint, 1>{}).at(0, 0), 1.0);
  return {values.data(), values.data() + values.size()};
}

std::vector<double> accelerations(const SpeakerSound& sound, Rate rate, SampleRange range) {
  return accelerations(Speaker(sound, {true}, context_of(1.0)), rate, range);
}

TEST(Speaker, DrivesItsPatchAndNothingElse) {
  const auto speaker = std::make_shared<Speaker>(
      SpeakerSound{.signal = scene::ToneSound{.frequency = 100, .fade = 0}},
      std::vector<bool>{false, true, false}, context_of(1.0));
  const std::vector<base::SurfacePoint> points = {
      {.triangle = 0}, {.triangle = 1}, {.triangle = 2}, {.triangle = 1}};
  const std::vector<float> a =
      base::accelerations_of(speaker, points, {120, audio});  // a quarter of a period
  EXPECT_EQ(a[0], 0.0f);
  EXPECT_NEAR(a[1], 1.0f, 1e-6f);
  EXPECT_EQ(a[2], 0.0f);
  EXPECT_EQ(a[3], a[1]);
}

TEST(Speaker, PlaysTheSameToneAtTheRateOfTheSolver) {
  const SpeakerSound sound{.signal = scene::ToneSound{.frequency = 1000}, .acceleration = 3};
  for (const Rate rate : {solver, Rate{48000 * 7}, Rate{100000}}) {
    const auto a = accelerations(sound, rate, {rate.hz / 10, rate.hz / 2});
    const auto tone = util::find_tone(a, static_cast<double>(rate.hz));
    EXPECT_NEAR(tone.frequency, 1000.0, 1e-3) << rate.hz;
    EXPECT_NEAR(tone.amplitude, 3.0, 1e-4) << rate.hz;
  }
}

TEST(Speaker, EveryThirdSampleAtThreeTimesTheRateIsASampleOfAudio) {
  // Pink noise below 15 kHz lies in the band that conversion leaves alone.
  const SpeakerSound sound{
      .signal =
          scene::NoiseSound{.colour = scene::NoiseSound::Colour::pink, .low = 50, .high = 15000}};
  const auto slow = accelerations(sound, audio, {0, 40000});
  const auto fast = accelerations(sound, solver, {0, 120000});
  for (std::size_t i = 1000; i < slow.size(); ++i) ASSERT_NEAR(fast[3 * i], slow[i], 2e-5) << i;
}

TEST(Speaker, ABlockOfTheConversionHasNoSeam) {
  const auto a = accelerations({.signal = scene::ToneSound{.frequency = 3000}}, solver,
                               {3 * 16384 - 5000, 3 * 16384 + 5000});
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double t = solver.seconds(3 * 16384 - 5000 + static_cast<std::int64_t>(i));
    ASSERT_NEAR(a[i], std::sin(2.0 * 3.14159265358979323846 * 3000.0 * t), 1e-5);
  }
}

TEST(Speaker, SaysWhenItSounds) {
  const Speaker speaker({.signal = scene::ClickSound{.width = 0.001, .period = 0.2}, .start = 0.1},
                        {true}, context_of(1.0));
  const auto stretches = speaker.active(solver, {0, 144000});
  ASSERT_EQ(stretches.size(), 5u);
  const auto all = accelerations(speaker, solver, {0, 144000});
  for (std::int64_t n = 0, at = 0; n < 144000; ++n) {
    while (at < 5 && n >= stretches[at].end) ++at;
    const bool inside = at < 5 && n >= stretches[at].begin;
    ASSERT_TRUE(inside || all[n] == 0.0) << n;
  }
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(solver.seconds(stretches[i].begin), 0.1 + 0.2 * i, 0.011) << i;
    EXPECT_LT(stretches[i].size(), solver.hz / 20) << i;
  }
  // Only the stretch that is asked for.
  EXPECT_TRUE(speaker.active(solver, {0, 12000}).empty());
  EXPECT_EQ(speaker.active(solver, {14000, 15000}).back().end, 15000);
}

TEST(Speaker, ShortGapsAreNotSplitOff) {
  const Speaker speaker({.signal = scene::ClickSound{.width = 1e-4, .period = 0.015}}, {true},
                        context_of(1.0));
  EXPECT_EQ(speaker.active(audio, {0, 48000}).size(), 1u);
}

TEST(Speaker, ThreadsAtDifferentTimesAndRatesHearTheSame) {
  const SpeakerSound sound{.signal = scene::NoiseSound{}};
  const auto slow = accelerations(sound, audio, {0, 4000});
  const auto fast = accelerations(sound, solver, {0, 12000});
  const Speaker shared(sound, {true}, context_of(1.0));
  util::parallel_for(16, [&](std::int64_t i) {
    const bool is_fast = i % 2 == 1;
    const std::int64_t part = is_fast ? 1500 : 500, first = (i / 2) * part;
    const auto a = accelerations(shared, is_fast ? solver : audio, {first, first + part});
    const auto& expected = is_fast ? fast : slow;
    for (std::size_t n = 0; n < a.size(); ++n) {
      if (a[n] != expected[first + n]) throw std::runtime_error("differs");
    }
  });
}

TEST(PointSound, AtTheRateOfTheSolverAnyPartIsThatPartOfTheWhole) {
  const PointPlayer shader({.signal = scene::NoiseSound{}, .pressure_at_1m = 2.0, .start = 0.2},
                           context_of(1.0));
  const base::Signal whole = shader.strength(solver, {0, 144000});
  const base::Signal part = shader.strength(solver, {50000, 60000});
  EXPECT_GT(whole.start, 25000) << "silence is left out";
  ASSERT_EQ(part.start, 50000);
  ASSERT_EQ(part.samples.size(), 10000u);
  for (std::size_t i = 0; i < part.samples.size(); ++i) {
    ASSERT_EQ(part.samples[i], whole.samples[50000 - whole.start + i]);
  }
}

TEST(SpeakerPatch, BoxesNumbersAndGroupsMayBeMixedOnOneMesh) {
  TriMesh mesh = geometry::box_mesh({1, 1, 1}, 2.0);
  mesh.groups = {"body", "cone/paper"};
  mesh.triangle_group.assign(12, 0);
  mesh.triangle_group[3] = 1;
  const std::vector<scene::Faces> faces = {
      std::vector<std::uint32_t>{3, 4}, Box(Vec3(-0.1, -0.2, 0.4), Vec3(0.1, 0.2, 0.6)),
      std::string("paper"), Box(Vec3(-0.05, -0.05, 0.4), Vec3(0.3, 0.05, 0.6)),
      scene::WholeSurface{}};
  const shaders::SpeakerPatches found = shaders::speaker_patches(mesh, faces);
  const auto area = [&](int speaker) {
    return shaders::patch_size(found.mesh, found.patches[speaker]).area;
  };
  EXPECT_NEAR(area(0), 1.0, 1e-12);  // two halves of unit squares
  EXPECT_NEAR(area(1), 0.2 * 0.4, 1e-12);
  EXPECT_NEAR(area(2), 0.5, 1e-12);
  EXPECT_NEAR(area(3), 0.35 * 0.1, 1e-12);
  EXPECT_NEAR(area(4), 6.0, 1e-12);
}

TEST(SpeakerPatch, EachSetOfSpeakersIsAPartOfItsOwn) {
  const TriMesh mesh = geometry::box_mesh({1, 1, 1}, 2.0);
  const std::vector<scene::Faces> faces = {Box(Vec3(-0.2, -0.2, 0.4), Vec3(0.2, 0.2, 0.6)),
                                           Box(Vec3(0.0, -0.1, 0.4), Vec3(0.4, 0.1, 0.6))};
  const shaders::SpeakerPatches found = shaders::speaker_patches(mesh, faces);
  std::map<std::uint32_t, double> areas;
  for (std::size_t t = 0; t < found.mesh.triangles.size(); ++t) {
    const double area = geometry::area_vector(found.mesh, t).norm();
    areas[found.triangle_part[t]] += area;
    EXPECT_EQ(found.triangle_part[t] == 0, !found.patches[0][t] && !found.patches[1][t]);
  }
  ASSERT_EQ(areas.size(), 4u) << "none, the first, the second, both";
  std::vector<double> sorted;
  for (const auto& [part, area] : areas) sorted.push_back(area);
  std::ranges::sort(sorted);
  EXPECT_NEAR(sorted[0], 0.04, 1e-12);  // both
  EXPECT_NEAR(sorted[1], 0.04, 1e-12);  // only the second
  EXPECT_NEAR(sorted[2], 0.12, 1e-12);  // only the first
  EXPECT_NEAR(areas[0], 5.8, 1e-12);
}

TEST(SpeakerPatch, FacesWithoutAreaAreAnError) {
  TriMesh line;
  for (const double x : {0.0, 0.1, 0.3, 0.7}) line.vertices.push_back({x, 0.3 * x, -1.7 * x});
  line.triangles = {{0, 1, 2}, {1, 2, 3}, {0, 0, 3}};
  const std::vector<scene::Faces> all = {scene::WholeSurface{}};
  EXPECT_THROW(shaders::speaker_patches(line, all), util::InputError);

  // Beside others the flat ones may play, too.
  line.vertices.push_back({0, 1, 0});
  line.triangles.push_back({0, 3, 4});
  EXPECT_EQ(shaders::speaker_patches(line, all).patches.at(0).size(), 4u);
  const std::vector<scene::Faces> flat = {std::vector<std::uint32_t>{0, 2}};
  EXPECT_THROW(shaders::speaker_patches(line, flat), util::InputError);
}

TEST(SpeakerPatch, NoFacesIsAnError) {
  const std::vector<scene::Faces> faces = {std::string("nowhere")};
  EXPECT_THROW(shaders::speaker_patches(geometry::box_mesh({1, 1, 1}, 2.0), faces),
               util::InputError);
}

}  // namespace
}  // namespace peal::sounds
