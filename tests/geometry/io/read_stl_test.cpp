#include <peal/geometry/io/read_stl.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "geometry/read_errors.h"

namespace peal::geometry {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using FloatCorners = std::array<std::array<float, 3>, 3>;

/// A tetrahedron as STL stores it: four triangles with twelve vertices.
const std::vector<FloatCorners> tetrahedron = {{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}},
                                               {{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}},
                                               {{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}},
                                               {{{1, 0, 0}, {0, 1, 0}, {-0.0f, 0, 1}}}};

std::string binary(const std::vector<FloatCorners>& triangles, const std::string& comment = "") {
  std::string bytes = comment;
  bytes.resize(80, '\0');
  const auto append = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  append(static_cast<std::uint32_t>(triangles.size()));
  for (const FloatCorners& corners : triangles) {
    append(std::array<float, 3>{});
    append(corners);
    append(std::uint16_t{0});
  }
  return bytes;
}

std::string ascii(const std::vector<FloatCorners>& triangles, const std::string& name = "") {
  std::string text = "solid " + name + "\n";
  for (const FloatCorners& corners : triangles) {
    text += "  facet normal nan nan nan\n    outer loop\n";
    for (const auto& [x, y, z] : corners) {
      text += "      vertex " + std::to_string(x) + " " + std::to_string(y) + " " +
              std::to_string(z) + "\n";
    }
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid " + name + "\n";
}

TriMesh stl_mesh(const std::string& bytes) {
  return parse_stl(bytes, "a.stl");
}

std::string stl_error(const std::string& bytes) {
  return input_error([&] { stl_mesh(bytes); }).what();
}

TEST(ReadStl, WeldsTheVerticesOfATetrahedron) {
  for (const std::string& bytes : {binary(tetrahedron), ascii(tetrahedron)}) {
    const TriMesh mesh = stl_mesh(bytes);
    EXPECT_THAT(mesh.vertices,
                ElementsAre(Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)));
    EXPECT_THAT(mesh.triangles, ElementsAre(Triangle{0, 1, 2}, Triangle{0, 2, 3}, Triangle{0, 3, 1},
                                            Triangle{2, 1, 3}));
    EXPECT_TRUE(mesh.groups.empty());
  }
}

TEST(ReadStl, WeldsManyVerticesExactly) {
  std::vector<FloatCorners> strip;
  for (int k = 0; k < 5000; ++k) {
    const auto x = static_cast<float>(k) * 1e-3f;
    const float next = static_cast<float>(k + 1) * 1e-3f;
    strip.push_back({{{x, 0, 0}, {next, 0, 0}, {x, 1, 0}}});
  }
  EXPECT_EQ(stl_mesh(binary(strip)).vertices.size(), 10001u);
}

TEST(ReadStl, KnowsABinaryFileThatBeginsWithSolid) {
  EXPECT_EQ(stl_mesh(binary(tetrahedron, "solid made by a program")).triangles.size(), 4u);
}

TEST(ReadStl, MakesGroupsOfNamedSolids) {
  const std::string one = ascii({tetrahedron[0]}, "left half");
  const std::string other = ascii({tetrahedron[1]}, "right");
  const TriMesh mesh = stl_mesh(one + other + one);
  EXPECT_THAT(mesh.groups, ElementsAre("left half", "right"));
  EXPECT_THAT(mesh.triangle_group, ElementsAre(0, 1, 0));
}

TEST(ReadStl, ReadsUpperCaseAndWindowsLineEnds) {
  EXPECT_EQ(stl_mesh("SOLID\r\nFACET NORMAL 0 0 1\r\nOUTER LOOP\r\nVERTEX 0 0 0\r\nVERTEX 1 0 0\r\n"
                     "VERTEX 0 1 0\r\nENDLOOP\r\nENDFACET\r\nENDSOLID")
                .triangles.size(),
            1u);
}

TEST(ReadStl, NamesTheSizeABinaryFileShouldHave) {
  const std::string whole = binary(tetrahedron);
  EXPECT_THAT(stl_error(whole.substr(0, 200)),
              HasSubstr("4 triangles would have 284 bytes, not 200"));
  EXPECT_THAT(stl_error(whole + "x"), HasSubstr("not 285"));
  EXPECT_THAT(stl_error(binary(tetrahedron, "solid").substr(0, 200)), HasSubstr("284 bytes"));
  EXPECT_THAT(stl_error(""), HasSubstr("0 bytes are too few"));
  EXPECT_THAT(stl_error(binary({})), HasSubstr("no triangles"));
}

TEST(ReadStl, RefusesCoordinatesThatAreNotFinite) {
  std::vector<FloatCorners> bad = tetrahedron;
  bad[1][2][0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(stl_error(binary(bad)), HasSubstr("byte 170: a corner of triangle 1"));
  EXPECT_THAT(stl_error("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 1e400 0\n"),
              HasSubstr("line 4: the y coordinate"));
}

TEST(ReadStl, NamesTheLineAndTheExpectedWord) {
  EXPECT_THAT(stl_error("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n"),
              HasSubstr("line 5: found \"endloop\"\n  Expected \"vertex\""));
  EXPECT_THAT(stl_error("solid\nfacet normal 0 0\n"), HasSubstr("line 2: the normal"));
  EXPECT_THAT(stl_error("solid\nfacet normal 0 0 1\nouter"), HasSubstr("ends too early"));
  EXPECT_THAT(stl_error("solid \\"), HasSubstr("ends too early"));
  EXPECT_THAT(stl_error(ascii(tetrahedron) + "rest"), HasSubstr("found \"rest\""));
  EXPECT_THAT(stl_error("solid a\nendsolid a\n"), HasSubstr("no facets"));
}

}  // namespace
}  // namespace peal::geometry
