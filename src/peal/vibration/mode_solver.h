#pragma once

#include <peal/base/material.h>
#include <peal/base/modes.h>
#include <peal/fem/lanczos.h>
#include <peal/fem/space.h>
#include <peal/geometry/volume/tet_check.h>
#include <peal/util/progress.h>
#include <peal/vibration/band_limit.h>
#include <peal/vibration/ringing_surface.h>
#include <peal/vibration/solid_modes.h>
#include <peal/vibration/tet_bend.h>

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace peal::vibration {

/// Order of the elements in which modes of solids are found.
inline constexpr int solid_order = 3;

/// The solution on one mesh.
struct SolidSolution {
  fem::Space space;
  Eigen::MatrixXd shapes;       ///< one column per mode, M-orthonormal
  Eigen::VectorXd frequencies;  ///< corrected [Hz], ascending
  Eigen::VectorXd discretisation,
      geometry;  ///< relative errors of the frequencies, from two causes
  std::size_t tets = 0;
  Eigen::MatrixXd excess;         ///< relative excess of each frequency due to each tetrahedron
  std::vector<geometry::Box> of;  ///< bounding boxes of the tetrahedra
  bool partial = false;  ///< whether it has only the lowest modes because the mesh is too coarse
  fem::Eigenpairs residual;  ///< in place of the modes above, if asked for

  Eigen::Index count() const { return frequencies.size(); }
  Eigen::VectorXd errors() const { return discretisation + geometry; }

  /// Keeps only these modes, in this order.
  void select(const std::vector<Eigen::Index>& modes) {
    shapes = Eigen::MatrixXd(shapes(Eigen::all, modes));
    excess = Eigen::MatrixXd(excess(modes, Eigen::all));
    for (Eigen::VectorXd* list : {&frequencies, &discretisation, &geometry})
      *list = Eigen::VectorXd((*list)(modes));
  }
};

/// Whether smaller elements would make modes nearly as accurate as requested.
bool needs_refinement(const SolidSolution& solution, double accuracy);

/// How a surface that cannot be used is replaced.
geometry::Replacement replacement(double accuracy);

/// The modes with their shapes on the surface.
base::ModalModel modal_model(const SolidSolution& solution, const base::Material& material);

/// Finds the modes of a body on one mesh after another: meshes its surface, solves, corrects and
/// says where elements must be smaller.
class ModeSolver {
 public:
  /// All references must outlive it.
  ModeSolver(RingingSurface surface, const base::Material& material,
             const SolidModesSettings& settings, util::Progress& progress, const std::string& file,
             std::vector<std::string>& notices);

  /// The limit that the number of unknowns sets to a band, as far as it is known before meshing.
  std::optional<BandLimit> limit_of(double frequency, double per_wave) const {
    return affordable_band(smooth_.mesh(), thickness_, material_, frequency, per_wave);
  }

  /// Also finds what stands for the modes above the band, up to a frequency [Hz].
  void want_residual(double highest) { residual_to_ = highest; }

  /// Returns nullopt if the system is too large, or the surface cannot be filled. A partial
  /// solution ends early if the lowest modes show that the mesh must be refined.
  std::optional<SolidSolution> solve(double frequency, double per_wave, bool may_be_partial);

  /// Why the surface could not be filled the last time; empty if it could.
  const std::string& problem() const { return problem_; }

  /// Requests shorter edges where they are needed.
  void refine(const SolidSolution& solution);
  /// Takes back half of the last refinement: edges are the geometric mean of those before it and
  /// those that were requested. Returns false if there is none.
  bool halve_refinement();
  void undo_refinement() { finer_ = finer_before_; }

 private:
  struct Body;

  std::vector<double> wanted_edges(const SmoothSurface& smooth, double frequency, double per_wave);
  /// Corrects frequencies to first order for elements of the next order and for the exact surface.
  SolidSolution corrected(const CurvedTetMesh& mesh, const Body& body, fem::Eigenpairs pairs,
                          util::Progress& progress);

  SmoothSurface smooth_;
  std::shared_ptr<const geometry::SurfaceQuery> target_;  ///< what it approximates; null: itself
  double surface_error_;  ///< stated relative error of frequencies by what it leaves out [1]
  std::vector<double> thickness_;  ///< behind each triangle [m]
  const base::Material& material_;
  const SolidModesSettings& settings_;
  util::Progress& progress_;
  std::string file_;
  std::vector<std::string>& notices_;
  std::string problem_;
  double residual_to_ = 0.0;          ///< [Hz]; 0: nothing stands for the modes above the band
  std::vector<double> finer_;         ///< factor of the edge length for each vertex of the mesh
  std::vector<double> finer_before_;  ///< the same before the last refinement
};

}  // namespace peal::vibration
