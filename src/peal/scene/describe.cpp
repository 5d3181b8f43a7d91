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
  return "a smooth solid through the vertices of its mesh";
}
std::string words(const ConvexShape&) {
  return "a convex solid with flat faces";
}

}  // namespace

std::string describe(const CollisionShape& shape) {
  return std::visit([](const auto& kind) { return words(kind); }, shape);
}

std::string describe(Listener::Kind kind) {
  switch (kind) {
    case Listener::Kind::mono:
      break;
    case Listener::Kind::stereo:
      return "stereo";
    case Listener::Kind::binaural:
      return "binaural";
    case Listener::Kind::ambisonic:
      return "ambisonic";
  }
  return "mono";
}

std::string describe(Radiation::Model model) {
  static constexpr const char* words[] = {"direct", "rays", "wave", "precomputed"};
  return words[static_cast<int>(model)];
}

std::string describe(Solver solver) {
  return solver == Solver::bullet ? "bullet" : "smooth";
}

std::string describe(const SignalSound& signal) {
  return std::visit([](const auto& kind) { return words(kind); }, signal);
}

std::string describe_playing_time(double start, const std::optional<double>& duration) {
  std::string text;
  if (start != 0.0) text += fmt::format(", from t = {:g} s", start);
  if (duration) text += fmt::format(", for {:g} s", *duration);
  return text;
}

}  // namespace peal::scene
