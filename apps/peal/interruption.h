#pragma once

#include <string>

namespace peal::apps {

/// From now on Ctrl-C and a request to end print this sentence on stderr before the program ends as
/// it would without it.
void explain_interruption(const std::string& sentence);

/// What a render that is interrupted leaves behind, and how to go on.
std::string what_is_kept();

}  // namespace peal::apps
