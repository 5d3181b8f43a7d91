#pragma once

#include <peal/base/point_shader.h>
#include <peal/base/surface_source.h>
#include <peal/base/time.h>

#include <memory>

namespace peal::base {

/// Time in which the sound of an object that begins or ends rises or falls, inside of the interval
/// in which it exists [s]: a cut would click.
inline constexpr double existence_fade = 0.005;

/// 6 x^5 - 15 x^4 + 10 x^3, from 0 at 0 to 1 at 1: its first two derivatives vanish there.
double existence_rise(double x);

/// Gain of a source that exists for a while: 0 outside, 1 inside, and in between existence_rise().
/// Intervals shorter than two fades have shorter ones.
double existence_gain(const TimeRange& exists, double t);

/// The same sources with that gain.
std::shared_ptr<const SurfaceSource> windowed(std::shared_ptr<const SurfaceSource> source,
                                              const TimeRange& exists);
std::shared_ptr<const PointShader> windowed(std::shared_ptr<const PointShader> shader,
                                            const TimeRange& exists);

}  // namespace peal::base
