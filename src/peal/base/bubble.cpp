#include <peal/base/bubble.h>

#include <algorithm>

namespace peal::base {

Bubble BubbleSound::at(double t) const {
  if (path.empty()) return {.time = t};
  const auto after = std::ranges::upper_bound(path, t, {}, &Bubble::time);
  if (after == path.begin()) return path.front();
  if (after == path.end()) return path.back();
  const Bubble& a = *(after - 1);
  const Bubble& b = *after;
  const double x = (t - a.time) / (b.time - a.time);
  return {.time = t,
          .position = a.position + x * (b.position - a.position),
          .radius = a.radius + x * (b.radius - a.radius)};
}

BubbleEnergy& BubbleEnergy::operator+=(const BubbleEnergy& other) {
  given += other.given;
  dissipated += other.dissipated;
  remaining += other.remaining;
  radiated += other.radiated;
  return *this;
}

}  // namespace peal::base
