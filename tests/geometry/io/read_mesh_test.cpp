#include <peal/geometry/io/read_mesh.h>
#include <peal/geometry/io/read_obj.h>
#include <peal/geometry/io/read_ply.h>
#include <peal/geometry/io/write_mesh.h>
#include <peal/util/files.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <random>

#include "geometry/read_errors.h"

namespace peal::geometry {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ReadMesh : public testing::Test {
 protected:
  ReadMesh() : folder_(fs::path(testing::TempDir()) / ("peal_mesh_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~ReadMesh() override { fs::remove_all(folder_); }

  fs::path file(const std::string& name, const std::string& bytes) const {
    util::write_file(folder_ / name, bytes);
    return folder_ / name;
  }

  fs::path folder_;
};

const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// Doubles of every size that a mesh can hold, with all their bits.
TriMesh rugged_mesh() {
  std::mt19937_64 random(3);
  TriMesh mesh;
  while (mesh.vertices.size() < 3000) {
    const Vec3 vertex(std::bit_cast<double>(random()), std::bit_cast<double>(random()), 0.1);
    if (vertex.allFinite()) mesh.vertices.push_back(vertex);
  }
  for (std::uint32_t k = 0; k + 2 < 3000; ++k) mesh.triangles.push_back({k, k + 1, k + 2});
  return mesh;
}

TEST_F(ReadMesh, ChoosesTheFormatByTheEndingInAnyCase) {
  const TriMesh mesh = parse_obj(obj, "");
  EXPECT_EQ(read_mesh(file("a.OBJ", obj)).triangles, mesh.triangles);
  EXPECT_EQ(read_mesh(file("a.Ply", to_ply(mesh, PlyPrecision::double_precision))).triangles,
            mesh.triangles);
  EXPECT_EQ(read_mesh(file("a.stl",
                           "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                           "vertex 0 1 0\nendloop\nendfacet\nendsolid\n"))
                .triangles,
            mesh.triangles);
}

TEST_F(ReadMesh, ListsTheKnownEndings) {
  EXPECT_THAT(input_error([&] { read_mesh("a.fbx"); }).what(), HasSubstr(".obj, .ply, .stl"));
  EXPECT_THAT(input_error([&] { read_mesh("a"); }).what(), HasSubstr(".obj, .ply, .stl"));
}

TEST_F(ReadMesh, ComparesTheContentWithTheEnding) {
  const fs::path wrong = file("a.stl", obj);
  EXPECT_THAT(input_error([&] { read_mesh(wrong); }).what(), HasSubstr("that of a .obj file"));
  const fs::path ply = file("a.obj", "ply\nformat ascii 1.0\n");
  EXPECT_THAT(input_error([&] { read_mesh(ply); }).what(), HasSubstr("that of a .ply file"));
}

TEST_F(ReadMesh, NamesTheFileInErrors) {
  const fs::path bad = file("bad.obj", "v 0 0\n");
  EXPECT_EQ(input_error([&] { read_mesh(bad); }).location().file, bad.string());
  EXPECT_THAT(input_error([&] { read_mesh(folder_ / "none.obj"); }).what(), HasSubstr("no such"));
}

TEST_F(ReadMesh, WritesAndReadsEveryBitOfADouble) {
  const TriMesh mesh = rugged_mesh();
  for (const TriMesh& back : {parse_obj(to_obj(mesh), "a.obj"),
                              parse_ply(to_ply(mesh, PlyPrecision::double_precision), "a.ply")}) {
    EXPECT_EQ(back.vertices, mesh.vertices);
    EXPECT_EQ(back.triangles, mesh.triangles);
  }
}

TEST_F(ReadMesh, RefusesCoordinatesThatNothingHas) {
  write_mesh(folder_ / "a.obj", rugged_mesh());
  EXPECT_THROW(read_mesh(folder_ / "a.obj"), util::InputError);
}

TEST_F(ReadMesh, RoundsToFloatInSinglePrecisionPly) {
  TriMesh mesh = parse_obj(obj, "");
  mesh.vertices[1] = Vec3(0.1, 1.0 / 3.0, 1e-3);
  const TriMesh back = parse_ply(to_ply(mesh, PlyPrecision::single_precision), "");
  EXPECT_EQ(back.vertices[1], mesh.vertices[1].cast<float>().cast<double>());
}

TEST_F(ReadMesh, KeepsGroupsInObj) {
  TriMesh mesh = parse_obj(obj, "");
  mesh.triangles.resize(4, mesh.triangles[0]);
  mesh.triangle_group = {0, 1, 2, 1};
  for (const char* const name : {"body/steel", "two words", "#4"}) {
    mesh.groups = {"", name, "rim"};
    const TriMesh back = parse_obj(to_obj(mesh), "");
    const std::string expected = std::string(name) == "#4" ? "_4" : name;
    EXPECT_THAT(back.groups, testing::ElementsAre("", expected, "rim"));
    EXPECT_EQ(back.triangle_group, mesh.triangle_group);
  }
}

TEST_F(ReadMesh, RefusesToWriteAnUnknownEnding) {
  EXPECT_THAT(input_error([&] { write_mesh(folder_ / "a.stl", rugged_mesh()); }).what(),
              HasSubstr(".obj, .ply"));
  EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace peal::geometry
