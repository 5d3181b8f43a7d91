#include <peal/geometry/shapes/shapes.h>
#include <peal/wave/sources/wall_source.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <vector>

#include "wave/cut_bodies.h"
#include "wave/world_fixture.h"

namespace peal::wave {
namespace {

/// Of a sphere that is stretched to 1.6 times its length along x within a second.
Vec3 stretching(const Vec3& rest, double t) {
  return {(1 + 0.6 * t) * rest.x(), rest.y(), rest.z()};
}

/// Records the points that it is evaluated at.
class Asked : public base::PrescribedSource {
 public:
  Asked() : PrescribedSource([](double) { return 0.0; }) {}
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override {
    seen.assign(points.begin(), points.end());
    return PrescribedSource::basis(points);
  }
  mutable std::vector<base::SurfacePoint> seen;
};

TEST(WallSource, asks_a_deforming_body_along_its_present_normals) {
  const double radius = 0.06, t = 1;
  base::World world = world_of(2);
  world.bodies.push_back(body_of("balloon", sphere_at(Vec3::Zero(), radius, 10)));
  base::Body& body = world.bodies[0];
  body.deformation = std::make_shared<Deforming>(body.mesh.vertices, stretching);
  const auto asked = std::make_shared<Asked>();
  body.sources.push_back(asked);
  const Grid grid{Vec3::Constant(-0.15), 0.01, {30, 30, 30}};
  const Chunk chunk{.end = 2};
  Rasteriser rasteriser(world, grid, chunk.segment);
  WallSource<float> drive(world, rasteriser, grid, {world.rate, world.rate, 1.0}, chunk);
  const CutGeometry geometry = rasteriser.at(t);
  drive.enter(interval(grid, geometry, geometry), t, t);
  drive.source({48000, world.rate}, 0);

  ASSERT_GT(asked->seen.size(), 300u);
  std::vector<Vec3> vertices(body.mesh.vertices.size());
  body.deformation->vertices(t, vertices);
  double worst_turn = 0, worst_position = 0;
  for (const base::SurfacePoint& point : asked->seen) {
    const Vec3& x = point.position;
    const Vec3 exact = Vec3(x.x() / (1.6 * 1.6), x.y(), x.z()).normalized();
    worst_turn = std::max(worst_turn, std::acos(std::min(1.0, point.normal.dot(exact))));
    Vec3 index = Vec3::Zero();
    for (int k = 0; k < 3; ++k)
      index += point.barycentric[k] * vertices[body.mesh.triangles[point.triangle][k]];
    worst_position = std::max(worst_position, (index - x).norm());
  }
  // Facets of 6 degrees; the sphere at rest would be off by 13 degrees.
  EXPECT_LT(worst_turn, 0.14);
  EXPECT_LT(worst_position, 0.006);
}

/// Bends with eight bulges around Y, by a field without sources: no air is displaced in all.
class Bending : public base::PrescribedSource {
 public:
  explicit Bending(const geometry::TriMesh& mesh)
      : PrescribedSource(
            [this, &mesh](const base::SurfacePoint& point) {
              Vec3 at = Vec3::Zero();
              for (int k = 0; k < 3; ++k)
                at += point.barycentric[k] * mesh.vertices[mesh.triangles[point.triangle][k]];
              off += (at - point.position).norm();
              ++count;
              const auto w = std::pow(std::complex<double>(at.x(), at.z()) / 0.04, 3);
              return point.normal.dot(Vec3(w.real(), 0, -w.imag()));
            },
            [](double) { return 1.0; }) {}
  mutable double off = 0;  ///< sum of distances from the walls' middles [m]
  mutable int count = 0;
};

// A cup of 1.2 mm in cells of 8 mm, of triangles of 4 mm: asked at one of them for all of a cell's
// wall, 0.15 cells off, its faces would displace 1.7 % of what they move.
TEST(WallSource, the_faces_of_a_thin_wall_that_bends_displace_nothing_together) {
  base::World world = world_of(2);
  world.bodies.push_back(body_of(
      "cup",
      geometry::lathe_mesh({{0, 0}, {0.03, 0.004}, {0.039, 0.03}, {0.036, 0.08}}, 0.0012, 0.004)));
  const geometry::TriMesh& mesh = world.bodies[0].mesh;
  const auto bending = std::make_shared<Bending>(mesh);
  world.bodies[0].sources.push_back(bending);
  const double h = 0.008;
  const Chunk chunk{.end = 2};
  for (const double shift : {0.0, 0.37}) {
    const Grid grid{{-0.07 + shift * h, -0.02, -0.07}, h, {18, 16, 18}};
    Rasteriser rasteriser(world, grid, chunk.segment);
    WallSource<double> drive(world, rasteriser, grid, {world.rate, world.rate, 1.0}, chunk);
    const CutGeometry geometry = rasteriser.at(0);
    bending->off = 0, bending->count = 0;
    drive.enter(interval(grid, geometry, geometry), 0, 0);
    double sum = 0, sizes = 0;
    for (const double q : drive.source({0, world.rate}, 0)) sum += q, sizes += std::abs(q);
    EXPECT_LT(std::abs(sum), 0.005 * sizes) << shift;
    EXPECT_LT(bending->off, 0.03 * h * bending->count) << shift;
  }
}

// Asked along the normals of triangles, it changed its volume by 2 % of what it moves.
TEST(WallSource, a_sphere_that_shakes_on_its_way_displaces_nothing) {
  base::World world = world_of(2);
  world.bodies.push_back(body_of("ball", sphere_at(Vec3::Zero(), 0.05, 10)));
  base::Body& body = world.bodies[0];
  body.motion = std::make_shared<Gliding>(Vec3(0.001, 0.002, 0.003), Vec3(16, 9, -8));
  body.sources.push_back(std::make_shared<base::PrescribedSource>(
      [](const base::SurfacePoint& point) { return point.normal.dot(Vec3(0.36, 0.8, 0.48)); },
      [](double) { return 1.0; }));
  const Grid grid{Vec3::Constant(-0.1), 0.01, {20, 20, 20}};
  const Chunk chunk{.end = 2};
  Rasteriser rasteriser(world, grid, chunk.segment);
  WallSource<double> drive(world, rasteriser, grid, {world.rate, world.rate, 1.0}, chunk);
  const double key = 1.5e-4;  // 0.3 cells
  drive.enter(interval(grid, rasteriser.at(0), rasteriser.at(key)), 0, key);
  for (const double along : {0.0, 0.4, 1.0}) {
    double sum = 0, sizes = 0;
    for (const double q : drive.source({0, world.rate}, along)) sum += q, sizes += std::abs(q);
    EXPECT_GT(sizes, 0);
    EXPECT_LT(std::abs(sum), 1e-6 * sizes) << along;
  }
}

// A speaker whose edge goes to and fro with the triangles. Where walls beyond the edge were asked
// for walls inside of it, what it displaced changed with its place in the grid.
TEST(WallSource, ARaggedSpeakerDisplacesTheSameEverywhereInTheGrid) {
  const double h = 0.0135;
  base::World world = world_of(2);
  world.bodies.push_back(body_of("head", sphere_at(Vec3::Zero(), 0.09, 12)));
  base::Body& body = world.bodies[0];
  double area = 0;
  for (std::size_t t = 0; t < body.mesh.triangles.size(); ++t) {
    const Vec3 facing = geometry::area_vector(body.mesh, t),
               middle = body.mesh.vertices[body.mesh.triangles[t][0]];
    const bool is_mouth = facing.normalized().z() > 0.8 && std::abs(middle.x()) < 0.03 &&
                          std::abs(middle.y()) < 0.015;
    body.triangle_part.push_back(is_mouth ? 1 : 0);
    if (is_mouth) area += facing.norm();
  }
  ASSERT_GT(area, 5e-4);
  body.sources.push_back(std::make_shared<base::PrescribedSource>(
      [&body](const base::SurfacePoint& point) { return body.triangle_part[point.triangle]; },
      [](double) { return 1.0; }));
  const Chunk chunk{.end = 2};
  for (int index = 0; index < 20; ++index) {
    const double shift = 0.05 * index * h;
    const Grid grid{
        Vec3::Constant(-0.1485) + Vec3(shift, 0.7 * shift, 0.4 * shift), h, {22, 22, 22}};
    Rasteriser rasteriser(world, grid, chunk.segment);
    WallSource<double> drive(world, rasteriser, grid, {world.rate, world.rate, 1.0}, chunk);
    const CutGeometry geometry = rasteriser.at(0);
    drive.enter(interval(grid, geometry, geometry), 0, 0);
    double sum = 0;
    for (const double q : drive.source({0, world.rate}, 0)) sum += q;
    EXPECT_NEAR(sum * h / world.medium.density, area, 0.01 * area) << index;
  }
}

/// A ball at rest of 7 cm that gets other triangles every 0.1 s.
class RetriangulatedBall : public base::SurfaceSequence {
 public:
  std::span<const double> changes() const override { return changes_; }
  std::shared_ptr<const geometry::TriMesh> mesh(std::size_t number) const override {
    return std::make_shared<const geometry::TriMesh>(
        geometry::sphere_mesh(0.07, 0.006 + 0.001 * static_cast<double>(number)));
  }
  void vertices(std::size_t number, double, std::span<Vec3> out) const override {
    const auto shape = mesh(number);
    std::ranges::copy(shape->vertices, out.begin());
  }
  bool is_sheet() const override { return false; }

 private:
  std::vector<double> changes_{0.1, 0.2};
};

base::World world_of_retriangulated_ball() {
  base::World world;
  base::Body body{.name = "ball"};
  body.sequence = std::make_shared<RetriangulatedBall>();
  body.mesh = *body.sequence->mesh(0);
  body.motion = resting_at();
  body.sources.push_back(std::make_shared<base::PrescribedSource>([](double) { return 1.0; }));
  world.bodies.push_back(std::move(body));
  return world;
}

TEST(WallSource, ASurfaceThatChangesItsTrianglesDrivesAsMuchAirOnTheWay) {
  const base::World world = world_of_retriangulated_ball();
  const Grid grid{Vec3::Constant(-0.1), 0.01, {20, 20, 20}};
  const Chunk chunk{.end = 2};
  Rasteriser rasteriser(world, grid, chunk.segment);
  WallSource<double> drive(world, rasteriser, grid, {world.rate, world.rate, 1.0}, chunk);
  const double from = 0.095, to = 0.105;
  drive.enter(interval(grid, rasteriser.at(from), rasteriser.at(to)), from, to);
  // Driving areas follow curved walls within 3 %.
  const double exact =
      4 * std::numbers::pi * 0.07 * 0.07 / (0.01 * 0.01) * 0.01 * world.medium.density;
  for (const double along : {0.0, 0.4, 1.0}) {
    double sum = 0;
    for (const double q : drive.source({0, world.rate}, along)) sum += q;
    EXPECT_NEAR(sum / exact, 1.0, 0.03) << along;
  }
}

TEST(Rasteriser, KeysPassAtMostOneChangeOfTriangles) {
  const base::World world = world_of_retriangulated_ball();
  const Rasteriser rasteriser(world, {Vec3::Constant(-0.1), 0.01, {20, 20, 20}}, {});
  EXPECT_EQ(rasteriser.displacement(0.0, 0.3), 0.0);
  EXPECT_EQ(rasteriser.steps_to_next_key(0, 0.001, 128), 128) << "past the first change only";
  EXPECT_EQ(rasteriser.steps_to_next_key(0, 0.001, 256), 192) << "before the second one";
}

/// Waves along x on a plane that moves along y, one a coefficient: sample k has the k-th alone.
class Ripples : public base::SurfaceSource {
 public:
  explicit Ripples(std::vector<double> lengths) : lengths_(std::move(lengths)) {}
  Eigen::Index columns() const override { return static_cast<Eigen::Index>(lengths_.size()); }
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override {
    base::SurfaceBasis::Dense matrix(static_cast<Eigen::Index>(points.size()), columns());
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t k = 0; k < lengths_.size(); ++k) {
        matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = static_cast<float>(
            points[i].normal.y() *
            std::cos(2 * std::numbers::pi * points[i].position.x() / lengths_[k]));
      }
    }
    return base::SurfaceBasis(std::move(matrix));
  }
  void coefficients(base::Rate, base::SampleRange range, base::Coefficients& out) const override {
    out.setZero(columns(), range.size());
    for (std::int64_t n = range.begin; n < range.end; ++n)
      if (n >= 0 && n < columns()) out(static_cast<Eigen::Index>(n), n - range.begin) = 1;
  }
  void hash(base::Rate, base::SampleRange, util::Fingerprint&) const override {}

 private:
  std::vector<double> lengths_;
};

// At one point of a cell, waves shorter than two cells would drive it like longer ones. Their mean
// over the cell is sin(pi h / L) / (pi h / L) of them.
TEST(WallSource, waves_on_a_surface_drive_a_cell_by_their_mean_over_it) {
  const double h = 0.01;
  const std::vector<double> lengths = {50 * h,  9.3 * h, 4.7 * h, 2.9 * h,
                                       2.2 * h, 1.7 * h, 0.83 * h};
  base::World world = world_of(2);
  world.bodies.push_back(body_of("sheet", geometry::plane_mesh(0.5, 0.1, 0.1 * h)));
  world.bodies[0].is_sheet = true;
  world.bodies[0].sources.push_back(std::make_shared<Ripples>(lengths));
  const Grid grid{{-0.3 + 0.37 * h, -0.0533, -0.0813}, h, {60, 11, 17}};
  const Chunk chunk{.end = 2};
  Rasteriser rasteriser(world, grid, chunk.segment);
  WallSource<double> drive(world, rasteriser, grid, {world.rate, world.rate, 1.0}, chunk);
  const CutGeometry geometry = rasteriser.at(0);
  drive.enter(interval(grid, geometry, geometry), 0, 0);
  const auto power = [&](std::int64_t wave) {
    double both = 0, sum = 0;
    for (const double q : drive.source({wave, world.rate}, 0)) both += q * q, sum += q;
    EXPECT_LT(std::abs(sum), 1e-6 * std::sqrt(both)) << "both sides move alike";
    return both;
  };
  const double whole = power(0);
  for (std::size_t k = 1; k < lengths.size(); ++k) {
    const double x = std::numbers::pi * h / lengths[k];
    EXPECT_NEAR(std::sqrt(power(static_cast<std::int64_t>(k)) / whole), std::abs(std::sin(x) / x),
                0.04)
        << lengths[k] / h << " cells";
  }
}

}  // namespace
}  // namespace peal::wave
