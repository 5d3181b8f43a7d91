#include <peal/scene/describe.h>

#include <fmt/format.h>

namespace peal::scene {

namespace {

std::string words(const WavSound& sound) {
  return fmt::format("recording {}{}", sound.file.filename().string(),
                     sound.loop ? ", repeated" : "");
}

std::string words(const ToneSound& sound) {
  const std::size_t overtones = sound.harmonics.size() - 1;
  return fmt::format("tone of {:g} Hz{}", sound.frequency,
                     overtones > 0 ? fmt::format(" with {} overtones", overtones) : "");
}

std::string words(const ClickSound& sound) {
  return sound.period > 0.0
             ? fmt::format("a click of {:g} ms every {:g} s", 1000 * sound.width, sound.period)
             : fmt::format("a click of {:g} ms", 1000 * sound.width);
}

std::string words(const NoiseSound& sound) {
  return fmt::format("{} noise from {:g} to {:g} Hz",
                     sound.colour == NoiseSound::Colour::pink ? "pink" : "white", sound.low,
                     sound.high);
}

std::string words(const PointSound& sound) {
  std::string text = std::visit([](const auto& signal) { return words(signal); }, sound.signal);
  text += fmt::format(", {:g} Pa at 1 m", sound.pressure_at_1m);
  if (sound.start != 0.0) text += fmt::format(", from t = {:g} s", sound.start);
  if (sound.duration) text += fmt::format(", for {:g} s", *sound.duration);
  return text;
}

}  // namespace

std::string describe(const Sound& sound) {
  return std::visit([](const auto& kind) { return words(kind); }, sound);
}

}  // namespace peal::scene
