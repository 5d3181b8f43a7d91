#include <peal/vibration/cholesky_kernel.h>

#include <algorithm>
#include <array>
#include <cmath>

// Products with the panels of a factor. Their tiles are in the order in which registers want them:
// what a general matrix product would do first, copying both factors into such an order, takes as
// long as a product with 16 vectors. This file is compiled with fused multiply-adds.
namespace peal::vibration {

namespace {

using Eigen::Index;
/// One column of a tile, or half of the right-hand sides: one register of AVX-512.
using Eight = double __attribute__((vector_size(sizeof(double) * tile), aligned(8)));

Eight load(const double* from) {
  return *reinterpret_cast<const Eight*>(from);
}
void store(double* to, const Eight& x) {
  *reinterpret_cast<Eight*>(to) = x;
}

/// The right-hand sides of one row.
struct Row {
  Eight a, b;
};
Row load_row(const double* z, Index row) {
  return {load(z + rhs_lanes * row), load(z + rhs_lanes * row + tile)};
}
void store_row(double* z, Index row, const Row& x) {
  store(z + rhs_lanes * row, x.a);
  store(z + rhs_lanes * row + tile, x.b);
}
void subtract_product(Row& sum, double factor, const Row& x) {
  sum.a -= factor * x.a;
  sum.b -= factor * x.b;
}

/// Columns that the tile of a triangle with this first row has.
Index columns_of(Index width, Index first) {
  return std::min(first + tile, width);
}

/// x.row[i] -= sum over columns k < columns of L(i, k) z_k, for the rows of a tile.
struct TileRows {
  Row row[tile];
};
void subtract_tile(TileRows& x, const double* l, Index columns, const double* z) {
  TileRows sums = x;
  for (Index k = 0; k < columns; ++k, l += tile) {
    const Row zk = load_row(z, k);
    for (Index i = 0; i < tile; ++i) subtract_product(sums.row[i], l[i], zk);
  }
  x = sums;
}

/// z_k -= sum over the rows i of a tile of L(i, k) x.row[i], for columns k < columns.
void subtract_transposed(const TileRows& x, const double* l, Index columns, double* z) {
  const TileRows rows = x;
  for (Index k = 0; k < columns; ++k, l += tile) {
    Row sum = load_row(z, k);
    for (Index i = 0; i < tile; ++i) subtract_product(sum, l[i], rows.row[i]);
    store_row(z, k, sum);
  }
}

TileRows load_tile(const double* z, Index first) {
  TileRows x;
  for (Index i = 0; i < tile; ++i) x.row[i] = load_row(z, first + i);
  return x;
}

/// Columns of a panel that are taken at once, so that a tile of them stays in the first cache and
/// `rows_at_once` rows in the second.
constexpr Index columns_at_once = 256, rows_at_once = 30 * tile;
/// Columns that are eliminated before all that follows learns of them.
constexpr Index eliminated_at_once = 96;

/// Two tiles of rows: c is to become c - a b^T.
struct TilePair {
  const double* a;
  double* c;
};

/// c -= a b^T for `count` pairs and one tile b. Columns of a and b lie together, `columns` of them;
/// c has `width` columns, at most those of a tile, `next` numbers apart.
template <Index count>
void subtract_tiles(const std::array<TilePair, count>& pairs, const double* b, Index columns,
                    Index width, Index next) {
  Eight sums[count][tile] = {};
  for (Index k = 0; k < columns; ++k) {
    Eight x[count];
    for (Index i = 0; i < count; ++i) x[i] = load(pairs[i].a + k * tile);
    for (Index j = 0; j < tile; ++j)
      for (Index i = 0; i < count; ++i) sums[i][j] += x[i] * b[k * tile + j];
  }
  for (Index j = 0; j < tile; ++j) {
    for (Index i = 0; i < count && j < width; ++i) {
      double* to = pairs[i].c + j * next;
      store(to, load(to) - sums[i][j]);
    }
  }
}

/// The same for the pairs pair_of(first) .. pair_of(last - 1).
template <class PairOf>
void subtract_tiles(Index first, Index last, const PairOf& pair_of, const double* b, Index columns,
                    Index width, Index next) {
  Index t = first;
  for (; t + 3 <= last; t += 3)
    subtract_tiles<3>({pair_of(t), pair_of(t + 1), pair_of(t + 2)}, b, columns, width, next);
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
    for (Index k = 0; k < j; ++k) done[j] -= triangle[tile * k + j] * done[k];
    done[j] /= triangle[tile * j + j];
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
    // What all columns before have to say about these.
    for (Index k = 0; k < tile * begin; k += columns_at_once) {
      for (Index first = begin; first < tiles; first += rows) {
        for (Index j = begin; j < end; ++j)
          subtract(first, std::min(first + rows, tiles), j, k,
                   std::min(k + columns_at_once, tile * begin));
      }
    }
    // These, one tile of columns after the other.
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
    TileRows x = load_tile(z, first);
    subtract_tile(x, l, first, z);
    const double* own = l + tile * first;  // the triangle at the tile's end
    const Index rows = std::min(tile, shape.width - first);
    for (Index i = 0; i < rows; ++i) {
      for (Index k = 0; k < i; ++k) subtract_product(x.row[i], own[tile * k + i], x.row[k]);
      const double d = own[tile * i + i];
      x.row[i] = {x.row[i].a / d, x.row[i].b / d};
      store_row(z, first + i, x.row[i]);
    }
    l += tile * columns_of(shape.width, first);
  }
  const Index top = padded(shape.width);
  for (Index first = 0; first < shape.below; first += tile, l += tile * shape.width) {
    TileRows x{};
    subtract_tile(x, l, shape.width, z);
    for (Index i = 0; i < tile; ++i) store_row(z, top + first + i, {-x.row[i].a, -x.row[i].b});
  }
}

void backward(const PanelShape& shape, const double* panel, double* z) {
  const double* l = panel + shape.triangle_size();
  const Index top = padded(shape.width);
  for (Index first = 0; first < shape.below; first += tile, l += tile * shape.width)
    subtract_transposed(load_tile(z, top + first), l, shape.width, z);
  l = panel + shape.triangle_size();
  for (Index first = top - tile; first >= 0; first -= tile) {
    l -= tile * columns_of(shape.width, first);
    const double* own = l + tile * first;
    TileRows x{};
    for (Index i = std::min(tile, shape.width - first) - 1; i >= 0; --i) {
      x.row[i] = load_row(z, first + i);
      for (Index k = i + 1; k < tile; ++k) subtract_product(x.row[i], own[tile * i + k], x.row[k]);
      const double d = own[tile * i + i];
      x.row[i] = {x.row[i].a / d, x.row[i].b / d};
      store_row(z, first + i, x.row[i]);
    }
    subtract_transposed(x, l, first, z);
  }
}

}  // namespace peal::vibration
