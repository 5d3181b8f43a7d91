#pragma once

#include <peal/base/acoustic_shader.h>
#include <peal/base/modes.h>
#include <peal/vibration/modal_response.h>

#include <memory>

namespace peal::vibration {

/// The sound of a ringing body's surface (Wang et al. 2018, section 4.2, equation 15):
///
///   a_n(x, t) = sum over modes of n . shape(x) q''(t)
///
/// Solvers ask at fixed places for many steps: shapes there become one matrix, and blocks of steps
/// are products with it.
class ModalShader : public base::SurfaceShader {
 public:
  /// `model.surface` must be the mesh of the body that carries the shader; `response` has the modes
  /// of `model`.
  ModalShader(std::shared_ptr<const base::ModalModel> model,
              std::shared_ptr<const ModalResponse> response);

  void add_acceleration(base::SampleTime time, std::span<const base::SurfacePoint> points,
                        std::span<float> acceleration) const override;
  std::unique_ptr<base::BoundShader> bound_to(
      std::span<const base::SurfacePoint> points) const override;
  /// From the first contact until everything has fallen by 120 dB.
  std::vector<base::SampleRange> sounding(base::Rate rate, base::SampleRange range) const override;

 private:
  std::shared_ptr<const base::ModalModel> model_;
  std::shared_ptr<const ModalResponse> response_;
};

}  // namespace peal::vibration
