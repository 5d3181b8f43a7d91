#include <peal/util/machine_memory.h>

#include <unistd.h>

namespace peal::util {

double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace peal::util
