#include <peal/render/render.h>
#include <peal/scene/read_scene.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

namespace peal::render {
namespace {

constexpr double sample_rate = 48000.0;

std::vector<std::vector<float>> ears_by(const std::string& radiation) {
  const scene::Scene scene = scene::parse_scene(
      R"({"peal": 1, "duration": 0.06,
          "objects": [{"motion": {"position": [0.35, 0.1, -0.3]},
                       "sound": [{"point": {"click": {"width": 0.00025}}}]}],
          "listeners": [{"binaural": {"look_at": [0, 0, -1]}}],
          "radiation": )" +
          radiation + "}",
      "test", "");
  util::Silent silent;
  return render(scene, silent).listeners.at(0).audio.channels;
}

std::complex<double> spectrum_at(const std::vector<float>& samples, double frequency) {
  std::complex<double> sum = 0.0;
  for (std::size_t n = 0; n < samples.size(); ++n)
    sum +=
        static_cast<double>(samples[n]) *
        std::polar(1.0, -2.0 * std::numbers::pi * frequency * static_cast<double>(n) / sample_rate);
  return sum;
}

/// `wave` knows pressures at the points of an array only; `direct` has the head's own responses.
TEST(BinauralWave, EarsHearThroughWavesWhatTheyHearDirectly) {
  const auto through = ears_by(R"({"model": "wave", "max_frequency": 3000})");
  const auto direct = ears_by(R"({"model": "direct"})");
  ASSERT_EQ(through.size(), 2u);
  std::array<double, 2> levels{};
  for (const double frequency : {200.0, 400.0, 600.0, 800.0, 1000.0, 1500.0, 2000.0, 2500.0}) {
    for (const std::size_t ear : {0u, 1u}) {
      const auto ratio = spectrum_at(through[ear], frequency) / spectrum_at(direct[ear], frequency);
      // The array is within 1.5 dB and 10 us of the head (docs/theory/listeners.md), the grid
      // within 5 %; the left ear is in the shadow, where waves around the head cancel.
      EXPECT_NEAR(20.0 * std::log10(std::abs(ratio)), 0.0, ear == 0 ? 2.5 : 1.5)
          << frequency << " Hz, ear " << ear;
      EXPECT_LT(std::abs(std::arg(ratio)) / (2.0 * std::numbers::pi * frequency), 3e-5)
          << frequency << " Hz, ear " << ear;
      levels[ear] += std::norm(spectrum_at(through[ear], frequency));
    }
  }
  EXPECT_GT(10.0 * std::log10(levels[1] / levels[0]), 5.0) << "the source is on the right";
}

}  // namespace
}  // namespace peal::render
