#include <peal/base/modes_file.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/program.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>

#include "source_dir.h"

namespace peal::base {
namespace {

ModalModel small_model() {
  ModalModel model;
  model.mass = 0.25;
  model.modes = {{440.0, 3.0, 0.001}, {880.5, 6.0, 0.002}};
  model.surface = geometry::box_mesh({1, 1, 1}, 1.0);
  model.shapes =
      Eigen::MatrixXf::Random(3 * static_cast<Eigen::Index>(model.surface.vertices.size()), 2);
  return model;
}

TEST(ModesFile, WhatIsWrittenIsReadBack) {
  const ModalModel model = small_model();
  const ModalModel back = parse_modes(modes_bytes(model), "x.modes");
  EXPECT_EQ(back.mass, 0.25);
  ASSERT_EQ(back.modes.size(), 2u);
  EXPECT_EQ(back.modes[1].frequency, 880.5);
  EXPECT_EQ(back.modes[1].decay_rate, 6.0);
  EXPECT_EQ(back.modes[1].relative_error, 0.002);
  EXPECT_EQ(back.surface.vertices, model.surface.vertices);
  EXPECT_EQ(back.surface.triangles, model.surface.triangles);
  EXPECT_EQ(back.shapes, model.shapes);
}

TEST(ModesFile, ACutOrChangedFileIsRefused) {
  const std::string bytes = modes_bytes(small_model());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(parse_modes(std::string_view(bytes).substr(0, size), "x"), util::InputError);
  for (std::size_t at = 0; at < bytes.size(); at += 7) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x40);
    EXPECT_THROW(parse_modes(changed, "x"), util::InputError) << at;
  }
}

TEST(ModesFile, WhatNoBodyCanHaveIsRefusedWithTheNameOfTheFile) {
  const auto complaint = [](const auto& spoil) -> std::string {
    ModalModel model = small_model();
    spoil(model);
    try {
      parse_modes(modes_bytes(model), "cup.modes");
      return "";
    } catch (const util::InputError& error) {
      return error.what();
    }
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  using testing::AllOf, testing::HasSubstr;
  EXPECT_EQ(complaint([](ModalModel&) {}), "");
  EXPECT_THAT(complaint([](ModalModel& m) { m.modes[1].decay_rate = -1.0; }),
              AllOf(HasSubstr("cup.modes"), HasSubstr("decay rate of a mode is negative")));
  EXPECT_THAT(complaint([&](ModalModel& m) { m.modes[0].decay_rate = nan; }),
              HasSubstr("decay rate"));
  EXPECT_THAT(complaint([&](ModalModel& m) { m.modes[0].relative_error = nan; }),
              HasSubstr("error of a mode"));
  EXPECT_THAT(complaint([&](ModalModel& m) { m.shapes(3, 1) = static_cast<float>(nan); }),
              HasSubstr("the shape of a mode is not a number"));
  EXPECT_THAT(complaint([](ModalModel& m) { m.surface.triangles.clear(); }),
              HasSubstr("it has no triangles"));
}

TEST(ModesFile, WhatIsNoModesFileIsRefusedByItsFirstBytes) {
  // A file with holes, larger than what is read at once.
  const auto path = std::filesystem::temp_directory_path() / "peal-large.modes";
  util::write_file(path, "RIFF");
  std::filesystem::resize_file(path, std::uintmax_t{3} << 30);
  EXPECT_THAT([&] { read_modes(path); },
              testing::ThrowsMessage<util::InputError>(testing::HasSubstr("not a .modes file")));
  std::filesystem::remove(path);
}

TEST(ModesFile, AnotherVersionIsNamedAsSuch) {
  std::string bytes = modes_bytes(small_model());
  bytes[10] = '1';
  try {
    parse_modes(bytes, "x.modes");
    FAIL();
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.problem(), testing::HasSubstr("another version"));
  }
}

TEST(ModesFile, BytesLieWhereTheDocumentationSays) {
  const ModalModel model = small_model();
  const std::string bytes = modes_bytes(model);
  const std::size_t n = 2, v = model.surface.vertices.size(), t = model.surface.triangles.size();
  const auto read = [&]<class Number>(std::size_t at, Number) {
    Number value{};
    std::memcpy(&value, bytes.data() + at, sizeof(Number));
    return value;
  };
  EXPECT_EQ(bytes.substr(0, 16), "PEALMODES 2\n    ");
  EXPECT_EQ(read(16, std::uint64_t{}), n);
  EXPECT_EQ(read(24, std::uint64_t{}), v);
  EXPECT_EQ(read(32, std::uint64_t{}), t);
  EXPECT_EQ(read(40, double{}), model.mass);
  EXPECT_EQ(read(48 + 24, double{}), model.modes[1].frequency);
  EXPECT_EQ(read(48 + 24 + 8, double{}), model.modes[1].decay_rate);
  EXPECT_EQ(read(48 + 24 + 16, double{}), model.modes[1].relative_error);
  const std::size_t vertices = 48 + 24 * n, triangles = vertices + 24 * v,
                    shapes = triangles + 12 * t;
  EXPECT_EQ(read(vertices + 24 * 3 + 8, double{}), model.surface.vertices[3].y());
  EXPECT_EQ(read(triangles + 12 * 5 + 8, std::uint32_t{}), model.surface.triangles[5][2]);
  EXPECT_EQ(read(shapes + 12 * v + 12 * 2 + 4, float{}), model.shapes(3 * 2 + 1, 1));
  EXPECT_EQ(bytes.size(), shapes + 12 * n * v + 32);
}

/// The lines of Python between the fences of docs/modes-format.md.
std::string documented_reader() {
  const std::string page =
      util::read_file(std::filesystem::path(PEAL_SOURCE_DIR) / "docs" / "modes-format.md");
  const std::string fence = "```python\n";
  const std::size_t begin = page.find(fence) + fence.size();
  return page.substr(begin, page.find("```", begin) - begin);
}

TEST(ModesFile, TheDocumentedLinesOfNumpyReadIt) {
  const std::filesystem::path python = "/usr/bin/python3";  // Debian's, which has Debian's numpy
  const ModalModel model = small_model();
  const auto folder = std::filesystem::path(testing::TempDir()) / "peal-modes-numpy";
  write_modes(folder / "mug.modes", model);
  std::string script = documented_reader();
  const std::string name = "\"mug.modes\"";
  ASSERT_NE(script.find(name), std::string::npos);
  script.replace(script.find(name), name.size(), '"' + (folder / "mug.modes").string() + '"');
  script += fmt::format(
      "assert modes.tolist() == [[440.0, 3.0, 0.001], [880.5, 6.0, 0.002]]\n"
      "assert vertices.shape == ({0}, 3) and triangles.shape == ({1}, 3)\n"
      "assert shapes.shape == (2, {0}, 3) and abs(float(shapes[1, 2, 1]) - {2:.9g}) < 1e-7\n"
      "assert triangles.max() == {0} - 1\n",
      model.surface.vertices.size(), model.surface.triangles.size(),
      static_cast<double>(model.shapes(7, 1)));
  const auto end = util::run_program(python, {"-c", script});
  EXPECT_TRUE(end.fine) << end.message;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace peal::base
