#pragma once

#include <peal/base/surface_source.h>
#include <peal/base/wave_settings.h>
#include <peal/base/world.h>
#include <peal/wave/far_field/kirchhoff_surface.h>
#include <peal/wave/grid/discretisation.h>
#include <peal/wave/grid/domain.h>
#include <peal/wave/multipoles/face_spectra.h>

#include <functional>
#include <memory>
#include <optional>

namespace peal::wave {

/// One body at rest, alone in the air, whose surface is driven: what it radiates is read from the
/// Kirchhoff surface around it.
class BodyInAir {
 public:
  using Source = std::shared_ptr<const base::SurfaceSource>;
  using Advance = std::function<void(double steps)>;

  /// `max_frequency` [Hz] is the highest that is read, `cell_size` [m].
  BodyInAir(const geometry::TriMesh& mesh, bool is_sheet, const base::Medium& medium,
            double cell_size, double max_frequency);

  const KirchhoffSurface& box() const { return *box_; }
  double cells() const { return static_cast<double>(domain_.grid.cells()); }
  /// Steps of a run of a length [s].
  double steps(double length) const { return discretisation_.rate.samples(length); }

  /// A run from silence, in which the source acts until `driven` [s].
  struct Run {
    Source source;
    double driven = 0.0;  ///< [s]
    double length = 0.0;  ///< [s]
    double fade = 0.0;    ///< time before the end in which records are faded out [s]
  };
  struct Spectra {
    FaceSpectra faces;
    double rest = 0.0;  ///< largest pressure on the surface when the fade began, of the largest
  };
  Spectra run(const Run& run, std::vector<double> frequencies, const Advance& advance) const;

  /// The time until which the largest pressure on the surface in a window exceeds `part` of the
  /// largest of all [s], at most the length of the run. The run ends `quiet` [s] after that.
  double ringing_time(const Run& run, double part, double quiet, const Advance& advance) const;

 private:
  base::World world_with(const Source& source) const;

  base::World world_;
  base::WaveSettings settings_;
  Discretisation discretisation_;
  Domain domain_;
  std::optional<KirchhoffSurface> box_;
  std::int64_t stride_ = 1;  ///< steps from one record to the next
};

}  // namespace peal::wave
