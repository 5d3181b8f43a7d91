#include <peal/geometry/read_obj.h>
#include <peal/geometry/read_ply.h>
#include <peal/geometry/read_stl.h>
#include <peal/util/error.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "fuzzing/reader_under_test.h"

namespace peal::fuzzing {

namespace {

void require(bool promise, const char* text) {
  if (!promise) throw std::logic_error(text);
}

/// What every mesh reader promises.
void check(const geometry::TriMesh& mesh) {
  require(!mesh.triangles.empty(), "an empty mesh");
  for (const geometry::Vec3& vertex : mesh.vertices) require(vertex.allFinite(), "not finite");
  for (const geometry::Triangle& triangle : mesh.triangles) {
    for (const std::uint32_t index : triangle) {
      require(index < mesh.vertices.size(), "an index out of range");
    }
  }
  require(mesh.triangle_group.size() == (mesh.groups.empty() ? 0 : mesh.triangles.size()),
          "groups of some triangles only");
  for (const std::uint32_t group : mesh.triangle_group) {
    require(group < mesh.groups.size(), "a group out of range");
  }
}

}  // namespace

const std::vector<ReaderUnderTest>& readers_under_test() {
  static const std::vector<ReaderUnderTest> readers = {
      {"obj", [](std::string_view bytes) { check(geometry::parse_obj(bytes, "fuzz.obj")); }},
      {"ply", [](std::string_view bytes) { check(geometry::parse_ply(bytes, "fuzz.ply")); }},
      {"stl", [](std::string_view bytes) { check(geometry::parse_stl(bytes, "fuzz.stl")); }},
  };
  return readers;
}

std::string failure(const ReaderUnderTest& reader, std::string_view bytes) {
  const auto copy = std::make_unique_for_overwrite<char[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  try {
    reader.read({copy.get(), bytes.size()});
  } catch (const util::InputError& error) {
    return error.problem().empty() ? "an error without a text" : "";
  } catch (const std::exception& error) {
    return std::string("threw something else than InputError: ") + error.what();
  }
  return "";
}

}  // namespace peal::fuzzing
