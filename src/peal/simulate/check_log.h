#pragma once

#include <peal/base/contact.h>
#include <peal/contact/contact_forces.h>
#include <peal/scene/scene.h>

#include <cstddef>
#include <string>
#include <vector>

namespace peal::simulate {

/// Which object each body of a log is. Throws InputError if the scene has no such body.
std::vector<std::size_t> objects_of(const scene::Scene& scene, const base::ContactLog& log);

/// Throws InputError that names the record if nothing in the scene could have done it.
void check_records(const scene::Scene& scene, const base::ContactLog& log,
                   const std::vector<contact::ContactBody>& bodies,
                   const std::vector<std::size_t>& object_of);

/// Notes which part of a log is not within the scene: its clock may have other units, or be of
/// another take.
void mention_records_outside(const scene::Scene& scene, const base::ContactLog& log,
                             std::vector<std::string>& notices);

}  // namespace peal::simulate
