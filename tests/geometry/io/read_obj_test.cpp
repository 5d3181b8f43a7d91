#include <peal/geometry/io/read_obj.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/read_errors.h"

namespace peal::geometry {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string four_corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TriMesh obj_mesh(const std::string& text) {
  return parse_obj(text, "a.obj");
}

/// "file: place: problem cure" of the error that the text must give.
std::string obj_error(const std::string& text) {
  return input_error([&] { obj_mesh(text); }).what();
}

TEST(ReadObj, ReadsVerticesAndFaces) {
  const TriMesh mesh = obj_mesh("# a comment\n\n" + four_corners + "f 1 2 3\n  f\t1 3 4  # half\n");
  EXPECT_THAT(mesh.vertices,
              ElementsAre(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)));
  EXPECT_THAT(mesh.triangles, ElementsAre(Triangle{0, 1, 2}, Triangle{0, 2, 3}));
  EXPECT_TRUE(mesh.groups.empty());
  EXPECT_TRUE(mesh.triangle_group.empty());
}

TEST(ReadObj, TakesEveryFormOfACorner) {
  for (const char* const face : {"f 1 2 3", "f 1/1 2/2 3/3", "f 1//7 2//7 3//7",
                                 "f 1/1/1 2/1/1 3/1/1", "f -4 -3 -2", "f -4/-1 -3/-1/-1 3//-1"}) {
    EXPECT_THAT(obj_mesh(four_corners + face).triangles, ElementsAre(Triangle{0, 1, 2})) << face;
  }
}

TEST(ReadObj, CountsNegativeIndicesFromTheLineTheyStandOn) {
  const TriMesh mesh = obj_mesh(four_corners + "f -3 -2 -1\nv 9 9 9\nf -3 -2 -1\n");
  EXPECT_THAT(mesh.triangles, ElementsAre(Triangle{1, 2, 3}, Triangle{2, 3, 4}));
}

TEST(ReadObj, IgnoresWeightsAndColours) {
  const TriMesh mesh = obj_mesh("v 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 1 0.5 0.5 0.5\nf 1 2 3");
  EXPECT_EQ(mesh.vertices.size(), 3u);
  EXPECT_THAT(obj_error("v 0 0 0 1 1\n"), HasSubstr("line 1: the vertex has 5 values"));
}

TEST(ReadObj, CutsLargePolygons) {
  EXPECT_EQ(obj_mesh(four_corners + "f 1 2 3 4").triangles.size(), 2u);
  const TriMesh arrow = obj_mesh("v 0 0 0\nv 2 1 0\nv 0 2 0\nv 0.5 1 0\nf 1 2 3 4");
  EXPECT_NEAR(surface_area(arrow), 1.5, 1e-15);
}

TEST(ReadObj, ReadsWindowsLineEndsContinuationsAndAMissingLastLineEnd) {
  const TriMesh plain = obj_mesh(four_corners + "f 1 2 3\nf 1 3 4\n");
  const std::string texts[] = {
      "v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\nf 1 2 3\r\nf 1 3 4\r\n",
      four_corners + "f 1 2 3\nf 1 3 4",
      four_corners + "f 1 2 3\nf 1 \\\n3 \\\r\n4",
      four_corners + "f 1 2 3\nf 1 3\\\n 4\\\n",
      four_corners + "vn 0 0 \\\n1\nf 1 2 3\nf \\\n1 3 4",
      "\xEF\xBB\xBF" + four_corners + "# ends in a backslash \\\nf 1 2 3\nf 1 3 4"};
  for (const std::string& text : texts) {
    const TriMesh mesh = obj_mesh(text);
    EXPECT_EQ(mesh.triangles, plain.triangles) << text;
    EXPECT_EQ(mesh.vertices, plain.vertices) << text;
  }
}

TEST(ReadObj, EndsAtABackslashAtTheEndOfTheFile) {
  for (const char* const end : {"\\", "\\\n", "\\\r", "\\\r\n", " \\", "\\\n\\", "\\\n\\\n"}) {
    EXPECT_EQ(obj_mesh(four_corners + "f 1 2 3" + end).triangles.size(), 1u);
    EXPECT_THAT(obj_error(end), HasSubstr("no faces"));
  }
}

TEST(ReadObj, CountsContinuedLinesInErrors) {
  EXPECT_THAT(obj_error(four_corners + "f 1 \\\n2 \\\n9\n"), HasSubstr("line 7:"));
  EXPECT_THAT(obj_error(four_corners + "vt 0 \\\n 0\nf 1 2 x"), HasSubstr("line 7:"));
}

TEST(ReadObj, NamesGroupsByTheirLabels) {
  const TriMesh mesh = obj_mesh(four_corners +
                                "f 1 2 3\n"
                                "o phone\nf 1 2 3\n"
                                "usemtl dark steel\nf 1 2 3\n"
                                "g screen front\nf 1 2 3\n"
                                "usemtl\nf 1 2 3\n"
                                "g\nf 1 2 3\n"
                                "o\nusemtl dark steel\nf 1 2 3\n"
                                "g unused\ng screen front\nf 1 2 3\n");
  EXPECT_THAT(mesh.groups, ElementsAre("", "phone", "phone/dark steel", "screen/front/dark steel",
                                       "screen/front", "dark steel"));
  EXPECT_THAT(mesh.triangle_group, ElementsAre(0, 1, 2, 3, 4, 1, 5, 3));
}

TEST(ReadObj, FindsLabelsOfAGroup) {
  EXPECT_TRUE(has_label("body/steel", "body"));
  EXPECT_TRUE(has_label("body/steel", "steel"));
  EXPECT_TRUE(has_label("body/steel", "body/steel"));
  EXPECT_FALSE(has_label("body/steel", "bod"));
  EXPECT_FALSE(has_label("body/steel", "teel"));
  EXPECT_FALSE(has_label("body/steel", ""));
  EXPECT_TRUE(has_label("xa/a", "a"));
}

TEST(ReadObj, IgnoresWhatDoesNotShapePolygons) {
  EXPECT_EQ(obj_mesh("mtllib a.mtl\n" + four_corners + "vt 0 0\nvn 0 0 1\nvp 1\ns off\nf 1 2 3\n")
                .triangles.size(),
            1u);
}

TEST(ReadObj, RefusesGeometryItDoesNotRead) {
  EXPECT_THAT(obj_error(four_corners + "l 1 2\n"), HasSubstr("line 5:"));
  EXPECT_THAT(obj_error(four_corners + "p 1\n"), HasSubstr("loose edges"));
  EXPECT_THAT(obj_error(four_corners + "curv 0 1 1 2\n"), HasSubstr("free-form"));
  EXPECT_THAT(obj_error(four_corners + "surf 0 1 0 1 1 2 3 4\n"), HasSubstr("free-form"));
  EXPECT_THAT(obj_error(four_corners + "usemat a\n"), HasSubstr("Did you mean \"usemtl\"?"));
  EXPECT_THAT(obj_error(std::string("v\0 1 1 1\n", 9)), HasSubstr("\"v\\x00\""));
}

TEST(ReadObj, RefusesNumbersThatAreNotFinite) {
  for (const char* const bad : {"nan", "inf", "-inf", "1e400", "0x1", "1,0", "", "abc"}) {
    EXPECT_THAT(obj_error("v 0 0 0\nv 0 " + std::string(bad) + "\n"), HasSubstr("line 2: the y"))
        << bad;
  }
  EXPECT_THAT(obj_error("v 1 2\n"), HasSubstr("the z coordinate is missing"));
}

TEST(ReadObj, RefusesCornersThatNameNoVertex) {
  for (const char* const bad :
       {"0", "5", "-5", "99999999999999999999999", "-99999999999999999999"}) {
    EXPECT_THAT(obj_error(four_corners + "f 1 2 " + bad), HasSubstr("1 to 4, or -1 to -4")) << bad;
  }
  for (const char* const bad :
       {"a", "1.5", "1/", "1/a", "1//", "1/2/", "/1", "1/2/3/4", "1e2", "-"}) {
    EXPECT_THAT(obj_error(four_corners + "f 1 2 " + bad), HasSubstr("no corner of a face")) << bad;
  }
  EXPECT_THAT(obj_error("f 1 2 3\n" + four_corners), HasSubstr("must come before"));
}

TEST(ReadObj, RefusesFacesThatAreNoPolygons) {
  EXPECT_THAT(obj_error(four_corners + "f 1 2\n"), HasSubstr("line 5: the face has 2 corners"));
  EXPECT_THAT(obj_error(four_corners + "f\n"), HasSubstr("0 corners"));
  EXPECT_THAT(obj_error(four_corners + "f 1 3 2 4\n"), HasSubstr("crosses itself"));
}

TEST(ReadObj, RefusesAFileWithoutFaces) {
  EXPECT_THAT(obj_error(""), HasSubstr("no faces"));
  EXPECT_THAT(obj_error(four_corners), HasSubstr("no faces"));
}

TEST(ReadObj, RefusesEndlessNames) {
  EXPECT_THAT(obj_error("usemtl " + std::string(300, 'x') + "\n"), HasSubstr("longer than 255"));
}

}  // namespace
}  // namespace peal::geometry
