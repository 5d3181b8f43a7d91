#pragma once

#include <stdexcept>
#include <string>

namespace peal::wave::device {

/// A device failed, or has too little memory: its work must be done elsewhere.
class DeviceLost : public std::runtime_error {
 public:
  explicit DeviceLost(const std::string& what) : std::runtime_error(what) {}
};

}  // namespace peal::wave::device
