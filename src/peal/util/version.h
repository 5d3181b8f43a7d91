#pragma once

#include <string>

namespace peal::util {

/// Version of Peal, "0.1.0".
std::string version();

}  // namespace peal::util
