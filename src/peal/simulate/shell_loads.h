#pragma once

#include <peal/elastic/load.h>
#include <peal/elastic/soft_support.h>
#include <peal/elastic/solid.h>
#include <peal/scene/scene.h>
#include <peal/util/fingerprint.h>

#include <memory>

namespace peal::simulate {

/// The hammer of a strike on a shell, number `number` of the solids, whose frame has this
/// orientation at the start. Adds what it depends on to the fingerprint. Throws InputError if the
/// object has other elements than those of shells.
std::unique_ptr<elastic::Load> mallet_of(const scene::Object& object, const scene::Strike& strike,
                                         const elastic::Solid& solid, std::size_t number,
                                         const geometry::Quat& orientation,
                                         util::Fingerprint& fingerprint);

/// A soft support of a solid. Throws InputError at its location if it holds nothing.
std::unique_ptr<elastic::SoftSupport> support_of(const scene::SoftRegion& region,
                                                 const elastic::Solid& solid, std::size_t number,
                                                 util::Fingerprint& fingerprint);

}  // namespace peal::simulate
