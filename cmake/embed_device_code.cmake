# Writes the bytes of FROM, and a zero, into the C++ file TO.
file(READ ${FROM} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n  " bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${TO} "// Made by embed_device_code.cmake.
#include <peal/wave/device/device_code.h>

namespace peal::wave::device {
namespace {
const unsigned char bytes[] = {
  ${bytes}0x00};
}  // namespace
const char* const device_code = reinterpret_cast<const char*>(bytes);
}  // namespace peal::wave::device
")
