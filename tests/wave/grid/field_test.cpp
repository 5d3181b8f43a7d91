#include <peal/wave/scheme/leapfrog.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace peal::wave {
namespace {

TEST(Field, rows_start_on_half_cache_lines_and_are_zero) {
  const Field<float> field({37, 5, 3});
  for (int z = 0; z < 3; ++z) {
    for (int y = 0; y < 5; ++y) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(field.row(y, z)) % 32, 0u);
    }
  }
  for_each_cell(field.size(), [&](const Cell& c) { ASSERT_EQ(field[c], 0.0F); });
}

TEST(Field, cells_do_not_share_memory_and_swap_exchanges_them) {
  Field<double> one({9, 4, 3}), other({9, 4, 3});
  double value = 0.0;
  for_each_cell(one.size(), [&](const Cell& c) { one[c] = ++value; });
  one.swap(other);
  value = 0.0;
  for_each_cell(one.size(), [&](const Cell& c) {
    ASSERT_EQ(other[c], ++value);
    ASSERT_EQ(one[c], 0.0);
  });
}

TEST(Field, each_row_has_a_place_of_its_own_beyond_both_ends) {
  for (const int n : {13, 14, 15, 16}) {
    Field<float> field({n, 2, 2});
    float value = 0.0F;
    for (const int z : {0, 1}) {
      for (const int y : {0, 1}) field.row(y, z)[-1] = ++value, field.row(y, z)[n] = ++value;
    }
    for_each_cell(field.size(), [&](const Cell& c) { ASSERT_EQ(field[c], 0.0F); });
    value = 0.0F;
    for (const int z : {0, 1}) {
      for (const int y : {0, 1}) {
        EXPECT_EQ(field.row(y, z)[-1], ++value);
        EXPECT_EQ(field.row(y, z)[n], ++value);
      }
    }
  }
}

TEST(Field, a_solver_in_float_takes_at_most_24_bytes_a_cell) {
  for (const int n : {48, 80, 88, 200}) {
    const Grid grid{.size = {n, n, n}};
    const Leapfrog<float> solver(grid, {});
    EXPECT_LE(static_cast<double>(solver.bytes()), 24.0 * static_cast<double>(grid.cells())) << n;
  }
}

}  // namespace
}  // namespace peal::wave
