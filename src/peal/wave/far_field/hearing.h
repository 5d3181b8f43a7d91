#pragma once

#include <peal/base/listener.h>
#include <peal/wave/far_field/expansion.h>
#include <peal/wave/far_field/kirchhoff.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace peal::wave {

/// The loudest that was heard [Pa].
struct HeardPeak {
  double recent = 0.0;   ///< in the last stretch of time
  double overall = 0.0;  ///< since the start
};

/// What receivers hear of a wave field.
///
///     Hearing<float> hearing(setup, receivers);
///     for (each step) hearing.record(solver.pressure());
///     std::vector<base::Signal> heard = hearing.take();
///
/// Receivers outside of the listening box hear the Kirchhoff integral over it (kirchhoff.h) or the
/// radial expansion (expansion.h); inside, and up to half a cell outside, the grid itself
/// (probe.h). Between half a cell and two and a half cells outside the two are blended. A receiver
/// that jumps is faded from place to place (base/piece.h); one that passes behind a mirror is faded
/// to silence in the same time.
template <class Real>
class Hearing {
 public:
  /// `block` steps are worked on at once; more need more memory. Results differ by rounding only.
  Hearing(const HearingSetup& setup, std::span<const base::Receiver> receivers, int block = 128);

  /// The field of the next step.
  void record(const Field<Real>& field);

  /// Pressure [Pa] of each receiver at the solver's rate, from the time at which the first field
  /// can be heard to the last at which all of it is known. Call it once, after the last step.
  std::vector<base::Signal> take();

  /// Over all receivers, of what is completely known.
  HeardPeak peak(double recent_seconds) const;

  std::size_t bytes() const;
  std::size_t faces() const { return box_->faces(); }

 private:
  struct Ear {
    std::vector<HeardPath> grid_paths;                 ///< one for each piece of the motion
    std::vector<KirchhoffPath<Real>> kirchhoff_paths;  ///< and for each mirror image
    std::vector<ExpansionPath<Real>> expansion_paths;
    bool is_near = true;  ///< some of what is heard may come from the grid
    HeardSum heard;
    std::int64_t begin = 0;     ///< before this step nothing can be heard
    std::int64_t complete = 0;  ///< steps of `heard` that are known
    double peak = 0.0;          ///< of those
  };

  Ear make_ear(const base::Receiver& receiver) const;
  void probe_field(Ear& ear, const Field<Real>& field) const;
  void finish_block();
  void integrate_faces();
  bool is_complete(Ear& ear, std::int64_t chunk) const;
  void advance_complete(Ear& ear);

  std::unique_ptr<const HearingSetup> setup_;  ///< paths point to it
  std::unique_ptr<const ListeningBox> box_;    ///< and to it
  int block_;
  std::vector<Ear> ears_;
  std::optional<FaceRecord<Real>> faces_;  ///< if someone hears the Kirchhoff integral
  std::int64_t steps_ = 0;                 ///< recorded
  std::int64_t finished_ = 0;              ///< steps whose contributions have been added
};

extern template class Hearing<float>;
extern template class Hearing<double>;

}  // namespace peal::wave
