#include <peal/play/scrape.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace peal::play {
namespace {

constexpr base::Rate scrape_rate{48000};

std::vector<float> scraped(double force, double rough, double contact, std::size_t samples) {
  Scrape scrape(scrape_rate, 1, 2);
  scrape.aim(force, rough, contact, 1);
  std::vector<float> out(samples);
  scrape.process(0, out);
  return out;
}

/// Power density around a frequency, relative to that of white noise of RMS 1.
double density(const std::vector<float>& noise, double frequency) {
  constexpr std::size_t window = 4096;
  double sum = 0.0;
  int count = 0;
  for (std::size_t at = 0; at + window <= noise.size(); at += window, ++count) {
    double re = 0.0, im = 0.0;
    for (std::size_t n = 0; n < window; ++n) {
      const double phase = 2.0 * std::numbers::pi * frequency / 48000.0 * double(n);
      re += double(noise[at + n]) * std::cos(phase);
      im += double(noise[at + n]) * std::sin(phase);
    }
    sum += (re * re + im * im) / double(window);
  }
  return sum / count;
}

TEST(Scrape, HasTheForceThatIsAskedFor) {
  for (const double rough : {200.0, 2000.0, 12000.0}) {
    double power = 0.0;
    const std::vector<float> noise = scraped(0.3, rough, 4.0 * rough, 400000);
    for (const float sample : noise) power += double(sample) * double(sample);
    EXPECT_NEAR(std::sqrt(power / double(noise.size())), 0.3, 0.02) << rough;
  }
}

TEST(Scrape, FallsAboveTheFrequenciesOfRoughnessAndContact) {
  const std::vector<float> noise = scraped(1.0, 300.0, 3000.0, std::size_t{4096} * 150);
  const auto slope = [&](double low, double high) {
    return 10.0 * std::log10(density(noise, high) / density(noise, low));
  };
  EXPECT_NEAR(slope(20.0, 60.0), 0.0, 2.0);
  EXPECT_NEAR(slope(600.0, 1500.0), -7.9, 2.0);     // 20 dB per decade
  EXPECT_NEAR(slope(6000.0, 12000.0), -10.5, 2.5);  // towards 40 dB per decade
}

TEST(Scrape, TheSamplesDependOnTheirIndexOnly) {
  Scrape whole(scrape_rate, 1, 2), parts(scrape_rate, 1, 2);
  for (Scrape* one : {&whole, &parts}) one->aim(0.1, 500.0, 5000.0, 100);
  std::vector<float> a(300), b(300);
  whole.process(1000, a);
  parts.process(1000, std::span(b).first(77));
  parts.process(1077, std::span(b).subspan(77));
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace peal::play
