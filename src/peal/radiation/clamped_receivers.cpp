#include <peal/radiation/clamped_receivers.h>
#include <peal/util/sort_unique.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace peal::radiation {

namespace {

/// A motion that is restricted to one of its segments and rests beyond it.
class Held : public base::Motion {
 public:
  Held(std::shared_ptr<const base::Motion> motion, const base::MotionSegment& segment)
      : motion_(std::move(motion)), segment_(segment) {}
  base::Pose pose(double t) const override { return motion_->pose(segment_.clamp(t)); }
  bool is_still() const override { return false; }

 private:
  std::shared_ptr<const base::Motion> motion_;
  base::MotionSegment segment_;
};

}  // namespace

std::vector<base::MotionSegment> common_segments(std::span<const base::Receiver> receivers) {
  std::vector<double> jumps;
  for (const base::Receiver& receiver : receivers) {
    const std::span<const double> own = receiver.motion->jumps();
    jumps.insert(jumps.end(), own.begin(), own.end());
  }
  util::sort_unique(jumps);
  return base::segments_between(jumps);
}

std::vector<base::Receiver> clamped_to(const base::MotionSegment& segment,
                                       std::span<const base::Receiver> receivers) {
  std::vector<base::Receiver> held(receivers.begin(), receivers.end());
  for (base::Receiver& receiver : held) {
    const std::vector<base::MotionSegment> own = base::segments(*receiver.motion);
    if (own.size() == 1) continue;
    const auto around = std::ranges::find_if(
        own, [&](const base::MotionSegment& one) { return segment.begin < one.end; });
    receiver.motion = std::make_shared<Held>(receiver.motion, *around);
  }
  return held;
}

}  // namespace peal::radiation
