#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/repair/resurface.h>
#include <peal/util/parallel.h>

#include <gtest/gtest.h>

#include <stdexcept>

#include "geometry/test_meshes.h"

namespace peal::geometry {
namespace {

/// Every triangle for itself, its corners shifted at random, some of them turned.
TriMesh loose_triangles(const TriMesh& mesh, double jitter, double turned) {
  Random random(3);
  TriMesh soup;
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.vertices.size());
    for (const std::uint32_t v : t)
      soup.vertices.push_back(mesh.vertices[v] + random.in_cube(jitter));
    const bool turn = random.uniform(0, 1) < turned;
    soup.triangles.push_back({first, first + (turn ? 2u : 1u), first + (turn ? 1u : 2u)});
  }
  return soup;
}

TriMesh inside_out(TriMesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

TriMesh without(TriMesh mesh, std::size_t begin, std::size_t end) {
  mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(begin),
                       mesh.triangles.begin() + static_cast<std::ptrdiff_t>(end));
  return mesh;
}

/// What is promised of every result.
void expect_sound_surface(const Resurfaced& made, std::size_t given) {
  const MeshReport report = check_mesh(made.mesh);
  EXPECT_TRUE(report.watertight);
  for (const MeshProblemKind kind :
       {MeshProblemKind::self_intersection, MeshProblemKind::duplicate_face,
        MeshProblemKind::inside_out, MeshProblemKind::non_manifold_edge,
        MeshProblemKind::unreferenced_vertex, MeshProblemKind::duplicate_vertex})
    EXPECT_EQ(report.find(kind), nullptr) << key(kind);
  EXPECT_EQ(made.source.size(), made.mesh.triangles.size());
  for (const std::uint32_t t : made.source) EXPECT_LT(t, given);
  EXPECT_DOUBLE_EQ(made.volume, signed_volume(made.mesh));
}

/// Mean distance of the vertices from a surface.
double mean_distance(const TriMesh& mesh, const TriMesh& from) {
  const SurfaceQuery surface(from);
  double sum = 0.0;
  for (const Vec3& v : mesh.vertices) sum += surface.closest_point(v).distance;
  return sum / static_cast<double>(mesh.vertices.size());
}

const TriMesh ball = sphere_mesh(1.0, 0.2);
const TriMesh cube = box_mesh({1, 1, 1}, 0.5);

TriMesh cup() {
  return lathe_mesh({{0, 0}, {0.04, 0}, {0.04, 0.09}}, 0.003, 0.008);
}

struct Broken {
  const char* name;
  TriMesh mesh;
  TriMesh meant;
  double resolution;
  double distance;  ///< mean, of the new vertices from the meant surface [m]
};

std::vector<Broken> broken_meshes() {
  TriMesh flipped = ball;
  for (std::size_t t = 100; t < 200; ++t)
    std::swap(flipped.triangles[t][1], flipped.triangles[t][2]);
  TriMesh repeated = ball;
  repeated.triangles.insert(repeated.triangles.end(), ball.triangles.begin() + 50,
                            ball.triangles.begin() + 150);
  TriMesh spiked = ball;
  spiked.vertices[0] *= 1.8;
  return {
      {"nothing", ball, ball, 0.15, 1e-12},
      {"hole", without(ball, 20, 24), ball, 0.15, 1e-3},
      {"flipped patch", flipped, ball, 0.15, 1e-12},
      {"inside out", inside_out(ball), ball, 0.15, 1e-12},
      {"repeated faces", repeated, ball, 0.15, 1e-12},
      {"two-sided faces", joined(ball, inside_out(ball)), ball, 0.15, 1e-12},
      {"membrane", joined(ball, disc_mesh(0.99, 0.2)), ball, 0.15, 1e-12},
      {"membrane that is joined", joined(cube, plane_mesh(1, 1, 0.5)), cube, 0.1, 1e-5},
      {"inner ball", joined(ball, sphere_mesh(0.5, 0.2)), ball, 0.15, 1e-12},
      {"loose faces", loose_triangles(ball, 0.003, 0.0), ball, 0.15, 3e-3},
      {"loose faces, many turned", loose_triangles(ball, 0.003, 0.4), ball, 0.15, 3e-3},
      {"spike", spiked, spiked, 0.15, 1e-4},
      {"cube", cube, cube, 0.1, 1e-5},
      {"cup of loose faces, many turned", loose_triangles(cup(), 1e-4, 0.4), cup(), 0.006, 2e-4},
      {"cup with a hole", without(cup(), 40, 42), cup(), 0.008, 1e-4}};
}

TEST(ResurfaceSlow, BrokenMeshesBecomeTheSolidsTheyMean) {
  for (const Broken& broken : broken_meshes()) {
    SCOPED_TRACE(broken.name);
    const Resurfaced made = resurfaced(broken.mesh, {.resolution = broken.resolution});
    expect_sound_surface(made, broken.mesh.triangles.size());
    EXPECT_NEAR(made.volume / signed_volume(broken.meant), 1.0, 5e-3);
    EXPECT_LT(mean_distance(made.mesh, broken.meant), broken.distance);
  }
}

TEST(Resurface, TwoCrossingBoxesBecomeTheirUnion) {
  const TriMesh coarse = box_mesh({1, 1, 1}, 2);
  const Resurfaced made =
      resurfaced(joined(coarse, translated(coarse, {0.5, 0.3, 0.2})), {.resolution = 0.12});
  expect_sound_surface(made, 24);
  EXPECT_NEAR(made.volume, 2.0 - 0.5 * 0.7 * 0.8, 5e-3 * 1.72);
  EXPECT_EQ(check_mesh(made.mesh).components, 1u);
  EXPECT_GT(made.left_out_area, 1.0);  // what each has inside of the other
}

TEST(Resurface, CavitiesAndSeparatePartsStay) {
  const Resurfaced hollow =
      resurfaced(joined(ball, inside_out(sphere_mesh(0.5, 0.2))), {.resolution = 0.15});
  expect_sound_surface(hollow, 1000000);
  EXPECT_NEAR(hollow.volume, signed_volume(ball) - signed_volume(sphere_mesh(0.5, 0.2)), 0.02);
  EXPECT_EQ(check_mesh(hollow.mesh).components, 2u);
  const Resurfaced two =
      resurfaced(joined(ball, translated(ball, {2.5, 0, 0})), {.resolution = 0.2});
  EXPECT_NEAR(two.volume, 2.0 * signed_volume(ball), 0.05);
}

TEST(ResurfaceAnalytic, VolumeConvergesWithTheSquareOfTheResolution) {
  const TriMesh fine = sphere_mesh(1.0, 0.03);
  const double coarse = resurfaced(fine, {.resolution = 0.4}).volume - signed_volume(fine);
  const double half = resurfaced(fine, {.resolution = 0.2}).volume - signed_volume(fine);
  EXPECT_GT(order(coarse, half), 1.7);
}

TEST(Resurface, EdgesAndCornersStaySharp) {
  Affine turn = Affine::Identity();
  turn.rotate(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  const TriMesh box = transformed(cube, turn);
  const Resurfaced made = resurfaced(box, {.resolution = 0.1});
  // Edges that were cut off would make the surface smaller, by 0.3 % of its area and more.
  EXPECT_NEAR(surface_area(made.mesh), 6.0, 6e-3);
  const SurfaceQuery surface(made.mesh);
  for (int i = 0; i < 200; ++i) {
    const double s = -0.5 + i / 199.0;
    EXPECT_LT(surface.closest_point(turn * Vec3(s, 0.5, 0.5)).distance, 0.03);
  }
}

TEST(Resurface, ThinWallsAreKeptOrReported) {
  const Resurfaced kept = resurfaced(box_mesh({1, 0.03, 1}, 0.5), {.resolution = 0.15});
  expect_sound_surface(kept, 1000000);
  EXPECT_NEAR(kept.volume, 0.03, 0.05 * 0.03);
  EXPECT_EQ(kept.thin_places, 0u);
  // A ball with a fin that no lattice sees.
  const Resurfaced lost = resurfaced(
      joined(ball, translated(box_mesh({1, 1e-4, 1}, 0.5), {1.3, 0, 0})), {.resolution = 0.2});
  expect_sound_surface(lost, 1000000);
  EXPECT_NEAR(lost.volume, signed_volume(ball), 0.02);
  EXPECT_GT(lost.thin_places, 0u);
  EXPECT_GT(lost.left_out_area, 0.5);
}

TEST(Resurface, WhatEnclosesNothingIsRefused) {
  const TriMesh triangle{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .triangles = {{0, 1, 2}}};
  const TriMesh point{.vertices = {{1, 1, 1}}, .triangles = {{0, 0, 0}}};
  for (const TriMesh& mesh :
       {TriMesh{}, point, triangle, plane_mesh(1, 1, 0.5), box_mesh({1, 1e-9, 1}, 0.5)})
    EXPECT_THROW(resurfaced(mesh, {.resolution = 0.1}), std::invalid_argument);
  EXPECT_THROW(resurfaced(ball, {.resolution = 0.0}), std::invalid_argument);
}

TEST(Resurface, AHeapOfHundredsOfLayersIsRefusedAtOnce) {
  TriMesh heap;
  Random random(7);
  for (std::uint32_t i = 0; i < 30000; i += 3) {
    for (int k = 0; k < 3; ++k) heap.vertices.push_back(random.in_cube(1.0));
    heap.triangles.push_back({i, i + 1, i + 2});
  }
  EXPECT_THROW(resurfaced(heap, {.resolution = 0.1}), std::invalid_argument);
}

TEST(Resurface, TheLatticeKeepsToItsLimit) {
  const Resurfaced made = resurfaced(ball, {.resolution = 0.01, .max_tetrahedra = 20000});
  expect_sound_surface(made, ball.triangles.size());
  EXPECT_GT(made.resolution, 0.01);
  EXPECT_LT(made.mesh.triangles.size(), 40000u);
}

TEST(Resurface, ThreadsDoNotChangeTheResult) {
  const TriMesh mesh = loose_triangles(ball, 0.01, 0.3);
  const Resurfaced many = resurfaced(mesh, {.resolution = 0.3});
  const util::ThreadLimit limit(1);
  const Resurfaced one = resurfaced(mesh, {.resolution = 0.3});
  EXPECT_EQ(one.mesh.triangles, many.mesh.triangles);
  EXPECT_EQ(one.mesh.vertices, many.mesh.vertices);
  EXPECT_EQ(one.source, many.source);
}

TEST(ResurfaceFuzz, AnyHeapOfTrianglesGivesASurfaceOrAnError) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    TriMesh mesh = triangle_soup(static_cast<int>(3 * seed * seed), seed);
    const double size = std::pow(10.0, (seed % 5) * 2.0 - 4.0);
    for (Vec3& v : mesh.vertices) v = size * (v + Vec3(seed % 3 * 1e3, 0, 0));
    try {
      const Resurfaced made = resurfaced(mesh, {.resolution = 0.2 * size, .max_tetrahedra = 50000});
      const MeshReport report = check_mesh(made.mesh);
      EXPECT_TRUE(report.watertight);
      EXPECT_EQ(report.find(MeshProblemKind::self_intersection), nullptr);
      EXPECT_GT(made.volume, 0.0);
    } catch (const std::invalid_argument&) {
    }
  }
}

}  // namespace
}  // namespace peal::geometry
