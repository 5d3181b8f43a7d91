#include <peal/util/fft.h>
#include <peal/util/measure.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "render/struck_scene.h"

/// What must be heard in the scenes with thin shells, in numbers. Excerpts, with fewer elements
/// than in the gallery.
namespace peal::render {
namespace {

class ShellsGallerySlow : public testing::Test {
 protected:
  ShellsGallerySlow() { setenv("XDG_CACHE_HOME", cache_.c_str(), 1); }
  ~ShellsGallerySlow() override { std::filesystem::remove_all(cache_); }

  static std::vector<double> hear(json scene, const std::string& name) {
    const json position = scene["listeners"][0]["stereo"]["position"];
    scene["listeners"] = {{{"mono", {{"position", position}}}}};
    return listener_audio(scene, name);
  }

  /// Power between two frequencies over all power, in a stretch of a sound [dB].
  static double share(std::span<const double> sound, double from, double to, double low,
                      double high) {
    const auto begin = static_cast<std::size_t>(from * 48000),
               end = std::min(sound.size(), static_cast<std::size_t>(to * 48000));
    std::vector<double> part(sound.begin() + static_cast<std::ptrdiff_t>(begin),
                             sound.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::size_t i = 0; i < part.size(); ++i)
      part[i] *=
          std::pow(std::sin(M_PI * static_cast<double>(i) / static_cast<double>(part.size())), 2);
    part.resize(4096);
    std::vector<std::complex<double>> spectrum(2049);
    util::RealFft(4096).forward(part, spectrum);
    double some = 0.0, all = 0.0;
    for (std::size_t k = 1; k < spectrum.size(); ++k) {
      const double f = 48000.0 * static_cast<double>(k) / 4096.0, power = std::norm(spectrum[k]);
      all += power;
      if (f >= low && f < high) some += power;
    }
    return 10.0 * std::log10(some / all);
  }

  std::filesystem::path cache_ =
      std::filesystem::temp_directory_path() / ("peal-shells-" + std::to_string(::getpid()));
};

/// The energy of a hard stroke climbs from the modes that the stick excites to those that hiss;
/// that of a soft one stays where it is.
TEST_F(ShellsGallerySlow, AHardStrokeMakesACymbalCrashAndASoftOneDoesNot) {
  const std::string name = "2018-wave/cymbal";
  json scene = gallery_scene(name);
  scene["duration"] = 0.062;
  scene["objects"][0]["shape"]["lathe"]["edge_length"] = 0.0125;
  json soft = scene, hard = scene;
  soft["objects"][0]["strikes"] = {scene["objects"][0]["strikes"][0]};
  hard["objects"][0]["strikes"] = {scene["objects"][0]["strikes"][1]};
  soft["objects"][0]["strikes"][0]["t"] = hard["objects"][0]["strikes"][0]["t"] = 0.002;
  const std::vector<double> gentle = hear(soft, name), crash = hear(hard, name);
  const auto hiss = [](const std::vector<double>& sound, double from, double to) {
    return share(sound, from, to, 8000, 16000);
  };
  // Sound takes 3 ms to the listener.
  EXPECT_GT(hiss(crash, 0.042, 0.060), hiss(crash, 0.006, 0.016) + 3.0);
  EXPECT_GT(hiss(crash, 0.042, 0.060), -20.0);
  EXPECT_LT(hiss(gentle, 0.042, 0.060), -50.0);
}

TEST_F(ShellsGallerySlow, AThinCupClattersInItsOwnModes) {
  const std::string name = "bodies/plastic-cup";
  json scene = gallery_scene(name);
  scene["duration"] = 0.6;
  scene["objects"][0]["sound"][0]["modal"]["max_frequency"] = 1500;
  const std::vector<double> sound = hear(scene, name);
  const double loudest =
      std::abs(*std::ranges::max_element(sound, {}, [](double x) { return std::abs(x); }));
  EXPECT_GT(20.0 * std::log10(loudest / 2e-5), 40.0);
  // It falls for sqrt(2 h / g) first, with its lowest point some way below the middle.
  const auto first =
      std::ranges::find_if(sound, [&](double x) { return std::abs(x) > 0.02 * loudest; });
  const double start = static_cast<double>(first - sound.begin()) / 48000.0;
  EXPECT_GT(start, 0.1);
  EXPECT_LT(start, 0.25);
}

}  // namespace
}  // namespace peal::render
