#include <peal/geometry/mesh/mass_properties.h>

#include <Eigen/Eigenvalues>
#include <stdexcept>

namespace peal::geometry {
namespace {

/// Integrals of 1, x and x x^T over the solid, x measured from `reference`.
struct VolumeIntegrals {
  Vec3 reference;
  double volume = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
};

VolumeIntegrals integrate(const TriMesh& mesh) {
  VolumeIntegrals sum{.reference = bounds(mesh).center()};
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]] - sum.reference;
    const Vec3 b = mesh.vertices[t[1]] - sum.reference;
    const Vec3 c = mesh.vertices[t[2]] - sum.reference;
    const double six_volumes = a.dot(b.cross(c));
    const Vec3 s = a + b + c;
    sum.volume += six_volumes / 6.0;
    sum.first += six_volumes / 24.0 * s;
    sum.second += six_volumes / 120.0 *
                  (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  return sum;
}

}  // namespace

double signed_volume(const TriMesh& mesh) {
  const Vec3 reference = bounds(mesh).center();
  double six_volumes = 0.0;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 a = mesh.vertices[i] - reference, b = mesh.vertices[j] - reference;
    six_volumes += a.dot(b.cross(mesh.vertices[k] - reference));
  }
  return six_volumes / 6.0;
}

MassProperties mass_properties(const TriMesh& mesh, double density) {
  if (!(density > 0.0)) throw std::invalid_argument("a density must be positive (kg/m^3)");
  const VolumeIntegrals sum = integrate(mesh);
  const double box_volume = mesh.vertices.empty() ? 0.0 : bounds(mesh).volume();
  if (!(sum.volume > 1e-12 * box_volume)) {
    throw std::invalid_argument(
        sum.volume < -1e-12 * box_volume
            ? "the mesh is inside out (its volume is negative); its faces must run "
              "counter-clockwise seen from outside"
            : "the mesh encloses no volume; mass needs a closed surface");
  }
  const Vec3 centre = sum.first / sum.volume;
  const Mat3 second = sum.second - sum.volume * centre * centre.transpose();
  MassProperties body;
  body.volume = sum.volume;
  body.mass = density * sum.volume;
  body.centre = sum.reference + centre;
  body.inertia = density * (second.trace() * Mat3::Identity() - second);
  return body;
}

PrincipalAxes principal_axes(const Mat3& inertia) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia);
  PrincipalAxes result{solver.eigenvalues(), solver.eigenvectors()};
  // An eigenvector has no sign: let the largest component of the first two be positive.
  for (int i = 0; i < 2; ++i) {
    Eigen::Index largest;
    result.axes.col(i).cwiseAbs().maxCoeff(&largest);
    if (result.axes(largest, i) < 0.0) result.axes.col(i) *= -1.0;
  }
  result.axes.col(2) = result.axes.col(0).cross(result.axes.col(1));
  return result;
}

double effective_mass(const MassProperties& body, const Vec3& point, const Vec3& direction) {
  const Vec3 arm = point - body.centre;
  const Vec3 torque = arm.cross(direction.normalized());
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(body.inertia);
  const Vec3 moments = solver.eigenvalues();
  const Vec3 along = solver.eigenvectors().transpose() * torque;
  double inverse = 1.0 / body.mass;
  for (int i = 0; i < 3; ++i) {
    if (along[i] * along[i] <= 1e-30 * arm.squaredNorm()) continue;  // rounding of a zero arm
    if (moments[i] <= 1e-14 * moments[2]) return 0.0;
    inverse += along[i] * along[i] / moments[i];
  }
  return 1.0 / inverse;
}

}  // namespace peal::geometry
