#pragma once

#include <peal/farm/shared_render.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace peal::farm {

/// Why a process gave up its part of a render.
struct Failure {
  std::string part;  ///< "3/8", or "prepare"
  std::string host;
  std::string problem;
};

/// How far a shared render is.
struct Status {
  bool is_planned = false;  ///< false: motion and modes are not ready
  std::string preparing;    ///< who prepares it: "process 12 on render3"; empty: nobody
  std::size_t units = 0, done = 0, running = 0;
  std::size_t interrupted = 0;    ///< their processes were killed; nobody has begun them again
  std::vector<Failure> failures;  ///< of parts that nobody has completed since
  double work = 0.0;              ///< of all units, in `work_unit`
  double work_done = 0.0;         ///< with the known part of units that run
  std::string work_unit;
  double speed = 0.0;                   ///< in the last hour [work_unit per second]
  std::optional<double> seconds_to_go;  ///< if anything runs and the speed is known
  bool is_merged = false;

  std::size_t waiting() const { return units - done - running - interrupted; }
};

/// Looks into the folder only: it takes one listing and one look at each result. Throws InputError
/// if there is no shared render.
Status status_of(const SharedFolder& folder);

/// Remembers in the folder that a part failed, or that it did not, as far as that can be written.
void note_failure(const SharedFolder& folder, const std::string& part, const std::string& problem);
void forget_failure(const SharedFolder& folder, const std::string& part);

}  // namespace peal::farm
