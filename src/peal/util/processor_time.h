#pragma once

namespace peal::util {

/// The processor time that this thread has taken [s]. Unlike the time of a clock on the wall, it
/// does not depend on what else the machine does.
double thread_seconds();

/// The processor time that all threads of this program have taken [s].
double process_seconds();

}  // namespace peal::util
