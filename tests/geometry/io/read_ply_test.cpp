#include <peal/geometry/io/read_ply.h>
#include <peal/geometry/io/read_ply_binary.h>
#include <peal/util/files.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "geometry/read_errors.h"

namespace peal::geometry {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TriMesh ply_mesh(const std::string& bytes) {
  return parse_ply(bytes, "a.ply");
}

std::string ply_error(const std::string& bytes) {
  return input_error([&] { ply_mesh(bytes); }).what();
}

/// Bytes of numbers in either order.
class Bytes {
 public:
  explicit Bytes(bool big_endian) : big_endian_(big_endian) {}

  template <class Value>
  Bytes& add(Value value) {
    std::array<char, sizeof(Value)> bytes;
    std::memcpy(bytes.data(), &value, sizeof(Value));
    if (big_endian_) std::reverse(bytes.begin(), bytes.end());
    text.append(bytes.data(), bytes.size());
    return *this;
  }

  std::string text;

 private:
  bool big_endian_;
};

const std::string plain_header =
    "ply\nformat binary_little_endian 1.0\ncomment by hand\nelement vertex 4\nproperty float x\n"
    "property float y\nproperty float z\nelement face 2\nproperty list uchar int vertex_indices\n"
    "end_header\n";

Bytes plain_vertices() {
  Bytes bytes(false);
  for (const int value : {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}) {
    bytes.add(static_cast<float>(value));
  }
  return bytes;
}

Bytes plain_data() {
  Bytes bytes = plain_vertices();
  for (const auto& [a, b, c] : {std::array{0, 1, 2}, std::array{0, 2, 3}}) {
    bytes.add(std::uint8_t{3}).add(a).add(b).add(c);
  }
  return bytes;
}

void expect_square(const TriMesh& mesh) {
  EXPECT_THAT(mesh.vertices,
              ElementsAre(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)));
  EXPECT_THAT(mesh.triangles, ElementsAre(Triangle{0, 1, 2}, Triangle{0, 2, 3}));
  EXPECT_TRUE(mesh.groups.empty());
}

/// A header with everything unusual: odd orders and types, lists in vertices, unknown elements.
std::string odd_header(const std::string& format) {
  return "ply\r\nformat " + format +
         " 1.0\r\nobj_info x\r\nelement camera 2\r\nproperty double tilt\r\nproperty list ushort "
         "short tags\r\nelement vertex 4\r\nproperty uchar red\r\nproperty double z\r\nproperty "
         "list char float weights\r\nproperty short x\r\nproperty float y\r\nelement face 1\r\n"
         "property int kind\r\nproperty list uint ushort vertex_index\r\nproperty list uchar "
         "double "
         "texcoord\r\nelement edge 1\r\nproperty int a\r\nproperty int b\r\nend_header\r\n";
}

TEST(ReadPly, ReadsTheUsualBinaryLayout) {
  expect_square(ply_mesh(plain_header + plain_data().text));
}

TEST(ReadPly, ReadsOddLayoutsInBothByteOrders) {
  for (const bool big_endian : {false, true}) {
    Bytes bytes(big_endian);
    for (int camera = 0; camera < 2; ++camera) {
      bytes.add(0.5).add(std::uint16_t{2}).add(std::int16_t{1}).add(std::int16_t{2});
    }
    for (const auto& [x, y] :
         {std::pair{0, 0}, std::pair{1, 0}, std::pair{1, 1}, std::pair{0, 1}}) {
      bytes.add(std::uint8_t{9}).add(0.0).add(std::int8_t{1}).add(7.0f);
      bytes.add(static_cast<std::int16_t>(x)).add(static_cast<float>(y));
    }
    bytes.add(std::int32_t{5}).add(std::uint32_t{4});
    for (std::uint16_t index = 0; index < 4; ++index) bytes.add(index);
    bytes.add(std::uint8_t{1}).add(0.25).add(std::int32_t{1}).add(std::int32_t{2});
    const char* const format = big_endian ? "binary_big_endian" : "binary_little_endian";
    expect_square(ply_mesh(odd_header(format) + bytes.text));
  }
}

TEST(ReadPly, ReadsOddLayoutsAsText) {
  expect_square(ply_mesh(odd_header("ascii") +
                         "0.5 2 1 2\r\n0.5 0\r\n"
                         "9 0 1 nan 0 0\r\n9 0 1 7 1 0\r\n\r\n9 0 1 7 1 1\r\n9 0 1 7 0 1\r\n"
                         "5 4 0 1 2 3 1 0.25\r\n1 2"));
}

TEST(ReadPly, ReadsFloatCoordinatesAmongOtherProperties) {
  const std::string header =
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty uchar red\nproperty float "
      "x\nproperty float y\nproperty float z\nproperty double quality\nelement face 1\nproperty "
      "list int uint vertex_indices\nend_header\n";
  Bytes bytes(false);
  for (const float x : {1.5f, -2.5f, 3.25f}) {
    bytes.add('r').add(x).add(2 * x).add(x * x);
    bytes.add(std::numeric_limits<double>::quiet_NaN());
  }
  for (const std::int32_t value : {3, 2, 1, 0}) bytes.add(value);
  const TriMesh mesh = ply_mesh(header + bytes.text);
  EXPECT_THAT(mesh.vertices,
              ElementsAre(Vec3(1.5, 3, 2.25), Vec3(-2.5, -5, 6.25), Vec3(3.25, 6.5, 10.5625)));
  EXPECT_THAT(mesh.triangles, ElementsAre(Triangle{2, 1, 0}));
}

TEST(ReadPly, MixesTrianglesAndPolygons) {
  std::string header = plain_header;
  header.replace(header.find("face 2"), 6, "face 3");
  Bytes bytes = plain_vertices();
  bytes.add(std::uint8_t{3}).add(0).add(1).add(2);
  bytes.add(std::uint8_t{4}).add(0).add(1).add(2).add(3);
  bytes.add(std::uint8_t{3}).add(1).add(2).add(3);
  EXPECT_THAT(
      ply_mesh(header + bytes.text).triangles,
      ElementsAre(Triangle{0, 1, 2}, Triangle{0, 1, 2}, Triangle{0, 2, 3}, Triangle{1, 2, 3}));
}

TEST(ReadPly, ReadsTheSameThroughAWindowOfAnySize) {
  std::string header = plain_header;
  header.replace(header.find("vertex 4"), 8, "vertex 1000");
  header.replace(header.find("face 2"), 6, "face 1000");
  Bytes bytes(false);
  for (int k = 0; k < 3000; ++k)
    bytes.add(static_cast<float>(k % 7) + 0.001f * static_cast<float>(k));
  for (int k = 0; k < 1000; ++k) {
    const std::uint8_t count = k % 10 == 9 ? 100 : 3;
    bytes.add(count);
    for (int corner = 0; corner < count; ++corner) bytes.add(count == 3 ? (k + corner) % 1000 : k);
  }
  const TriMesh whole = ply_mesh(header + bytes.text);
  const auto path = std::filesystem::path(testing::TempDir()) /
                    ("peal_window_" + std::to_string(::getpid()) + ".ply");
  util::write_file(path, header + bytes.text);
  for (const std::size_t window : {1u, 13u, 100u, 1000u, 4096u}) {
    util::InputFile file(path);
    ByteStream stream(file, window);
    const PlyHeader parsed = parse_ply_header(header, file.size(), "a.ply");
    const TriMesh mesh = parse_ply_binary(stream, parsed, "a.ply");
    EXPECT_EQ(mesh.vertices, whole.vertices) << window;
    EXPECT_EQ(mesh.triangles, whole.triangles) << window;
  }
  EXPECT_EQ(read_binary_ply(path)->triangles, whole.triangles);
  std::filesystem::remove(path);
}

TEST(ReadPly, RefusesCountsThatTheFileCannotHold) {
  for (const char* const count : {"4294967295", "1000000", "5"}) {
    std::string header = plain_header;
    header.replace(header.find("vertex 4"), 8, std::string("vertex ") + count);
    const std::string what = ply_error(header + plain_vertices().text);
    EXPECT_THAT(what, HasSubstr("but the file has only")) << count;
  }
  std::string header = plain_header;
  header.replace(header.find("vertex 4"), 8, "vertex 4294967296");
  EXPECT_THAT(ply_error(header + plain_data().text), HasSubstr("At most 4294967295"));
  for (const char* const count : {"-4", "", "x", "4.5", "99999999999999999999999"}) {
    header = plain_header;
    header.replace(header.find("vertex 4"), 8, std::string("vertex ") + count);
    EXPECT_THAT(ply_error(header + plain_data().text), HasSubstr("line 4: the count")) << count;
  }
}

TEST(ReadPly, NamesTheByteOfABadIndexCountOrCoordinate) {
  const std::size_t data = plain_header.size();
  const std::size_t face = data + 48;
  const auto with = [&](std::size_t at, char byte) {
    std::string bytes = plain_header + plain_data().text;
    bytes[at] = byte;
    return ply_error(bytes);
  };
  EXPECT_THAT(with(face + 1, 4), HasSubstr("byte " + std::to_string(face + 1) + ": face 0 uses"));
  EXPECT_THAT(with(face + 8, '\x80'), HasSubstr("uses vertex -2147483647"));
  EXPECT_THAT(with(face + 13, 2), HasSubstr("face 1 has 2 corners"));
  EXPECT_THAT(with(face + 13, 4), HasSubstr("ends within \"face\" 1 of 2"));
  std::string bytes = plain_header + plain_data().text;
  const float infinity = std::numeric_limits<float>::infinity();
  std::memcpy(bytes.data() + data + 16, &infinity, 4);
  EXPECT_THAT(ply_error(bytes), HasSubstr("vertex 1 has a coordinate"));
}

TEST(ReadPly, RefusesNegativeListLengths) {
  std::string header = plain_header;
  header.replace(header.find("list uchar"), 10, "list char");
  std::string bytes = header + plain_data().text;
  bytes[header.size() + 48] = '\xff';
  EXPECT_THAT(ply_error(bytes), HasSubstr("has -1 entries"));
}

TEST(ReadPly, RefusesDataLeftOver) {
  EXPECT_THAT(ply_error(plain_header + plain_data().text + "abc"), HasSubstr("3 bytes are left"));
  EXPECT_NO_THROW(ply_mesh(plain_header + plain_data().text + "\n"));
}

TEST(ReadPly, RefusesSurfacesItDoesNotRead) {
  const std::string vertex = "element vertex 1\nproperty int x\nproperty int y\nproperty int z\n";
  const std::string start = "ply\nformat ascii 1.0\n";
  EXPECT_THAT(ply_error(start + vertex + "end_header\n0 0 0\n"), HasSubstr("point cloud"));
  EXPECT_THAT(ply_error(start + vertex +
                        "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"),
              HasSubstr("strips"));
  EXPECT_THAT(ply_error(start + "element face 1\nproperty list int int vertex_index\n" + vertex +
                        "end_header\n"),
              HasSubstr("before element vertex"));
  EXPECT_THAT(ply_error(start + "element vertex 1\nproperty int x\nelement face 1\nproperty list "
                                "int int vertex_index\nend_header\n"),
              HasSubstr("no number y"));
  EXPECT_THAT(ply_error(start + vertex +
                        "element face 1\nproperty list int float vertex_index\n"
                        "end_header\n"),
              HasSubstr("whole numbers"));
}

TEST(ReadPly, RefusesBrokenHeaders) {
  EXPECT_THAT(ply_error(""), HasSubstr("line \"ply\""));
  EXPECT_THAT(ply_error("ply\nformat ascii 1.0\n"), HasSubstr("end_header"));
  EXPECT_THAT(ply_error("ply\nend_header\n"), HasSubstr("no line \"format\""));
  EXPECT_THAT(ply_error("ply\nformat binary 1.0\nend_header\n"),
              HasSubstr("line 2: unknown format"));
  EXPECT_THAT(ply_error("ply\nformat ascii 2.0\nend_header\n"), HasSubstr("version"));
  EXPECT_THAT(ply_error("ply\nelemnt vertex 3\nend_header\n"), HasSubstr("\"element\"?"));
  EXPECT_THAT(ply_error("ply\nproperty int x\nend_header\n"), HasSubstr("before any element"));
  EXPECT_THAT(ply_error("ply\nelement vertex 3\nproperty flaot x\nend_header\n"),
              HasSubstr("\"float\"?"));
  EXPECT_THAT(ply_error("ply\nelement vertex 3\nproperty int x\nproperty int x\nend_header\n"),
              HasSubstr("second property"));
}

TEST(ReadPly, RefusesEndlessHeadersAtOnce) {
  std::string properties = "ply\nelement vertex 3\n";
  std::string elements = "ply\n";
  for (int k = 0; k < 100000; ++k) {
    properties += "property int p" + std::to_string(k) + "\n";
    elements += "element e" + std::to_string(k) + " 1\n";
  }
  EXPECT_THAT(ply_error(properties + "end_header\n"), HasSubstr("more than 256 properties"));
  EXPECT_THAT(ply_error(elements + "end_header\n"), HasSubstr("more than 256 elements"));
}

TEST(ReadPly, NamesTheLineOfBadText) {
  const std::string start =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
      "z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
  const std::string vertices = "0 0 0\n1 0 0\n0 1 0\n";
  EXPECT_EQ(ply_mesh(start + vertices + "3 0 1 2").triangles.size(), 1u);
  EXPECT_THAT(ply_error(start + "0 0 0\n1 1e400 0\n0 1 0\n3 0 1 2\n"), HasSubstr("line 11:"));
  EXPECT_THAT(ply_error(start + "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n"), HasSubstr("line 11:"));
  EXPECT_THAT(ply_error(start + vertices + "3 0 1 3\n"),
              HasSubstr("line 13: a face uses vertex 3"));
  EXPECT_THAT(ply_error(start + vertices + "3 0 1 -1\n"), HasSubstr("not negative"));
  EXPECT_THAT(ply_error(start + vertices + "-3 0 1 2\n"), HasSubstr("not negative"));
  EXPECT_THAT(ply_error(start + vertices + "3 0 1\n"), HasSubstr("is missing"));
  EXPECT_THAT(ply_error(start + vertices + "3 0 1 2 0\n"), HasSubstr("unexpected \"0\""));
  EXPECT_THAT(ply_error(start + vertices + "3 0 1 2\n3 0 1 2\n"), HasSubstr("after the last"));
  EXPECT_THAT(ply_error(start + "0 0 0\n1 0 0\n0 1.000000000 0\n"),
              HasSubstr("ends before \"face\""));
}

}  // namespace
}  // namespace peal::geometry
