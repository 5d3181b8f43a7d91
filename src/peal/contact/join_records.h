#pragma once

#include <peal/base/contact.h>

namespace peal::contact {

/// Joins pieces of contacts that last, which follow each other at a place, to such of at most
/// `longest` [s], which is then the step of the log: a simulation in steps of a sample gives
/// sliding more often than anyone hears. Records must be in the order of time, and remain so.
/// Impacts stay as they are; so does the impulse of each pair.
void join_records(base::ContactLog& log, double longest);

}  // namespace peal::contact
