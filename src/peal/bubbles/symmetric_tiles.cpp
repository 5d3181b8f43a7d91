#include <peal/bubbles/symmetric_tiles.h>
#include <peal/util/lanes.h>

namespace peal::bubbles {

namespace {

using TileLanes = util::Widest<float>;
constexpr std::size_t tile_size = util::widest_lanes<float>;

}  // namespace

void SymmetricTiles::assign(const Eigen::MatrixXf& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.rows());
  const std::size_t tiles = (rows + tile_size - 1) / tile_size;
  diagonal_.assign(tiles * tile_size, 0.0f);
  below_.assign(tiles * (tiles + 1) / 2 * tile_size * tile_size, 0.0f);
  float* to = below_.data();
  for (std::size_t right = 0; right < tiles; ++right) {
    for (std::size_t down = right; down < tiles; ++down) {
      for (std::size_t c = 0; c < tile_size; ++c, to += tile_size) {
        const std::size_t column = right * tile_size + c;
        if (column >= rows) continue;
        for (std::size_t r = 0; r < tile_size; ++r) {
          const std::size_t row = down * tile_size + r;
          if (row <= column || row >= rows) continue;
          to[r] = matrix(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column));
        }
      }
    }
  }
  for (std::size_t i = 0; i < rows; ++i)
    diagonal_[i] = matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i));
}

void SymmetricTiles::multiply(const float* from, float* to) const {
  const std::size_t size = padded();
  for (std::size_t i = 0; i < size; ++i) to[i] = diagonal_[i] * from[i];
  const float* tile = below_.data();
  for (std::size_t right = 0; right < size; right += tile_size) {
    TileLanes columns[tile_size] = {};
    for (std::size_t down = right; down < size; down += tile_size) {
      const auto at_rows = util::load<TileLanes>(from + down);
      TileLanes rows{};
      for (std::size_t c = 0; c < tile_size; ++c, tile += tile_size) {
        const auto values = util::load_once<TileLanes>(tile);
        columns[c] += values * at_rows;
        rows += values * from[right + c];
      }
      util::store(to + down, util::load<TileLanes>(to + down) + rows);
    }
    for (std::size_t c = 0; c < tile_size; ++c) to[right + c] += util::sum_of<float>(columns[c]);
  }
}

}  // namespace peal::bubbles
