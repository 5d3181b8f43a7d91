#pragma once

#include <peal/wave/device/step_kernels.h>

namespace peal::wave::device {

// The kernels that follow the geometry and finish a step. One block of threads does each for a
// chunk, phase by phase; thread i of n takes the items i, i + n, ...

inline constexpr std::uint32_t change_threads = 512;
inline constexpr int begin_phases = 2, open_phases = 2;
inline constexpr int complete_phases = 6;

struct Worker {
  std::uint32_t thread, threads;
};

template <class Real>
struct Preparation {
  const FieldMemory<Real>& m;
  const StepOrder<Real>& order;
  const KeyTables<Real>& key;
  StepFields<Real> f;
  Real *p, *p_old, *extra, *extra_old, *psi;

  PEAL_PORTABLE Preparation(const FieldMemory<Real>& memory, const StepOrder<Real>& of)
      : m(memory), order(of), key(*of.key), f(of, *of.key) {
    const std::uint32_t now = of.turn % 3, old = (of.turn + 2) % 3;
    p = m.field[now], p_old = m.field[old];
    extra = key.extra[now], extra_old = key.extra[old];
    psi = m.psi[of.turn % 2];
  }

  PEAL_PORTABLE void set(Place at, Real now, Real before) const {
    (at & extra_place ? extra[at & ~extra_place] : p[at]) = now;
    (at & extra_place ? extra_old[at & ~extra_place] : p_old[at]) = before;
  }
  PEAL_PORTABLE unsigned char& mask(Place at) const {
    return at & extra_place ? key.extra_mask[at & ~extra_place] : m.mask[at];
  }
  /// Whether a value exists that has not just opened.
  PEAL_PORTABLE bool was_open(Place at) const { return mask(at) != 2; }
};

/// Nodes of the last interval are plain again; what nodes and links remember of the layer moves on,
/// and the means that nodes take over from others are computed.
template <class Real>
PEAL_PORTABLE inline void leave_interval(const Preparation<Real>& to, Worker w) {
  const KeyTables<Real>&old = *to.order.before, &key = to.key;
  for (std::uint32_t i = w.thread; i < old.nodes; i += w.threads)
    if (!(old.node[i].at & extra_place)) to.m.mask[old.node[i].at] = 0;
  for (std::uint32_t i = w.thread; i < old.behind; i += w.threads)
    to.m.mask[old.behind_place[i]] = 0;
  for (std::uint32_t i = w.thread; i < key.layer_nodes; i += w.threads) {
    const std::uint32_t from = key.layer_node_before[i];
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      key.own_xi[3 * i + axis] = from == nothing ? Real(0) : old.own_xi[3 * from + axis];
  }
  for (std::uint32_t i = w.thread; i < key.layer_links; i += w.threads) {
    const std::uint32_t from = key.layer_link_before[i];
    key.layer_link_psi[i] = from == nothing ? Real(0) : old.layer_link_psi[from];
  }
  const StepFields<Real> f(to.order, old);
  for (std::uint32_t i = w.thread; i < key.transfers; i += w.threads) {
    double weight = 0, now = 0, before = 0;
    for (std::uint32_t k = key.sources_of_transfer.first[i];
         k < key.sources_of_transfer.first[i + 1]; ++k) {
      const Place from = key.sources_of_transfer.entry[k];
      weight += key.transfer_weight[k];
      now += key.transfer_weight[k] * static_cast<double>(f.now(from));
      before += key.transfer_weight[k] * static_cast<double>(f.old(from));
    }
    key.next_now[i] = static_cast<Real>(weight > 0 ? now / weight : 0);
    key.next_before[i] = static_cast<Real>(weight > 0 ? before / weight : 0);
  }
}

template <class Real>
PEAL_PORTABLE inline void enter_interval(const Preparation<Real>& to, Worker w) {
  const KeyTables<Real>& key = to.key;
  for (std::uint32_t i = w.thread; i < key.nodes; i += w.threads)
    if (!(key.node[i].at & extra_place)) to.m.mask[key.node[i].at] = 1;
  for (std::uint32_t i = w.thread; i < key.behind; i += w.threads)
    to.m.mask[key.behind_place[i]] = 1;
  for (std::uint32_t i = w.thread; i < key.transfers; i += w.threads)
    to.set(key.transfer_to[i], key.next_now[i], key.next_before[i]);
  for (std::uint32_t i = w.thread; i < key.sealed; i += w.threads)
    to.set(key.sealed_place[i], 0, 0);
}

inline constexpr std::uint32_t move_threads = 128;

template <class Real>
PEAL_PORTABLE inline Real link_area_at(const KeyTables<Real>& key, std::uint32_t link, double t) {
  const LinkCourse& course = key.link_course[link];
  return static_cast<Real>(open_area_at(course.area, course.area_change, t));
}

/// Moves the walls of a node. One that closes is cleared, and one that opens is marked.
template <class Real>
PEAL_PORTABLE inline void move_node(const Preparation<Real>& to, std::uint32_t i) {
  const KeyTables<Real>& key = to.key;
  const FieldMemory<Real>& m = to.m;
  const double t = to.order.along, half = 0.5 * m.lambda * m.lambda;
  const NodeCourse course = key.course[i];
  NodeState<Real> state;
  double g[6];
  for (int face = 0; face < 6; ++face) {
    state.area[face] =
        static_cast<Real>(open_area_at(course.area[face], course.area_change[face], t));
    g[face] =
        stability_weight(static_cast<double>(state.area[face]), m.gamma_exact, m.viscous_exact);
  }
  double floor = half * (((((g[0] + g[1]) + g[2]) + g[3]) + g[4]) + g[5]);
  if (key.links != 0) {
    double of_links = 0;
    for (std::uint32_t k = key.first_link[i]; k < key.first_link[i + 1]; ++k) {
      const Real area = link_area_at(key, key.link_entry[k].code / 2, t);
      of_links +=
          half * stability_weight(static_cast<double>(area), m.gamma_exact, m.viscous_exact);
    }
    floor += of_links;
  }
  const double now = stable_volume(key.reserve * floor, course.volume + t * course.volume_change);
  double before = key.volume[i];
  key.volume[i] = now;
  if (before == -1) before = now;
  state.inertia = static_cast<Real>(inertia_of(before, now));
  state.gain = now > 0 ? static_cast<Real>(m.lambda * m.lambda / now) : 0;
  key.state[i] = state;
  const Place at = key.node[i].at;
  if (before > 0 && now == 0) to.set(at, 0, 0);
  if (before == 0 && now > 0) {
    to.mask(at) = 2;
    *key.has_opened = 1;
  }
}

/// The kernel `move`, of a node or a link.
template <class Real>
PEAL_PORTABLE inline void move(const FieldMemory<Real>& m, const StepOrder<Real>& order,
                               std::uint32_t item) {
  const Preparation<Real> to(m, order);
  const KeyTables<Real>& key = *order.key;
  if (item < key.nodes) return move_node(to, item);
  const std::uint32_t link = item - key.nodes;
  if (link >= key.links) return;
  const LinkCourse& course = key.link_course[link];
  key.link_state[link] = {link_area_at(key, link, order.along),
                          static_cast<Real>(course.pull + order.along * course.pull_change)};
}

/// The mean of the neighbours of each node that opens, which were open before (cut_cells.h).
template <class Real>
PEAL_PORTABLE inline void find_opened(const Preparation<Real>& to, Worker w) {
  const KeyTables<Real>& key = to.key;
  for (std::uint32_t i = w.thread; i < key.nodes; i += w.threads) {
    if (to.was_open(key.node[i].at)) continue;
    Real area = 0, now = drive_of(key, to.order.source, i),
         before = drive_of(key, to.order.source_before, i);
    const auto add = [&](Real open, Place from) {
      if (open == 0 || !to.was_open(from)) return;
      area += open;
      now += open * to.f.now(from);
      before += open * to.f.old(from);
    };
    for (int face = 0; face < 6; ++face)
      add(key.state[i].area[face], neighbour(to.m, key.node[i].at, key.node[i].open, face));
    if (key.links != 0)
      for (std::uint32_t k = key.first_link[i]; k < key.first_link[i + 1]; ++k) {
        const LinkEntry entry = key.link_entry[k];
        if (!key.link[entry.code / 2].inner) add(key.link_state[entry.code / 2].area, entry.other);
      }
    key.next_now[i] = area > 0 ? now / area : 0;
    key.next_before[i] = area > 0 ? before / area : 0;
  }
}

template <class Real>
PEAL_PORTABLE inline void fill_opened(const Preparation<Real>& to, Worker w) {
  const KeyTables<Real>& key = to.key;
  for (std::uint32_t i = w.thread; i < key.nodes; i += w.threads) {
    if (to.was_open(key.node[i].at)) continue;
    to.mask(key.node[i].at) = 1;
    to.set(key.node[i].at, key.next_now[i], key.next_before[i]);
  }
}

/// The memory of the layer for a node along an axis: a place in psi and xi, or outside the layer.
template <class Real>
struct AxisPlace {
  LayerPlace at;
  std::uint32_t low, high, xi;

  PEAL_PORTABLE AxisPlace(const FieldMemory<Real>& m, const std::uint32_t* cell, int axis) {
    const int x = static_cast<int>(cell[0]), y = static_cast<int>(cell[1]),
              z = static_cast<int>(cell[2]);
    at = layer_place(axis == 0 ? x : axis == 1 ? y : z, m.size[axis], m.layer);
    low = high = xi = 0;
    if (!at.inside) return;
    low = layer_index(m, axis, m.psi_at[axis], at.low_face, x, y, z);
    high = layer_index(m, axis, m.psi_at[axis], at.low_face + 1, x, y, z);
    xi = layer_index(m, axis, m.xi_at[axis], at.cell, x, y, z);
  }
};

/// Nodes of the layer that open have no memory.
template <class Real>
PEAL_PORTABLE inline void clear_layer_of_opened(const Preparation<Real>& to, Worker w) {
  const KeyTables<Real>& key = to.key;
  for (std::uint32_t i = w.thread; i < key.layer_nodes; i += w.threads) {
    const std::uint32_t node = key.layer_node[i];
    if (key.state[node].inertia != 0) continue;
    const bool own = key.node[node].at & extra_place;
    for (int axis = 0; axis < 3; ++axis) {
      const AxisPlace<Real> place(to.m, key.layer_cell + 3 * i, axis);
      if (!place.at.inside) continue;
      if (own) {
        key.own_xi[3 * i + static_cast<std::uint32_t>(axis)] = 0;
      } else {
        to.psi[place.low] = to.psi[place.high] = to.m.xi[place.xi] = 0;
      }
    }
  }
}

/// One phase of the kernel `begin`.
template <class Real>
PEAL_PORTABLE inline void begin(const FieldMemory<Real>& m, const StepOrder<Real>& order, int phase,
                                Worker w) {
  const Preparation<Real> to(m, order);
  if (phase == 0) leave_interval(to, w);
  if (phase == 1) enter_interval(to, w);
}

/// Whether the kernel `open` has anything to do after `move`.
template <class Real>
PEAL_PORTABLE inline bool has_openings(const StepOrder<Real>& order) {
  return *order.key->has_opened != 0 || order.key->layer_nodes != 0;
}

/// One phase of the kernel `open`.
template <class Real>
PEAL_PORTABLE inline void open(const FieldMemory<Real>& m, const StepOrder<Real>& order, int phase,
                               Worker w) {
  const Preparation<Real> to(m, order);
  if (phase == 0) {
    find_opened(to, w);
    clear_layer_of_opened(to, w);
  } else {
    fill_opened(to, w);
    if (w.thread == 0) *order.key->has_opened = 0;
  }
}

/// psi of links in the layer.
template <class Real>
PEAL_PORTABLE inline void advance_layer_links(const StepFields<Real>& f, const KeyTables<Real>& key,
                                              Worker w) {
  for (std::uint32_t i = w.thread; i < key.layer_links; i += w.threads) {
    const std::uint32_t link = key.layer_link[i];
    const LinkEnds ends = key.link[link];
    const Real difference = f.now(key.node[ends.b].at) - f.now(key.node[ends.a].at);
    key.layer_link_difference[i] = difference;
    key.layer_link_psi[i] = key.link_state[link].area > 0
                                ? layer_memory(key.layer_link_b[i], key.layer_link_psi[i],
                                               key.layer_link_a[i], difference)
                                : Real(0);
  }
}

/// The term of the layer in the next pressure of a node along an axis (cpml_cut_cells.h).
template <class Real>
PEAL_PORTABLE inline Real layer_node_term(const FieldMemory<Real>& m, const StepFields<Real>& f,
                                          const KeyTables<Real>& key, std::uint32_t i, int axis) {
  const std::uint32_t node = key.layer_node[i];
  const Place here = key.node[node].at;
  const NodeState<Real> state = key.state[node];
  const Real gain = state.gain;
  Real flux = 0, bend = 0;
  for (std::uint32_t k = key.links_of_layer_node.first[i]; k < key.links_of_layer_node.first[i + 1];
       ++k) {
    const std::uint32_t entry = key.links_of_layer_node.entry[k], own = entry / 2;
    if (key.layer_link_axis[own] != static_cast<std::uint32_t>(axis)) continue;
    const Real open = key.link_state[key.layer_link[own]].area, area = entry & 1u ? -open : open;
    flux += area * key.layer_link_difference[own];
    bend += area * key.layer_link_psi[own];
  }
  const AxisPlace<Real> place(m, key.layer_cell + 3 * i, axis);
  if (!place.at.inside) return gain * bend;
  Real* xi = m.xi + place.xi;
  if (here & extra_place) {
    xi = key.own_xi + 3 * i + axis;
  } else {
    const Real low = state.area[2 * axis], high = state.area[2 * axis + 1], value = f.p[here];
    if (low == 0) f.psi_new[place.low] = 0;
    if (high == 0) f.psi_new[place.high] = 0;
    bend += high * f.psi_new[place.high] - low * f.psi_new[place.low];
    flux += high * (f.p[neighbour(m, here, key.node[node].open, 2 * axis + 1)] - value) -
            low * (value - f.p[neighbour(m, here, key.node[node].open, 2 * axis)]);
  }
  const Real memory = layer_memory(m.cell_b[place.at.outer], *xi, m.cell_a[place.at.outer],
                                   gain * (flux + bend) / m.courant2);
  *xi = gain == 0 ? Real(0) : memory;
  return gain * bend + m.courant2 * *xi;
}

template <class Real>
PEAL_PORTABLE inline void complete_layer_nodes(const FieldMemory<Real>& m,
                                               const StepFields<Real>& f,
                                               const KeyTables<Real>& key, Worker w) {
  for (std::uint32_t i = w.thread; i < key.layer_nodes; i += w.threads) {
    Real sum = 0;
    for (int axis = 0; axis < 3; ++axis) sum += layer_node_term(m, f, key, i, axis);
    f.next(key.node[key.layer_node[i]].at) += sum;
  }
}

/// Adds up the members of each group of a cavity.
template <class Real>
PEAL_PORTABLE inline void sum_members(const StepFields<Real>& f, const KeyTables<Real>& key,
                                      Worker w) {
  for (std::uint32_t i = w.thread; i < key.sums; i += w.threads) {
    double now = 0, before = 0;
    for (std::uint32_t k = key.sum_first[i]; k < key.sum_first[i + 1]; ++k) {
      const std::uint32_t begin = key.member_begin[k], end = key.member_end[k];
      if (end == 0) {
        const auto volume = static_cast<double>(key.member_volume[k]);
        now += volume * static_cast<double>(f.next(begin));
        before += volume * static_cast<double>(f.now(begin));
        continue;
      }
      for (std::uint32_t at = begin; at < end; ++at) {
        now += static_cast<double>(f.p_new[at]);
        before += static_cast<double>(f.p[at]);
      }
    }
    key.sum_now[i] = now;
    key.sum_before[i] = before;
  }
}

template <class Real>
PEAL_PORTABLE inline void find_shifts(const FieldMemory<Real>& m, const KeyTables<Real>& key,
                                      Worker w) {
  for (std::uint32_t c = w.thread; c < key.cavities; c += w.threads) {
    const CavityTable<Real>& cavity = key.cavity[c];
    double now = 0, before = 0;
    for (std::uint32_t i = 0; i < cavity.sums; ++i) {
      now += key.sum_now[cavity.first_sum + i];
      before += key.sum_before[cavity.first_sum + i];
    }
    key.shift[c] = static_cast<Real>((m.slow * (now - before) + m.slow2 * before) / cavity.volume);
  }
}

template <class Real>
PEAL_PORTABLE inline void shift_members(const StepFields<Real>& f, const KeyTables<Real>& key,
                                        Worker w) {
  for (std::uint32_t i = w.thread; i < key.sums; i += w.threads) {
    const Real shift = key.shift[key.sum_cavity[i]];
    for (std::uint32_t k = key.sum_first[i]; k < key.sum_first[i + 1]; ++k) {
      const std::uint32_t begin = key.member_begin[k], end = key.member_end[k];
      if (end == 0) f.next(begin) -= shift;
      for (std::uint32_t at = begin; at < end; ++at) f.p_new[at] -= shift;
    }
  }
}

template <class Real>
PEAL_PORTABLE inline bool has_completion(const StepOrder<Real>& order) {
  return order.key->layer_nodes != 0 || order.key->layer_links != 0 || order.points != 0 ||
         order.key->cavities != 0;
}

/// One phase of the kernel `complete`.
template <class Real>
PEAL_PORTABLE inline void complete(const FieldMemory<Real>& m, const StepOrder<Real>& order,
                                   int phase, Worker w) {
  const KeyTables<Real>& key = *order.key;
  const StepFields<Real> f(order, key);
  if (phase == 0) advance_layer_links(f, key, w);
  if (phase == 1) complete_layer_nodes(m, f, key, w);
  if (phase == 2)
    for (std::uint32_t i = w.thread; i < order.points; i += w.threads)
      for (std::uint32_t k = order.point_first[i]; k < order.point_first[i + 1]; ++k)
        f.p_new[order.point[i]] += order.point_amount[k];
  if (key.cavities == 0) return;
  if (phase == 3) sum_members(f, key, w);
  if (phase == 4) find_shifts(m, key, w);
  if (phase == 5) shift_members(f, key, w);
}

inline constexpr std::uint32_t record_threads = 128;

/// The kernel `record`: pressure and slope of a face of the Kirchhoff surface
/// (kirchhoff_surface.h), or the value of a probe.
template <class Real>
PEAL_PORTABLE inline void record(const FieldMemory<Real>& m, const StepOrder<Real>& order,
                                 Real per_cell, std::uint32_t item) {
  const Real* const p = order.p_new;
  const std::uint32_t faces = order.record >= 0 ? m.groups * 16 : 0;
  if (item >= faces) {
    if (item - faces < order.probes) order.probed[item - faces] = p[order.probe[item - faces]];
    return;
  }
  const FaceTable& table = *m.faces;
  const std::uint32_t group = item / 16, i = item % 16, count = table.count[group];
  if (i >= (count & ~wide_faces)) return;
  const std::size_t size = m.series_size, slopes = 16 * size;
  Real* const out = m.series + (group * 32 + i) * size +
                    (static_cast<std::uint32_t>(order.record) & (m.series_size - 1));
  const Real* const inner =
      p + table.inner[group] + static_cast<std::int64_t>(i) * table.step[group];
  const std::int64_t n = table.outwards[group];
  if (count & wide_faces) {
    const Real a = Real(9.0 / 16.0), b = Real(1.0 / 16.0), slope = per_cell / Real(24);
    out[0] = a * (inner[0] + inner[n]) - b * (inner[-n] + inner[2 * n]);
    out[slopes] = slope * (Real(27) * (inner[n] - inner[0]) - (inner[2 * n] - inner[-n]));
  } else {
    out[0] = Real(0.5) * (inner[0] + inner[n]);
    out[slopes] = per_cell * (inner[n] - inner[0]);
  }
}

/// How loud a row is.
template <class Real>
PEAL_PORTABLE inline void check_row(const BatchEntry<Real>& entry, std::uint32_t number) {
  const FieldMemory<Real>& m = entry.memory;
  const auto ny = static_cast<std::uint32_t>(m.size[1]);
  if (entry.row_squares == nullptr || number >= ny * static_cast<std::uint32_t>(m.size[2])) return;
  const Real* const row =
      m.field[entry.checked_turn % 3] + m.offset + number / ny * m.plane + number % ny * m.row;
  Real most = 0;
  for (int x = 0; x < m.size[0]; ++x) most += row[x] * row[x];
  entry.row_squares[number] = most;
}

}  // namespace peal::wave::device
