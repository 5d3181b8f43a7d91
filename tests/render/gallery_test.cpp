#include <peal/geometry/mesh/vector.h>
#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/util/audio_file.h>
#include <peal/util/fft.h>
#include <peal/util/files.h>
#include <peal/util/measure.h>
#include <peal/util/spectrum.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <numbers>

#include "source_dir.h"

/// What must be heard in the scenes of scenes/2018-wave, in numbers. Each test renders the scene of
/// the gallery with a shorter sound: a click in place of a recording tells the same of the air in a
/// few hundredths of a second.
namespace peal::render {
namespace {

using nlohmann::json;

const std::filesystem::path gallery = PEAL_SOURCE_DIR "/scenes/2018-wave";

json read(const std::string& file) {
  return json::parse(util::read_file(gallery / file), nullptr, true, /*ignore_comments=*/true);
}

json& object(json& scene, const std::string& name) {
  const auto has_name = [&](const json& one) { return one["name"] == name; };
  return *std::ranges::find_if(scene["objects"], has_name);
}

/// The object stays where it is at the last key before `t`.
void freeze(json& scene, const std::string& name, double t) {
  json& motion = object(scene, name)["motion"];
  json pose;
  for (const json& key : motion["keyframes"]) {
    if (key["t"] <= t) pose.update(key);
  }
  pose.erase("t");
  motion = pose;
}

/// All speakers play `signal` in place of their recordings.
void play(json& scene, const json& signal, double duration) {
  scene["duration"] = duration;
  for (json& one : scene["objects"]) {
    if (!one.contains("sound")) continue;
    for (json& sound : one["sound"]) {
      sound["speaker"].erase("wav");
      sound["speaker"].update(signal);
    }
  }
}

/// The scene as one microphone at the listener's place hears it.
std::vector<double> hear(json scene, const std::string& folder) {
  const json& listener = scene["listeners"][0];
  const json position = listener[listener.contains("mono") ? "mono" : "stereo"]["position"];
  scene["listeners"] = {{{"mono", {{"position", position}}}}};
  util::Silent silent;
  const auto parsed = scene::parse_scene(scene.dump(), folder, gallery / folder);
  return util::as_double(render(parsed, silent).listeners.at(0).audio.channels.at(0));
}

/// Power spectrum of a short sound, of arbitrary unit.
class Response {
 public:
  Response(std::vector<double> listener_audio, double rate)
      : bin_(rate / size), power_(size / 2 + 1) {
    listener_audio.resize(size);
    std::vector<std::complex<double>> spectrum(power_.size());
    util::RealFft(size).forward(listener_audio, spectrum);
    std::ranges::transform(spectrum, power_.begin(), [](auto x) { return std::norm(x); });
  }

  double bin_width() const { return bin_; }  ///< [Hz]
  double power(int k) const { return power_[static_cast<std::size_t>(k)]; }

  /// Mean level of a band [dB].
  double level(double low, double high) const {
    double sum = 0.0;
    int count = 0;
    for (int k = bin_at(low); k < bin_at(high); ++k) sum += power(k), ++count;
    return 10.0 * std::log10(sum / count);
  }

  /// The same if peaks count no more than valleys: the mean is of decibels.
  double typical_level(double low, double high) const {
    double sum = 0.0;
    int count = 0;
    for (int k = bin_at(low); k < bin_at(high); ++k) sum += 10.0 * std::log10(power(k)), ++count;
    return sum / count;
  }

  /// The strongest frequency of a band, relative to `other` [Hz].
  double peak(const Response& other, double low, double high) const {
    int best = bin_at(low);
    for (int k = best; k < bin_at(high); ++k) {
      if (power(k) * other.power(best) > power(best) * other.power(k)) best = k;
    }
    return best * bin_;
  }

 private:
  static constexpr int size = 8192;
  int bin_at(double frequency) const { return static_cast<int>(frequency / bin_); }

  double bin_;
  std::vector<double> power_;
};

const json click = {{"click", {{"width", 0.0001}}}};

/// What a scene makes of a click.
Response clicked(json scene, const std::string& folder, double duration) {
  play(scene, click, duration);
  return {hear(scene, folder), scene["sample_rate"]};
}

double gain(const Response& a, const Response& b, double low, double high) {
  return a.level(low, high) - b.level(low, high);
}

double typical_gain(const Response& a, const Response& b, double low, double high) {
  return a.typical_level(low, high) - b.typical_level(low, high);
}

TEST(GallerySlow, TheCupRaisesTheResonanceOfItsAir) {
  json scene = read("cup-phone/scene.json");
  freeze(scene, "cup", 0.0);
  const Response away = clicked(scene, "cup-phone", 0.04);
  scene = read("cup-phone/scene.json");
  freeze(scene, "cup", 2.9);
  const Response over = clicked(scene, "cup-phone", 0.04);
  // A column closed below and open above. Its lower 20 mm have the area of the cup, S = 5540 mm^2;
  // of the 85 mm above, the phone leaves S' = 4560 mm^2. With an end correction of
  // 0.61 sqrt(S' / pi) = 23 mm its first mode is where (S / S') tan(k 20 mm) tan(k 108 mm) = 1.
  const double mode = 650.0;
  EXPECT_NEAR(over.peak(away, 400.0, 1000.0), mode, 0.03 * mode);
  EXPECT_GT(gain(over, away, 0.95 * mode, 1.05 * mode), 20.0);
  EXPECT_LT(gain(over, away, 3000.0, 6000.0), 0.0);
}

TEST(GallerySlow, TheFanModulatesAtTheRateOfItsBlades) {
  json scene = read("talk-fan/scene.json");
  play(scene, {{"tone", {{"frequency", 500}, {"harmonics", {0, 1, 1, 1, 1}}}}}, 0.14);
  // Blades that turn in a plane of the grid are as good with cells twice as long.
  scene["radiation"]["max_frequency"] = 3000;
  const auto modulation = [&] {
    const double rate = scene["sample_rate"], blades = 3 * 8.0;
    auto power = hear(scene, "talk-fan");
    power.erase(power.begin(), power.begin() + static_cast<int>(0.01 * rate));
    for (double& x : power) x *= x;
    return util::tone_at(power, rate, blades).amplitude / util::mean(power);
  };
  EXPECT_GT(modulation(), 0.5);
  freeze(scene, "fan", 0.0);
  EXPECT_LT(modulation(), 1e-4);
}

TEST(GallerySlow, ThePlungerMakesTheTrumpetDark) {
  json scene = read("trumpet/scene.json");
  freeze(scene, "plunger", 0.0);
  const Response open = clicked(scene, "trumpet", 0.05);
  scene = read("trumpet/scene.json");
  freeze(scene, "plunger", 0.9);
  const Response closed = clicked(scene, "trumpet", 0.05);
  // The closed bell has sharp resonances, as high as the open bell is everywhere, and little
  // between.
  EXPECT_GT(typical_gain(closed, open, 250.0, 800.0), -3.0);
  EXPECT_LT(typical_gain(closed, open, 800.0, 5000.0), -8.0);
  // The tune as it comes out: its spectrum has the bins of the response.
  const auto tune = util::read_audio(gallery / "trumpet/tune.wav");
  const auto played = util::average_power(
      tune.channels[0], {.window = 4096, .sample_rate = static_cast<double>(tune.rate)});
  ASSERT_EQ(played.bin_width, open.bin_width());
  const auto centroid = [&](const Response& response) {
    double sum = 0.0, moment = 0.0;
    for (int k = 0; k * played.bin_width < 6000.0; ++k) {
      const double listener_audio = played.power[static_cast<std::size_t>(k)] * response.power(k);
      sum += listener_audio;
      moment += listener_audio * (k * played.bin_width);
    }
    return moment / sum;
  };
  EXPECT_LT(centroid(closed), 0.75 * centroid(open));
}

Response head(const std::string& name, double duration) {
  return clicked(read("abcd/" + name + "/scene.json"), "abcd/" + name, duration);
}

TEST(GallerySlow, TheMegaphoneIsLouderAndTheWallMuffles) {
  const Response plain = head("plain", 0.02);
  const Response megaphone = head("megaphone", 0.02);
  EXPECT_GT(gain(megaphone, plain, 500.0, 4000.0), 4.0);
  EXPECT_NEAR(gain(megaphone, plain, 100.0, 250.0), 0.0, 1.0);  // the cone is small for these
  const Response wall = head("wall", 0.02);
  EXPECT_LT(gain(wall, plain, 700.0, 4000.0), -10.0);
  EXPECT_GT(gain(wall, plain, 100.0, 500.0), -3.0);
}

TEST(GallerySlow, ThePotEmphasisesItsModes) {
  const Response plain = head("plain", 0.03), pot = head("pot", 0.03);
  // L = 160 mm deep and a = 100 mm in radius, open at one end: a quarter of a wave fits into
  // L + 0.61 a. Across, the first mode of a disc, 1.841 c / (2 pi a), stands on top of it.
  const double along = 388.0, across = std::hypot(1006.0, along);
  EXPECT_NEAR(pot.peak(plain, 250.0, 700.0), along, 0.08 * along);
  EXPECT_NEAR(pot.peak(plain, 800.0, 1300.0), across, 0.05 * across);
  EXPECT_GT(gain(pot, plain, 0.9 * along, along), 6.0);
  EXPECT_LT(gain(pot, plain, 1.2 * along, 1.5 * along), -8.0);
}

/// The scene of the character, from which a test leaves things out.
json character() {
  return read("abcd/moving/scene.json");
}

/// What the air around the character makes of a click of its mouth at a time of the scene. The
/// motion of its surface is not heard.
Response character_clicked(double t) {
  json scene = character();
  play(scene, click, t + 0.03);
  object(scene, "character")["deformation_sounds"] = false;
  object(scene, "character")["sound"][0]["speaker"]["start"] = t;
  const double rate = scene["sample_rate"];
  std::vector<double> listener_audio = hear(scene, "abcd/moving");
  listener_audio.erase(listener_audio.begin(), listener_audio.begin() + static_cast<int>(t * rate));
  return {listener_audio, rate};
}

TEST(GallerySlow, TheCharacterSoundsAtEachLetterAsTheStillHeadDoes) {
  const std::vector<std::pair<std::string, double>> letters = {
      {"plain", 0.37}, {"megaphone", 1.6}, {"pot", 2.75}, {"wall", 4.1}};
  for (const auto& [name, t] : letters) {
    const Response still = head(name, 0.03), moving = character_clicked(t);
    for (const double low : {125.0, 250.0, 500.0, 1000.0, 2000.0, 4000.0})
      EXPECT_NEAR(gain(moving, still, low, 2.0 * low), 0.0, 2.0) << name << " from " << low;
  }
}

/// Power of what is heard from `begin` to `end` [s], in all from `low` to `high` [Hz].
double power_between(const std::vector<double>& listener_audio, double begin, double end,
                     double low, double high) {
  constexpr double rate = 44100.0;
  constexpr std::size_t size = 1 << 16;
  std::vector<double> part(listener_audio.begin() + static_cast<int>(begin * rate),
                           listener_audio.begin() + static_cast<int>(end * rate));
  // Blackman's window: a tone is gone to -110 dB 150 Hz beside it after 40 ms.
  for (std::size_t i = 0; i < part.size(); ++i) {
    const double x =
        2.0 * std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(part.size());
    part[i] *= 0.42 - 0.5 * std::cos(x) + 0.08 * std::cos(2.0 * x);
  }
  const double count = static_cast<double>(part.size());
  part.resize(size);
  std::vector<std::complex<double>> spectrum(size / 2 + 1);
  util::RealFft(size).forward(part, spectrum);
  double sum = 0.0;
  const double bin = rate / static_cast<double>(size);
  for (auto k = static_cast<std::size_t>(low / bin); k < static_cast<std::size_t>(high / bin); ++k)
    sum += std::norm(spectrum[k]);
  return sum / count;
}

// Cells twice as long as the scene's: a sixteenth of the work, and more noise.
TEST(GallerySlow, TheCharacterStepsInSilence) {
  json scene = character();
  scene["radiation"]["max_frequency"] = 4000;
  json& speaker = object(scene, "character");
  speaker["deformation_sounds"] = false;
  scene["duration"] = 0.5;
  const double letter = power_between(hear(scene, "abcd/moving"), 0.25, 0.5, 50.0, 4000.0);
  // The step alone, without the wall that would hide it.
  speaker["deformation_sounds"] = true;
  speaker["exists"] = {3.06, 4.0};
  speaker.erase("sound");
  scene["objects"] = {speaker};
  scene["duration"] = 4.0;
  const double step = power_between(hear(scene, "abcd/moving"), 3.06, 4.0, 50.0, 4000.0);
  // C, the weakest letter in the open, is 2 to 3 dB below this one.
  EXPECT_LT(10.0 * std::log10(step / letter), -57.0);
  EXPECT_GT(step, 0.0);
}

TEST(GallerySlow, AToneStaysCleanWhileTheCharacterSteps) {
  json scene = character();
  scene["radiation"]["max_frequency"] = 4000;
  play(scene, {{"tone", {{"frequency", 400}}}}, 3.7);
  json& speaker = object(scene, "character");
  speaker["deformation_sounds"] = false;
  speaker["sound"][0]["speaker"]["start"] = 3.3;
  scene["objects"] = {speaker};
  const auto listener_audio = hear(scene, "abcd/moving");
  const double tone = power_between(listener_audio, 3.32, 3.68, 250.0, 550.0);
  EXPECT_LT(10.0 * std::log10(power_between(listener_audio, 3.32, 3.68, 550.0, 8000.0) / tone),
            -50.0);
}

/// Pressure amplitude of a sphere of radius b whose surface accelerates by a, at distance r, in
/// air: rho a b^2 / (r sqrt(1 + (k b)^2)).
double pulsating_sphere(double frequency, double a, double b, double r) {
  const double k = 2.0 * std::numbers::pi * frequency / 343.2;
  return 1.2041 * a * b * b / (r * std::hypot(1.0, k * b));
}

TEST(GalleryAnalytic, ASphereSoundsTheSameAllAround) {
  json scene = read("figure-4/scene.json");
  const auto amplitudes = [&](double frequency) {
    scene["objects"][0]["sound"][0]["speaker"]["tone"]["frequency"] = frequency;
    util::Silent silent;
    const auto sound = render(scene::parse_scene(scene.dump(), "figure-4", ""), silent);
    std::vector<double> result;
    for (const ListenerAudio& listener_audio : sound.listeners) {
      const auto pressure = util::as_double(listener_audio.audio.channels.at(0));
      const auto steady = std::span(pressure).subspan(216, 240);  // 4.5 to 9.5 ms
      result.push_back(util::tone_at(steady, 48000.0, frequency).amplitude /
                       pulsating_sphere(frequency, 10.0, 0.05, 0.4));
    }
    return result;
  };
  const auto well_resolved = amplitudes(3400.0);
  EXPECT_NEAR(*std::ranges::min_element(well_resolved), 1.0, 0.05);
  EXPECT_NEAR(*std::ranges::max_element(well_resolved), 1.0, 0.05);
  const auto at_the_limit = amplitudes(8700.0);
  EXPECT_LT(std::ranges::max(at_the_limit) / std::ranges::min(at_the_limit), 1.35);  // 2.6 dB
}

TEST(GalleryAnalytic, HighVoicesNeedSmallCells) {
  json scene = read("figure-12/scene.json");
  const double acceleration = scene["objects"][0]["sound"][0]["speaker"]["acceleration"];
  const geometry::Vec3 from(0.0023, 0.0041, -0.0013), to(0.3, 0.2, 0.6);
  // The same click as a pressure of 1 Pa.
  json point = scene;
  point["objects"] = {{{"sound", {{{"point", click}}}}}};
  point["listeners"] = {{{"mono", {{"position", {0, 0, 1}}}}}};
  point["duration"] = 0.012;
  point.erase("radiation");
  const double rate = 48000.0;
  const Response played(hear(point, "figure-12"), rate);
  scene["sample_rate"] = rate;
  const auto error = [&](double cell, double frequency) {
    scene["radiation"]["cell_size"] = cell;
    const double exact = pulsating_sphere(frequency, acceleration, 0.05, (to - from).norm());
    return gain(clicked(scene, "figure-12", 0.012), played, frequency, frequency + 10.0) -
           20.0 * std::log10(exact);
  };
  EXPECT_NEAR(error(0.005, 6000.0), 0.0, 0.5);
  EXPECT_NEAR(error(0.010, 3000.0), 0.0, 0.5);
  EXPECT_NEAR(error(0.020, 1500.0), 0.0, 0.5);
  EXPECT_GT(std::abs(error(0.020, 7000.0)), 3.0);
}

}  // namespace
}  // namespace peal::render
