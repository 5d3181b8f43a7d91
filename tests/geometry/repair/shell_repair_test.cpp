#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/repair/shell_repair.h>
#include <peal/geometry/repair/wall_thickness.h>
#include <peal/geometry/shapes/shapes.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

namespace peal::geometry {
namespace {

RepairedShell repaired(const TriMesh& mesh, double thickness) {
  return repaired_shell(mesh, std::vector<double>(mesh.vertices.size(), thickness));
}

TriMesh thick(const TriMesh& mesh, double thickness) {
  return solid_of(repaired(mesh, thickness).shell);
}

/// The half of a sphere's surface above its middle, its rim where the triangles end.
TriMesh dome(double radius, double edge) {
  TriMesh mesh = sphere_mesh(radius, edge);
  std::erase_if(mesh.triangles, [&](const Triangle& t) {
    return mesh.vertices[t[0]].y() + mesh.vertices[t[1]].y() + mesh.vertices[t[2]].y() < 0.0;
  });
  return mesh;
}

/// What the error says.
std::string refusal(const TriMesh& mesh, double thickness) {
  try {
    thick(mesh, thickness);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

bool says(const RepairedShell& shell, const std::string& part) {
  return std::ranges::any_of(shell.repairs, [&](const std::string& repair) {
    return repair.find(part) != std::string::npos;
  });
}

TEST(ShellRepair, APlateHasTheVolumeOfItsAreaTimesItsThickness) {
  const TriMesh plate = thick(plane_mesh(0.2, 0.1, 0.02), 0.003);
  EXPECT_TRUE(check_mesh(plate).watertight);
  EXPECT_NEAR(signed_volume(plate), 0.2 * 0.1 * 0.003, 1e-12);
  EXPECT_NEAR(thin_wall(plate, 0.05), 0.003, 1e-9);
}

TEST(ShellRepair, ACurvedSheetHasItsThicknessEverywhere) {
  const TriMesh sheet = dome(0.05, 0.005);
  const TriMesh bowl = thick(sheet, 0.002);
  EXPECT_TRUE(check_mesh(bowl).watertight);
  EXPECT_NEAR(signed_volume(bowl) / (surface_area(sheet) * 0.002), 1.0, 0.02);
  EXPECT_NEAR(thin_wall(bowl, 0.5), 0.002, 1e-4);
}

TEST(ShellRepair, AClosedSurfaceBecomesHollow) {
  const double radius = 0.05, wall = 0.001;
  const TriMesh round = thick(sphere_mesh(radius, 0.004), wall);
  EXPECT_TRUE(check_mesh(round).watertight);
  EXPECT_NEAR(signed_volume(round) / (4.0 * std::numbers::pi * radius * radius * wall), 1.0, 0.01);
}

TEST(ShellRepair, ASharpBendIsMitred) {
  TriMesh angle;  // two squares at a right angle
  angle.vertices = {{0, 0, 0}, {0, 0, 0.1}, {0.1, 0, 0.1}, {0.1, 0, 0}, {0, 0.1, 0.1}, {0, 0.1, 0}};
  angle.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 0, 5}, {1, 5, 4}};
  const TriMesh solid = thick(angle, 0.004);
  EXPECT_TRUE(check_mesh(solid).watertight);
  EXPECT_NEAR(signed_volume(solid), 2.0 * 0.1 * 0.1 * 0.004, 1e-8);
}

TEST(ShellRepair, AWallThatWouldCrossItselfIsRefusedWithThePlace) {
  // A sheet bent to a radius of 5 mm cannot be 12 mm thick.
  const std::string reason = refusal(dome(0.005, 0.0008), 0.012);
  EXPECT_NE(reason.find("would cross itself near ("), std::string::npos) << reason;
}

TEST(ShellRepair, SheetsThatBranchAreRefusedWithThePlace) {
  TriMesh three;  // three squares at one edge
  three.vertices = {{0, 0, 0}, {0, 0, 0.1}, {0.1, 0, 0}, {0, 0.1, 0}, {-0.1, 0, 0}};
  three.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}};
  const std::string reason = refusal(three, 0.001);
  EXPECT_NE(reason.find("3 faces"), std::string::npos) << reason;
  EXPECT_NE(reason.find("near (0, 0, 0.05)"), std::string::npos) << reason;
}

TEST(ShellRepair, AMoebiusStripIsRefused) {
  TriMesh strip;
  constexpr std::uint32_t pieces = 24;
  for (std::uint32_t i = 0; i < pieces; ++i) {
    const double turn = 2.0 * std::numbers::pi * i / pieces;
    const Vec3 out(std::cos(turn), 0.0, std::sin(turn));
    const Vec3 across = std::cos(0.5 * turn) * Vec3::UnitY() + std::sin(0.5 * turn) * out;
    strip.vertices.emplace_back(out - 0.2 * across);
    strip.vertices.emplace_back(out + 0.2 * across);
  }
  for (std::uint32_t i = 0; i < pieces; ++i) {
    const bool last = i + 1 == pieces;
    const std::uint32_t a = 2 * i, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
    strip.triangles.push_back({a, b, c});
    strip.triangles.push_back({b, d, c});
  }
  EXPECT_NE(refusal(strip, 0.01).find("one side only"), std::string::npos) << refusal(strip, 0.01);
}

TEST(ShellRepair, FacesThatDisagreeAreTurned) {
  TriMesh plane = plane_mesh(0.2, 0.1, 0.02);
  for (std::size_t t = 0; t < plane.triangles.size(); t += 7)
    std::swap(plane.triangles[t][0], plane.triangles[t][1]);
  const RepairedShell shell = repaired(plane, 0.001);
  EXPECT_TRUE(says(shell, "turned"));
  EXPECT_NEAR(signed_volume(solid_of(shell.shell)), 0.2 * 0.1 * 0.001, 1e-12);
}

TEST(ShellRepair, TJunctionsAreClosed) {
  TriMesh slit;  // two large triangles on one side of an edge, and four small ones on the other
  slit.vertices = {{0, 0, 0},   {0.2, 0, 0},  {0.2, 0, 0.1}, {0, 0, 0.1},
                   {0.1, 0, 0}, {0, 0, -0.1}, {0.2, 0, -0.1}};
  slit.triangles = {{0, 3, 1}, {1, 3, 2}, {0, 4, 5}, {4, 6, 5}, {4, 1, 6}};
  const RepairedShell shell = repaired(slit, 0.001);
  EXPECT_TRUE(says(shell, "T-junctions"));
  EXPECT_EQ(shell.shell.middle.triangles.size(), 6u);
  const MeshTopology topology = mesh_topology(shell.shell.middle);
  EXPECT_EQ(boundary_loops(shell.shell.middle, topology).size(), 1u);
  EXPECT_NEAR(surface_area(shell.shell.middle), 0.04, 1e-12);
}

TEST(ShellRepair, TrianglesWithoutAreaAndDoubledOnesGo) {
  TriMesh plane = plane_mesh(0.2, 0.1, 0.05);
  const std::size_t count = plane.triangles.size();
  plane.triangles.push_back(plane.triangles.front());
  const auto a = static_cast<std::uint32_t>(plane.vertices.size());
  plane.vertices.insert(plane.vertices.end(), {{0.5, 0, 0}, {0.6, 0, 0}, {0.7, 0, 0}});
  plane.triangles.push_back({a, a + 1, a + 2});
  const RepairedShell shell = repaired(plane, 0.001);
  EXPECT_EQ(shell.shell.middle.triangles.size(), count);
  EXPECT_EQ(shell.shell.middle.vertices.size(), plane.vertices.size() - 3);
  EXPECT_TRUE(says(shell, "without area"));
  EXPECT_TRUE(says(shell, "doubled"));
}

TEST(ShellRepair, PartsThatTouchAtAPointAreSeparated) {
  TriMesh bow;
  bow.vertices = {{0, 0, 0}, {0.1, 0, 0.05}, {0.1, 0, -0.05}, {-0.1, 0, -0.05}, {-0.1, 0, 0.05}};
  bow.triangles = {{0, 1, 2}, {0, 3, 4}};
  const RepairedShell shell = repaired(bow, 0.001);
  EXPECT_EQ(shell.shell.middle.vertices.size(), 6u);
  EXPECT_EQ(shell.shell.thickness.size(), 6u);
  EXPECT_TRUE(says(shell, "separated"));
}

TEST(ShellRepair, ThicknessMayVary) {
  const TriMesh plane = plane_mesh(0.2, 0.1, 0.02);
  std::vector<double> thickness;
  for (const Vec3& v : plane.vertices) thickness.push_back(0.002 + 0.01 * v.x());
  const TriMesh wedge = solid_of(repaired_shell(plane, thickness).shell);
  EXPECT_NEAR(signed_volume(wedge), 0.2 * 0.1 * 0.002, 1e-12);
  EXPECT_NEAR(bounds(wedge).sizes().y(), 0.003, 1e-12);
}

TEST(ShellForm, CurvatureIsFoundAndFoldsDoNotCount) {
  const ShellForm round = shell_form(repaired(sphere_mesh(0.05, 0.004), 0.002).shell);
  EXPECT_NEAR(round.tightest, 25.0, 1.0);
  EXPECT_NEAR(round.typical, 25.0, 1.0);
  EXPECT_FALSE(choose_elements(round).is_shell);
  const ShellForm box = shell_form(repaired(box_mesh({0.2, 0.2, 0.2}, 0.02), 0.001).shell);
  EXPECT_GT(box.tightest, 1e6);
  EXPECT_TRUE(choose_elements(box).is_shell);
  EXPECT_TRUE(
      choose_elements(shell_form(repaired(sphere_mesh(0.05, 0.004), 0.001).shell)).is_shell);
  EXPECT_FALSE(
      choose_elements(shell_form(repaired(plane_mesh(0.1, 0.05, 0.01), 0.01).shell)).is_shell);
}

TEST(ShellRepair, AShellThatIsTooThickForItsTrianglesOrBendsIsNamedWithThePlace) {
  const ShellForm coarse = shell_form(repaired(plane_mesh(0.3, 0.2, 0.01), 0.001).shell);
  EXPECT_THAT(choose_elements(coarse).reason, testing::Not(testing::HasSubstr("but")));
  EXPECT_EQ(choose_elements(coarse, true).reason, "");
  const ShellForm fine = shell_form(repaired(plane_mesh(0.3, 0.2, 0.01), 0.006).shell);
  EXPECT_TRUE(choose_elements(fine).is_shell);
  EXPECT_THAT(
      choose_elements(fine).reason,
      testing::AllOf(testing::HasSubstr("shortest edge is only"), testing::HasSubstr("near (")));
  const ShellForm bent = shell_form(repaired(sphere_mesh(0.05, 0.01), 0.02).shell);
  const ElementChoice forced = choose_elements(bent, true);
  EXPECT_TRUE(forced.is_shell);
  EXPECT_THAT(forced.reason, testing::HasSubstr("radius of curvature is only 2."));
}

/// The largest distance of vertices from a sphere around the origin [m].
double off_sphere(const TriMesh& mesh, double radius) {
  double most = 0.0;
  for (const Vec3& v : mesh.vertices) most = std::max(most, std::abs(v.norm() - radius));
  return most;
}

TEST(RefinedShell, EdgesAreHalvedOnTheSmoothSurface) {
  const ShellMesh coarse = repaired(sphere_mesh(0.1, 0.03), 0.001).shell;
  const ShellMesh fine = refined_shell(coarse, 0.008);
  EXPECT_EQ(fine.thickness.size(), fine.middle.vertices.size());
  EXPECT_TRUE(check_mesh(fine.middle).watertight);
  double longest = 0.0;
  for (const Triangle& t : fine.middle.triangles) {
    for (int k = 0; k < 3; ++k)
      longest = std::max(
          longest, (fine.middle.vertices[t[k]] - fine.middle.vertices[t[(k + 1) % 3]]).norm());
  }
  EXPECT_LT(longest, 1.4 * 0.008 * 1.02);
  // Facets of 30 mm are 1.1 mm off the sphere.
  EXPECT_LT(off_sphere(fine.middle, 0.1), 2e-5);
}

TEST(RefinedShell, NothingChangesWhereEdgesAreShort) {
  const ShellMesh shell = repaired(plane_mesh(0.2, 0.1, 0.02), 0.001).shell;
  const ShellMesh same = refined_shell(shell, 0.03);
  EXPECT_EQ(same.middle.triangles, shell.middle.triangles);
}

TEST(WallThickness, PartsThatCrossCountAsOneBody) {
  const TriMesh post = box_mesh({0.02, 0.3, 0.02}, 1.0), board = box_mesh({0.3, 0.03, 0.3}, 1.0);
  const TriMesh both = joined(post, board);
  EXPECT_NEAR(thin_wall(both, 0.05), 0.02, 1e-6);
  EXPECT_NEAR(thin_wall(board, 0.5), 0.03, 1e-6);
}

}  // namespace
}  // namespace peal::geometry
