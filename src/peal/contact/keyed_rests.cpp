#include <peal/contact/keyed_rests.h>
#include <peal/contact/nearest_points.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>

namespace peal::contact {

namespace {

constexpr double shortest_rest = 0.05;  ///< [s]
/// What moves less than this in a rest lies still [m], at its farthest points.
constexpr double hardly_moved = 2e-5;
constexpr double model_error = 0.001;  ///< bodies are modelled and posed this well [m]

struct Span {
  double begin, end;  ///< [s]
};

bool is_still_in(const ContactBody& body, const SampledSurface& surface, const Span& span) {
  const base::Pose from = body.motion->pose(span.begin);
  for (const double part : {0.25, 0.5, 0.75, 1.0}) {
    const base::Pose to = body.motion->pose(span.begin + part * (span.end - span.begin));
    const double turned = surface.radius() * from.orientation.angularDistance(to.orientation);
    if ((to.position - from.position).norm() + turned > hardly_moved) return false;
  }
  return true;
}

/// When a body lies still.
std::vector<Span> still_spans(const ContactBody& body, const SampledSurface& surface,
                              double duration) {
  std::vector<double> times = {0.0};
  for (const double t : body.motion->kinks())
    if (t > times.back() && t < duration) times.push_back(t);
  times.push_back(duration);
  std::vector<Span> spans;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const Span span{times[i - 1], times[i]};
    if (!(span.end > span.begin) || !is_still_in(body, surface, span)) continue;
    if (!spans.empty() && spans.back().end == span.begin) {
      spans.back().end = span.end;
    } else {
      spans.push_back(span);
    }
  }
  std::erase_if(spans, [](const Span& span) { return span.end - span.begin < shortest_rest; });
  return spans;
}

struct Support {
  std::uint32_t other;
  NearestPoints where;
  double share;  ///< how far it points against gravity [1]
};

}  // namespace

std::vector<base::RestingContact> find_keyed_rests(std::span<const ContactBody> bodies,
                                                   const std::vector<bool>& heard, double duration,
                                                   const base::Vec3& gravity) {
  std::vector<base::RestingContact> rests;
  std::vector<std::optional<SampledSurface>> surfaces(bodies.size());
  const auto surface = [&](std::size_t i) -> const SampledSurface& {
    if (!surfaces[i]) surfaces[i].emplace(*bodies[i].shape);
    return *surfaces[i];
  };
  const double weight = gravity.norm();
  if (!(weight > 0.0)) return rests;
  for (std::uint32_t a = 0; a < bodies.size(); ++a) {
    const ContactBody& body = bodies[a];
    if (!heard[a] || !body.is_free || body.motion->is_still()) continue;
    for (const Span& span : still_spans(body, surface(a), duration)) {
      std::vector<Support> supports;
      double shares = 0.0;
      for (std::uint32_t b = 0; b < bodies.size(); ++b) {
        if (b == a || !bodies[b].shape || !is_still_in(bodies[b], surface(b), span)) continue;
        for (const NearestPoints& where :
             support_points(surface(a), body.motion->pose(span.begin), surface(b),
                            bodies[b].motion->pose(span.begin), model_error)) {
          const double share = -where.normal.dot(gravity) / weight;
          if (share < 0.1) continue;
          supports.push_back({b, where, share});
          shares += share * share;
        }
      }
      for (const Support& support : supports) {
        rests.push_back({.begin = span.begin,
                         .end = span.end,
                         .body_a = a,
                         .body_b = support.other,
                         .point = support.where.point,
                         .normal = support.where.normal,
                         .impulse = body.mass.mass * weight * support.share / shares *
                                    (span.end - span.begin)});
      }
    }
  }
  std::ranges::sort(rests, {}, [](const base::RestingContact& rest) {
    return std::tuple(rest.begin, rest.body_a, rest.body_b, rest.point.x(), rest.point.y(),
                      rest.point.z());
  });
  return rests;
}

}  // namespace peal::contact
