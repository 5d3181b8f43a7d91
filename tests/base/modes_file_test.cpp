#include <peal/base/modes_file.h>
#include <peal/geometry/shapes.h>
#include <peal/util/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace peal::base
