#pragma once

#include <peal/elastic/solid.h>

#include <bench/report.h>

#include <string>

namespace peal::bench {

/// Reports how many elements a second the forces of a solid take on one core, all together and one
/// after another. `least` is what is asked for [million a second].
void measure_forces(Report& report, const std::string& name, elastic::Solid solid, double least);

}  // namespace peal::bench
