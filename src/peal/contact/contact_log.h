#pragma once

#include <peal/base/contact.h>

#include <filesystem>
#include <string>
#include <string_view>

/// The contact log as a file: JSON Lines, or a table of comma-separated values
/// (docs/contact-log.md).
namespace peal::contact {

/// Throws InputError that names the record, counted from 1: an unknown body, a time before that of
/// the record before it, a number that is none, a normal without a direction.
base::ContactLog parse_contact_log(std::string_view bytes, const std::string& name);

/// The same from a table whose first row names the columns. Bodies are those that occur.
base::ContactLog parse_contact_table(std::string_view bytes, const std::string& name);

/// By the file's ending: .csv is a table, anything else JSON Lines.
base::ContactLog read_contact_log(const std::filesystem::path& path);

/// As parse_contact_log reads it; every number comes back as it was.
std::string contact_log_text(const base::ContactLog& log);

}  // namespace peal::contact
