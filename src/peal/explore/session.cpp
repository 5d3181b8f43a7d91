#include <peal/dynamics/keyframed_motion.h>
#include <peal/explore/body_data.h>
#include <peal/explore/head_data.h>
#include <peal/explore/session.h>
#include <peal/scene/material.h>
#include <peal/util/version.h>

#include <nlohmann/json.hpp>

namespace peal::explore {

namespace {

using Json = nlohmann::ordered_json;

Json pose_json(const base::Pose& pose) {
  const geometry::Vec3& p = pose.position;
  const geometry::Quat& q = pose.orientation;
  return {{"position", {p.x(), p.y(), p.z()}}, {"orientation", {q.x(), q.y(), q.z(), q.w()}}};
}

}  // namespace

Session make_session(const scene::Scene& scene, util::Progress& progress, double most_seconds) {
  Session session{.title = scene.file.empty() ? "" : scene.file.parent_path().filename().string(),
                  .medium = scene.medium,
                  .notices = scene.notices};
  for (ExploredBody& body : explored_bodies(scene, progress, most_seconds, session.notices))
    session.bodies.push_back(std::make_shared<const ExploredBody>(std::move(body)));
  if (!scene.listeners.empty()) {
    const scene::Listener& first = scene.listeners.front();
    if (first.head) session.head = head_data(first.head, scene.medium);
    session.listener = dynamics::KeyframedMotion(first.motion).pose(0.0);
  }
  return session;
}

std::string session_json(const Session& session, bool is_served) {
  Json json{{"peal", util::version()},
            {"title", session.title},
            {"served", is_served},
            {"speed_of_sound_m_per_s", session.medium.speed_of_sound},
            {"air_density_kg_per_m3", session.medium.density}};
  if (!session.head.empty()) json["head"] = head_name;
  if (session.listener) json["listener"] = pose_json(*session.listener);
  json["bodies"] = Json::array();
  for (std::size_t i = 0; i < session.bodies.size(); ++i)
    json["bodies"].push_back({{"name", session.bodies[i]->name}, {"file", body_name(i)}});
  json["materials"] = Json::array();
  for (const std::string& name : scene::material_names())
    json["materials"].push_back(material_json(*scene::find_material(name)));
  json["notices"] = session.notices;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string body_name(std::size_t number) {
  return "body-" + std::to_string(number) + ".peal-body";
}

}  // namespace peal::explore
