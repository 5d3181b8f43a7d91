#include <peal/util/error.h>
#include <peal/wave/grid/field_layout.h>

#include <gtest/gtest.h>

#include <string>

namespace peal::wave {
namespace {

const Grid vast{.cell_size = 0.001, .size = {4000, 4000, 4000}};

TEST(FieldLayout, finds_each_cell_of_a_field) {
  const Field<float> field({5, 4, 3});
  const FieldLayout layout = layout_of(field);
  for_each_cell(field.size(), [&](const Cell& c) {
    EXPECT_EQ(field.values().data() + layout.at(c), field.row(c[1], c[2]) + c[0]);
  });
}

TEST(FieldLayout, tells_cells_apart_that_differ_by_2_to_the_32) {
  const FieldLayout layout = FieldLayout::packed(vast);
  EXPECT_EQ(layout.at({3999, 3999, 3999}), 63'999'999'999u);
  EXPECT_EQ(layout.at({3999, 3999, 3999}), vast.index({3999, 3999, 3999}));
  // 2^32 = 268 * 4000^2 + 1741 * 4000 + 3296
  const Cell low{7, 5, 3}, high{7 + 3296, 5 + 1741, 3 + 268};
  EXPECT_EQ(layout.at(high) - layout.at(low), CellIndex{1} << 32);
  EXPECT_EQ(vast.cell(layout.at(high)), high);
  EXPECT_EQ(layout.at({3999, 3999, 3999}) & extra_index, 0u);
}

TEST(FieldLayout, steps_lead_to_neighbours) {
  const FieldLayout layout = FieldLayout::packed(vast);
  const Cell cell{17, 3990, 3900};
  for (int face = 0; face < 6; ++face) {
    const CellIndex there =
        layout.at(cell) + static_cast<CellIndex>(std::int64_t{layout.step(face)});
    EXPECT_EQ(vast.cell(there), beyond(cell, face));
  }
}

TEST(FieldLayout, a_grid_beyond_the_limit_is_refused_with_its_size_and_what_to_do) {
  EXPECT_NO_THROW(check_size(vast));
  Grid beyond_limit = vast;
  beyond_limit.size[1] = 4001;
  try {
    check_size(beyond_limit);
    FAIL() << "was not refused";
  } catch (const util::InputError& error) {
    EXPECT_NE(error.problem().find("4000 x 4001 x 4000 = 6.4e+10 cells"), std::string::npos)
        << error.problem();
    EXPECT_NE(error.hint().find("max_frequency"), std::string::npos) << error.hint();
    EXPECT_NE(error.hint().find("domain"), std::string::npos) << error.hint();
  }
}

}  // namespace
}  // namespace peal::wave
