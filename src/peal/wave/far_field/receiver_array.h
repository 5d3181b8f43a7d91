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
struct PressurePeak {
  double recent = 0.0;   ///< in the last interval
  double overall = 0.0;  ///< since the start
};

/// What receivers hear of a wave field.
///
///     Hearing<float> hearing(setup, receivers);
///     for (each step) hearing.record(solver.pressure());
///     std::vector<base::Signal> heard = hearing.take();
///
/// Receivers outside of the Kirchhoff surface hear the Kirchhoff integral over it (kirchhoff.h) or
/// the radial expansion (expansion.h); inside, and up to half a cell outside, the grid itself
/// (probe.h). Between half a cell and two and a half cells outside the two are blended. A receiver
/// that jumps is faded from place to place (base/motion_segment.h); one that passes behind a mirror
/// is faded to silence in the same time.
template <class Real>
class ReceiverArray {
 public:
  /// `block` steps are worked on at once; more need more memory. Results differ by rounding only.
  ReceiverArray(const FarFieldSetup& setup, std::span<const base::Receiver> receivers,
                int block = 128);

  /// The field of the next step.
  void record(const Field<Real>& field);

  /// Pressure [Pa] of each receiver at the solver's rate, from the time at which the first field
  /// can be heard to the last at which all of it is known. Call it once, after the last step.
  std::vector<base::Signal> take();

  /// Over all receivers, of what is completely known.
  PressurePeak peak(double recent_seconds) const;

  std::size_t bytes() const;
  std::size_t faces() const { return box_->faces(); }

 private:
  struct ReceiverPaths {
    std::vector<PropagationPath> grid_paths;           ///< one for each segment of the motion
    std::vector<KirchhoffPath<Real>> kirchhoff_paths;  ///< and for each mirror image
    std::vector<ExpansionPath<Real>> expansion_paths;
    bool is_near = true;  ///< some of what is heard may come from the grid
    PressureSum received;
    std::int64_t begin = 0;     ///< before this step nothing can be heard
    std::int64_t complete = 0;  ///< steps of `heard` that are known
    double peak = 0.0;          ///< of those
  };

  ReceiverPaths make_receiver_paths(const base::Receiver& receiver) const;
  void probe_field(ReceiverPaths& paths, const Field<Real>& field) const;
  void finish_block();
  void integrate_faces();
  bool is_complete(ReceiverPaths& paths, std::int64_t chunk) const;
  void advance_complete(ReceiverPaths& paths);

  std::unique_ptr<const FarFieldSetup> setup_;   ///< paths point to it
  std::unique_ptr<const KirchhoffSurface> box_;  ///< and to it
  int block_;
  std::vector<ReceiverPaths> receivers_;
  std::optional<FaceHistory<Real>> faces_;  ///< if someone hears the Kirchhoff integral
  std::int64_t steps_ = 0;                  ///< recorded
  std::int64_t finished_ = 0;               ///< steps whose contributions have been added
};

extern template class ReceiverArray<float>;
extern template class ReceiverArray<double>;

}  // namespace peal::wave
