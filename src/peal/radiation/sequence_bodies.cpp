#include <peal/base/existence.h>
#include <peal/radiation/sequence_bodies.h>

#include <algorithm>
#include <limits>

namespace peal::radiation {

namespace {

/// The duration of the crossfade from one mesh to the next, around their change [s].
double fade_at(std::span<const double> changes, std::size_t change) {
  double fade = base::existence_fade;
  if (change > 0) fade = std::min(fade, changes[change] - changes[change - 1]);
  if (change + 1 < changes.size()) fade = std::min(fade, changes[change + 1] - changes[change]);
  return fade;
}

base::FadeWindow window_of_mesh(std::span<const double> changes, std::size_t number) {
  constexpr double never = std::numeric_limits<double>::infinity();
  base::FadeWindow window{-never, never, base::existence_fade, base::existence_fade};
  if (number > 0) {
    window.fade_in = fade_at(changes, number - 1);
    window.begin = changes[number - 1] - 0.5 * window.fade_in;
  }
  if (number < changes.size()) {
    window.fade_out = fade_at(changes, number);
    window.end = changes[number] + 0.5 * window.fade_out;
  }
  return window;
}

}  // namespace

std::vector<base::Body> bodies_of_sequence(const base::Body& body, double duration) {
  const base::SurfaceSequence& sequence = *body.sequence;
  std::vector<base::Body> bodies;
  for (std::size_t number = 0; number < sequence.size(); ++number) {
    const base::FadeWindow window = window_of_mesh(sequence.changes(), number);
    if (window.end < 0.0 || window.begin > duration) continue;
    base::Body& one = bodies.emplace_back(body);
    one.mesh = *sequence.mesh(number);
    one.sequence = nullptr;
    one.deformation = std::make_shared<base::MeshOfSequence>(body.sequence, number);
    for (auto& source : one.sources) source = base::windowed(source, window);
  }
  return bodies;
}

}  // namespace peal::radiation
