#pragma once

#include <peal/wave/device/chunk_field.h>
#include <peal/wave/device/device_hearing.h>
#include <peal/wave/device/field_device.h>
#include <peal/wave/driver/chunk_run.h>
#include <peal/wave/driver/wall_sequence.h>
#include <peal/wave/far_field/receiver_array.h>
#include <peal/wave/scheme/layer_selection.h>

#include <cstdint>
#include <deque>
#include <future>
#include <string>
#include <vector>

namespace peal::wave {

/// Why the fields of a run cannot be computed by a device, as part of a sentence; empty if they
/// can.
std::string device_obstacle(const base::WaveSettings& settings);

/// A field grew without bound on a device. The processor finds out where.
struct UnboundedField {};

/// A simulation on a device, and its receivers. Geometry and sources are made on this thread, ahead
/// of the field; the device steps through them block by block.
template <class Real>
class DeviceChunk {
 public:
  DeviceChunk(const ChunkRun& run, device::FieldDevice& device, SliceRecord* slices);
  ~DeviceChunk();

  std::int64_t now() const { return now_; }
  std::int64_t steps_to_complete() const { return stride_ * ReceiverArray<Real>::looks_ahead; }
  ReceiverArray<Real>& receiver_array() { return hearing_; }

  /// Takes some steps, none after `latest`, and returns the pressure of the loudest row of cells.
  /// Throws DeviceLost if the device fails, and UnboundedField.
  double run(std::int64_t steps, std::int64_t latest);

 private:
  /// What a step leaves behind, and where it is in the results of its block.
  struct Record {
    bool is_recorded = false;
    std::size_t probes_at = 0, probed = 0;  ///< [values]
    std::vector<typename ReceiverArray<Real>::Probe> probes;
    std::vector<bool> slice_air;  ///< of the cells of a slice, after the probes
  };
  struct Flight {
    std::int64_t end;
    device::Tables results;
    std::size_t rows_at = 0;  ///< where the loudness of rows begins in the results [values]
    bool ends_block = false;
    std::size_t heard_at = 0;  ///< where what was heard begins [bytes]
    typename device::DeviceHearing<Real>::Block heard;
    std::vector<Record> records;
    std::future<void> done;
  };
  struct Orders;

  void submit(std::int64_t end, bool ends_block);
  void add_step(Orders& orders, device::StepBlock<Real>& block);
  void write_orders(const Orders& orders, const Flight& flight, double* heard_at,
                    device::StepBlock<Real>& block);
  void enter_key(device::StepOrder<Real>& order, device::StepBlock<Real>& block);
  void add_sources(device::StepOrder<Real>& order, Orders& orders);
  void add_points(Orders& orders);
  void add_record(Orders& orders);
  void finish_oldest();
  void hear(const Flight& flight);

  ChunkRun run_;
  device::FieldDevice& device_;
  SliceRecord* slices_;
  std::int64_t stride_;
  WallSequence<Real> sequence_;
  FieldLayout layout_;
  ReceiverArray<Real> hearing_;
  device::DeviceHearing<Real> device_hearing_;
  device::ChunkField<Real> field_;
  LayerSelection layer_;
  device::Tables before_, key_;
  bool has_begun_ = false;
  bool needs_volumes_;         ///< whether something asks which cells are open at a step
  double loudest_row_ = 0.0;   ///< after the last complete step [Pa]
  std::int64_t now_, ahead_;   ///< steps that are complete, and steps that were submitted
  std::int32_t recorded_ = 0;  ///< fields that were submitted
  std::deque<Flight> flights_;
};

extern template class DeviceChunk<float>;
extern template class DeviceChunk<double>;

}  // namespace peal::wave
