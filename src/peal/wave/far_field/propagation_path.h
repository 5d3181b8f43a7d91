#pragma once

#include <peal/base/listener.h>
#include <peal/base/motion_segment.h>
#include <peal/wave/far_field/kirchhoff_surface.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace peal::wave {

/// One path by which sound reaches a receiver, direct or by way of mirror planes, in an interval in
/// which the receiver does not jump. Steps count from the first recorded field.
class PropagationPath {
 public:
  /// `image` has bit i set if the receiver is mirrored in plane i.
  PropagationPath(const FarFieldSetup& setup, const KirchhoffSurface& box,
                  const base::Receiver& receiver, const base::MotionSegment& segment,
                  unsigned image)
      : setup_(setup), box_(box), receiver_(receiver), segment_(segment), image_(image) {}

  bool is_still() const { return receiver_.motion->is_still(); }
  bool is_image() const { return image_ != 0; }

  Vec3 position(double step) const {
    return receiver_.motion->pose(segment_.clamp(seconds(step))).to_world(receiver_.offset);
  }
  /// The position of the receiver, or of its mirror image.
  Vec3 apparent_position(double step) const { return mirrored(position(step)); }
  Vec3 mirrored(Vec3 x) const {
    for (std::size_t i = 0; i < setup_.mirrors.size(); ++i) {
      if (image_ >> i & 1u) x = setup_.mirrors[i].mirrored(x);
    }
    return x;
  }

  /// The gain of this segment of the motion at a step.
  double fade(double step) const { return segment_.fade(seconds(step)); }
  /// The gains of this segment for sound that is read from the grid, and for sound that is not.
  double grid_gain(double step) const { return fade(step) * box_.grid_share(position(step)); }
  double far_gain(double step) const { return far_gain(step, position(step)); }
  double far_gain(double step, const Vec3& position_then) const {
    return fade(step) * (1.0 - box_.grid_share(position_then));
  }

 private:
  double seconds(double step) const {
    return setup_.rate.samples_to_seconds(static_cast<double>(setup_.first_step) + step);
  }

  const FarFieldSetup& setup_;
  const KirchhoffSurface& box_;
  base::Receiver receiver_;
  base::MotionSegment segment_;
  unsigned image_;
};

/// The pressure at a receiver, summed over its contributions. Steps count from the first recorded
/// field.
struct PressureSum {
  std::vector<double> pressure;  ///< [Pa]

  template <class Real>
  void add(std::int64_t begin, const Real* values, std::int64_t count) {
    const std::int64_t skipped = std::max<std::int64_t>(0, -begin);
    if (skipped >= count) return;
    const auto end = static_cast<std::size_t>(begin + count);
    if (pressure.size() < end) pressure.resize(end, 0.0);
    double* out = pressure.data() + begin;
    for (std::int64_t i = skipped; i < count; ++i) out[i] += static_cast<double>(values[i]);
  }
};

}  // namespace peal::wave
