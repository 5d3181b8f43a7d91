#include <peal/base/multipoles.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/mesh/triangle.h>
#include <peal/util/parallel.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <map>
#include <numbers>
#include <utility>

namespace peal::base {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using geometry::TriMesh;
using geometry::Vec3;
using std::numbers::pi;

/// Maximum number of surface points with dipoles, which is the size of the linear system.
constexpr std::size_t most_points = 500;
/// Directions over a hemisphere; opposite directions share their phases.
constexpr int half_directions = 48;
/// Modes whose frequencies differ by less, relatively, are treated as equal in frequency. Those of
/// a round body's mesh differ by up to 0.2 %; beyond 1 %, powers add over a few periods anyway.
constexpr double one_pitch = 0.01;

/// A coarsened surface.
struct CoarseSurface {
  std::vector<std::uint32_t> point_of;  ///< coarse point of each vertex of the fine surface
  std::vector<Vec3> points;             ///< [m]
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// The one of the six axis directions nearest to a normal. It differs between the two faces of a
/// thin wall.
int side_of(const Vec3& normal) {
  Index axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  return static_cast<int>(2 * axis) + (normal[axis] < 0.0 ? 1 : 0);
}

/// Merges the vertices that share a cell of size `cell` and a side.
CoarseSurface joined(const TriMesh& fine, const std::vector<Vec3>& normals, double cell) {
  CoarseSurface coarse;
  std::map<std::array<std::int64_t, 4>, std::uint32_t> number;
  std::vector<double> members;
  for (std::size_t v = 0; v < fine.vertices.size(); ++v) {
    std::array<std::int64_t, 4> key{0, 0, 0, side_of(normals[v])};
    for (int k = 0; k < 3; ++k)
      key[k] = static_cast<std::int64_t>(std::floor(fine.vertices[v][k] / cell));
    const auto [place, is_new] =
        number.try_emplace(key, static_cast<std::uint32_t>(coarse.points.size()));
    if (is_new) {
      coarse.points.push_back(Vec3::Zero());
      members.push_back(0.0);
    }
    coarse.point_of.push_back(place->second);
    coarse.points[place->second] += fine.vertices[v];
    members[place->second] += 1.0;
  }
  for (std::size_t i = 0; i < members.size(); ++i) coarse.points[i] /= members[i];
  for (const auto& t : fine.triangles) {
    const std::array<std::uint32_t, 3> corners{coarse.point_of[t[0]], coarse.point_of[t[1]],
                                               coarse.point_of[t[2]]};
    if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
      coarse.triangles.push_back(corners);
  }
  return coarse;
}

CoarseSurface coarse_surface(const TriMesh& fine) {
  std::vector<Vec3> normals(fine.vertices.size(), Vec3::Zero());
  for (std::uint32_t t = 0; t < fine.triangles.size(); ++t)
    for (const std::uint32_t v : fine.triangles[t]) normals[v] += geometry::area_vector(fine, t);
  double cell = std::sqrt(geometry::surface_area(fine) / double(most_points));
  for (;; cell *= 1.15) {
    CoarseSurface coarse = joined(fine, normals, cell);
    if (coarse.points.size() <= most_points) return coarse;
  }
}

/// A triangle of dipoles whose strength is linear between its corners.
struct DipoleTriangle {
  std::array<std::uint32_t, 3> corners;
  Vec3 area;                    ///< area vector, along the normal [m^2]
  double size;                  ///< its area [m^2]
  std::array<Vec3, 3> curls;    ///< n x grad of the hat function of each corner [1/m]
  std::array<Vec3, 4> centres;  ///< centroids of its four quarters [m]
  Vec3 centre;                  ///< [m]
};

std::vector<DipoleTriangle> dipole_triangles(const CoarseSurface& surface) {
  std::vector<DipoleTriangle> result;
  for (const auto& t : surface.triangles) {
    const Vec3 p[3] = {surface.points[t[0]], surface.points[t[1]], surface.points[t[2]]};
    DipoleTriangle triangle{t, 0.5 * (p[1] - p[0]).cross(p[2] - p[0]), 0.0, {}, {}, {}};
    triangle.size = triangle.area.norm();
    const double longest =
        std::max({(p[1] - p[0]).norm(), (p[2] - p[1]).norm(), (p[0] - p[2]).norm()});
    if (triangle.size < 1e-6 * longest * longest) continue;  // degenerate triangle
    triangle.centre = (p[0] + p[1] + p[2]) / 3.0;
    triangle.centres[3] = triangle.centre;
    for (int k = 0; k < 3; ++k) {
      // n x grad hat_k runs along the opposite edge.
      triangle.curls[k] = (p[(k + 2) % 3] - p[(k + 1) % 3]) / (2.0 * triangle.size);
      triangle.centres[k] = 0.5 * (triangle.centre + p[k]);
    }
    result.push_back(triangle);
  }
  return result;
}

/// The mean of 1 / R over two patches: exact for a disc with itself (A^2 / R -> 3.0 A^1.5) and in
/// the far field.
double inverse_distance(double square, double size) {
  return 1.0 / std::sqrt(square + 0.11 * size);
}

/// The integral of 1 / (4 pi R) over two triangles [m^3].
double potential(const DipoleTriangle& a, const DipoleTriangle& b) {
  const double square = (a.centre - b.centre).squaredNorm(), size = std::sqrt(a.size * b.size);
  double mean = 0.0;
  if (square > 9.0 * std::max(a.size, b.size)) {
    mean = inverse_distance(square, size);
  } else {
    for (const Vec3& p : a.centres)
      for (const Vec3& q : b.centres)
        mean += inverse_distance((p - q).squaredNorm(), 0.25 * size) / 16.0;
  }
  return mean * a.size * b.size / (4.0 * pi);
}

/// The kinetic energy of the flow of the dipoles: <mu, N mu>, with N_ab the integral of curl_a .
/// curl_b / (4 pi R) over the surface twice (Maue 1949).
MatrixXd flow_energy(const std::vector<DipoleTriangle>& triangles, Index points) {
  MatrixXd energy = MatrixXd::Zero(points, points);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const DipoleTriangle &a = triangles[i], &b = triangles[j];
      const double weight = potential(a, b);
      for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
          const double part = weight * a.curls[k].dot(b.curls[l]);
          energy(a.corners[k], b.corners[l]) += part;
          if (i != j) energy(b.corners[l], a.corners[k]) += part;
        }
      }
    }
  }
  return energy;
}

/// The dipoles [m^2/s] whose flow through the surface is each column of `flow` (integrals over the
/// area of each point, [m^3/s]).
MatrixXd dipoles_of(MatrixXd energy, const MatrixXd& flow) {
  // Uniform strength makes no flow. Quadrature errors may also make the energy negative where the
  // faces of a thin wall move apart.
  const double mean = energy.diagonal().mean();
  energy.array() += mean / double(energy.rows());
  for (double ridge = 1e-3;; ridge *= 3.0) {
    MatrixXd raised = energy;
    raised.diagonal().array() += ridge * mean;
    const Eigen::LLT<MatrixXd> factor(raised);
    if (factor.info() == Eigen::Success) return factor.solve(flow);
  }
}

/// The exterior potential of the dipoles at the points [m^2/s].
MatrixXd potential_outside(const CoarseSurface& surface,
                           const std::vector<DipoleTriangle>& triangles, const MatrixXd& dipoles) {
  const auto points = static_cast<Index>(surface.points.size());
  MatrixXd mean(static_cast<Index>(triangles.size()), dipoles.cols());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& corners = triangles[t].corners;
    mean.row(static_cast<Index>(t)) =
        (dipoles.row(corners[0]) + dipoles.row(corners[1]) + dipoles.row(corners[2])) / 3.0;
  }
  MatrixXd angles(points, mean.rows());
  util::parallel_for(points, [&](std::int64_t p) {
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      const auto& [a, b, c] = triangles[t].corners;
      const bool own = a == p || b == p || c == p;
      angles(p, static_cast<Index>(t)) =
          own ? 0.0
              : geometry::solid_angle({surface.points[a], surface.points[b], surface.points[c]},
                                      surface.points[p]);
    }
  });
  return (angles.rowwise().sum().asDiagonal() * dipoles - angles * mean) / (4.0 * pi);
}

/// A point of the surface and the area that belongs to it.
struct SurfacePart {
  Vec3 position;      ///< [m]
  double size = 0.0;  ///< its area on the fine surface [m^2]
  Vec3 area;          ///< area vector of the dipole triangles around it [m^2]
  Vec3 normal;
};

/// The effect of the finite speed of sound on the surface pressure, estimated as if each moving
/// part were set into a wide wall and received sound from parts that face the same way (Rayleigh's
/// integral).
class Delay {
 public:
  explicit Delay(const std::vector<SurfacePart>& parts)
      : distance_(static_cast<Index>(parts.size()), static_cast<Index>(parts.size())),
        weight_(distance_.rows(), distance_.cols()) {
    for (Index b = 0; b < weight_.cols(); ++b) {
      for (Index a = 0; a < weight_.rows(); ++a) {
        const SurfacePart &p = parts[a], &q = parts[b];
        const double inverse =
            inverse_distance((p.position - q.position).squaredNorm(), std::sqrt(p.size * q.size));
        distance_(a, b) = static_cast<float>(1.0 / inverse);
        weight_(a, b) = static_cast<float>((1.0 + p.normal.dot(q.normal)) * inverse);
      }
    }
  }

  /// The ratio of the reaction to the flow with and without delay: 1 at low frequencies.
  std::complex<double> factor(const Eigen::Ref<const VectorXd>& flow, double wavenumber) const {
    const double largest = flow.cwiseAbs().maxCoeff();
    if (!(largest > 0.0)) return 1.0;
    const Eigen::ArrayXf by_part = (flow / largest).cast<float>().array();
    std::complex<double> late = 0.0;
    double at_once = 0.0;
    for (Index b = 0; b < weight_.cols(); ++b) {
      const Eigen::ArrayXf weight = by_part * weight_.col(b) * by_part[b],
                           phase = static_cast<float>(wavenumber) * distance_.col(b);
      at_once += weight.sum();
      late += std::complex<double>((weight * phase.cos()).sum(), (weight * phase.sin()).sum());
    }
    return at_once > 0.0 ? late / at_once : 1.0;
  }

 private:
  Eigen::ArrayXXf distance_, weight_;  ///< distance [m] and weight [1/m] of each pair
};

/// Directions spread evenly over a hemisphere (a golden spiral).
std::vector<Vec3> half_sphere() {
  std::vector<Vec3> result;
  for (int i = 0; i < half_directions; ++i) {
    const double z = (i + 0.5) / half_directions, angle = i * pi * (3.0 - std::sqrt(5.0));
    const double r = std::sqrt(1.0 - z * z);
    result.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
  }
  return result;
}

/// The surface with its triangles subdivided into four until their sides are no longer than the
/// cells of `coarse_surface`, because a box may consist of only a dozen triangles.
TriMesh finer(TriMesh mesh) {
  const double cell = std::sqrt(geometry::surface_area(mesh) / double(most_points));
  for (std::size_t most = 8 * most_points; mesh.triangles.size() < most;) {
    double longest = 0.0;
    for (const auto& t : mesh.triangles)
      for (int k = 0; k < 3; ++k)
        longest = std::max(longest, (mesh.vertices[t[k]] - mesh.vertices[t[(k + 1) % 3]]).norm());
    if (longest <= cell) break;
    TriMesh cut;
    cut.vertices = mesh.vertices;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [place, is_new] =
          middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(cut.vertices.size()));
      if (is_new) cut.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
      return place->second;
    };
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      cut.triangles.insert(cut.triangles.end(),
                           {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh = std::move(cut);
  }
  return mesh;
}

/// Turns the second of two modes of one pitch by a quarter of a period.
void turn_pairs(const std::vector<Mode>& modes, std::vector<std::complex<double>>& loudness) {
  for (std::size_t m = 1; m < modes.size(); ++m) {
    if (modes[m].frequency > (1.0 + one_pitch) * modes[m - 1].frequency) continue;
    loudness[m] *= std::complex<double>(0.0, 1.0);
    ++m;  // a third mode of that frequency stays in phase with the first
  }
}

}  // namespace

std::vector<std::complex<double>> modal_radiation_amplitudes(const ModalModel& model,
                                                             const Medium& medium) {
  const TriMesh& fine = model.surface;
  const CoarseSurface surface = coarse_surface(fine);
  const std::vector<DipoleTriangle> triangles = dipole_triangles(surface);
  const auto points = static_cast<Index>(surface.points.size());
  const auto modes = static_cast<Index>(model.modes.size());

  // Volume displaced by each mode at each point, per unit of modal coordinate.
  MatrixXd flow = MatrixXd::Zero(points, modes);
  const double area = geometry::surface_area(fine);
  std::vector<SurfacePart> parts;
  for (const Vec3& point : surface.points)
    parts.push_back({point, 1e-9 * area, Vec3::Zero(), Vec3::Zero()});
  for (std::uint32_t t = 0; t < fine.triangles.size(); ++t) {
    const Vec3 third = geometry::area_vector(fine, t) / 3.0;
    for (const std::uint32_t v : fine.triangles[t]) {
      parts[surface.point_of[v]].size += third.norm();
      flow.row(surface.point_of[v]) +=
          (third.cast<float>().transpose() * model.shapes.middleRows<3>(3 * static_cast<Index>(v)))
              .cast<double>();
    }
  }
  for (const DipoleTriangle& triangle : triangles)
    for (const std::uint32_t p : triangle.corners) parts[p].area += triangle.area / 3.0;
  VectorXd share(points);
  for (Index p = 0; p < points; ++p) {
    share[p] = parts[p].size / area;
    parts[p].normal = parts[p].area.normalized();
  }

  // Dipoles represent all of the flow but its net volume, which flows as around a sphere of the
  // same surface.
  const VectorXd volume = flow.colwise().sum().transpose();
  const MatrixXd dipoles =
      dipoles_of(flow_energy(triangles, points), flow - share * volume.transpose());
  MatrixXd potentials = potential_outside(surface, triangles, dipoles);
  potentials.rowwise() += (volume / std::sqrt(4.0 * pi * area)).transpose();

  const Delay delay(parts);
  const std::vector<Vec3> half = half_sphere();
  std::vector<std::complex<double>> loudness(model.modes.size());
  util::parallel_for(modes, [&](std::int64_t m) {
    const double w = 2.0 * pi * model.modes[m].frequency, k = w / medium.speed_of_sound;
    const std::complex<double> pressure = k * delay.factor(flow.col(m), k);
    double sum = 0.0;
    for (const Vec3& d : half) {
      std::complex<double> one_way = 0.0, other_way = 0.0;
      for (Index p = 0; p < points; ++p) {
        const std::complex<double> phase = std::polar(1.0, k * d.dot(parts[p].position)),
                                   push = pressure * (potentials(p, m) * parts[p].area.dot(d)),
                                   volume_flow(0.0, flow(p, m));
        one_way += (volume_flow + push) * std::conj(phase);
        other_way += (volume_flow - push) * phase;
      }
      sum += std::norm(one_way) + std::norm(other_way);
    }
    loudness[m] = medium.density * w * w / (4.0 * pi) * std::sqrt(sum / (2.0 * half_directions));
  });
  turn_pairs(model.modes, loudness);
  return loudness;
}

std::vector<double> radiation_decay_rates(const std::vector<Mode>& modes,
                                          const std::vector<std::complex<double>>& amplitudes,
                                          const Medium& medium) {
  std::vector<double> rates;
  for (std::size_t m = 0; m < modes.size(); ++m) {
    const double w = 2.0 * pi * modes[m].frequency;
    rates.push_back(2.0 * pi * std::norm(amplitudes[m]) /
                    (medium.density * medium.speed_of_sound * w * w));
  }
  return rates;
}

RigidDipole rigid_dipole(const TriMesh& mesh, const Vec3& centre) {
  const CoarseSurface surface = coarse_surface(finer(mesh));
  const std::vector<DipoleTriangle> triangles = dipole_triangles(surface);
  const auto points = static_cast<Index>(surface.points.size());
  // Flow at each point for the six rigid motions, all from the coarse surface itself so that the
  // matrix below is symmetric.
  MatrixXd flow = MatrixXd::Zero(points, 6);
  double volume = 0.0;
  for (const DipoleTriangle& triangle : triangles) {
    volume += triangle.area.dot(triangle.centre - centre) / 3.0;
    for (const std::uint32_t p : triangle.corners) {
      flow.row(p).head<3>() += triangle.area.transpose() / 3.0;
      flow.row(p).tail<3>() += (surface.points[p] - centre).cross(triangle.area).transpose() / 3.0;
    }
  }
  const MatrixXd energy = flow_energy(triangles, points);
  const MatrixXd moments = flow.leftCols<3>().transpose() * dipoles_of(energy, flow);
  // Merged points lie slightly inside a round surface.
  const double own = geometry::signed_volume(mesh), lost = own / volume;
  const geometry::Mat3 moved =
      lost * 0.5 * (moments.leftCols<3>() + moments.leftCols<3>().transpose());
  const geometry::PrincipalAxes principal = geometry::principal_axes(moved);
  return {.axes = principal.axes,
          .volumes = principal.moments.cwiseMax(own),  // added mass is never negative
          .turning = lost * principal.axes.transpose() * moments.rightCols<3>()};
}

}  // namespace peal::base
