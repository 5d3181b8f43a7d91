#include <peal/wave/device/change_kernels.h>
#include <peal/wave/device/key_writer.h>
#include <peal/wave/device/table_writer.h>
#include <peal/wave/driver/device_chunk.h>
#include <peal/wave/driver/recording.h>
#include <peal/wave/driver/simulation.h>
#include <peal/wave/driver/slice_record.h>
#include <peal/wave/grid/time_step.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace peal::wave {

using device::Tables;

namespace {

/// Steps that the device takes without the host: more need more memory for sources and records,
/// fewer leave it waiting.
constexpr std::int64_t steps_at_once = 64;
constexpr std::size_t blocks_ahead = 2;

template <class Real>
std::size_t values_of(std::span<const typename ReceiverArray<Real>::Probe> probes) {
  std::size_t values = 0;
  for (const auto& probe : probes) values += static_cast<std::size_t>(probe.stencil.count);
  return values;
}

template <class Real>
device::SchemeConstants scheme_of(const ChunkRun& run, WallSequence<Real>& sequence) {
  return {.cut = sequence.cells().scheme(),
          .slow = sequence.cavities().slow(),
          .slow2 = sequence.cavities().slow2(),
          .layer_cells = run.settings.layer_cells};
}

}  // namespace

std::string device_obstacle(const base::WaveSettings& settings) {
  using Settings = base::WaveSettings;
  if (settings.boundary == Settings::Boundary::ghost_cells)
    return "\"boundary\": \"ghost_cells\" is computed on the processor only";
  if (settings.outside == Settings::Outside::engquist_majda)
    return "\"absorbing\": \"engquist_majda\" is computed on the processor only";
  if (settings.far_field == Settings::FarField::expansion)
    return "\"far_field\": {\"expansion\": ...} is computed on the processor only";
  return {};
}

/// The steps of a block while it is made. Values that cross to the device are collected first, and
/// written when all are known.
template <class Real>
struct DeviceChunk<Real>::Orders {
  struct Step {
    device::StepOrder<Real> order{};
    std::ptrdiff_t source = -1, source_before = -1;  ///< in `sources`
    std::size_t point = 0, point_first = 0, probe = 0;
    Record record;
  };
  std::vector<Step> steps;
  std::vector<Real> sources, amounts;
  std::vector<device::Place> points, probes;
  std::vector<std::uint32_t> point_first;
  std::size_t results = 0;  ///< values that come back
};

template <class Real>
DeviceChunk<Real>::DeviceChunk(const ChunkRun& run, device::FieldDevice& device,
                               SliceRecord* slices)
    : run_(run),
      device_(device),
      slices_(slices),
      stride_(recording_stride(run)),
      sequence_(run.world, run.settings, run.discretisation, run.domain.grid, run.chunk,
                field_layout<Real>(run.domain.grid.size)),
      layout_(field_layout<Real>(run.domain.grid.size)),
      hearing_(far_field_setup(run, sequence_, stride_), run.receivers, fields_of_block(stride_)),
      device_hearing_(device.pool(), hearing_, fields_of_block(stride_)),
      field_(device.pool(), run.domain.grid, scheme_of(run, sequence_), hearing_.surface()),
      before_(device::write_empty_key<Real>(device.pool())),
      needs_volumes_(!sequence_.points().is_silent() || hearing_.needs_probes() ||
                     slices != nullptr),
      now_(sequence_.start()),
      ahead_(now_) {
  device_hearing_.place(field_.memory());
  // The first field is silent.
  if (now_ % stride_ == 0) {
    ++recorded_;
    const auto probes = hearing_.next_probes();
    const std::vector<Real> values(values_of<Real>(probes));
    hearing_.record(probes, values);
  }
  if (slices_ != nullptr) {
    const auto shown =
        slices_->due(now_, [&](const Cell& c) { return sequence_.open_volume(c) > 0; });
    for (std::size_t i = 0; i < shown.cells.size(); ++i) slices_->add(0.0f);
  }
  device_.queue<Real>().enter();
}

template <class Real>
DeviceChunk<Real>::~DeviceChunk() {
  for (Flight& flight : flights_) flight.done.wait();
  device_.queue<Real>().leave();
}

template <class Real>
double DeviceChunk<Real>::run(std::int64_t steps, std::int64_t latest) {
  const std::int64_t end = now_ + steps;
  while (now_ < end) {
    while (flights_.size() < blocks_ahead && ahead_ < latest) {
      // A block ends where the caller looks at the field.
      const std::int64_t looks = ahead_ < end ? end : end + steps;
      const std::int64_t to =
          std::min({ahead_ + steps_at_once, std::max(looks, ahead_ + 1), latest});
      submit(to, (to - sequence_.start()) % steps_of_block(stride_) == 0 || to == latest);
    }
    finish_oldest();
  }
  return loudest_row_;
}

/// Writes the tables of the interval that begins.
template <class Real>
void DeviceChunk<Real>::enter_key(device::StepOrder<Real>& order, device::StepBlock<Real>& block) {
  CutCells<Real>& cells = sequence_.cells();
  const auto write = [&](bool is_first) {
    layer_.select(cells, [&](const Cell& cell) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (device::layer_place(cell[axis], sequence_.grid().size[axis], run_.settings.layer_cells)
                .inside)
          return true;
      return false;
    });
    return device::write_key<Real>(device_.pool(), {.cells = cells,
                                                    .cavities = sequence_.cavities(),
                                                    .layer = layer_,
                                                    .coefficients = field_.coefficients(),
                                                    .drives = sequence_.drives(),
                                                    .driven = sequence_.driven(),
                                                    .size = sequence_.grid().size,
                                                    .layer_cells = run_.settings.layer_cells,
                                                    .is_first = is_first});
  };
  const auto upload = [&](const Tables& tables) {
    block.uploads.push_back({tables.buffer, 0, tables.size});
  };
  if (!has_begun_) {
    key_ = write(true);
    upload(before_);
    upload(key_);
  }
  if (sequence_.begins(ahead_)) {
    // The host has not followed the walls within the interval.
    if (has_begun_) cells.advance(sequence_.along(ahead_ - 1));
    const bool is_new = sequence_.enter();
    if (!is_new) return;
    before_ = std::exchange(key_, write(false));
    upload(key_);
  }
  has_begun_ = true;
  order.begins = 1;
  order.before = device::on_device<device::KeyTables<Real>>(*before_.buffer);
  block.holds.push_back(before_.buffer);
}

template <class Real>
void DeviceChunk<Real>::add_sources(device::StepOrder<Real>& order, Orders& orders) {
  const auto add = [&](std::span<const Real> values) -> std::ptrdiff_t {
    const auto at = static_cast<std::ptrdiff_t>(orders.sources.size());
    bool sounds = false;
    for (const std::uint32_t cell : sequence_.driven()) {
      orders.sources.push_back(values[cell]);
      sounds = sounds || values[cell] != 0;
    }
    if (sounds) return at;
    orders.sources.resize(static_cast<std::size_t>(at));
    return -1;
  };
  if (!sequence_.drives()) return;
  typename Orders::Step& step = orders.steps.back();
  // In order of time, so that no block of the sources is made twice.
  if (order.moves) step.source_before = add(sequence_.source_before(ahead_));
  step.source = add(sequence_.source(ahead_));
}

/// Point sources, by cell: a thread adds all that one cell gets, in their order.
template <class Real>
void DeviceChunk<Real>::add_points(Orders& orders) {
  typename Orders::Step& step = orders.steps.back();
  step.point = orders.points.size();
  step.point_first = orders.point_first.size();
  if (sequence_.points().is_silent()) return;
  const double courant = sequence_.cells().scheme().lambda, courant2 = courant * courant;
  std::map<device::Place, std::vector<Real>> by_cell;
  sequence_.points().output(
      ahead_,
      [&](const Cell& c) {
        return sequence_.is_plain_air(c) ? courant2 / sequence_.open_volume(c) : 0.0;
      },
      [&](const Cell& cell, double amount) {
        by_cell[device::place_of(layout_.at(cell))].push_back(static_cast<Real>(amount));
      });
  for (const auto& [place, amounts] : by_cell) {
    orders.points.push_back(place);
    orders.point_first.push_back(static_cast<std::uint32_t>(orders.amounts.size()));
    orders.amounts.insert(orders.amounts.end(), amounts.begin(), amounts.end());
  }
  orders.point_first.push_back(static_cast<std::uint32_t>(orders.amounts.size()));
  step.order.points = static_cast<std::uint32_t>(by_cell.size());
}

/// What is read from the field after the step, whose number is `ahead_` now.
template <class Real>
void DeviceChunk<Real>::add_record(Orders& orders) {
  typename Orders::Step& step = orders.steps.back();
  step.order.record = -1;
  step.probe = orders.probes.size();
  Record& record = step.record;
  const auto probe = [&](const Cell& cell) {
    orders.probes.push_back(device::place_of(layout_.at(cell)));
  };
  if (ahead_ % stride_ == 0) {
    record.is_recorded = true;
    if (hearing_.needs_faces()) step.order.record = recorded_;
    ++recorded_;
    record.probes = hearing_.next_probes();
    record.probed = values_of<Real>(record.probes);
    for (const auto& one : record.probes)
      for (int i = 0; i < one.stencil.count; ++i)
        probe(one.stencil.cells[static_cast<std::size_t>(i)]);
  }
  if (slices_ != nullptr) {
    auto shown = slices_->due(ahead_, [&](const Cell& c) { return sequence_.open_volume(c) > 0; });
    for (const Cell& cell : shown.cells) probe(cell);
    record.slice_air = std::move(shown.is_air);
  }
  record.probes_at = orders.results;
  step.order.probes = static_cast<std::uint32_t>(record.probed + record.slice_air.size());
  orders.results += step.order.probes;
}

/// Adds the next step to a block.
template <class Real>
void DeviceChunk<Real>::add_step(Orders& orders, device::StepBlock<Real>& block) {
  typename Orders::Step& step = orders.steps.emplace_back();
  device::StepOrder<Real>& order = step.order;
  order.turn = static_cast<std::uint32_t>(ahead_ - sequence_.start());
  if (!has_begun_ || sequence_.begins(ahead_)) enter_key(order, block);
  const auto& key = device::on_host<device::KeyTables<Real>>(*key_.buffer);
  order.key = device::on_device<device::KeyTables<Real>>(*key_.buffer);
  block.holds.push_back(key_.buffer);
  order.moves = sequence_.moves(ahead_);
  order.along = sequence_.along(ahead_);
  if (needs_volumes_ && order.moves) sequence_.cells().advance(order.along);
  add_sources(order, orders);
  add_points(orders);
  ++ahead_;
  add_record(orders);
  order.node_blocks = device::blocks_for(key.groups + key.behind, device::advance_threads);
  const device::FieldMemory<Real>& m = field_.memory();
  order.p = m.field[order.turn % 3], order.p_old = m.field[(order.turn + 2) % 3];
  order.p_new = m.field[(order.turn + 1) % 3];
  order.psi = m.psi[order.turn % 2], order.psi_new = m.psi[(order.turn + 1) % 2];
  using device::Kernel;
  block.needs.push_back(0);
  if (order.begins) block.need(Kernel::begin, 0);
  if (order.moves) {
    block.need(Kernel::move, key.nodes + key.links);
    block.need(Kernel::open, 0);
  }
  block.need(Kernel::advance,
             (order.node_blocks + field_.plane_blocks()) * device::advance_threads);
  if (key.layer_nodes != 0 || key.layer_links != 0 || key.cavities != 0 || order.points != 0)
    block.need(Kernel::complete, 0);
  const std::uint32_t faces = order.record >= 0 ? 16 * field_.groups() : 0;
  if (faces + order.probes != 0) block.need(Kernel::record, faces + order.probes);
}

/// Orders the steps up to `end`. Where a block ends, recorded fields are integrated and the field
/// is checked.
template <class Real>
void DeviceChunk<Real>::submit(std::int64_t end, bool ends_block) {
  device::StepBlock<Real> block;
  if (!has_begun_) {
    block.clears.push_back(field_.fields());
    block.uploads.push_back({field_.head().buffer, 0, field_.head().size});
    device_hearing_.prepare(block);
  }
  Orders orders;
  while (ahead_ < end) add_step(orders, block);
  Flight flight{.end = end, .rows_at = orders.results, .ends_block = ends_block};
  if (ends_block) {
    using device::Kernel;
    orders.results += field_.rows();
    block.need(Kernel::check, field_.rows());
    flight.heard = device_hearing_.next_block(recorded_);
    for (const Kernel kernel : {Kernel::integrate, Kernel::add_up})
      if (flight.heard.outputs > 0) block.need(kernel, device_hearing_.items(flight.heard, kernel));
    device_hearing_.hold(flight.heard, block);
  }
  double* heard_at = nullptr;
  flight.results = write_tables(device_.pool(), sizeof(Real) * orders.results + 4096,
                                [&](device::TableWriter& to) {
                                  to.reserve<Real>(orders.results);
                                  to.reserve<double>(flight.heard.outputs);
                                  heard_at = to.on_device<double>();
                                });
  std::byte* const results = flight.results.buffer->device;
  flight.heard_at = static_cast<std::size_t>(reinterpret_cast<std::byte*>(heard_at) - results);
  block.entry.memory = field_.memory();
  block.entry.steps = static_cast<std::uint32_t>(orders.steps.size());
  block.entry.blocks = block.items_of(device::Kernel::advance) / device::advance_threads;
  block.entry.checked_turn = static_cast<std::uint32_t>(end - sequence_.start());
  block.entry.per_cell = static_cast<Real>(1.0 / sequence_.grid().cell_size);
  block.entry.row_squares =
      ends_block ? reinterpret_cast<Real*>(results) + flight.rows_at : nullptr;
  write_orders(orders, flight, heard_at, block);
  block.downloads.push_back({flight.results.buffer, 0, flight.results.size});
  for (const auto& buffer : {field_.head().buffer, flight.results.buffer, field_.fields()})
    block.holds.push_back(buffer);
  for (typename Orders::Step& step : orders.steps) flight.records.push_back(std::move(step.record));
  flight.done = device_.queue<Real>().submit(std::move(block));
  flights_.push_back(std::move(flight));
}

/// Writes the orders of all steps of a block, with what they refer to.
template <class Real>
void DeviceChunk<Real>::write_orders(const Orders& orders, const Flight& flight, double* heard_at,
                                     device::StepBlock<Real>& block) {
  auto* const results = reinterpret_cast<Real*>(flight.results.buffer->device);
  const Tables tables = write_tables(
      device_.pool(), sizeof(Real) * orders.sources.size() + 65536, [&](device::TableWriter& to) {
        const Real *const sources = to.add(orders.sources), *const amounts = to.add(orders.amounts);
        const device::Place *const points = to.add(orders.points), *const places =
                                                                       to.add(orders.probes);
        const std::uint32_t* const point_first = to.add(orders.point_first);
        block.entry.hearing = device_hearing_.write(flight.heard, to, heard_at);
        const auto source = [&](std::ptrdiff_t at) { return at < 0 ? nullptr : sources + at; };
        block.entry.orders =
            to.make<device::StepOrder<Real>>(orders.steps.size(), [&](std::size_t i) {
              const typename Orders::Step& step = orders.steps[i];
              device::StepOrder<Real> order = step.order;
              order.source = source(step.source);
              order.source_before = source(step.source_before);
              order.point = points + step.point;
              order.point_first = point_first + step.point_first;
              order.point_amount = amounts;
              order.probe = places + step.probe;
              order.probed = results + step.record.probes_at;
              return order;
            });
      });
  block.uploads.push_back({tables.buffer, 0, tables.size});
  block.holds.push_back(tables.buffer);
}

template <class Real>
void DeviceChunk<Real>::finish_oldest() {
  Flight flight = std::move(flights_.front());
  flights_.pop_front();
  flight.done.get();
  now_ = flight.end;
  hear(flight);
  if (!flight.ends_block) return;
  const auto* const rows =
      reinterpret_cast<const Real*>(flight.results.buffer->host) + flight.rows_at;
  double most = 0.0;
  for (std::size_t i = 0; i < field_.rows(); ++i) {
    const auto square = static_cast<double>(rows[i]);
    if (!(square < largest_pressure * largest_pressure)) throw UnboundedField();
    most = std::max(most, square);
  }
  loudest_row_ = std::sqrt(most);
}

template <class Real>
void DeviceChunk<Real>::hear(const Flight& flight) {
  const std::byte* const results = flight.results.buffer->host;
  const auto* const values = reinterpret_cast<const Real*>(results);
  for (const Record& record : flight.records) {
    const Real* const probed = values + record.probes_at;
    if (record.is_recorded) hearing_.record(record.probes, {probed, record.probed});
    for (std::size_t i = 0; i < record.slice_air.size(); ++i)
      slices_->add(record.slice_air[i] ? static_cast<float>(probed[record.probed + i]) : 0.0f);
  }
  if (flight.ends_block)
    device_hearing_.finish(flight.heard,
                           reinterpret_cast<const double*>(results + flight.heard_at));
}

template class DeviceChunk<float>;
template class DeviceChunk<double>;

}  // namespace peal::wave
