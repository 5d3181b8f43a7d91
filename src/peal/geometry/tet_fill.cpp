#include <peal/geometry/tet_check.h>
#include <peal/geometry/tet_fill.h>
#include <peal/geometry/tet_program.h>
#include <peal/util/error.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::geometry {

TetFilling filled(SmoothSurface& smooth,
                  const std::function<std::vector<double>(const SmoothSurface&)>& edge_lengths,
                  const std::string& file, std::vector<std::string>& notices) {
  std::string problem;
  for (int round = 0; round < 5; ++round) {
    std::vector<double> lengths = edge_lengths(smooth);
    for (double& length : lengths) length *= std::pow(0.7, round % 3);
    FittedSurface fitted = fitted_surface(smooth, lengths);
    const double longest = *std::max_element(lengths.begin(), lengths.end());
    TetAttempt attempt = tetrahedralise(fitted.mesh, 0.2 * longest * longest * longest);
    if (attempt.fine()) return {std::move(attempt.mesh), std::move(fitted)};
    problem = attempt.problem;
    if (round == 2) {
      smooth = SmoothSurface(replaced_surface(
          smooth.mesh(), "the surface cannot be filled (" + problem + ")", file, notices));
    }
  }
  throw util::InputError({file, ""}, "the solid cannot be cut into tetrahedra: " + problem,
                         "`peal inspect` shows what is wrong with the surface; unite parts that "
                         "cross, and remove spikes and doubled faces.");
}

SolidTets tets_of(const TriMesh& surface, double edge_length, const std::string& file,
                  std::vector<std::string>& notices) {
  SmoothSurface smooth(checked_solid(surface, file, notices));
  const auto equal = [edge_length](const SmoothSurface& s) {
    return std::vector<double>(s.mesh().vertices.size(), edge_length);
  };
  TetMesh mesh = filled(smooth, equal, file, notices).mesh;
  return {std::move(mesh), signed_volume(smooth.mesh()), smooth.volume()};
}

}  // namespace peal::geometry
