#include <peal/base/boundary_elements.h>
#include <peal/base/coarse_surface.h>
#include <peal/base/layer_integrals.h>
#include <peal/geometry/mesh/triangle.h>
#include <peal/util/parallel.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace peal::base {

namespace {

using Eigen::ArrayXf;
using Eigen::ArrayXXf;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using std::numbers::pi;
using Complex = std::complex<double>;

/// Barycentric coordinates of the quadrature points of a triangle, exact for quadratic functions.
constexpr double inner = 2.0 / 3.0, outer = 1.0 / 6.0;

double hat_at(int corner, int quadrature_point) {
  return corner == quadrature_point ? inner : outer;
}

/// In what is left of 1 / R beside its static part, R^2 is raised by this times the area of a
/// patch: the mean over a disc with itself is right then.
constexpr double patch_part = 0.11;

/// Elements whose centres are farther apart than this times the root of their areas take the
/// quadrature points for the whole.
constexpr double far_apart = 3.0;

using Weights = Eigen::Matrix3d;

/// hat_k at quadrature point p is outer, or inner if k == p.
Weights hats() {
  return Weights::Constant(outer) + (inner - outer) * Weights::Identity();
}

}  // namespace

BoundaryElements::BoundaryElements(const geometry::TriMesh& fine, std::size_t most_points) {
  for (const CoarsePoints points : {CoarsePoints::on_planes, CoarsePoints::in_middle}) {
    CoarseSurface coarse = coarse_surface(fine, most_points, points);
    point_of_ = std::move(coarse.point_of);
    points_ = std::move(coarse.points);
    make_elements(coarse.triangles);
    if (find_static_parts()) break;
  }
  place_vertices(fine);
}

void BoundaryElements::make_elements(const std::vector<std::array<std::uint32_t, 3>>& triangles) {
  elements_.clear();
  for (const auto& t : triangles) {
    const Vec3 p[3] = {points_[t[0]], points_[t[1]], points_[t[2]]};
    const Vec3 area = 0.5 * (p[1] - p[0]).cross(p[2] - p[0]);
    const double longest =
        std::max({(p[1] - p[0]).norm(), (p[2] - p[1]).norm(), (p[0] - p[2]).norm()});
    if (area.norm() < 1e-6 * longest * longest) continue;  // degenerate triangle
    Element element{t, area.normalized(), (p[0] + p[1] + p[2]) / 3.0, area.norm(), {}, {}};
    for (int k = 0; k < 3; ++k) {
      // n x grad hat_k runs along the opposite edge.
      element.curls[k] = (p[(k + 2) % 3] - p[(k + 1) % 3]) / (2.0 * element.size);
      element.inside[k] = 0.5 * (p[k] + element.centre);
    }
    elements_.push_back(element);
  }
  inside_.resize(3 * static_cast<Index>(elements_.size()), 3);
  normals_.resize(inside_.rows(), 3);
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    for (int k = 0; k < 3; ++k) {
      const Index row = 3 * static_cast<Index>(e) + k;
      inside_.row(row) = elements_[e].inside[k].cast<float>();
      normals_.row(row) = elements_[e].normal.cast<float>();
    }
  }
}

geometry::Corners BoundaryElements::corners(const Element& element) const {
  return {points_[element.corners[0]], points_[element.corners[1]], points_[element.corners[2]]};
}

bool BoundaryElements::near(const Element& a, const Element& b) {
  return (a.centre - b.centre).squaredNorm() <= far_apart * far_apart * std::max(a.size, b.size);
}

/// The static parts: 1 / R over pairs of elements, and the layer of dipoles. False if the surface
/// crosses itself: a point of it then lies on the wrong side of a wall, which is seen by a solid
/// angle that is wrong by 4 pi.
bool BoundaryElements::find_static_parts() {
  const auto count = static_cast<Index>(elements_.size());
  const auto points = static_cast<Index>(points_.size());
  potentials_.resize(count, count);
  // Rows: quadrature points of all elements.
  MatrixXd dipoles = MatrixXd::Zero(3 * count, points);
  std::vector<double> wrong(static_cast<std::size_t>(count), 0.0);  // parts of 4 pi
  util::parallel_for(count, [&](std::int64_t i) {
    const Element& a = elements_[i];
    for (Index j = 0; j < count; ++j) {
      const Element& b = elements_[j];
      const bool is_near = near(a, b);
      double mean = 0.0;
      for (int q = 0; q < 3; ++q) {
        auto row = dipoles.row(3 * i + q);
        if (is_near) {
          const LayerIntegrals seen(corners(b), a.inside[q]);
          mean += seen.inverse_distance / (3.0 * b.size);
          if (i == j) continue;
          for (int k = 0; k < 3; ++k) row[b.corners[k]] -= seen.solid_angles[k] / (4.0 * pi);
          continue;
        }
        for (int r = 0; r < 3; ++r) {
          const Vec3 way = a.inside[q] - b.inside[r];
          const double inverse = 1.0 / way.norm();
          mean += inverse / 9.0;
          const double layer =
              b.size / 3.0 * b.normal.dot(way) * inverse * inverse * inverse / (4.0 * pi);
          for (int k = 0; k < 3; ++k) row[b.corners[k]] += hat_at(k, r) * layer;
        }
      }
      potentials_(i, j) = static_cast<float>(mean);
    }
    for (int q = 0; q < 3; ++q) {
      // A uniform layer on a closed surface makes -1/2; where the surface is not quite closed, the
      // element itself gets the rest.
      auto row = dipoles.row(3 * i + q);
      const double rest = -0.5 - row.sum();
      double& worst = wrong[static_cast<std::size_t>(i)];
      worst = std::max(worst, std::abs(rest));
      for (int k = 0; k < 3; ++k) row[a.corners[k]] += hat_at(k, q) * rest;
    }
  });
  potentials_ = (0.5f * (potentials_ + potentials_.transpose())).eval();
  // <hat_a, 1/2 - K' of hat_b>, K' the transpose of K.
  const MatrixXd layer = tested(dipoles);
  half_ = -layer.transpose();
  for (const Element& element : elements_)
    for (int l = 0; l < 3; ++l)
      for (int m = 0; m < 3; ++m)
        half_(element.corners[l], element.corners[m]) += element.size / (l == m ? 12.0 : 24.0);
  return std::ranges::none_of(wrong, [](double part) { return part > 0.5; });
}

/// The integral over the surface of each hat function times what rows have at quadrature points.
MatrixXd BoundaryElements::tested(const MatrixXd& rows) const {
  MatrixXd result = MatrixXd::Zero(static_cast<Index>(points_.size()), rows.cols());
  for (std::size_t e = 0; e < elements_.size(); ++e)
    for (int q = 0; q < 3; ++q)
      for (int k = 0; k < 3; ++k)
        result.row(elements_[e].corners[k]) +=
            elements_[e].size / 3.0 * hat_at(k, q) * rows.row(3 * static_cast<Index>(e) + q);
  return result;
}

/// Each vertex of the fine surface counts where it is on the elements around its coarse point: the
/// integral of hat times velocity, with the exact net flow.
void BoundaryElements::place_vertices(const geometry::TriMesh& fine) {
  std::vector<std::vector<std::uint32_t>> around(points_.size());
  for (std::uint32_t e = 0; e < elements_.size(); ++e)
    for (const std::uint32_t p : elements_[e].corners) around[p].push_back(e);
  for (std::size_t v = 0; v < fine.vertices.size(); ++v) {
    const std::uint32_t point = point_of_[v];
    Place place{{point, point, point}, Vec3(1.0, 0.0, 0.0)};
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::uint32_t e : around[point]) {
      const auto& [a, b, c] = elements_[e].corners;
      const geometry::Corners corners{points_[a], points_[b], points_[c]};
      const Vec3 at = geometry::closest_barycentrics(corners, fine.vertices[v]);
      const double distance = (geometry::interpolate(corners, at) - fine.vertices[v]).squaredNorm();
      if (!(distance < nearest)) continue;
      nearest = distance;
      place = {elements_[e].corners, at};
    }
    places_.push_back(place);
  }
}

MatrixXd BoundaryElements::flows(const geometry::TriMesh& fine,
                                 const Eigen::Ref<const Eigen::MatrixXf>& velocities) const {
  MatrixXd flow = MatrixXd::Zero(static_cast<Index>(points_.size()), velocities.cols());
  std::vector<Vec3> areas(fine.vertices.size(), Vec3::Zero());
  for (std::uint32_t t = 0; t < fine.triangles.size(); ++t)
    for (const std::uint32_t v : fine.triangles[t])
      areas[v] += geometry::area_vector(fine, t) / 3.0;
  for (std::size_t v = 0; v < areas.size(); ++v) {
    const Eigen::RowVectorXd through =
        areas[v].transpose() * velocities.middleRows<3>(3 * static_cast<Index>(v)).cast<double>();
    for (int k = 0; k < 3; ++k)
      flow.row(places_[v].corners[k]) += places_[v].barycentrics[k] * through;
  }
  return flow;
}

/// <hat_a, d/dn phi of hat_b>.
MatrixXcd BoundaryElements::matrix(double wavenumber) const {
  const double k = wavenumber;
  const auto count = static_cast<Index>(elements_.size());
  const Index rows = 3 * count;
  const auto kf = static_cast<float>(k);
  MatrixXcd result = Complex(0.0, k) * half_;
  // Of each quadrature point of b: exp(i k R) / R, 1 / R, and the rest of n . grad of the former.
  ArrayXXf re(rows, 3), im(rows, 3), still(rows, 3), slope_re(rows, 3), slope_im(rows, 3);
  const Weights weights = hats();
  const auto by_hats = [&](const ArrayXXf& values, Index i) -> Weights {
    return weights * values.block<3, 3>(3 * i, 0).matrix().cast<double>() * weights;
  };
  for (Index j = 0; j < count; ++j) {
    const Element& b = elements_[static_cast<std::size_t>(j)];
    for (int q = 0; q < 3; ++q) {
      const Eigen::Array3f at = b.inside[q].cast<float>();
      const ArrayXXf way = inside_.rowwise() - at.transpose();
      const ArrayXf square =
          way.square().rowwise().sum() + static_cast<float>(patch_part * b.size / 3.0);
      const ArrayXf inverse = square.rsqrt(), phase = kf * square.sqrt();
      const ArrayXf cosine = phase.cos(), sine = phase.sin();
      still.col(q) = inverse;
      re.col(q) = cosine * inverse;
      im.col(q) = sine * inverse;
      const ArrayXf across = (way * normals_).rowwise().sum() * inverse * inverse * inverse;
      slope_re.col(q) = across * (1.0f - cosine - phase * sine);
      slope_im.col(q) = across * (phase * cosine - sine);
    }
    for (Index i = 0; i < count; ++i) {
      const Element& a = elements_[static_cast<std::size_t>(i)];
      const double areas = a.size * b.size / (4.0 * pi);
      const double late =
          static_cast<double>((re.block<3, 3>(3 * i, 0) - still.block<3, 3>(3 * i, 0)).sum());
      const Complex mean(static_cast<double>(potentials_(i, j)) + late / 9.0,
                         static_cast<double>(im.block<3, 3>(3 * i, 0).sum()) / 9.0);
      const double facing = k * k * a.normal.dot(b.normal) / 9.0;
      // - i k K', without its static part.
      const Weights hat_re = facing * by_hats(re, i) + k / 9.0 * by_hats(slope_im, i);
      const Weights hat_im = facing * by_hats(im, i) - k / 9.0 * by_hats(slope_re, i);
      for (int l = 0; l < 3; ++l)
        for (int m = 0; m < 3; ++m)
          result(a.corners[l], b.corners[m]) +=
              areas * (Complex(hat_re(l, m), hat_im(l, m)) - a.curls[l].dot(b.curls[m]) * mean);
    }
  }
  return result;
}

MatrixXcd BoundaryElements::far_field(double wavenumber, const MatrixXd& flows,
                                      const std::vector<Vec3>& directions) const {
  const double k = wavenumber;
  const MatrixXcd layers = matrix(k).partialPivLu().solve(flows.cast<Complex>());
  MatrixXcd emitted = MatrixXcd::Zero(static_cast<Index>(directions.size()), layers.rows());
  for (Index d = 0; d < emitted.rows(); ++d) {
    const Vec3& direction = directions[static_cast<std::size_t>(d)];
    for (const Element& element : elements_) {
      const Complex scale = Complex(0.0, -k / (4.0 * pi)) *
                            (element.size / 3.0 * (1.0 + element.normal.dot(direction)));
      for (int q = 0; q < 3; ++q) {
        const Complex phase = scale * std::polar(1.0, -k * direction.dot(element.inside[q]));
        for (int c = 0; c < 3; ++c) emitted(d, element.corners[c]) += hat_at(c, q) * phase;
      }
    }
  }
  return emitted * layers;
}

}  // namespace peal::base
