#include <peal/plot/line_chart.h>

#include <gtest/gtest.h>

#include <cmath>

#include "plot/picture.h"

namespace peal::plot {
namespace {

LineChart chart() {
  return {.title = "Bar",
          .x = {.label = "mode"},
          .y = {.label = "frequency (Hz)", .scale = Scale::log, .min = 0, .max = 0},
          .series = {{"theory", {1, 2, 3}, {100, 400, 900}},
                     {"ours", {1, 2, 3}, {101, 396, 900}, Look::points}},
          .residual = Residual::relative};
}

TEST(LineChart, AxesFitTheDataUnlessGiven) {
  LineChart wanted = chart();
  wanted.x = {.label = "mode"};
  const Figure figure = line_chart_figure(wanted);
  EXPECT_LT(figure.panels[0].x.min, 1.0);
  EXPECT_GT(figure.panels[0].x.max, 3.0);
  EXPECT_EQ(figure.panels[0].y.min, 50.0);
  EXPECT_EQ(figure.panels[0].y.max, 1000.0);
  wanted.x = {.min = -1, .max = 9};
  EXPECT_EQ(line_chart_figure(wanted).panels[0].x.max, 9.0);
}

TEST(LineChart, ResidualIsRelativeToTheFirstSeries) {
  const Figure figure = line_chart_figure(chart());
  ASSERT_EQ(figure.panels.size(), 2u);
  const Dots& residual = figure.panels[1].dots.front();
  EXPECT_NEAR(residual.y[0], 1.0, 1e-12);
  EXPECT_NEAR(residual.y[1], -1.0, 1e-12);
  EXPECT_EQ(residual.y[2], 0.0);
}

TEST(LineChart, ResidualInterpolatesAlongTheAxesAndStopsAtTheEnds) {
  LineChart wanted = chart();
  wanted.x = {.scale = Scale::log, .min = 1, .max = 100};
  wanted.residual = Residual::difference;
  wanted.series = {{"power law", {1, 100}, {1, 1e4}}, {"ours", {10, 1000}, {100.5, 7}}};
  const Figure figure = line_chart_figure(wanted);
  EXPECT_NEAR(figure.panels[1].curves[0].y[0], 0.5, 1e-9);
  EXPECT_TRUE(std::isnan(figure.panels[1].curves[0].y[1]));
}

TEST(LineChart, DrawsAndIsDeterministic) {
  const std::string bytes = line_chart_png(chart());
  EXPECT_EQ(bytes, line_chart_png(chart()));
  EXPECT_EQ(decode_png(bytes).width, 1000);
}

TEST(LineChart, EmptyOrHopelessDataDraw) {
  EXPECT_EQ(decode_png(line_chart_png({})).height, 640);
  const double nan = std::nan("");
  LineChart hopeless = chart();
  hopeless.series = {{"theory", {nan}, {nan}}, {"ours", {1}, {-1}}, {"none", {}, {}}};
  EXPECT_EQ(decode_png(line_chart_png(hopeless)).height, 640);
}

}  // namespace
}  // namespace peal::plot
