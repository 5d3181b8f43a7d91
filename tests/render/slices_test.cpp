#include <peal/render/render.h>
#include <peal/render/slices.h>
#include <peal/render/vti.h>
#include <peal/scene/read_scene.h>
#include <peal/util/error.h>
#include <peal/util/parallel.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace peal::render {
namespace {

using testing::HasSubstr;

constexpr double c = 343.2;

scene::Scene sliced_scene(const std::string& objects, const std::string& more = "") {
  return scene::parse_scene(
      R"({"peal": 1, "duration": 0.012, "sample_rate": 16000, "objects": [)" + objects +
          R"(], "listeners": [{"mono": {"position": [1, 0, 0]}}], "radiation": {"model": "wave",
          "max_frequency": 2000, "cell_size": 0.02,
          "domain": {"min": [-0.5, -0.4, -0.3], "max": [0.5, 0.4, 0.3]})" +
          more + "}}",
      "test", "");
}

const std::string click_object =
    R"({"name": "click", "sound": [{"point": {"click": {"width": 0.0004}}}]})";
const std::string tone_object =
    R"({"name": "tone", "sound": [{"point": {"tone": {"frequency": 900, "fade": 0.002}}}]})";

Sound sound_of(const scene::Scene& scene, const base::SliceRequest& request) {
  util::Silent silent;
  return render(scene, silent, {.slices = request});
}

Slices slices_of(const scene::Scene& scene, const base::SliceRequest& request) {
  return sound_of(scene, request).slices.value();
}

/// Of the only body in a frame.
std::vector<plot::Section::Segment> outline(const Slices& slices, std::size_t frame) {
  return sections_at(slices.world, slices.frames[frame]).at(0).segments;
}

/// Of the click: the pressure at 1 m is that of a Ricker pulse.
constexpr double sigma = 0.0004 / 1.2518, peak_time = 6 * sigma;  ///< [s]

double click_strength(double t) {
  const double x = (t - peak_time) / sigma;
  return std::abs(x) > 6 ? 0.0 : (1 - x * x) * std::exp(-0.5 * x * x);
}

/// visit(distance from the origin [m], pressure [Pa]) for each cell.
template <class Visit>
void each_cell(const base::PressureSlice& slice, const Visit& visit) {
  const auto [u, v] = slice.plane_axes(slice.axis);
  for (std::size_t i = 0; i < slice.values.size(); ++i) {
    const auto width = static_cast<std::size_t>(slice.width);
    geometry::Vec3 cells = geometry::Vec3::Constant(0.5);
    cells[u] += static_cast<double>(i % width);
    cells[v] += static_cast<double>(i / width);
    const geometry::Vec3 place = slice.origin + slice.cell_size * cells;
    visit(place.norm(), static_cast<double>(slice.values[i]));
  }
}

TEST(Slices, AClickIsARingWhoseRadiusIsSpeedTimesTime) {
  for (const int axis : {0, 1, 2}) {
    const Slices slices = slices_of(sliced_scene(click_object),
                                    {.axis = axis, .position = 0.0, .rate = 4000, .begin = 0.001});
    ASSERT_EQ(slices.frames.size(), 44u);  // 1 ms to 11.75 ms
    int seen = 0;
    for (const base::PressureSlice& slice : slices.frames) {
      const double expected = c * (slice.time - peak_time);
      if (expected < 0.12 || expected > 0.35) continue;
      ++seen;
      double most = 0, radius = 0;
      each_cell(slice, [&](double r, double p) {
        if (p * r > most) most = p * r, radius = r;
      });
      EXPECT_NEAR(radius, expected, slice.cell_size) << "across axis " << axis;
      EXPECT_NEAR(most, 1.0, 0.05) << "Pa m";
    }
    EXPECT_GE(seen, 2);
  }
}

TEST(Slices, ASliceHoldsTheExactFieldOfAPoint) {
  const Slices slices = slices_of(sliced_scene(click_object), {.position = 0.13, .rate = 2000});
  double worst = 0;
  for (const base::PressureSlice& slice : slices.frames) {
    EXPECT_NEAR(slice.position(), 0.13, 0.5 * slice.cell_size);
    each_cell(slice, [&](double r, double p) {
      worst = std::max(worst, std::abs(p * r - click_strength(slice.time - r / c)));
    });
  }
  EXPECT_LT(worst, 0.05);
}

TEST(Slices, ChunksAddUpToTheWhole) {
  const base::SliceRequest request{.position = 0.0, .rate = 1000};
  const Slices whole = slices_of(sliced_scene(tone_object), request);
  const Slices parts = slices_of(sliced_scene(tone_object, R"(, "chunk": 0.006)"), request);
  ASSERT_EQ(whole.frames.size(), parts.frames.size());
  EXPECT_EQ(whole.full, parts.full);
  for (std::size_t i = 0; i < whole.frames.size(); ++i) {
    const auto& a = whole.frames[i].values;
    const auto& b = parts.frames[i].values;
    for (std::size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], b[k], 1e-3 * whole.full);
  }
}

TEST(Slices, ThreadsDoNotChangeThem) {
  const scene::Scene scene = sliced_scene(tone_object, R"(, "chunk": 0.006)");
  const base::SliceRequest request{.rate = 1000};
  std::vector<Slices> runs;
  for (const int threads : {1, 3}) {
    const util::ThreadLimit limit(threads);
    runs.push_back(slices_of(scene, request));
  }
  for (std::size_t i = 0; i < runs[0].frames.size(); ++i) {
    ASSERT_EQ(runs[0].frames[i].values, runs[1].frames[i].values);
  }
}

TEST(Slices, TheSoundIsTheSameWithAndWithoutThem) {
  util::Silent silent;
  const scene::Scene scene = sliced_scene(click_object);
  const auto without = render(scene, silent).listeners[0].audio.channels;
  EXPECT_EQ(sound_of(scene, {}).listeners[0].audio.channels, without);
}

TEST(Slices, SolidsAreMarkedAndTheirOutlineIsExact) {
  const std::string box = R"({"name": "box", "shape": {"box": [0.2, 0.12, 0.1]},
    "motion": {"position": [0.25, 0.013, 0]}})";
  const Slices slices = slices_of(sliced_scene(click_object + "," + box), {.rate = 500});
  const base::PressureSlice& slice = slices.frames.back();
  double area = 0;
  for (std::size_t i = 0; i < slice.values.size(); ++i) {
    area += static_cast<double>((*slice.solid)[i]) * slice.cell_size * slice.cell_size;
    if ((*slice.solid)[i] == 1.0f) {
      EXPECT_EQ(slice.values[i], 0.0f);
    }
  }
  EXPECT_NEAR(area, 0.2 * 0.12, 1e-6);
  double around = 0;
  for (const plot::Section::Segment& s : outline(slices, slices.frames.size() - 1)) {
    around += std::hypot(s.to.x - s.from.x, s.to.y - s.from.y);
  }
  EXPECT_NEAR(around, 2 * (0.2 + 0.12), 1e-6);
}

TEST(Slices, AMovingBodyIsWhereItIsInEachFrame) {
  const std::string box = R"({"name": "box", "shape": {"box": [0.1, 0.1, 0.1]}, "motion":
    {"keyframes": [{"t": 0, "position": [0.2, 0, 0]}, {"t": 0.012, "position": [0.32, 0, 0]}]}})";
  const Slices slices = slices_of(sliced_scene(click_object + "," + box), {.rate = 500});
  for (std::size_t i = 0; i < slices.frames.size(); ++i) {
    const base::PressureSlice& slice = slices.frames[i];
    double sum = 0, moment = 0;
    for (std::size_t k = 0; k < slice.values.size(); ++k) {
      const auto column = static_cast<double>(k % static_cast<std::size_t>(slice.width));
      const auto solid = static_cast<double>((*slice.solid)[k]);
      sum += solid;
      moment += solid * (slice.origin.x() + (column + 0.5) * slice.cell_size);
    }
    EXPECT_NEAR(moment / sum, 0.2 + 10 * slice.time, 2e-3);
    double left = 1e9;
    for (const plot::Section::Segment& s : outline(slices, i)) {
      left = std::min({left, s.from.x, s.to.x});
    }
    EXPECT_NEAR(slice.origin.x() + left, 0.15 + 10 * slice.time, 1e-9);
  }
}

TEST(Slices, PlacesThatAFollowingDomainLeavesOutAreNotANumberAndGrey) {
  const scene::Scene scene = scene::parse_scene(
      R"({"peal": 1, "duration": 0.6, "sample_rate": 16000, "objects": [{"name": "siren", "sound":
          [{"point": {"tone": {"frequency": 400, "fade": 0.002}}}], "motion": {"keyframes":
          [{"t": 0, "position": [-1.2, 0, 0]}, {"t": 0.6, "position": [1.2, 0, 0]}]}}],
          "listeners": [{"mono": {"position": [0, 0, 1]}}],
          "radiation": {"model": "wave", "max_frequency": 1000, "cell_size": 0.04, "chunk": 0.1}})",
      "test", "");
  const Slices slices = slices_of(scene, {.rate = 50});
  EXPECT_TRUE(std::isfinite(slices.full));
  int left_out = 0;
  for (const base::PressureSlice& slice : slices.frames) {
    const double x = -1.2 + 4.0 * slice.time;
    const auto row = static_cast<std::size_t>(slice.height / 2 * slice.width);
    const auto column = static_cast<std::size_t>((x - slice.origin.x()) / slice.cell_size);
    EXPECT_FALSE(std::isnan(slice.values[row + column])) << slice.time;
    // A chunk's domain holds where its sources are for 0.3 s more.
    const std::size_t far = slice.time < 0.1 ? static_cast<std::size_t>(slice.width) - 1 : 0;
    if (slice.time < 0.02 || (slice.time > 0.09 && slice.time < 0.35)) continue;
    EXPECT_TRUE(std::isnan(slice.values[row + far])) << slice.time;
    ++left_out;
  }
  EXPECT_GT(left_out, 10);
  const plot::FieldPicture blank{
      .columns = 2, .rows = 1, .values = {0.0f, std::nanf("")}, .unknown = {false, false}};
  const plot::FieldPicture known{
      .columns = 2, .rows = 1, .values = {0.0f, 0.0f}, .unknown = {false, false}};
  EXPECT_NE(plot::draw_field(blank), plot::draw_field(known));
}

TEST(Slices, WhatCannotBeShownIsRefusedWithACure) {
  const scene::Scene scene = sliced_scene(click_object);
  const auto refusal = [&](const base::SliceRequest& request) -> std::string {
    try {
      sound_of(scene, request);
    } catch (const util::InputError& error) {
      return error.problem() + " / " + error.hint();
    }
    return "";
  };
  EXPECT_THAT(refusal({.axis = 1, .position = 7.0}), HasSubstr("It reaches from -0.4"));
  EXPECT_THAT(refusal({.begin = 2.0, .end = 3.0}), HasSubstr("The scene lasts 0.012 s"));
  EXPECT_THAT(refusal({.rate = 1e9}), HasSubstr("Choose at most"));
}

TEST(Slices, MoreThanFitsInMemoryIsRefusedBeforeTheRender) {
  scene::Scene scene = sliced_scene(click_object);
  scene.duration = 3600;
  util::Silent silent;
  try {
    render(scene, silent, {.slices = base::SliceRequest{.rate = 20000}});
    FAIL();
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.hint(), HasSubstr("lower --slice-rate"));
  }
}

TEST(Slices, TheDirectModelHasNone) {
  scene::Scene scene = sliced_scene(click_object);
  scene.radiation.model = scene::Radiation::Model::direct;
  EXPECT_THROW(sound_of(scene, {}), util::InputError);
}

/// The floats of a DataArray of that name.
std::vector<float> decoded(const std::string& text, const std::string& name) {
  const std::size_t tag = text.find("Name=\"" + name + "\"");
  const std::size_t begin = text.find('>', tag) + 1, end = text.find('<', begin);
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (std::size_t i = begin; i < end && text[i] != '='; ++i) {
    bits = bits << 6 | static_cast<std::uint32_t>(digits.find(text[i]));
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xFF);
  }
  std::uint32_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  EXPECT_EQ(size, bytes.size() - sizeof size);
  std::vector<float> values(size / sizeof(float));
  std::memcpy(values.data(), bytes.data() + sizeof size, size);
  return values;
}

TEST(Slices, AGridFileHoldsTheSlice) {
  base::PressureSlice slice{.time = 0.25,
                            .axis = 1,
                            .origin = {-1, 2, 0.5},
                            .cell_size = 0.125,
                            .width = 3,
                            .height = 2,
                            .values = {1, -2, 3.5f, 0, 1e-9f, 6}};
  slice.solid = std::make_shared<std::vector<float>>(std::vector<float>{0, 0, 0, 1, 0.5f, 0});
  const std::string text = vti(slice);
  EXPECT_THAT(text, HasSubstr(R"(WholeExtent="0 3 0 1 0 2" Origin="-1 2 0.5" Spacing="0.125)"));
  EXPECT_THAT(text, HasSubstr(">0.25<"));
  EXPECT_EQ(decoded(text, "pressure"), slice.values);
  EXPECT_EQ(decoded(text, "solid"), *slice.solid);
}

}  // namespace
}  // namespace peal::render
