#pragma once

#include <peal/elastic/internal_forces.h>

#include <memory>
#include <vector>

namespace peal::elastic {

/// Those of elements of several kinds over the same nodes.
std::unique_ptr<InternalForces> joined(std::vector<std::unique_ptr<InternalForces>> parts);

}  // namespace peal::elastic
