#pragma once

#include <peal/base/contact_compliance.h>
#include <peal/base/modes.h>
#include <peal/base/radiation_amplitudes.h>
#include <peal/base/radiation_drives.h>
#include <peal/base/surface_source.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/vibration/modal_response.h>
#include <peal/vibration/struck_sound.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace peal::vibration {

/// The sound of a vibrating body's surface (Wang et al. 2018, section 4.2, equation 15):
///
///   a_n(x, t) = sum over modes of n . shape(x) q''(t)
///
/// with one column per mode: b_k = n . shape_k [kg^-1/2] and c_k = q_k'' [m kg^1/2 / s^2].
class ModalSource : public base::SurfaceSource, public base::ModalDrive {
 public:
  /// The sound of the body as a point, for radiators without surfaces.
  struct Point {
    base::Vec3 offset = base::Vec3::Zero();  ///< body frame [m]
    /// How the modes radiate in a medium, without decay rates.
    std::function<base::RadiationAmplitudes(const base::Medium&)> radiation;
    bool has_level = true;  ///< false: the amplitudes are a convention
    std::optional<ContactClick> click;
    StruckSound::NoiseKey key;
  };

  /// `model.surface` must be the mesh of the body that carries the source; `response` has the modes
  /// of `model`.
  ModalSource(std::shared_ptr<const base::ModalModel> model,
              std::shared_ptr<const ModalResponse> response, std::optional<Point> point = {});

  Eigen::Index columns() const override { return model_->shapes.cols(); }
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override;
  void coefficients(base::Rate rate, base::SampleRange range,
                    base::Coefficients& out) const override;
  /// The samples from the first contact until everything has decayed by 120 dB.
  std::vector<base::SampleRange> active(base::Rate rate, base::SampleRange range) const override;
  void hash(base::Rate rate, base::SampleRange range,
            util::Fingerprint& fingerprint) const override;
  std::vector<base::Multipole> multipoles(const base::Medium& medium) const override;
  std::optional<base::SourceEnergy> energy(const base::Medium& medium, double end) const override;

  const base::ModalModel& model() const override { return *model_; }
  void accelerations(base::Rate rate, base::SampleRange range, base::Coefficients& now,
                     base::Coefficients& quarter_later) const override;

 private:
  std::shared_ptr<const base::ModalModel> model_;
  std::shared_ptr<const ModalResponse> response_;
  std::optional<Point> point_;
};

/// The compliance of a body with known modes where it is touched: at the nearest point of the
/// surface of its ModalModel, between the corners of the triangle there.
class ModalCompliance : public base::ContactCompliance {
 public:
  /// `highest`: frequency up to which all modes are known [Hz]; those above are not used.
  /// `further_decay` [1/s] is added to
  /// that of each mode, for what the model leaves out; empty: none.
  ModalCompliance(std::shared_ptr<const base::ModalModel> model, double highest,
                  std::span<const double> further_decay = {});

  const std::vector<base::Mode>& modes() const override { return modes_; }
  double cut() const override { return cut_; }
  Point at(const geometry::Vec3& point) const override;

 private:
  std::shared_ptr<const base::ModalModel> model_;
  geometry::SurfaceQuery surface_;
  std::vector<base::Mode> modes_;
  double cut_;  ///< [rad/s]
};

}  // namespace peal::vibration
