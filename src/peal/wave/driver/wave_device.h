#pragma once

#include <peal/wave/driver/chunk_run.h>

#include <memory>
#include <string>
#include <vector>

namespace peal::wave {

namespace device {
class FieldDevice;
}

/// While it exists, fields of this program are computed where it says: "auto" (by a graphics
/// processors if there are any), "cpu", "cuda" (all of them) or "cuda:1". Without one, the
/// processor computes them. Throws InputError if there is no such device.
class DeviceScope {
 public:
  explicit DeviceScope(const std::string& wanted);
  /// Fields are computed by this device: for tests.
  explicit DeviceScope(std::shared_ptr<device::FieldDevice> device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;
};

/// Whether a device was asked for by name, so that anything that it cannot do is an error. Such a
/// verb says so by throwing InputError with this as its reason.
void refuse_named_device(const std::string& reason);

/// Where the runs of a plan are computed.
struct ChosenDevice {
  std::vector<std::shared_ptr<device::FieldDevice>> devices;  ///< none: the processor
  std::string why;  ///< a sentence for the plan; empty if nobody asked for a device
};
/// Throws InputError if a device was asked for by name that cannot compute them.
ChosenDevice choose_device(const WavePlan& plan);

/// How many chunks one of so many devices computes side by side: the geometry of each is made by a
/// thread.
std::size_t chunks_at_once(const WavePlan& plan, device::FieldDevice& device,
                           std::size_t devices = 1);

}  // namespace peal::wave
