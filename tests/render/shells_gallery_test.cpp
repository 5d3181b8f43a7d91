#include <peal/util/fft.h>
#include <peal/util/files.h>
#include <peal/util/measure.h>

#include <fmt/format.h>
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

  /// A scene of the gallery with a coarse sheet of `n` by `m` cells in place of its mesh, along the
  /// x and the y or z axis, heard along rays.
  json coarse_sheet(const std::string& name, double width, double height, int n, int m,
                    bool is_upright) const {
    std::string text;
    for (int j = 0; j <= m; ++j) {
      for (int i = 0; i <= n; ++i) {
        const double a = width * (static_cast<double>(i) / n - 0.5);
        const double b = height * (static_cast<double>(j) / m - 0.5);
        text += is_upright ? fmt::format("v {} {} 0\n", a, b) : fmt::format("v {} 0 {}\n", a, -b);
      }
    }
    for (int j = 0; j < m; ++j) {
      for (int i = 0; i < n; ++i) {
        const int p = j * (n + 1) + i + 1, q = p + 1, r = p + n + 1, s = r + 1;
        text += (i + j) % 2 == 1 ? fmt::format("f {0} {1} {2}\nf {1} {3} {2}\n", p, q, r, s)
                                 : fmt::format("f {0} {1} {3}\nf {0} {3} {2}\n", p, q, r, s);
      }
    }
    std::filesystem::create_directories(cache_);
    const std::filesystem::path path = cache_ / "sheet.obj";
    util::write_file(path, text);
    json scene = gallery_scene(name);
    scene["objects"][0]["mesh"] = path.string();
    scene["radiation"] = {{"model", "rays"}, {"max_frequency", 2500}};
    return scene;
  }

  /// Level of a stretch of a sound [dB].
  static double level(std::span<const double> sound, double from, double to) {
    double sum = 0.0;
    const auto begin = static_cast<std::size_t>(from * 48000),
               end = std::min(sound.size(), static_cast<std::size_t>(to * 48000));
    for (std::size_t i = begin; i < end; ++i) sum += sound[i] * sound[i];
    return 10.0 * std::log10(sum / static_cast<double>(end - begin) / 4e-10);
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

/// Shaken half as far, a linear sheet would be 6 dB quieter, with the same spectrum.
TEST_F(ShellsGallerySlow, AShakenSheetThundersAndASlightlyShakenOneDoesNot) {
  const std::string name = "2018-wave/metal-sheet-shake";
  json scene = coarse_sheet(name, 0.4, 0.6, 16, 24, true);
  scene["duration"] = 0.75;
  const std::vector<double> far = hear(scene, name);
  for (json& key : scene["objects"][0]["motion"]["deformable"]["grips"][0]["motion"]["keyframes"]) {
    key["position"][2] = 0.5 * key["position"][2].get<double>();
    key["rotation"]["degrees"] = 0.5 * key["rotation"]["degrees"].get<double>();
  }
  const std::vector<double> near = hear(scene, name);
  EXPECT_LT(level(far, 0.0, 0.06), level(far, 0.45, 0.75) - 30.0) << "it starts without a jerk";
  EXPECT_GT(level(far, 0.45, 0.75), level(near, 0.45, 0.75) + 9.0);
  // The window has its weight around 0.71 s.
  const double high = share(far, 0.667, 0.75, 800, 2500);
  EXPECT_GT(high, -9.0);
  EXPECT_GT(high, share(near, 0.667, 0.75, 800, 2500) + 8.0);
}

TEST_F(ShellsGallerySlow, ABentSheetSnapsOver) {
  const std::string name = "2018-wave/metal-sheet-bend";
  json scene = coarse_sheet(name, 0.5, 0.35, 20, 14, false);
  scene["duration"] = 0.9;
  const std::vector<double> sound = hear(scene, name);
  EXPECT_LT(level(sound, 0.0, 0.05), level(sound, 0.8, 0.9) - 40.0) << "it starts without a jerk";
  EXPECT_GT(level(sound, 0.8, 0.9), level(sound, 0.55, 0.7) + 20.0);
  EXPECT_GT(share(sound, 0.8, 0.88, 800, 2500), -3.0);
}

/// Through the air of `wave`, both sides of the shell drive its cells. Rays are right to some dB
/// where the plate is small against the wave, and too quiet above (docs/theory/rays.md).
TEST_F(ShellsGallerySlow, ACymbalSoundsThroughWavesAsAlongRays) {
  const std::string name = "2018-wave/cymbal";
  json scene = gallery_scene(name);
  scene["duration"] = 0.05;
  scene["objects"][0]["shape"]["lathe"]["edge_length"] = 0.0125;
  scene["objects"][0]["strikes"] = {scene["objects"][0]["strikes"][1]};
  scene["objects"][0]["strikes"][0]["t"] = 0.002;
  scene["radiation"]["max_frequency"] = 3000;
  const std::vector<double> along_rays = hear(scene, name);
  scene["radiation"]["model"] = "wave";
  const std::vector<double> through_air = hear(scene, name);
  const auto octave = [&](double low) {
    const auto band = [&](const std::vector<double>& sound) {
      return level(sound, 0.0, 0.05) + share(sound, 0.0, 0.05, low, 2.0 * low);
    };
    return band(through_air) - band(along_rays);
  };
  // 25 dB below the others, and nearly the same for both: the cymbal is small there.
  EXPECT_NEAR(octave(150.0), 0.0, 2.5);
  EXPECT_NEAR(octave(300.0), 3.0, 2.5);
  EXPECT_NEAR(octave(600.0), 3.5, 2.5);
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
