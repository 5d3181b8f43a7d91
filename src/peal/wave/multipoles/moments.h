#pragma once

#include <peal/wave/far_field/kirchhoff_surface.h>

#include <Eigen/Core>
#include <complex>
#include <vector>

namespace peal::wave {

/// Coefficients of outgoing waves from pressure and slope on a closed surface around their sources,
///
///   c_lm = -ik sum over faces of w [p d_n(j_l(kr) Y_lm) - j_l(kr) Y_lm dp/dn],
///
/// the Kirchhoff integral with the expansion of the free field's Green's function (j_l h_l Y_lm
/// Y_lm) in it. The expansion converges outside of the ball around the *bodies*, although corners
/// of the surface lie outside of it.
class Moments {
 public:
  /// Prepares expansions about `centre` [m] up to `order`.
  Moments(const KirchhoffSurface& box, const Vec3& centre, int order);

  Eigen::Index slots() const { return distance_.size(); }

  /// g_lm = c_lm h_l(k radius), the coefficients of the pressure on the ball, up to `order`, from
  /// the pressures and slopes of all slots at wavenumber k > 0: a column a sound, with
  /// harmonics_up_to(order) coefficients each.
  Eigen::MatrixXcd coefficients(int order, double k, double radius,
                                const Eigen::MatrixXcd& pressures,
                                const Eigen::MatrixXcd& slopes) const;

  /// The highest order up to `order` whose coefficients are not drowned by rounding: those of waves
  /// that fade away beyond the ball are read at faces farther out, and grow by j_l(kr) / j_l(kR).
  int readable_order(int order, double k, double radius) const;

 private:
  Eigen::VectorXd distance_;  ///< of each slot from the centre [m]
  Eigen::VectorXd
      outwards_;            ///< cosine between the face's normal and the direction from the centre
  Eigen::VectorXd weight_;  ///< [m^2]; 0 for slots without a face
  Eigen::MatrixXf harmonics_;  ///< Y_lm, a row a slot
  Eigen::MatrixXf slopes_;     ///< d_n Y_lm [1/m]
};

}  // namespace peal::wave
