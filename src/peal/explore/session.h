#pragma once

#include <peal/explore/explored_body.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace peal::explore {

/// What the page shows: bodies in the air.
struct Session {
  std::string title;
  base::Medium medium;
  std::optional<base::Pose> listener;  ///< looks along -Z; absent: the page finds a view
  std::vector<std::shared_ptr<const ExploredBody>> bodies;
  std::string head;  ///< head_data() of the ears it is heard by; empty: a sphere's
  std::vector<std::string> notices;
};

/// The scene's bodies with their modes, and its first listener. Radiation is precomputed for bodies
/// that this takes at most `most_seconds`.
Session make_session(const scene::Scene& scene, util::Progress& progress,
                     double most_seconds = 20.0);

/// The session as the page reads it first: all but the bodies' data. `is_served` says whether a
/// server is there to compute modes.
std::string session_json(const Session& session, bool is_served);

/// Name of the file of the head.
inline constexpr const char* head_name = "head.peal-head";

/// Name of the file of a body: "body-3.peal-body".
std::string body_name(std::size_t number);

}  // namespace peal::explore
