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

std::string playing_time(double start, const std::optional<double>& duration) {
  std::string text;
  if (start != 0.0) text += fmt::format(", from t = {:g} s", start);
  if (duration) text += fmt::format(", for {:g} s", *duration);
  return text;
}

std::string words(const PointSound& sound) {
  return std::visit([](const auto& signal) { return words(signal); }, sound.signal) +
         fmt::format(", {:g} Pa at 1 m", sound.pressure_at_1m) +
         playing_time(sound.start, sound.duration);
}

std::string words(const WholeSurface&) {
  return "the whole surface";
}
std::string words(const std::string& group) {
  return fmt::format("the faces \"{}\"", group);
}
std::string words(const std::vector<std::uint32_t>& faces) {
  return fmt::format("{} face{} by number", faces.size(), faces.size() == 1 ? "" : "s");
}
std::string words(const geometry::Box&) {
  return "the faces in a box";
}

std::string words(const SpeakerSound& sound) {
  const auto in_words = [](const auto& part) { return words(part); };
  return std::visit(in_words, sound.signal) +
         fmt::format(", {:g} m/s^2 of {}", sound.acceleration, std::visit(in_words, sound.faces)) +
         playing_time(sound.start, sound.duration);
}

std::string words(const ModalSound& sound) {
  return fmt::format("its own modes up to {:g} Hz{}", sound.max_frequency,
                     sound.click ? ", with the noise of the contact" : "");
}

std::string words(const AccelerationNoiseSound&) {
  return "the click of the whole body when it is hit";
}

std::string words(const BallShape& shape) {
  return fmt::format("a ball of radius {:.4g} m", shape.radius);
}
std::string words(const BoxShape& shape) {
  return fmt::format("a box with edges of radius {:.3g} mm", 1e3 * shape.fillet);
}
std::string words(const TurnedShape& shape) {
  const geometry::Vec3 axis = shape.turn * geometry::Vec3::UnitY();
  return fmt::format("a solid of revolution about ({:.3g}, {:.3g}, {:.3g})", axis.x() + 0.0,
                     axis.y() + 0.0, axis.z() + 0.0);
}
std::string words(const FloorShape&) {
  return "a floor";
}
std::string words(const MeshShape&) {
  return "the smooth solid that its mesh stands for";
}

}  // namespace

std::string describe(const CollisionShape& shape) {
  return std::visit([](const auto& kind) { return words(kind); }, shape);
}

std::string describe(Radiation::Model model) {
  static constexpr const char* words[] = {"direct", "rays", "wave"};
  return words[static_cast<int>(model)];
}

std::string describe(Solver solver) {
  return solver == Solver::bullet ? "bullet" : "smooth";
}

std::string describe(const Sound& sound) {
  return std::visit([](const auto& kind) { return words(kind); }, sound);
}

}  // namespace peal::scene
