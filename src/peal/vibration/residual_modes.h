#pragma once

#include <peal/fem/lanczos.h>
#include <peal/fem/matrices.h>
#include <peal/fem/space.h>

namespace peal::vibration {

/// A few shapes in place of all modes that are not computed (MacNeal 1971; Rubin 1975): the static
/// answers of the body to a pressure on each of `patches` parts of its surface, without what the
/// `known` motions (rigid ones and modes, M-orthonormal) have in them. As solutions of the
/// eigenproblem in the space that they span (Rayleigh-Ritz) they are M-orthonormal, and each has a
/// frequency above those of the known modes. They carry the compliance of the modes that are left
/// out under any force that is smooth on the scale of a patch; they are no modes that could be
/// heard one by one.
///
/// `shift` [1/s^2], small beside the squared angular frequencies of the known modes, makes K +
/// shift M invertible. At most `max_value` [1/s^2]; 0: no limit.
fem::Eigenpairs residual_modes(const fem::Matrices& matrices, const fem::Space& space,
                               const Eigen::MatrixXd& known, double shift, double max_value,
                               int patches);

}  // namespace peal::vibration
