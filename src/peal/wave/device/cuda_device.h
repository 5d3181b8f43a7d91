#pragma once

#include <peal/wave/device/device.h>

#include <memory>
#include <string>

namespace peal::wave::device {

/// Why this program cannot use graphics processors, or nothing if it can.
std::string cuda_problem();
int cuda_device_count();
/// The name of a device and its memory, for messages; it does not start the device.
std::string cuda_device_name(int number);

/// Starts a device, which takes a third of a second. Throws DeviceLost if it does not start.
std::unique_ptr<Device> cuda_device(int number);

}  // namespace peal::wave::device
