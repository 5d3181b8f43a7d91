#include <peal/bubbles/symmetric_tiles.h>
#include <peal/util/lanes.h>

#include <utility>

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace peal::bubbles {

namespace {

using TileLanes = util::Widest<float>;
constexpr std::size_t tile_size = util::widest_lanes<float>;

/// Loads values of half precision. (GCC 12 does not vectorise the conversion without intrinsics.)
TileLanes load_half(const Eigen::half* from) {
  TileLanes values;
#if defined(__AVX512F__)
  values = TileLanes(_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
#elif defined(__F16C__)
  values = TileLanes(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#else
  for (std::size_t i = 0; i < tile_size; ++i) values[i] = static_cast<float>(from[i]);
#endif
  return values;
}

/// Joins a and b: of each pair of lanes whose numbers differ by `width`, the sum, that of a in the
/// lower and that of b in the upper.
template <std::size_t width, std::size_t... lane>
TileLanes joined(const TileLanes& a, const TileLanes& b, std::index_sequence<lane...>) {
  const TileLanes first = __builtin_shufflevector(
      a, b, ((lane & width) == 0 ? int(lane) : int(tile_size + lane - width))...);
  const TileLanes second = __builtin_shufflevector(
      a, b, ((lane & width) == 0 ? int(lane + width) : int(tile_size + lane))...);
  return first + second;
}

/// Lane i is the sum of all lanes of columns[i].
template <std::size_t width = tile_size / 2>
TileLanes sums_of(TileLanes* columns) {
  for (std::size_t c = 0; c < width; ++c)
    columns[c] =
        joined<width>(columns[c], columns[c + width], std::make_index_sequence<tile_size>());
  if constexpr (width == 1)
    return columns[0];
  else
    return sums_of<width / 2>(columns);
}

}  // namespace

void SymmetricTiles::assign(const Eigen::MatrixXf& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.rows());
  const std::size_t tiles = (rows + tile_size - 1) / tile_size;
  diagonal_.assign(tiles * tile_size, 0.0f);
  below_.assign(tiles * (tiles + 1) / 2 * tile_size * tile_size, Eigen::half{});
  Eigen::half* to = below_.data();
  for (std::size_t right = 0; right < tiles; ++right) {
    for (std::size_t down = right; down < tiles; ++down) {
      for (std::size_t c = 0; c < tile_size; ++c, to += tile_size) {
        const std::size_t column = right * tile_size + c;
        if (column >= rows) continue;
        for (std::size_t r = 0; r < tile_size; ++r) {
          const std::size_t row = down * tile_size + r;
          if (row <= column || row >= rows) continue;
          to[r] = static_cast<Eigen::half>(
              matrix(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)));
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
  const Eigen::half* tile = below_.data();
  for (std::size_t right = 0; right < size; right += tile_size) {
    TileLanes columns[tile_size] = {};
    for (std::size_t down = right; down < size; down += tile_size) {
      const auto at_rows = util::load<TileLanes>(from + down);
      TileLanes rows[2] = {};  // two sums: an addition takes several cycles
      for (std::size_t c = 0; c < tile_size; ++c, tile += tile_size) {
        const auto values = load_half(tile);
        columns[c] += values * at_rows;
        rows[c % 2] += values * from[right + c];
      }
      util::store(to + down, util::load<TileLanes>(to + down) + (rows[0] + rows[1]));
    }
    util::store(to + right, util::load<TileLanes>(to + right) + sums_of(columns));
  }
}

}  // namespace peal::bubbles
