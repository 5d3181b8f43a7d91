#pragma once

#include <peal/base/contact.h>
#include <peal/base/motion_result.h>
#include <peal/scene/scene.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace peal::simulate {

/// Prepares the bodies of a contact log that the scene does not move. `object_of` is the object of
/// each body of the log.
///
/// Where neither of two bodies moves, the lighter of those with a mass gives way. A body without
/// any motion or position whose contacts are elsewhere stays where they are: it jumps from one to
/// the next, half way between their times, upright, with its outermost point at the contact.
void prepare_logged_bodies(const scene::Scene& scene, const base::ContactLog& log,
                           std::span<const std::size_t> object_of, base::MotionResult& result,
                           std::vector<std::string>& notices);

}  // namespace peal::simulate
