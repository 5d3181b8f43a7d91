#pragma once

#include <peal/elastic/internal_forces.h>

#include <memory>
#include <vector>

namespace peal::elastic {

/// The forces of several kinds of elements over the same nodes, as one object.
std::unique_ptr<InternalForces> joined(std::vector<std::unique_ptr<InternalForces>> parts);

}  // namespace peal::elastic
