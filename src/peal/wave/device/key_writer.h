#pragma once

#include <peal/wave/device/buffer_pool.h>
#include <peal/wave/device/step_tables.h>
#include <peal/wave/device/table_writer.h>
#include <peal/wave/scheme/cpml.h>
#include <peal/wave/scheme/layer_selection.h>
#include <peal/wave/scheme/sealed_cavities.h>

#include <cstdint>
#include <span>

namespace peal::wave::device {

/// What the tables of an interval are made of, just after its key has been entered.
template <class Real>
struct KeySource {
  const CutCells<Real>& cells;
  const SealedCavities<Real>& cavities;
  const LayerSelection& layer;
  const LayerCoefficients<Real>& coefficients;
  bool drives;                            ///< whether anything drives walls
  std::span<const std::uint32_t> driven;  ///< listed nodes that may be driven, ascending
  Cell size;                              ///< of the grid
  int layer_cells;                        ///< thickness of the absorbing layer
  bool is_first;  ///< whether there was no interval before, from which nodes take over
};

/// The tables, which begin with a KeyTables; `pool` may be of any device.
template <class Real>
Tables write_key(BufferPool& pool, const KeySource<Real>& source);

/// Those of no nodes at all.
template <class Real>
Tables write_empty_key(BufferPool& pool);

/// The place of an index.
inline Place place_of(CellIndex index) {
  const auto low = static_cast<Place>(index & ~extra_index);
  return index & extra_index ? extra_place | low : low;
}

/// The tables at the beginning of a buffer, as the host sees them.
template <class Table>
const Table& on_host(const Buffer& buffer) {
  return *reinterpret_cast<const Table*>(buffer.host);
}
template <class Table>
const Table* on_device(const Buffer& buffer) {
  return reinterpret_cast<const Table*>(buffer.device);
}

}  // namespace peal::wave::device
