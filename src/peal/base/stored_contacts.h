#pragma once

#include <peal/base/contact.h>
#include <peal/util/archive.h>

namespace peal::base {

/// Writes or reads records.
void serialize(util::Archive& archive, std::vector<ContactRecord>& records);

/// Writes or reads contacts at rest.
void serialize(util::Archive& archive, std::vector<RestingContact>& rests);

/// Writes or reads a log. Throws InputError for a body that does not exist.
void serialize(util::Archive& archive, ContactLog& log);

}  // namespace peal::base
