#pragma once

#include <peal/base/modes.h>
#include <peal/base/motion.h>
#include <peal/base/multipoles.h>
#include <peal/base/radiation_tables.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/scene/scene.h>
#include <peal/util/progress.h>

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace peal::explore {

/// How a body radiates: the radiation amplitudes of its modes, were their frequencies changed by
/// these ratios. The page interpolates between them when the material changes.
struct RadiationTable {
  std::vector<double> ratios;                                 ///< ascending [1]
  std::vector<std::vector<std::complex<double>>> amplitudes;  ///< [Pa m / (m kg^1/2)]
  std::vector<double> decay_rates;  ///< by which radiation damps each mode [1/s]
};

/// What the page needs for the click of the body as a whole (shaders::DipoleEnd).
struct RigidClick {
  geometry::MassProperties mass;
  base::RigidDipole dipole;
};

/// A body as the explorer plays it.
struct ExploredBody {
  std::string name;
  std::string file;    ///< the mesh or .modes file that a command line would name; may be empty
  double scale = 1.0;  ///< metres per unit of the file
  base::Pose pose;
  std::optional<scene::Material> material;  ///< absent: only its modes are known
  std::shared_ptr<const geometry::TriMesh> mesh;
  std::optional<scene::IdealShape> ideal;         ///< the page solves it itself
  std::shared_ptr<const base::ModalModel> model;  ///< null if it is ideal, or silent
  double max_frequency = 20000.0;                 ///< of its modes [Hz]
  RadiationTable radiation;
  /// The waves that the modes send out in every direction; null if they are not precomputed.
  std::shared_ptr<const base::ModalRadiation> multipoles;
  std::optional<RigidClick> click;
  /// The waves of the click in every direction; null: it is heard as a dipole.
  std::shared_ptr<const base::RigidRadiation> rigid_waves;
  std::optional<scene::Strike> strike;  ///< the first of the scene: where to begin

  bool sounds() const { return ideal.has_value() || model != nullptr; }
};

/// One object of a scene; computes its modes unless they are known, and its radiation if that is
/// known or takes at most `most_seconds`. An object without a mesh has no body.
std::optional<ExploredBody> explored_body(const scene::Object& object, const base::Medium& medium,
                                          util::Progress& progress, double most_seconds,
                                          std::vector<std::string>& notices);

/// All bodies of a scene, in its order.
std::vector<ExploredBody> explored_bodies(const scene::Scene& scene, util::Progress& progress,
                                          double most_seconds, std::vector<std::string>& notices);

}  // namespace peal::explore
