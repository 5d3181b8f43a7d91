#pragma once

#include <peal/base/listener.h>
#include <peal/base/piece.h>
#include <peal/wave/far_field/listening_box.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace peal::wave {

/// One way by which sound reaches a receiver: directly or by way of mirrors, in a stretch of time
/// in which the receiver does not jump. Steps count from the first recorded field.
class HeardPath {
 public:
  /// `image` has bit i set if the receiver is mirrored in plane i.
  HeardPath(const HearingSetup& setup, const ListeningBox& box, const base::Receiver& receiver,
            const base::Piece& piece, unsigned image)
      : setup_(setup), box_(box), receiver_(receiver), piece_(piece), image_(image) {}

  bool is_still() const { return receiver_.motion->is_still(); }
  bool is_image() const { return image_ != 0; }

  Vec3 place(double step) const {
    return receiver_.motion->pose(piece_.clamp(seconds(step))).to_world(receiver_.offset);
  }
  /// Where the receiver, or its mirror image, is.
  Vec3 apparent_place(double step) const { return mirrored(place(step)); }
  Vec3 mirrored(Vec3 x) const {
    for (std::size_t i = 0; i < setup_.mirrors.size(); ++i) {
      if (image_ >> i & 1u) x = setup_.mirrors[i].mirrored(x);
    }
    return x;
  }

  /// Share of this piece of the motion at a step.
  double fade(double step) const { return piece_.fade(seconds(step)); }
  /// Of this piece, the share that comes straight from the grid, and the one that does not.
  double grid_gain(double step) const { return fade(step) * box_.grid_share(place(step)); }
  double far_gain(double step) const { return far_gain(step, place(step)); }
  double far_gain(double step, const Vec3& place_then) const {
    return fade(step) * (1.0 - box_.grid_share(place_then));
  }

 private:
  double seconds(double step) const {
    return setup_.rate.samples_to_seconds(static_cast<double>(setup_.first_step) + step);
  }

  const HearingSetup& setup_;
  const ListeningBox& box_;
  base::Receiver receiver_;
  base::Piece piece_;
  unsigned image_;
};

/// What a receiver hears, summed as it comes in; steps count from the first recorded field.
struct HeardSum {
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
