#include <peal/geometry/io/read_bobj.h>
#include <peal/geometry/io/read_mesh.h>
#include <peal/util/files.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "geometry/read_errors.h"
#include "source_dir.h"

namespace peal::geometry {
namespace {

using testing::HasSubstr;

const std::string seeds = PEAL_SOURCE_DIR "/tests/fuzzing/corpus/bobj/";

std::string bobj_error(const std::string& bytes) {
  return input_error([&] { parse_bobj(bytes, "fluid.bobj.gz"); }).what();
}

template <class Value>
std::string with_value(std::string bytes, std::size_t at, Value value) {
  std::memcpy(bytes.data() + at, &value, sizeof(value));
  return bytes;
}

TEST(ReadBobj, ReadsAFrameOfAFluidCacheCompressedOrPlain) {
  for (const char* name : {"tetrahedron.bobj", "tetrahedron.bobj.gz"}) {
    const TriMesh mesh = read_mesh(seeds + name);
    ASSERT_EQ(mesh.vertices.size(), 4u) << name;
    ASSERT_EQ(mesh.triangles.size(), 4u);
    EXPECT_EQ(mesh.vertices[2], Vec3(0, 1, 0));
    EXPECT_EQ(mesh.triangles[3], (Triangle{1, 2, 3}));
  }
}

TEST(ReadBobj, SaysWhatIsWrongWithAFrame) {
  const std::string plain = util::read_file(seeds + "tetrahedron.bobj");
  EXPECT_THAT(bobj_error(plain.substr(0, 30)), HasSubstr("too short for its vertices"));
  EXPECT_THAT(bobj_error(plain.substr(0, plain.size() - 1)), HasSubstr("triangles"));
  EXPECT_THAT(bobj_error(plain + "x"), HasSubstr("goes on"));
  EXPECT_THAT(bobj_error(with_value(plain, 0, -1)), HasSubstr("has -1 vertices"));
  EXPECT_THAT(bobj_error(with_value(plain, 0, 2'000'000'000)), HasSubstr("too short"));
  EXPECT_THAT(bobj_error(with_value(plain, 4, std::numeric_limits<float>::quiet_NaN())),
              HasSubstr("not a finite number"));
  EXPECT_THAT(bobj_error(with_value(plain, plain.size() - 4, 4)), HasSubstr("the vertex 4 of 4"));
  EXPECT_THAT(bobj_error(std::string(12, '\0')), HasSubstr("no liquid in this frame"));
}

TEST(ReadBobj, SaysWhereCompressedDataAreDamaged) {
  const std::string bytes = util::read_file(seeds + "tetrahedron.bobj.gz");
  EXPECT_THAT(bobj_error(bytes.substr(0, bytes.size() / 2)), HasSubstr("end too early"));
  std::string damaged = bytes;
  damaged[12] = static_cast<char>(damaged[12] ^ 0x55);
  EXPECT_FALSE(bobj_error(damaged).empty());
  damaged = bytes;
  damaged[bytes.size() - 6] = static_cast<char>(damaged[bytes.size() - 6] ^ 1);  // checksum
  EXPECT_FALSE(bobj_error(damaged).empty());
}

}  // namespace
}  // namespace peal::geometry
