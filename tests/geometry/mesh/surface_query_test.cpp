#include <peal/geometry/mesh/surface_query.h>

#include <gtest/gtest.h>

#include <thread>

#include "geometry/test_meshes.h"

namespace peal::geometry {
namespace {

Corners corners_of(const TriMesh& mesh, std::size_t t) {
  const auto& [a, b, c] = mesh.triangles[t];
  return {mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]};
}

double brute_force_distance(const TriMesh& mesh, const Vec3& p) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Corners corners = corners_of(mesh, t);
    best = std::min(best, (interpolate(corners, closest_barycentrics(corners, p)) - p).norm());
  }
  return best;
}

std::vector<RayHit> brute_force_hits(const TriMesh& mesh, const Ray& ray) {
  std::vector<RayHit> hits;
  const ShearedRay sheared(ray);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    if (const auto hit = sheared.intersect(corners_of(mesh, t)))
      hits.push_back({hit->t, t, hit->barycentrics});
  std::sort(hits.begin(), hits.end(), [](const RayHit& a, const RayHit& b) {
    return std::pair(a.t, a.triangle) < std::pair(b.t, b.triangle);
  });
  return hits;
}

std::vector<TriMesh> meshes() {
  return {sphere_mesh(1.0, 0.3), box_mesh({2, 0.1, 1}, 0.25), torus_mesh(0.8, 0.3, 0.2),
          triangle_soup(600, 3), translated(sphere_mesh(0.01, 0.003), {300, -200, 100})};
}

/// Points near, far and on the surface, and at the middle, where all triangles are equally near.
Vec3 query_point(const TriMesh& mesh, Random& random, int i) {
  const Vec3 middle = bounds(mesh).center();
  const double size = bounds(mesh).sizes().norm();
  const Vec3 on_surface = triangle_centre(mesh, random.index(mesh.triangles.size()));
  switch (i % 5) {
    case 0:
      return middle + random.in_cube(size);
    case 1:
      return on_surface + random.in_cube(1e-3 * size);
    case 2:
      return mesh.vertices[random.index(mesh.vertices.size())];
    case 3:
      return middle + random.in_cube(1e4 * size);
    default:
      return middle + random.in_cube(1e-6 * size);
  }
}

TEST(Triangle, ClosestPointMatchesAFineSampling) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Corners corners = {random.in_cube(1), random.in_cube(1), random.in_cube(1)};
    const Vec3 p = random.in_cube(2);
    const Vec3 barycentrics = closest_barycentrics(corners, p);
    EXPECT_NEAR(barycentrics.sum(), 1.0, 1e-12);
    EXPECT_GE(barycentrics.minCoeff(), -1e-15);
    const double distance = (interpolate(corners, barycentrics) - p).norm();
    constexpr int n = 40;
    double sampled = std::numeric_limits<double>::infinity();
    for (int a = 0; a <= n; ++a)
      for (int b = 0; a + b <= n; ++b)
        sampled =
            std::min(sampled, (interpolate(corners, Vec3(a, b, n - a - b) / double(n)) - p).norm());
    EXPECT_LE(distance, sampled + 1e-12);
    EXPECT_GE(distance, sampled - 3.5 / n);
  }
}

TEST(Triangle, ClosestPointOfADegenerateTriangleIsOnItsLongestSide) {
  const Corners line = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.25, 0, 0)};
  EXPECT_NEAR((interpolate(line, closest_barycentrics(line, {0.6, 2, 0})) - Vec3(0.6, 0, 0)).norm(),
              0.0, 1e-12);
  const Corners point = {Vec3(1, 1, 1), Vec3(1, 1, 1), Vec3(1, 1, 1)};
  EXPECT_EQ(interpolate(point, closest_barycentrics(point, {0, 0, 0})), Vec3(1, 1, 1));
}

TEST(SurfaceQuery, ClosestPointMatchesBruteForce) {
  for (const TriMesh& mesh : meshes()) {
    const SurfaceQuery query(mesh);
    Random random(7);
    for (int i = 0; i < 1000; ++i) {
      const Vec3 p = query_point(mesh, random, i);
      const double expected = brute_force_distance(mesh, p);
      const SurfacePoint found = query.closest_point(p);
      ASSERT_EQ(found.distance, expected) << "query " << i;
      EXPECT_NEAR((found.point - p).norm(), expected, 1e-12 * (1.0 + p.norm()));
      EXPECT_EQ(found.point, interpolate(corners_of(mesh, found.triangle), found.barycentrics));
      EXPECT_TRUE(query.closest_point_within(p, expected * 1.000001 + 1e-15).has_value());
      if (expected > 1e-9) {
        EXPECT_FALSE(query.closest_point_within(p, expected * 0.999999));
      }
    }
  }
}

TEST(SurfaceQuery, OfEquallyNearTrianglesTheLowestAnswers) {
  const TriMesh mesh = box_mesh({1, 1, 1}, 0.25);
  const SurfaceQuery query(mesh);
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    std::uint32_t lowest = 0;
    while (std::count(mesh.triangles[lowest].begin(), mesh.triangles[lowest].end(), v) == 0)
      ++lowest;
    EXPECT_EQ(query.closest_point(mesh.vertices[v]).triangle, lowest);
  }
}

Ray query_ray(const TriMesh& mesh, Random& random, int i) {
  const double size = bounds(mesh).sizes().norm();
  Ray ray{query_point(mesh, random, i), random.direction()};
  if (i % 2 == 0) {  // aimed at a vertex or an edge: the hard case
    const Corners corners = corners_of(mesh, random.index(mesh.triangles.size()));
    ray.direction = (i % 4 == 0 ? corners[0] : Vec3(0.5 * (corners[0] + corners[1]))) - ray.origin;
    if (ray.direction.norm() == 0.0) ray.direction = Vec3::UnitX();
  }
  if (i % 3 == 0) ray.t_max = random.uniform(0.0, size) / ray.direction.norm();
  return ray;
}

TEST(SurfaceQuery, RaysMatchBruteForce) {
  for (const TriMesh& mesh : meshes()) {
    const SurfaceQuery query(mesh);
    Random random(11);
    int hits = 0;
    for (int i = 0; i < 1000; ++i) {
      const Ray ray = query_ray(mesh, random, i);
      const auto expected = brute_force_hits(mesh, ray);
      const auto all = query.all_hits(ray);
      const auto first = query.intersect(ray);
      ASSERT_EQ(all.size(), expected.size()) << "ray " << i;
      ASSERT_EQ(first.has_value(), !expected.empty()) << "ray " << i;
      for (std::size_t j = 0; j < all.size(); ++j) {
        EXPECT_EQ(all[j].t, expected[j].t);
        EXPECT_EQ(all[j].triangle, expected[j].triangle);
      }
      if (!first) continue;
      ++hits;
      EXPECT_EQ(first->t, expected[0].t);
      EXPECT_EQ(first->triangle, expected[0].triangle);
    }
    EXPECT_GT(hits, 100);
  }
}

TEST(SurfaceQuery, NoRayEscapesFromAClosedSurface) {
  for (const TriMesh& mesh :
       {sphere_mesh(1.0, 0.2), translated(sphere_mesh(1.0, 0.2), {1e3, 0, 0})}) {
    const SurfaceQuery query(mesh);
    Random random(13);
    const Vec3 middle = bounds(mesh).center();
    for (int i = 0; i < 3000; ++i) {
      const Vec3 origin = middle + random.in_cube(0.4);
      const Vec3 target = i % 2 ? mesh.vertices[random.index(mesh.vertices.size())]
                                : Vec3(origin + random.direction());
      EXPECT_TRUE(query.intersect({origin, target - origin})) << i;
    }
  }
}

TEST(SurfaceQuery, OcclusionMatchesBruteForce) {
  for (const TriMesh& mesh : meshes()) {
    const SurfaceQuery query(mesh);
    Random random(17);
    int blocked = 0;
    for (int i = 0; i < 1000; ++i) {
      const Vec3 a = query_point(mesh, random, i), b = query_point(mesh, random, i + 1);
      const bool expected = !brute_force_hits(mesh, {a, b - a, 0.0, 1.0}).empty();
      ASSERT_EQ(query.occluded(a, b), expected) << i;
      blocked += expected;
    }
    EXPECT_GT(blocked, 50);
    EXPECT_LT(blocked, 990);
  }
}

TEST(SurfaceQuery, AMarginForgivesEndsOnTheSurface) {
  const TriMesh mesh = sphere_mesh(1.0, 0.2);
  const SurfaceQuery query(mesh);
  const Vec3 on_surface = triangle_centre(mesh, 5);
  EXPECT_FALSE(query.occluded(on_surface, 3.0 * on_surface, 1e-6));
  EXPECT_TRUE(query.occluded(on_surface, -3.0 * on_surface, 1e-6));
}

TEST(SurfaceQuery, ThreadsAgree) {
  const TriMesh mesh = torus_mesh(0.8, 0.3, 0.05);
  const SurfaceQuery query(mesh);
  std::array<std::vector<double>, 4> answers;
  std::vector<std::thread> threads;
  for (auto& mine : answers) {
    threads.emplace_back([&] {
      Random random(19);
      for (int i = 0; i < 2000; ++i) {
        const Vec3 p = random.in_cube(1.5);
        mine.push_back(query.closest_point(p).distance);
        mine.push_back(query.occluded(p, -p) ? 1.0 : 0.0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : answers) EXPECT_EQ(mine, answers[0]);
}

TEST(SurfaceQuery, RefusesWhatHasNoAnswer) {
  EXPECT_THROW(SurfaceQuery{TriMesh{}}, std::invalid_argument);
  TriMesh broken = box_mesh({1, 1, 1}, 1.0);
  broken.vertices[0].x() = std::nan("");
  EXPECT_THROW(SurfaceQuery{broken}, std::invalid_argument);
  const SurfaceQuery query(box_mesh({1, 1, 1}, 1.0));
  EXPECT_THROW(query.closest_point({0, std::nan(""), 0}), std::invalid_argument);
}

}  // namespace
}  // namespace peal::geometry
