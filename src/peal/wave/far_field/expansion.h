#pragma once

#include <peal/wave/far_field/probe.h>
#include <peal/wave/far_field/propagation_path.h>

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace peal::wave {

/// The radial expansion of Wang et al. 2018, equation (18), after Chadwick et al. 2012:
///
///     p(r, tau) = sum over j = 1..K of alpha_j(tau) / r^j,    tau = t - r / c
///
/// r      distance from the centre of the Kirchhoff surface, along the ray to the receiver [m]
/// alpha  fitted by least squares to K + 5 points of the ray, all at the same phase tau
///
/// The points lie between `expansion_from` and one cell outside of the surface. The expansion is
/// exact for a source at the centre of order K - 1 (pulsating sphere K = 1, oscillating K = 2,
/// quadrupole K = 3). A source elsewhere has all orders, and the error of the fit grows with
/// distance (docs/theory/far-field.md).
///
/// For a moving receiver, a point of the ray is read at step s in the direction in which the
/// receiver will be when the sound that passes the point at s arrives.
template <class Real>
class ExpansionPath {
 public:
  ExpansionPath(const FarFieldSetup& setup, const KirchhoffSurface& box,
                const PropagationPath& path);

  /// Samples the field of the next step at the points of the ray.
  void record(const Field<Real>& field);
  /// Adds all outputs whose samples have been recorded.
  void add(PressureSum& out);
  /// Whether an output has been added or has no contribution from this path.
  bool is_complete(std::int64_t output) const;

  std::size_t bytes() const;

 private:
  /// The ray to the receiver at the time of an output.
  struct Ray {
    Vec3 direction;
    double distance;    ///< of the receiver from the centre [m]
    double first, gap;  ///< distance of the first point, and spacing of the points [m]

    double point(int i) const { return first + i * gap; }
  };

  Ray ray(double output) const;
  double lag(const Ray& ray, int i) const;  ///< delay from point i to the receiver [samples]
  double output_for(std::int64_t step, int i) const;
  Eigen::VectorXd weights(const Ray& ray) const;
  double read(int i, double step) const;
  void forget(std::int64_t before);

  const FarFieldSetup& setup_;
  const KirchhoffSurface& box_;
  PropagationPath path_;
  int points_;
  bool is_still_;
  std::vector<std::vector<double>> series_;  ///< pressure at each point, step by step [Pa]
  std::int64_t forgotten_ = 0;               ///< step of series_[i][0]
  std::int64_t recorded_ = 0;
  std::int64_t next_ = 0;  ///< next output
  Ray still_ray_;
  Eigen::VectorXd still_weights_;
};

extern template class ExpansionPath<float>;
extern template class ExpansionPath<double>;

}  // namespace peal::wave
