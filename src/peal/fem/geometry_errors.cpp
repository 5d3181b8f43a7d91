#include <peal/fem/assembly.h>
#include <peal/fem/elasticity.h>
#include <peal/fem/mode_errors.h>
#include <peal/geometry/volume/patch_fit.h>
#include <peal/util/parallel.h>

#include <Eigen/LU>
#include <cmath>
#include <optional>

namespace peal::fem {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using geometry::Mat3;
using geometry::Vec3;

/// Six points in a triangle that integrate polynomials of degree 4 (Strang & Fix 1973): the other
/// and the odd barycentric coordinate of each set of three, and the weights, which sum to 1.
constexpr double face_points[2][2] = {{0.445948490915965, 0.108103018168070},
                                      {0.091576213509771, 0.816847572980459}};
constexpr double face_weights[2] = {0.223381589678011, 0.109951743655322};

constexpr int points_of_face = 6;
/// How far a target is searched, in root areas of the face.
constexpr double target_reach = 0.3;

/// Shape functions at the points of the face opposite one corner.
struct FaceReference {
  int corner = 0;
  std::array<int, 3> corners{};  ///< the face's
  MatrixXd values, map_values;
  std::array<MatrixXd, 3> derivatives, map_derivatives;

  FaceReference(int opposite, const LagrangeTet& element, const LagrangeTet& geometry)
      : corner(opposite) {
    for (int c = 0, i = 0; c < 4; ++c)
      if (c != opposite) corners[i++] = c;
    Eigen::Matrix3Xd points(3, points_of_face);
    for (int q = 0; q < points_of_face; ++q) {
      Eigen::Vector4d l = Eigen::Vector4d::Zero();
      for (int i = 0; i < 3; ++i) l[corners[i]] = face_points[q / 3][i == q % 3 ? 1 : 0];
      points.col(q) = l.tail<3>();
    }
    values = element.values(points);
    map_values = geometry.values(points);
    for (int axis = 0; axis < 3; ++axis) {
      derivatives[axis] = element.derivatives(points, axis);
      map_derivatives[axis] = geometry.derivatives(points, axis);
    }
  }

  /// The outward area vector for the Jacobian of the map from the reference element [m^2].
  Vec3 area(const Mat3& jacobian) const {
    Eigen::Matrix<double, 3, 4> along;  // the corners
    along << Vec3::Zero(), jacobian;
    const Vec3 from = along.col(corners[0]);
    const Vec3 area =
        0.5 * Vec3(along.col(corners[1]) - from).cross(Vec3(along.col(corners[2]) - from));
    return area.dot(along.col(corner) - from) > 0.0 ? Vec3(-area) : area;
  }
};

struct OuterFace {
  std::size_t tet;
  int opposite;  ///< corner
};

std::vector<OuterFace> outer_faces(const CurvedTetMesh& mesh) {
  std::vector<int> uses(mesh.faces.size(), 0);
  for (const auto& faces : mesh.tet_face)
    for (const std::uint32_t f : faces) ++uses[f];
  std::vector<OuterFace> outer;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (int k = 0; k < 4; ++k)
      if (uses[mesh.tet_face[t][k]] == 1) outer.push_back({t, k});
  return outer;
}

/// Displacements of an element's nodes (rows): x of all modes, then y, then z.
MatrixXd element_shapes(const Space& space, std::size_t tet, const MatrixXd& vectors) {
  const auto own = static_cast<Index>(space.nodes_per_element());
  MatrixXd x(own, 3 * vectors.cols());
  for (Index n = 0; n < own; ++n) {
    const Index row = 3 * Index{space.element_nodes[tet * own + n]};
    for (int k = 0; k < 3; ++k)
      x.row(n).segment(k * vectors.cols(), vectors.cols()) = vectors.row(row + k);
  }
  return x;
}

}  // namespace

GeometryErrors geometry_errors(const CurvedTetMesh& mesh, const Space& space,
                               const base::Material& material, const Eigenpairs& pairs,
                               const SmoothSurface& smooth, const geometry::SurfaceQuery* target) {
  const Elasticity elasticity(material);
  const LagrangeTet element(space.order), geometry(2);
  std::vector<FaceReference> references;
  for (int k = 0; k < 4; ++k) references.emplace_back(k, element, geometry);
  const std::vector<OuterFace> outer = outer_faces(mesh);
  const Index modes = pairs.values.size();

  MatrixXd fit = MatrixXd::Zero(modes, static_cast<Index>(outer.size())), facets = fit,
           to_target = fit;
  util::parallel_for(static_cast<std::int64_t>(outer.size()), [&](std::int64_t i) {
    const auto [tet, opposite] = outer[static_cast<std::size_t>(i)];
    const FaceReference& face = references[opposite];
    const auto bent = map_points(mesh, tet, geometry);
    const MatrixXd places = bent * face.map_values,
                   shapes = element_shapes(space, tet, pairs.vectors);
    for (int q = 0; q < points_of_face; ++q) {
      Mat3 jacobian;
      for (int axis = 0; axis < 3; ++axis)
        jacobian.col(axis) = bent * face.map_derivatives[axis].col(q);
      const Vec3 area = face.area(jacobian), normal = area.normalized();
      const auto on = smooth.on_sheet(places.col(q), normal);
      if (!on) continue;
      const double weight = face_weights[q / 3] * area.norm();
      const double to_smooth = weight * normal.dot(on->position - places.col(q));
      const double to_flat = weight * normal.dot(on->flat - on->position);
      std::optional<double> away;
      if (target != nullptr) {
        away = geometry::distance_along(*target, on->position, normal,
                                        target_reach * std::sqrt(area.norm()));
      }
      // Gradients along x, y, z, and values, of the displacement of each mode.
      const Mat3 inverse = jacobian.inverse();
      Eigen::Matrix<double, 4, Eigen::Dynamic> functions(4, element.nodes().size());
      for (int axis = 0; axis < 3; ++axis) {
        functions.row(axis) = (inverse(0, axis) * face.derivatives[0].col(q) +
                               inverse(1, axis) * face.derivatives[1].col(q) +
                               inverse(2, axis) * face.derivatives[2].col(q))
                                  .transpose();
      }
      functions.row(3) = face.values.col(q).transpose();
      const Eigen::Matrix<double, 4, Eigen::Dynamic> motion = functions * shapes;
      for (Index m = 0; m < modes; ++m) {
        Eigen::Matrix<double, 4, 3> u;
        for (int k = 0; k < 3; ++k) u.col(k) = motion.col(k * modes + m);
        const Mat3 gradient = u.topRows<3>(), strain = 0.5 * (gradient + gradient.transpose());
        const double density = elasticity.twice_energy(strain) -
                               pairs.values[m] * material.density * u.row(3).squaredNorm();
        fit(m, i) += density * to_smooth;
        facets(m, i) += density * to_flat;
        to_target(m, i) += density * weight * away.value_or(0.0);
      }
    }
  });
  const VectorXd scale = 0.5 * pairs.values.cwiseInverse();
  return {fit.rowwise().sum().cwiseProduct(scale), facets.rowwise().sum().cwiseProduct(scale),
          to_target.rowwise().sum().cwiseProduct(scale)};
}

}  // namespace peal::fem
