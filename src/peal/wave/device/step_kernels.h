#pragma once

#include <peal/wave/device/step_tables.h>
#include <peal/wave/scheme/step_arithmetic.h>

namespace peal::wave::device {

// A step of the field is some of six kernels: `begin` (nodes of a new interval take over values),
// `move` (the walls of nodes and links), `open` (values of nodes that open), `advance` (plain
// cells, the layer, nodes), `complete` (nodes in the layer, point sources, cavities) and `record`
// (faces and probes). Each is a function of a thread; where threads need each other's results, it
// is divided into phases with a barrier between them. No sum depends on the order in which threads
// run.

/// The values of a step, by place.
template <class Real>
struct StepFields {
  const Real *p, *p_old;
  Real* p_new;
  const Real *extra, *extra_old;
  Real* extra_new;
  Real* psi_new;

  /// Further subcells are those of `key`.
  PEAL_PORTABLE StepFields(const StepOrder<Real>& order, const KeyTables<Real>& key) {
    const std::uint32_t now = order.turn % 3, old = (order.turn + 2) % 3,
                        next = (order.turn + 1) % 3;
    p = order.p, p_old = order.p_old, p_new = order.p_new;
    extra = key.extra[now], extra_old = key.extra[old], extra_new = key.extra[next];
    psi_new = order.psi_new;
  }
  PEAL_PORTABLE Real now(Place at) const {
    return at & extra_place ? extra[at & ~extra_place] : p[at];
  }
  PEAL_PORTABLE Real old(Place at) const {
    return at & extra_place ? extra_old[at & ~extra_place] : p_old[at];
  }
  PEAL_PORTABLE Real& next(Place at) const {
    return at & extra_place ? extra_new[at & ~extra_place] : p_new[at];
  }
};

/// The position of a coordinate in the layers of its axis.
struct LayerPlace {
  bool inside;
  bool high;
  std::uint32_t low_face;               ///< number of the lower face, both layers counted
  std::uint32_t cell;                   ///< number of the cell, both layers counted
  std::uint32_t low_outer, high_outer;  ///< faces from the outside
  std::uint32_t outer;                  ///< cells from the outside
};

PEAL_PORTABLE inline LayerPlace layer_place(int coordinate, int size, int layer) {
  const int from_high = size - 1 - coordinate;
  LayerPlace at{};
  if (coordinate < layer) {
    const auto i = static_cast<std::uint32_t>(coordinate);
    at = {true, false, i, i, i, i + 1, i};
  } else if (from_high < layer) {
    const auto n = static_cast<std::uint32_t>(layer), o = static_cast<std::uint32_t>(from_high);
    const std::uint32_t i = n - 1 - o;
    at = {true, true, n + 1 + i, n + i, o + 1, o, o};
  }
  return at;
}

/// Where the layer of an axis stores psi of a face, or xi of a cell, at the other two coordinates.
template <class Real>
PEAL_PORTABLE inline std::uint32_t layer_index(const FieldMemory<Real>& m, int axis,
                                               std::uint32_t begin, std::uint32_t number, int x,
                                               int y, int z) {
  const auto ny = static_cast<std::uint32_t>(m.size[1]), nz = static_cast<std::uint32_t>(m.size[2]);
  const auto ux = static_cast<std::uint32_t>(x), uy = static_cast<std::uint32_t>(y),
             uz = static_cast<std::uint32_t>(z);
  if (axis == 0) return begin + (uz * ny + uy) * m.end_pitch + number;
  if (axis == 1) return begin + (number * nz + uz) * m.row + ux;
  return begin + (number * ny + uy) * m.row + ux;
}

/// The terms of the layer of one axis in a plain cell.
template <class Real>
struct LayerTerm {
  Real bend, divergence, memory;
};

/// Advances psi of the cell's faces and, if it is plain, xi. Each face is computed by both of its
/// cells and stored by the lower one.
template <class Real>
PEAL_PORTABLE inline LayerTerm<Real> advance_layer(const FieldMemory<Real>& m,
                                                   const StepOrder<Real>& f, int axis,
                                                   const LayerPlace& at, int x, int y, int z,
                                                   Real up, Real down, bool plain) {
  const std::uint32_t low = layer_index(m, axis, m.psi_at[axis], at.low_face, x, y, z);
  const std::uint32_t high = layer_index(m, axis, m.psi_at[axis], at.low_face + 1, x, y, z);
  const Real psi_low =
      layer_memory(m.face_b[at.low_outer], f.psi[low], m.face_a[at.low_outer], down);
  const Real psi_high =
      layer_memory(m.face_b[at.high_outer], f.psi[high], m.face_a[at.high_outer], up);
  f.psi_new[high] = psi_high;
  if (at.low_face == 0) f.psi_new[low] = psi_low;
  const Real bend = psi_high - psi_low;
  const Real divergence = layer_divergence(up, down, bend);
  Real* const xi = m.xi + layer_index(m, axis, m.xi_at[axis], at.cell, x, y, z);
  if (!plain) return {bend, divergence, 0};
  const Real memory = layer_memory(m.cell_b[at.outer], *xi, m.cell_a[at.outer], divergence);
  *xi = memory;
  return {bend, divergence, memory};
}

/// The number of values in a plane that threads of `advance` visit.
template <class Real>
PEAL_PORTABLE inline std::uint32_t plane_values(const FieldMemory<Real>& m) {
  return m.row * static_cast<std::uint32_t>(m.size[1]);
}

/// The values around a cell that its step reads.
template <class Real>
struct CellStar {
  Real west, east, south, north, below, above, centre;
  Real p, p_old;
};

/// Advances the layer at a cell and, if it is plain, the cell.
template <class Real>
PEAL_PORTABLE inline void advance_cell(const FieldMemory<Real>& m, const StepOrder<Real>& f, int x,
                                       int y, int z, std::uint32_t at, bool plain,
                                       const CellStar<Real>& w) {
  const LayerPlace in_x = layer_place(x, m.size[0], m.layer),
                   in_y = layer_place(y, m.size[1], m.layer),
                   in_z = layer_place(z, m.size[2], m.layer);
  Real layer_y = 0, layer_z = 0, end = 0;
  if (in_y.inside) {
    const auto t =
        advance_layer(m, f, 1, in_y, x, y, z, w.north - w.centre, w.centre - w.south, plain);
    layer_y = t.divergence + t.memory;
  }
  if (in_z.inside) {
    const auto t =
        advance_layer(m, f, 2, in_z, x, y, z, w.above - w.centre, w.centre - w.below, plain);
    layer_z = t.divergence + t.memory;
  }
  if (in_x.inside) {
    const auto t =
        advance_layer(m, f, 0, in_x, x, y, z, w.east - w.centre, w.centre - w.west, plain);
    end = t.bend + t.memory;
  }
  if (!plain) return;
  Real lap;
  if (in_y.inside && in_z.inside) {
    lap = laplacian_of_two<Real>(w.west, w.east, w.centre, layer_y, layer_z);
  } else if (in_y.inside) {
    lap = laplacian_of_four<Real>(w.west, w.east, w.below, w.above, w.centre, layer_y);
  } else if (in_z.inside) {
    lap = laplacian_of_four<Real>(w.west, w.east, w.south, w.north, w.centre, layer_z);
  } else {
    lap = laplacian_of_six<Real>(w.west, w.east, w.south, w.north, w.below, w.above, w.centre);
  }
  const Real next = leapfrog(w.p, w.p_old, m.courant2, lap);
  f.p_new[at] = in_x.inside ? next + m.courant2 * end : next;
}

inline constexpr std::uint32_t advance_threads = 256;

/// Cells above each other that one thread advances: it loads them all first, since it would wait
/// for each otherwise.
inline constexpr int cells_of_thread = 2;

/// Advances the cells at a position of a few planes from `z` on; nothing happens in padding.
template <class Real>
PEAL_PORTABLE inline void advance_cells(const FieldMemory<Real>& m, const StepOrder<Real>& f,
                                        std::uint32_t in_plane, int z) {
  std::uint32_t row =
      static_cast<std::uint32_t>((static_cast<std::uint64_t>(in_plane) * m.rows_magic) >> 32);
  if (row * m.row > in_plane) --row;
  const int x = static_cast<int>(in_plane - row * m.row), y = static_cast<int>(row);
  const int nx = m.size[0], ny = m.size[1], nz = m.size[2];
  if (x >= nx || y >= ny) return;
  const std::uint32_t first = m.offset + static_cast<std::uint32_t>(z) * m.plane + in_plane;
  const bool viscous = m.viscous > 0;
  const auto w = [&](std::uint32_t i) {
    return viscous ? f.p[i] + m.viscous * (f.p[i] - f.p_old[i]) : f.p[i];
  };
  Real column[cells_of_thread + 2];
  CellStar<Real> stars[cells_of_thread];
  bool plain[cells_of_thread];
  column[0] = z > 0 ? w(first - m.plane) : Real(0);
  PEAL_UNROLL
  for (int k = 0; k < cells_of_thread; ++k) {
    const std::uint32_t at = first + static_cast<std::uint32_t>(k) * m.plane;
    const bool inside = z + k < nz;
    column[k + 1] = inside ? w(at) : Real(0);
    plain[k] = inside && m.mask[at] == 0;
    stars[k].west = inside ? w(at - 1) : Real(0);
    stars[k].east = inside ? w(at + 1) : Real(0);
    stars[k].south = inside && y > 0 ? w(at - m.row) : Real(0);
    stars[k].north = inside && y + 1 < ny ? w(at + m.row) : Real(0);
    stars[k].p_old = inside ? f.p_old[at] : Real(0);
    stars[k].p = inside && viscous ? f.p[at] : column[k + 1];
  }
  column[cells_of_thread + 1] =
      z + cells_of_thread < nz ? w(first + static_cast<std::uint32_t>(cells_of_thread) * m.plane)
                               : Real(0);
  PEAL_UNROLL
  for (int k = 0; k < cells_of_thread; ++k) {
    if (z + k >= nz) continue;
    stars[k].below = column[k], stars[k].centre = column[k + 1], stars[k].above = column[k + 2];
    advance_cell(m, f, x, y, z + k, first + static_cast<std::uint32_t>(k) * m.plane, plain[k],
                 stars[k]);
  }
}

/// Blocks of the kernel `advance` for the planes of a grid.
template <class Real>
PEAL_PORTABLE inline std::uint32_t blocks_of_plane(const FieldMemory<Real>& m) {
  return (plane_values(m) + advance_threads - 1) / advance_threads;
}
template <class Real>
PEAL_PORTABLE inline std::uint32_t blocks_of_planes(const FieldMemory<Real>& m) {
  return blocks_of_plane(m) *
         static_cast<std::uint32_t>((m.size[2] + cells_of_thread - 1) / cells_of_thread);
}

/// The place of a node's neighbour across a face; its own behind faces that stay closed.
template <class Real>
PEAL_PORTABLE inline Place neighbour(const FieldMemory<Real>& m, Place at, std::uint32_t open,
                                     int face) {
  if (!(open >> face & 1u)) return at;
  const std::uint32_t step = face < 2 ? 1u : face < 4 ? m.row : m.plane;
  return face % 2 != 0 ? at + step : at - step;
}

template <class Real>
PEAL_PORTABLE inline Real flux_of_links(const FieldMemory<Real>& m, const StepFields<Real>& f,
                                        const KeyTables<Real>& key, std::uint32_t node, Real here,
                                        Real here_old) {
  Real sum = 0;
  const std::uint32_t end = key.first_link[node + 1];
  for (std::uint32_t k = key.first_link[node]; k < end; ++k) {
    const LinkEntry link = key.link_entry[k];
    const Real area = key.link_state[link.code / 2].area;
    const Real there = f.now(link.other), there_old = f.old(link.other);
    if (link.code & 1u) {
      sum -= link_flux(area, here - there, here_old - there_old, m.gamma, m.node_viscous);
    } else {
      sum += link_flux(area, there - here, there_old - here_old, m.gamma, m.node_viscous);
    }
  }
  return sum;
}

/// h rho Q of a node.
template <class Real>
PEAL_PORTABLE inline Real drive_of(const KeyTables<Real>& key, const Real* source,
                                   std::uint32_t node) {
  if (source == nullptr || key.driven == nullptr || node >= key.listed) return 0;
  const std::uint32_t number = key.driven[node];
  return number == nothing ? Real(0) : source[number];
}

/// The next pressure of a node, before the subcells of its cell relax.
template <class Real>
PEAL_PORTABLE inline Real advance_node(const FieldMemory<Real>& m, const StepFields<Real>& f,
                                       const StepOrder<Real>& order, const KeyTables<Real>& key,
                                       std::uint32_t node) {
  const NodePlace place = key.node[node];
  const NodeState<Real> state = key.state[node];
  const Real here = f.now(place.at), here_old = f.old(place.at);
  Real flux = 0;
  if (!(place.at & extra_place)) {
    Real now[6], old[6] = {}, fluxes[6];
    for (int face = 0; face < 6; ++face) now[face] = f.p[neighbour(m, place.at, place.open, face)];
    if (m.damped) {
      PEAL_UNROLL
      for (int face = 0; face < 6; ++face)
        old[face] = f.p_old[neighbour(m, place.at, place.open, face)];
    }
    PEAL_UNROLL
    for (int face = 0; face < 6; ++face) {
      const Real difference = now[face] - here;
      fluxes[face] = m.damped ? damped_difference(state.area[face], difference,
                                                  old[face] - here_old, m.gamma, m.node_viscous)
                              : difference;
      fluxes[face] *= state.area[face];
    }
    flux = ((fluxes[0] + fluxes[1]) + (fluxes[2] + fluxes[3])) + (fluxes[4] + fluxes[5]);
  }
  if (key.driven != nullptr && node < key.listed) flux += drive_of(key, order.source, node);
  if (key.links != 0) flux += flux_of_links(m, f, key, node, here, here_old);
  return next_pressure(here, here_old, order.moves ? state.inertia : Real(1), state.gain, flux);
}

/// Advances the nodes of a cell. Where little of a wall is left between subcells, they relax
/// towards their mean by volume.
template <class Real>
PEAL_PORTABLE inline void advance_group(const FieldMemory<Real>& m, const StepOrder<Real>& order,
                                        const KeyTables<Real>& key, std::uint32_t group) {
  const StepFields<Real> f(order, key);
  const std::uint32_t end = key.group[group + 1];
  for (std::uint32_t node = key.group[group]; node < end; ++node)
    f.next(key.node[node].at) = advance_node(m, f, order, key, node);
  if (key.links == 0) return;
  for (std::uint32_t k = key.pulls_of_group.first[group]; k < key.pulls_of_group.first[group + 1];
       ++k) {
    const std::uint32_t link = key.pulls_of_group.entry[k];
    const std::uint32_t a = key.link[link].a, b = key.link[link].b;
    const Real pull = key.link_state[link].pull;
    if (pull == 0 || key.volume[a] == 0 || key.volume[b] == 0) continue;
    const Real share = static_cast<Real>(key.volume[b] / (key.volume[a] + key.volume[b]));
    Real &of_a = f.next(key.node[a].at), &of_b = f.next(key.node[b].at);
    const Real difference = pull * (of_b - of_a);
    of_a += share * difference;
    of_b -= (1 - share) * difference;
  }
}

PEAL_PORTABLE constexpr std::uint32_t blocks_for(std::uint32_t count, std::uint32_t threads) {
  return (count + threads - 1) / threads;
}

/// The kernel `advance`: first blocks of nodes and the solid beside them, then those of the planes.
template <class Real>
PEAL_PORTABLE inline void advance(const FieldMemory<Real>& m, const StepOrder<Real>& order,
                                  std::uint32_t block, std::uint32_t thread) {
  if (block < order.node_blocks) {
    const KeyTables<Real>& key = *order.key;
    const std::uint32_t i = block * advance_threads + thread;
    if (i < key.groups) {
      advance_group(m, order, key, i);
    } else if (i < key.groups + key.behind) {
      order.p_new[key.behind_place[i - key.groups]] = 0;
    }
    return;
  }
  const std::uint32_t of_plane = blocks_of_plane(m);
  const std::uint32_t planes = block - order.node_blocks, group = planes / of_plane;
  const int z = static_cast<int>(group) * cells_of_thread;
  if (z >= m.size[2]) return;
  advance_cells(m, order, (planes - group * of_plane) * advance_threads + thread, z);
}

}  // namespace peal::wave::device
