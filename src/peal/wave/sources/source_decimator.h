#pragma once

#include <peal/base/point_shader.h>
#include <peal/base/surface_source.h>
#include <peal/util/low_pass.h>

#include <cstdint>
#include <memory>

namespace peal::wave {

/// Samples sources for a solver that runs below the audio rate. Modes and impacts also have
/// frequencies above half of its rate, which would alias into the band: sources are sampled at a
/// multiple of the rate of the solver that is not below audio's, and decimated by a low-pass
/// filter without delay. At and above the audio rate sources are sampled as they are.
class SourceDecimator {
 public:
  SourceDecimator(base::Rate solver, base::Rate audio, double max_frequency);

  bool is_needed() const { return factor_ > 1; }

  /// The same source, decimated: it is to be asked at the rate of the solver.
  std::shared_ptr<const base::SurfaceSource> decimated(
      std::shared_ptr<const base::SurfaceSource> source) const;
  /// The strength of a point at the rate of the solver [Pa m].
  base::Signal strength(const base::PointShader& point, base::SampleRange range) const;

 private:
  base::Rate solver_;
  std::int64_t factor_;
  std::shared_ptr<const util::LowPass> filter_;
};

}  // namespace peal::wave
