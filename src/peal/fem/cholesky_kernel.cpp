#include <peal/fem/cholesky_kernel.h>
#include <peal/fem/eight.h>

#include <algorithm>
#include <array>
#include <cmath>

// Products with the panels of a factor. Their tiles are stored in the order of the register blocks:
// a general matrix product would first copy both factors into such an order, which takes as long as
// a product with 16 vectors. This file is compiled with fused multiply-adds.
namespace peal::fem {

namespace {

using Eigen::Index;
static_assert(tile == Eight::count);  // a column of a tile, or a part of the right-hand sides

/// The number of sums of eight numbers that fit into registers: AVX-512 has 32 registers, one per
/// sum; others have 16 and need 2 or 4 per sum.
constexpr Index sums_at_once = Eight::registers == 1 ? 24 : 8 / Eight::registers;

/// Calls visit with each part of eight right-hand sides, one after the other.
template <class Visit>
void for_each_part(double* z, const Visit& visit) {
  for (Index lane = 0; lane < rhs_lanes; lane += tile) visit(z + lane);
}

/// The number of columns of the triangle's tile that begins with this row.
Index columns_of(Index width, Index first) {
  return std::min(first + tile, width);
}

/// One part of the right-hand sides, of the rows of a tile.
struct TileRows {
  Eight row[tile];
};
TileRows load_tile(const double* z) {
  TileRows x;
  for (Index i = 0; i < tile; ++i) x.row[i] = load(z + rhs_lanes * i);
  return x;
}

/// Rows of a tile whose sums stay in registers.
constexpr Index solved_rows = std::min(tile, sums_at_once);

/// x.row[i] -= sum over columns k < columns of L(i, k) z_k.
void subtract_tile(TileRows& x, const double* l, Index columns, const double* z) {
  for (Index first = 0; first < tile; first += solved_rows) {
    Eight sums[solved_rows];
    for (Index i = 0; i < solved_rows; ++i) sums[i] = x.row[first + i];
    for (Index k = 0; k < columns; ++k) {
      const Eight zk = load(z + rhs_lanes * k);
      for (Index i = 0; i < solved_rows; ++i)
        subtract_product(sums[i], l[tile * k + first + i], zk);
    }
    for (Index i = 0; i < solved_rows; ++i) x.row[first + i] = sums[i];
  }
}

/// z_k -= sum over the rows i of a tile of L(i, k) x.row[i], for columns k < columns.
void subtract_transposed(const TileRows& x, const double* l, Index columns, double* z) {
  for (Index first = 0; first < tile; first += solved_rows) {
    Eight rows[solved_rows];
    for (Index i = 0; i < solved_rows; ++i) rows[i] = x.row[first + i];
    for (Index k = 0; k < columns; ++k) {
      Eight sum = load(z + rhs_lanes * k);
      for (Index i = 0; i < solved_rows; ++i)
        subtract_product(sum, l[tile * k + first + i], rows[i]);
      store(z + rhs_lanes * k, sum);
    }
  }
}

/// Columns of a panel that are processed together, so that a tile of them stays in the first cache
/// and `rows_at_once` rows in the second.
constexpr Index columns_at_once = 256, rows_at_once = 30 * tile;
/// Columns that are eliminated before the columns after them are updated.
constexpr Index eliminated_at_once = 96;

/// Two tiles of rows for the update c -= a b^T.
struct TilePair {
  const double* a;
  double* c;
};

/// Columns of c, and tiles, whose sums stay in registers.
constexpr Index summed_columns = std::min(tile, sums_at_once);
constexpr Index tiles_at_once = sums_at_once / summed_columns;

/// c -= a b^T for `count` pairs and one tile b. Columns of a and b lie together, `columns` of them;
/// c has `width` columns, at most those of a tile, `next` numbers apart.
template <Index count>
void subtract_tiles(const std::array<TilePair, count>& pairs, const double* b, Index columns,
                    Index width, Index next) {
  for (Index first = 0; first < width; first += summed_columns) {
    Eight sums[count][summed_columns] = {};
    for (Index k = 0; k < columns; ++k) {
      Eight x[count];
      for (Index i = 0; i < count; ++i) x[i] = load(pairs[i].a + k * tile);
      for (Index j = 0; j < summed_columns; ++j)
        for (Index i = 0; i < count; ++i)
          subtract_product(sums[i][j], b[k * tile + first + j], x[i]);
    }
    for (Index j = 0; j < summed_columns && first + j < width; ++j) {
      for (Index i = 0; i < count; ++i) {
        double* to = pairs[i].c + (first + j) * next;
        Eight c = load(to);
        subtract_product(c, -1.0, sums[i][j]);
        store(to, c);
      }
    }
  }
}

/// Computes the update for the pairs pair_of(first) .. pair_of(last - 1).
template <class PairOf>
void subtract_tiles(Index first, Index last, const PairOf& pair_of, const double* b, Index columns,
                    Index width, Index next) {
  Index t = first;
  for (; t + tiles_at_once <= last; t += tiles_at_once) {
    std::array<TilePair, tiles_at_once> pairs;
    for (Index i = 0; i < tiles_at_once; ++i) pairs[i] = pair_of(t + i);
    subtract_tiles<tiles_at_once>(pairs, b, columns, width, next);
  }
  for (; t < last; ++t) subtract_tiles<1>({pair_of(t)}, b, columns, width, next);
}

/// The lower triangle of a tile's own columns: L of A = L L^T.
bool eliminate_tile(double* own, Index columns) {
  for (Index j = 0; j < columns; ++j) {
    for (Index k = 0; k < j; ++k)
      for (Index i = j; i < tile; ++i) own[tile * j + i] -= own[tile * k + i] * own[tile * k + j];
    const double square = own[tile * j + j];
    if (!(square > 0.0)) return false;
    const double root = std::sqrt(square);
    own[tile * j + j] = root;
    for (Index i = j + 1; i < tile; ++i) own[tile * j + i] /= root;
  }
  return true;
}

/// x := x L^-T for a tile x and the triangle of another.
void divide(double* x, const double* triangle, Index columns) {
  Eight done[tile];
  for (Index j = 0; j < columns; ++j) {
    done[j] = load(x + tile * j);
    for (Index k = 0; k < j; ++k) subtract_product(done[j], triangle[tile * k + j], done[k]);
    divide_by(done[j], triangle[tile * j + j]);
    store(x + tile * j, done[j]);
  }
}

}  // namespace

Index PanelShape::triangle_size() const {
  Index size = 0;
  for (Index first = 0; first < width; first += tile) size += tile * columns_of(width, first);
  return size;
}

void pack(const PanelShape& shape, const double* front, Index height, double* panel) {
  const auto put = [&](Index row, Index rows, Index columns) {
    for (Index k = 0; k < columns; ++k, panel += tile) {
      const double* from = front + k * height + row;
      for (Index i = 0; i < tile; ++i) panel[i] = i < rows ? from[i] : 0.0;
    }
  };
  for (Index first = 0; first < shape.width; first += tile)
    put(first, std::min(tile, shape.width - first), columns_of(shape.width, first));
  for (Index first = 0; first < shape.below; first += tile)
    put(shape.width + first, std::min(tile, shape.below - first), shape.width);
}

bool eliminate(const PanelShape& shape, double* panel) {
  const Index width = shape.width, above = padded(width) / tile, tiles = shape.height() / tile;
  // Tiles of the triangle begin after all columns of those before; later ones are `width` long.
  const auto begin_of = [&](Index t) {
    return t < above ? panel + tile * tile * (t * (t + 1) / 2)
                     : panel + shape.triangle_size() + (t - above) * tile * width;
  };
  // C(t, j) -= L(t, k) L(j, k)^T for the tiles t of [first, last) from j on, the tile j of columns
  // and the columns k of [from, to).
  const auto subtract = [&](Index first, Index last, Index j, Index from, Index to) {
    const auto pair_of = [&](Index t) {
      double* l = begin_of(t);
      return TilePair{l + tile * from, l + tile * tile * j};
    };
    subtract_tiles(std::max(first, j), last, pair_of, begin_of(j) + tile * from, to - from,
                   std::min(tile, width - tile * j), tile);
  };
  const Index rows = rows_at_once / tile, group = eliminated_at_once / tile;
  for (Index begin = 0; begin < above; begin += group) {
    const Index end = std::min(begin + group, above);
    // Update these columns with all earlier ones.
    for (Index k = 0; k < tile * begin; k += columns_at_once) {
      for (Index first = begin; first < tiles; first += rows) {
        for (Index j = begin; j < end; ++j)
          subtract(first, std::min(first + rows, tiles), j, k,
                   std::min(k + columns_at_once, tile * begin));
      }
    }
    // Eliminate these columns, tile by tile.
    for (Index j = begin; j < end; ++j) {
      if (j > begin) subtract(j, tiles, j, tile * begin, tile * j);
      const Index columns = std::min(tile, width - tile * j);
      double* own = begin_of(j) + tile * tile * j;
      if (!eliminate_tile(own, columns)) return false;
      for (Index t = j + 1; t < tiles; ++t) divide(begin_of(t) + tile * tile * j, own, columns);
    }
  }
  return true;
}

void subtract_square(const PanelShape& shape, const double* panel, double* c) {
  const double* lower = panel + shape.triangle_size();
  const Index tiles = padded(shape.below) / tile, rows = rows_at_once / tile;
  for (Index k = 0; k < shape.width; k += columns_at_once) {
    const Index columns = std::min(columns_at_once, shape.width - k);
    const auto part = [&](Index t) { return lower + tile * (t * shape.width + k); };
    for (Index first = 0; first < tiles; first += rows) {
      const Index last = std::min(first + rows, tiles);
      for (Index j = 0; j < last; ++j) {
        double* column = c + tile * tile * j * tiles;
        subtract_tiles(
            std::max(first, j), last,
            [&](Index t) {
              return TilePair{part(t), column + tile * t};
            },
            part(j), columns, tile, tile * tiles);
      }
    }
  }
}

void forward(const PanelShape& shape, const double* panel, double* z) {
  const double* l = panel;
  for (Index first = 0; first < shape.width; first += tile) {
    const double* own = l + tile * first;  // the triangle at the tile's end
    const Index rows = std::min(tile, shape.width - first);
    for_each_part(z, [&](double* part) {
      TileRows x = load_tile(part + rhs_lanes * first);
      subtract_tile(x, l, first, part);
      for (Index i = 0; i < rows; ++i) {
        for (Index k = 0; k < i; ++k) subtract_product(x.row[i], own[tile * k + i], x.row[k]);
        divide_by(x.row[i], own[tile * i + i]);
        store(part + rhs_lanes * (first + i), x.row[i]);
      }
    });
    l += tile * columns_of(shape.width, first);
  }
  const Index top = padded(shape.width);
  for (Index first = 0; first < shape.below; first += tile, l += tile * shape.width) {
    for_each_part(z, [&](double* part) {
      TileRows x{};
      subtract_tile(x, l, shape.width, part);
      for (Index i = 0; i < tile; ++i) {
        divide_by(x.row[i], -1.0);
        store(part + rhs_lanes * (top + first + i), x.row[i]);
      }
    });
  }
}

void backward(const PanelShape& shape, const double* panel, double* z) {
  const double* l = panel + shape.triangle_size();
  const Index top = padded(shape.width);
  for (Index first = 0; first < shape.below; first += tile, l += tile * shape.width) {
    for_each_part(z, [&](double* part) {
      subtract_transposed(load_tile(part + rhs_lanes * (top + first)), l, shape.width, part);
    });
  }
  l = panel + shape.triangle_size();
  for (Index first = top - tile; first >= 0; first -= tile) {
    l -= tile * columns_of(shape.width, first);
    const double* own = l + tile * first;
    for_each_part(z, [&](double* part) {
      TileRows x{};
      for (Index i = std::min(tile, shape.width - first) - 1; i >= 0; --i) {
        x.row[i] = load(part + rhs_lanes * (first + i));
        for (Index k = i + 1; k < tile; ++k)
          subtract_product(x.row[i], own[tile * i + k], x.row[k]);
        divide_by(x.row[i], own[tile * i + i]);
        store(part + rhs_lanes * (first + i), x.row[i]);
      }
      subtract_transposed(x, l, first, part);
    });
  }
}

}  // namespace peal::fem
