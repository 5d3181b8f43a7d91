#include <gmock/gmock.h>

#include "scene_text.h"

namespace peal::scene {
namespace {

using base::WaveSettings;
using testing::HasSubstr;

std::string scene_with_radiation(const std::string& keys, const std::string& more = "") {
  return scene_with_objects("{}", more + R"("radiation": {)" + keys + "},");
}

TEST(ReadRadiation, AWaveSceneNeedsNothingButTheModel) {
  const Radiation radiation = parse(scene_with_radiation(R"("model": "wave")")).radiation;
  const WaveSettings& wave = radiation.wave;
  EXPECT_EQ(radiation.model, Radiation::Model::wave);
  EXPECT_EQ(wave.max_frequency, 8000.0);
  EXPECT_EQ(wave.accuracy, 0.025);
  EXPECT_EQ(wave.viscosity, 0.0);
  EXPECT_FALSE(wave.cell_size || wave.domain || wave.chunk);
  EXPECT_EQ(wave.boundary, WaveSettings::Boundary::cut_cells);
  EXPECT_EQ(wave.outside, WaveSettings::Outside::layer);
  EXPECT_EQ(wave.layer_cells, 5);
  EXPECT_EQ(wave.far_field, WaveSettings::FarField::kirchhoff);
  EXPECT_EQ(wave.precision, WaveSettings::Precision::single);
}

TEST(ReadRadiation, EverythingCanBeOverridden) {
  const WaveSettings wave = parse(scene_with_radiation(R"(
      "model": "wave", "max_frequency": 12000, "accuracy": 0.01, "viscosity": 1e-5,
      "cell_size": 0.004, "domain": {"min": [-1, -2, -3], "max": [1, 2, 3]}, "chunk": 0.25,
      "boundary": "ghost_cells", "kappa": 50, "absorbing": "engquist_majda",
      "far_field": {"expansion": 3}, "precision": "double")"))
                                .radiation.wave;
  EXPECT_EQ(wave.max_frequency, 12000.0);
  EXPECT_EQ(wave.accuracy, 0.01);
  EXPECT_EQ(wave.viscosity, 1e-5);
  EXPECT_EQ(wave.cell_size, 0.004);
  ASSERT_TRUE(wave.domain);
  EXPECT_EQ(wave.domain->min(), Vec3(-1, -2, -3));
  EXPECT_EQ(wave.domain->max(), Vec3(1, 2, 3));
  EXPECT_EQ(wave.chunk, 0.25);
  EXPECT_EQ(wave.boundary, WaveSettings::Boundary::ghost_cells);
  EXPECT_EQ(wave.kappa, 50.0);
  EXPECT_EQ(wave.outside, WaveSettings::Outside::engquist_majda);
  EXPECT_EQ(wave.far_field, WaveSettings::FarField::expansion);
  EXPECT_EQ(wave.expansion_terms, 3);
  EXPECT_EQ(wave.precision, WaveSettings::Precision::double_);
  const WaveSettings other = parse(scene_with_radiation(R"("model": "wave",
      "boundary": "staircase", "absorbing": "layer", "layer_cells": 12, "far_field": "kirchhoff",
      "precision": "float")"))
                                 .radiation.wave;
  EXPECT_EQ(other.boundary, WaveSettings::Boundary::staircase);
  EXPECT_EQ(other.layer_cells, 12);
  EXPECT_EQ(other.far_field, WaveSettings::FarField::kirchhoff);
}

TEST(ReadRadiation, PrecomputedRadiationHasABand) {
  const Radiation radiation = parse(scene_with_radiation(R"("model": "precomputed")")).radiation;
  EXPECT_EQ(radiation.model, Radiation::Model::precomputed);
  EXPECT_EQ(radiation.table_frequency, 16000.0);
  EXPECT_FALSE(radiation.radiates_surfaces());
  EXPECT_EQ(parse(scene_with_radiation(R"("model": "precomputed", "max_frequency": 9000)"))
                .radiation.table_frequency,
            9000.0);
}

TEST(ReadRadiation, RaysHaveAFormAndABand) {
  using Form = base::RaysSettings::Form;
  const Radiation plain = parse(scene_with_radiation(R"("model": "rays")")).radiation;
  EXPECT_EQ(plain.rays.form, Form::kirchhoff);
  EXPECT_EQ(plain.max_frequency(), 16000.0);
  const Radiation other =
      parse(scene_with_radiation(R"("model": "rays", "form": "paper", "max_frequency": 5000)"))
          .radiation;
  EXPECT_EQ(other.rays.form, Form::paper);
  EXPECT_EQ(other.max_frequency(), 5000.0);
}

TEST(ReadRadiation, TheBandFitsIntoALowSampleRateByItself) {
  const std::string rate = R"("sample_rate": 16000, )";
  EXPECT_EQ(parse(scene_with_radiation(R"("model": "wave")", rate)).radiation.wave.max_frequency,
            7200.0);
  EXPECT_THAT(complaint(scene_with_radiation(R"("model": "wave", "max_frequency": 8000)", rate)),
              HasSubstr("radiation.max_frequency: 8000 Hz is too large"));
}

TEST(ReadRadiation, EachMistakeNamesItsPlaceAndACure) {
  const std::pair<std::string, std::vector<std::string>> cases[] = {
      {R"("max_frequency": 5000)",
       {"radiation.max_frequency: is a setting of the model \"rays\", \"wave\" or \"precomputed\", "
        "and the model is "
        "\"direct\"",
        "Give \"model\": \"rays\", \"wave\" or \"precomputed\", or remove this key."}},
      {R"("model": "direct", "layer_cells": 8)",
       {"radiation.layer_cells: is a setting of the model \"wave\""}},
      {R"("model": "rays", "layer_cells": 8)",
       {"radiation.layer_cells: is a setting of the model \"wave\", and the model is \"rays\""}},
      {R"("model": "wave", "form": "paper")",
       {"radiation.form: is a setting of the model \"rays\""}},
      {R"("model": "rays", "form": "raylegh")", {"Did you mean \"rayleigh\"?"}},
      {R"("model": "wawe", "cell_size": 0.1)",
       {"radiation.model: the text \"wawe\" is not known here", "Did you mean \"wave\"?"}},
      {R"("model": "wave", "max_frequency": 24000)", {"below 24000 Hz", "half the sample rate"}},
      {R"("model": "wave", "max_frequency": 19)", {"19 Hz is too small"}},
      {R"("model": "wave", "accuracy": 0.5)", {"from 0.0001 to 0.3 (a relative error"}},
      {R"("model": "wave", "viscosity": 0.02)", {"viscosity: 0.02 m is too large"}},
      {R"("model": "wave", "cell_size": 0)", {"cell_size: 0 m is too small"}},
      {R"("model": "wave", "chunk": 0.001)", {"chunk: 0.001 s is too small"}},
      {R"("model": "wave", "boundary": "ghost_cell")", {"Did you mean", "ghost_cells"}},
      {R"("model": "wave", "kappa": 25)",
       {"radiation.kappa: has no meaning without \"boundary\": \"ghost_cells\""}},
      {R"("model": "wave", "boundary": "ghost_cells", "kappa": -1)", {"kappa: -1 is too small"}},
      {R"("model": "wave", "absorbing": "engquist_majda", "layer_cells": 8)",
       {"radiation.layer_cells: has no meaning without \"absorbing\": \"layer\""}},
      {R"("model": "wave", "layer_cells": 3)", {"layer_cells: 3 is too small"}},
      {R"("model": "wave", "far_field": "expansion")", {"far_field: ", "kirchhoff"}},
      {R"("model": "wave", "far_field": {"expansion": 7})",
       {"far_field.expansion: 7 is too large"}},
      {R"("model": "wave", "far_field": {})", {"\"expansion\" is missing"}},
      {R"("model": "wave", "precision": "half")", {"Known: float, double."}},
      {R"("model": "wave", "domain": {"min": [0, 0, 0], "max": [1, 0, 1]})",
       {"radiation.domain: the box is empty", "\"min\" must be below that of \"max\""}},
      {R"("model": "wave", "domain": {"min": [0, 0, 0]})", {"domain: \"max\" is missing"}},
      {R"("model": "wave", "cells": 0.1)", {"radiation.cells: unknown key"}},
  };
  for (const auto& [keys, parts] : cases) {
    const std::string message = complaint(scene_with_radiation(keys));
    for (const std::string& part : parts) EXPECT_THAT(message, HasSubstr(part)) << keys;
  }
}

}  // namespace
}  // namespace peal::scene
