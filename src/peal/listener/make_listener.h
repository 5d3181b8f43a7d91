#pragma once

#include <peal/base/listener.h>
#include <peal/scene/scene.h>

#include <memory>

namespace peal::listener {

/// The listener that a scene asks for; `motion` is its head's.
std::unique_ptr<base::Listener> make_listener(const scene::Listener& settings,
                                              std::shared_ptr<const base::Motion> motion);

}  // namespace peal::listener
