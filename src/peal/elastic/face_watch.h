#pragma once

#include <peal/elastic/may_close.h>
#include <peal/util/archive.h>

#include <cstdint>
#include <vector>

namespace peal::elastic {

/// Broad phase by time: the faces of a solid that may touch an obstacle before all faces are
/// checked again, each with the step before which it cannot touch.
class FaceWatch {
 public:
  static constexpr std::int64_t interval = 256;  ///< steps from one check of all faces to the next

  /// The current step, and the largest speed at which gaps close.
  struct Closing {
    std::int64_t now = 0;  ///< step
    double dt = 0.0;       ///< [s]
    double speed = 0.0;    ///< [m/s]

    std::int64_t next_look(double gap) const { return may_close(now, gap, speed, dt, interval); }
  };

  /// Lists the faces, out of `faces`, that may touch soon. `gap(face)` is a lower bound [m].
  template <class Gap>
  void list(std::uint32_t faces, const Closing& closing, const Gap& gap) {
    watched_.clear();
    for (std::uint32_t f = 0; f < faces; ++f) {
      const double apart = gap(f);
      const std::int64_t next = apart > 0.0 ? closing.next_look(apart) : closing.now;
      if (next < closing.now + interval) watched_.push_back({f, next});
    }
  }
  /// Calls `look(face)`, which returns the gap [m], for the listed faces that may touch now.
  template <class Look>
  void look(const Closing& closing, const Look& look) {
    for (Watched& one : watched_) {
      if (closing.now < one.next_look) continue;
      const double gap = look(one.face);
      if (gap > 0.0) one.next_look = closing.next_look(gap);
    }
  }

  void serialize(util::Archive& archive) { archive.list(watched_); }

 private:
  struct Watched {
    std::uint32_t face = 0;
    std::int64_t next_look = 0;
  };
  std::vector<Watched> watched_;  ///< in the order of faces
};

}  // namespace peal::elastic
