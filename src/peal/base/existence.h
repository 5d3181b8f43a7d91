#pragma once

#include <peal/base/point_shader.h>
#include <peal/base/surface_source.h>
#include <peal/base/time.h>

#include <memory>

namespace peal::base {

/// Duration of the fade at each end of an object's interval of existence, inside it [s]. A cut
/// without a fade would click.
inline constexpr double existence_fade = 0.005;

/// 6 x^5 - 15 x^4 + 10 x^3, from 0 at 0 to 1 at 1: its first two derivatives vanish there.
double existence_rise(double x);

/// The gain of a source that exists for an interval: it rises from 0 to 1 after `begin` and falls
/// to 0 before `end`, by existence_rise().
struct FadeWindow {
  double begin, end;         ///< [s]
  double fade_in, fade_out;  ///< duration of rise and fall [s]

  double gain(double t) const;
};

/// The fade window of an object that exists during `exists`. Intervals shorter than two fades have
/// shorter fades.
FadeWindow window_of(const TimeRange& exists);

/// The source or shader multiplied by the gain of `window`.
std::shared_ptr<const SurfaceSource> windowed(std::shared_ptr<const SurfaceSource> source,
                                              const FadeWindow& window);
std::shared_ptr<const PointShader> windowed(std::shared_ptr<const PointShader> shader,
                                            const FadeWindow& window);

}  // namespace peal::base
