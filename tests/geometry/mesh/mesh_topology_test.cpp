#include <peal/geometry/mesh/mesh_topology.h>

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "geometry/test_meshes.h"

namespace peal::geometry {
namespace {

TEST(MeshTopology, EdgesAndTheirTrianglesMatchBruteForce) {
  for (const TriMesh& mesh : {torus_mesh(1.0, 0.4, 0.3), plane_mesh(1.0, 2.0, 0.2),
                              joined(box_mesh({1, 1, 1}, 0.4), sphere_mesh(1.0, 0.5))}) {
    std::map<std::array<std::uint32_t, 2>, std::vector<std::uint32_t>> expected;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]);
        expected[{low, high}].push_back(t);
      }
    const MeshTopology topology = mesh_topology(mesh);
    ASSERT_EQ(topology.edges.size(), expected.size());
    std::uint32_t e = 0;
    for (const auto& [edge, triangles] : expected) {
      EXPECT_EQ(topology.edges[e], edge);
      const auto found = topology.edge_triangles[e];
      EXPECT_TRUE(std::equal(found.begin(), found.end(), triangles.begin(), triangles.end()));
      ++e;
    }
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) {
        const auto& around =
            expected[{std::min(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]),
                      std::max(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3])}];
        const std::uint32_t neighbour =
            around.size() == 2 ? around[0] + around[1] - t : MeshTopology::none;
        EXPECT_EQ(topology.triangle_neighbours[t][k], neighbour);
      }
  }
}

TEST(MeshTopology, VertexRingsListEveryTriangleOfAVertex) {
  const TriMesh mesh = sphere_mesh(1.0, 0.4);
  const MeshTopology topology = mesh_topology(mesh);
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    std::vector<std::uint32_t> expected;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
      if (std::count(mesh.triangles[t].begin(), mesh.triangles[t].end(), v) > 0)
        expected.push_back(t);
    const auto ring = topology.vertex_triangles[v];
    EXPECT_TRUE(std::equal(ring.begin(), ring.end(), expected.begin(), expected.end()));
  }
}

TEST(MeshTopology, EulerCharacteristicTellsSphereFromTorus) {
  const auto euler = [](const TriMesh& mesh) {
    return static_cast<long>(mesh.vertices.size()) -
           static_cast<long>(mesh_topology(mesh).edges.size()) +
           static_cast<long>(mesh.triangles.size());
  };
  EXPECT_EQ(euler(sphere_mesh(1.0, 0.3)), 2);
  EXPECT_EQ(euler(torus_mesh(1.0, 0.3, 0.2)), 0);
  EXPECT_EQ(euler(disc_mesh(1.0, 0.2)), 1);
}

TEST(MeshTopology, AnEdgeMayHaveThreeTriangles) {
  const TriMesh fan{.vertices = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}},
                    .triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}};
  const MeshTopology topology = mesh_topology(fan);
  EXPECT_EQ(topology.edge_triangles[0].size(), 3u);
  EXPECT_EQ(topology.triangle_neighbours[0][0], MeshTopology::none);
  std::size_t rim_edges = 0;
  for (const BoundaryLoop& loop : boundary_loops(fan, topology)) {
    EXPECT_FALSE(loop.closed);
    rim_edges += loop.vertices.size() - 1;
  }
  EXPECT_EQ(rim_edges, 6u);
}

TEST(MeshTopology, ATriangleThatRepeatsAVertexHasNoEdges) {
  TriMesh mesh = sphere_mesh(1.0, 0.8);
  const std::size_t edges = mesh_topology(mesh).edges.size();
  mesh.triangles.push_back({0, 0, 1});
  const MeshTopology topology = mesh_topology(mesh);
  EXPECT_EQ(topology.edges.size(), edges);
  EXPECT_EQ(topology.triangle_edges.back()[0], MeshTopology::none);
  EXPECT_TRUE(boundary_loops(mesh, topology).empty());
}

TEST(MeshTopology, ATubeHasTwoRims) {
  TriMesh tube = cylinder_mesh(0.5, 1.0, 0.1);
  std::erase_if(tube.triangles, [&](const Triangle& t) {
    return std::abs(tube.vertices[t[0]].y() + tube.vertices[t[1]].y() + tube.vertices[t[2]].y()) >
           1.5 - 1e-9;
  });
  const auto loops = boundary_loops(tube, mesh_topology(tube));
  ASSERT_EQ(loops.size(), 2u);
  for (const BoundaryLoop& loop : loops) {
    EXPECT_TRUE(loop.closed);
    EXPECT_EQ(std::set(loop.vertices.begin(), loop.vertices.end()).size(), loop.vertices.size());
    for (const std::uint32_t v : loop.vertices) {
      EXPECT_NEAR(std::abs(tube.vertices[v].y()), 0.5, 1e-12);
      EXPECT_NEAR(std::hypot(tube.vertices[v].x(), tube.vertices[v].z()), 0.5, 1e-12);
    }
  }
}

TEST(MeshTopology, RimsThatMeetInOneVertexStayApart) {
  // Two triangles that touch in vertex 0 only.
  const TriMesh bow_tie{.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}},
                        .triangles = {{0, 1, 2}, {0, 3, 4}}};
  const MeshTopology topology = mesh_topology(bow_tie);
  const auto loops = boundary_loops(bow_tie, topology);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].vertices, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(loops[1].vertices, (std::vector<std::uint32_t>{0, 3, 4}));
  EXPECT_EQ(connected_components(bow_tie, topology, Connection::shared_edge).count, 2u);
  EXPECT_EQ(connected_components(bow_tie, topology, Connection::shared_vertex).count, 1u);
}

TEST(MeshTopology, ComponentsAreNumberedByTheirFirstTriangle) {
  const TriMesh a = box_mesh({1, 1, 1}, 1.0);
  const TriMesh mesh = joined(joined(a, translated(a, {3, 0, 0})), translated(a, {0, 3, 0}));
  const Components parts = connected_components(mesh, mesh_topology(mesh), Connection::shared_edge);
  ASSERT_EQ(parts.count, 3u);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    EXPECT_EQ(parts.of_triangle[t], t / a.triangles.size());
}

TEST(MeshTopology, OrientationIsComparedAcrossAnEdge) {
  TriMesh mesh = sphere_mesh(1.0, 0.8);
  std::swap(mesh.triangles[3][0], mesh.triangles[3][1]);
  const MeshTopology topology = mesh_topology(mesh);
  std::size_t flipped = 0;
  for (std::uint32_t e = 0; e < topology.edges.size(); ++e)
    if (!consistently_oriented(mesh, topology, e)) ++flipped;
  EXPECT_EQ(flipped, 3u);
}

}  // namespace
}  // namespace peal::geometry
