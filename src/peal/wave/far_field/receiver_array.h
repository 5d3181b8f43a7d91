#pragma once

#include <peal/base/listener.h>
#include <peal/wave/far_field/expansion.h>
#include <peal/wave/far_field/kirchhoff.h>
#include <peal/wave/far_field/probe.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace peal::wave {

/// The largest pressure at any receiver [Pa].
struct PressurePeak {
  double recent = 0.0;   ///< in the last interval
  double overall = 0.0;  ///< since the start
};

/// The receivers of a wave field.
///
///     ReceiverArray<float> array(setup, receivers);
///     for (each step) array.record(solver.pressure());
///     std::vector<base::Signal> received = array.take();
///
/// The pressure at a receiver outside of the Kirchhoff surface is the Kirchhoff integral over it
/// (kirchhoff.h) or the radial expansion (expansion.h); inside, and up to half a cell outside, it
/// is read from the grid (probe.h). From half a cell to two and a half cells outside, the two are
/// blended. A jump of a receiver is a crossfade (base/motion_segment.h); a receiver that passes
/// behind a mirror plane fades to silence in the same time.
template <class Real>
class ReceiverArray {
 public:
  /// Recorded fields after an output that it needs at most, and that complete its chunk.
  static constexpr int looks_ahead = OutputChunk::size + OutputChunk::after;

  /// Integrates `block` fields at once if the caller does not end blocks earlier; larger blocks
  /// need more memory. The results differ by rounding only.
  ReceiverArray(const FarFieldSetup& setup, std::span<const base::Receiver> receivers,
                int block = 128);

  /// Records the field of the next step.
  void record(const Field<Real>& field);
  /// Integrates what was recorded since the last block.
  void finish_block();

  /// Where receivers near the surface read a field.
  struct Probe {
    std::size_t receiver;
    bool is_last;  ///< of its receiver
    double gain;   ///< 0: there is nothing to read
    ProbeStencil stencil;
  };
  /// For callers that have the field elsewhere and know what air is before they know the field: the
  /// probes of the next field, for which they may ask several fields ahead. The field is then
  /// recorded as the values of all cells of the probes, one after the other.
  std::vector<Probe> next_probes() { return probes_at(probed_++); }
  void record(std::span<const Probe> probes, std::span<const Real> values);
  /// The paths along which such callers integrate the faces.
  struct Listening {
    std::size_t receiver;
    KirchhoffPath<Real>* path;
  };
  std::vector<Listening> listening_paths();
  /// What a receiver hears along a path of the fields of a block, from an output on.
  struct Heard {
    std::size_t receiver;
    std::int64_t first;
    std::span<const double> pressure;  ///< [Pa]
  };
  /// Ends a block with what was heard, in the order of listening_paths().
  void finish_block(std::span<const Heard> heard);
  bool needs_faces() const { return integrates_; }
  bool needs_probes() const;
  const KirchhoffSurface& surface() const { return *box_; }

  /// The pressure [Pa] at each receiver at the rate of the solver, from the first time at which
  /// sound of the first field can arrive to the last time at which all sound is known. Call it
  /// once, after the last step.
  std::vector<base::Signal> take();

  /// The peak over all receivers, of the sound that is completely known.
  PressurePeak peak(double recent_seconds) const;

  std::size_t bytes() const;
  std::size_t faces() const { return box_->faces(); }

 private:
  struct ReceiverPaths {
    std::vector<PropagationPath> grid_paths;           ///< one for each segment of the motion
    std::vector<KirchhoffPath<Real>> kirchhoff_paths;  ///< one for each segment and mirror image
    std::vector<ExpansionPath<Real>> expansion_paths;
    bool is_near = true;  ///< whether the grid may contribute
    PressureSum received;
    std::int64_t begin = 0;     ///< first step at which sound can arrive
    std::int64_t complete = 0;  ///< steps of `received` that are known
    double peak = 0.0;          ///< of the known steps
  };

  ReceiverPaths make_receiver_paths(const base::Receiver& receiver) const;
  std::vector<Probe> probes_at(std::int64_t step) const;
  template <class At>
  void add_probes(std::span<const Probe> probes, const At& at);
  void end_step();
  void integrate_faces();
  void end_block();
  bool is_complete(ReceiverPaths& paths, std::int64_t chunk) const;
  void advance_complete(ReceiverPaths& paths);

  std::unique_ptr<const FarFieldSetup> setup_;   ///< referenced by the paths
  std::unique_ptr<const KirchhoffSurface> box_;  ///< referenced by the paths
  int block_;
  std::vector<ReceiverPaths> receivers_;
  bool integrates_ = false;                 ///< whether a receiver needs the Kirchhoff integral
  std::optional<FaceHistory<Real>> faces_;  ///< once a field was recorded
  std::int64_t probed_ = 0;                 ///< steps for which probes were asked for
  std::int64_t steps_ = 0;                  ///< steps recorded
  std::int64_t finished_ = 0;               ///< steps whose contributions have been added
};

extern template class ReceiverArray<float>;
extern template class ReceiverArray<double>;

}  // namespace peal::wave
