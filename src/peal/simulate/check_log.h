#pragma once

#include <peal/base/contact.h>
#include <peal/contact/contact_forces.h>
#include <peal/scene/scene.h>

#include <cstddef>
#include <vector>

namespace peal::simulate {

/// Which object each body of a log is. Throws InputError if the scene has no such body.
std::vector<std::size_t> objects_of(const scene::Scene& scene, const base::ContactLog& log);

/// Throws InputError that names the record if nothing in the scene could have done it.
void check_records(const scene::Scene& scene, const base::ContactLog& log,
                   const std::vector<contact::ContactBody>& bodies,
                   const std::vector<std::size_t>& object_of);

}  // namespace peal::simulate
