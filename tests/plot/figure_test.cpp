#include <peal/plot/canvas.h>
#include <peal/plot/figure.h>
#include <peal/util/files.h>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "plot/picture.h"

namespace peal::plot {
namespace {

Figure one_panel() {
  Figure figure{.title = "A figure", .width = 600, .height = 400};
  Panel panel;
  panel.x = {.label = "time (s)", .min = 0, .max = 2};
  panel.y = {.label = "frequency (Hz)", .scale = Scale::log, .min = 10, .max = 1000};
  figure.panels.push_back(panel);
  return figure;
}

TEST(Figure, PictureHasTheSizeAskedFor) {
  const Picture picture = decode_png(draw_png(one_panel()));
  EXPECT_EQ(picture.width, 600);
  EXPECT_EQ(picture.height, 400);
}

TEST(Figure, SameFigureSameBytes) {
  EXPECT_EQ(draw_png(one_panel()), draw_png(one_panel()));
}

TEST(Figure, PlacesAndValuesAreInverse) {
  const PlacedAxes axes = layout(one_panel()).front();
  EXPECT_DOUBLE_EQ(axes.column(0), axes.left);
  EXPECT_DOUBLE_EQ(axes.column(2), axes.left + axes.width);
  EXPECT_NEAR(axes.row(100), axes.top + 0.5 * axes.height, 1e-9);
  EXPECT_NEAR(axes.y_at(axes.row(440)), 440, 1e-9);
  EXPECT_NEAR(axes.x_at(axes.column(0.7)), 0.7, 1e-12);
}

TEST(Figure, CurveIsDrawnWhereTheAxesSay) {
  Figure figure = one_panel();
  figure.panels[0].curves.push_back(
      {.x = {0, 2}, .y = {300, 300}, .colour = {1, 0, 0}, .width = 4});
  const PlacedAxes axes = layout(figure).front();
  const Picture picture = decode_png(draw_png(figure));
  const int row = static_cast<int>(axes.row(300));
  const Colour on = picture.at(axes.left + axes.width / 3, row);
  EXPECT_GT(on.red, 0.9);
  EXPECT_LT(on.green, 0.1);
  EXPECT_GT(picture.at(axes.left + axes.width / 3, row - 6).green, 0.8);
}

TEST(Figure, ImageFillsItsPanelFirstRowAtTheBottom) {
  Figure figure = one_panel();
  figure.panels[0].image = Image{.columns = 2, .rows = 2, .values = {1, 1, 0, 0}};
  const PlacedAxes axes = layout(figure).front();
  const Picture picture = decode_png(draw_png(figure));
  const int middle = axes.left + axes.width / 2;
  EXPECT_GT(lightness(picture.at(middle, axes.top + axes.height - 4)), 0.9);
  EXPECT_LT(lightness(picture.at(middle, axes.top + 4)), 0.15);
}

TEST(Figure, PanelsShareTheirTimeAxisAndTheHeight) {
  Figure figure = one_panel();
  figure.panels.push_back(figure.panels[0]);
  figure.panels[1].share = 3;
  const std::vector<PlacedAxes> placed = layout(figure);
  EXPECT_FALSE(placed[0].x_labels);
  EXPECT_TRUE(placed[1].x_labels);
  EXPECT_NEAR(placed[1].height, 3 * placed[0].height, 4);
  EXPECT_GT(placed[1].top, placed[0].top + placed[0].height);
  EXPECT_LT(placed[1].top + placed[1].height, figure.height);
}

TEST(Figure, ValuesThatCannotBeDrawnAreLeftOut) {
  Figure figure = one_panel();
  const double nan = std::nan("");
  const std::vector<double> x = {0, 0.5, nan, 1, 1e300, 2};
  const std::vector<double> y = {-5, 0, 20, nan, 1e300, INFINITY};
  figure.panels[0].curves.push_back({.name = "curve", .x = x, .y = y});
  figure.panels[0].dots.push_back({.name = "dots", .x = x, .y = y});
  figure.panels[0].bands.push_back({.x = x, .low = y, .high = y});
  figure.panels[0].guides.push_back({.at = nan, .text = "nowhere"});
  EXPECT_EQ(decode_png(draw_png(figure)).width, 600);
}

TEST(Figure, NoPanelsAndTinySizesStillDraw) {
  EXPECT_EQ(decode_png(draw_png({.title = "nothing", .width = 200, .height = 100})).height, 100);
  Figure figure = one_panel();
  figure.width = figure.height = 1;
  EXPECT_EQ(decode_png(draw_png(figure)).width, 1);
}

TEST(Figure, TextThatIsNotUtf8IsShownNotFatal) {
  EXPECT_EQ(printable("µ-caf\xc3\xa9"), "µ-café");
  EXPECT_EQ(printable("a\xff\n\xc3"), "a? ?");
  EXPECT_EQ(printable("\xed\xa0\x80"), "???");       // a surrogate
  EXPECT_EQ(printable("\xc0\xaf"), "??");            // an overlong slash
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????");  // beyond U+10FFFF
  Figure figure = one_panel();
  figure.title = std::string(500, '\xff') + "\xe2\x82";
  EXPECT_EQ(decode_png(draw_png(figure)).width, 600);
}

TEST(Figure, WritesAFileThatReadsBack) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "peal_figure_test" / "figure.png";
  write_png(path, one_panel());
  EXPECT_EQ(util::read_file(path), draw_png(one_panel()));
  std::filesystem::remove_all(path.parent_path());
}

}  // namespace
}  // namespace peal::plot
