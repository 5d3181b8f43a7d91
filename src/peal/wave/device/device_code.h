#pragma once

namespace peal::wave::device {

/// The kernels as PTX, made from kernels.cu when the program was built; empty if it was built
/// without clang (cmake/device_code.cmake).
extern const char* const device_code;

}  // namespace peal::wave::device
