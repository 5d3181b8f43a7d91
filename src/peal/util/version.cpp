#include <peal/util/version.h>

namespace peal::util {

std::string version() {
  return PEAL_VERSION;
}

}  // namespace peal::util
