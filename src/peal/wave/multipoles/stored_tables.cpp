#include <peal/wave/multipoles/modal_radiation.h>
#include <peal/wave/multipoles/rigid_radiation.h>
#include <peal/wave/multipoles/stored_tables.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

namespace peal::wave {

StoredTables::StoredTables(std::set<std::string> fragments)
    : fragments_(std::move(fragments)),
      rigid_(util::stored::rigid_radiation),
      modal_(util::stored::modal_radiation),
      bank_(rigid_) {}

bool StoredTables::is_from_bank(const base::Body& body, const base::Medium& medium,
                                double max_frequency) const {
  return fragments_.contains(body.name) &&
         EllipsoidBank::covers(stand_in(body.mesh), medium.speed_of_sound, max_frequency);
}

bool StoredTables::is_known(const std::string& key) const {
  {
    const std::lock_guard lock(mutex_);
    if (shapes_.contains(key)) return true;
  }
  return rigid_.contains(key);
}

StoredTables::Outlook StoredTables::rigid_outlook(const base::Body& body,
                                                  const base::Medium& medium,
                                                  double max_frequency) const {
  if (body.is_sheet) return {.is_possible = false, .problem = "it is an open surface"};
  if (is_from_bank(body, medium, max_frequency)) {
    const double work = bank_.missing_work(stand_in(body.mesh));
    return {.is_stored = work == 0.0, .work = work, .max_frequency = max_frequency};
  }
  const RigidRadiationPlan plan = plan_rigid_radiation(body.mesh, medium, max_frequency);
  Outlook outlook{.is_stored = is_known(plan.key),
                  .work = rigid_radiation_work(plan, body.mesh),
                  .max_frequency = plan.max_frequency,
                  .file = rigid_.file(plan.key)};
  if (!plan.is_complete) {
    outlook.problem = fmt::format("it is so large that its acceleration noise ends at {:.0f} Hz",
                                  plan.max_frequency);
  }
  return outlook;
}

StoredTables::Outlook StoredTables::modal_outlook(const base::Body& body,
                                                  const base::ModalModel& model,
                                                  const base::Medium& medium,
                                                  double max_frequency) const {
  // The modes of small pieces are heard from a point.
  if (is_from_bank(body, medium, max_frequency)) return {.is_possible = false, .problem = ""};
  const ModalRadiationPlan plan = plan_modal_radiation(model, medium, max_frequency);
  if (plan.modes == 0) return {.is_possible = false, .problem = "no mode is in the band"};
  const double radius = geometry::enclosing_ball(model.surface.vertices).radius;
  const double highest = model.modes[plan.modes - 1].frequency;
  if (2.0 * std::numbers::pi * highest / medium.speed_of_sound * radius > most_reach) {
    return {.is_possible = false,
            .problem = fmt::format("it is too large for its modes up to {:.0f} Hz", highest)};
  }
  Outlook outlook{.is_stored = modal_.contains(plan.key),
                  .max_frequency = highest,
                  .file = modal_.file(plan.key)};
  outlook.work = modal_radiation_work(plan, body.mesh, medium);
  return outlook;
}

std::shared_ptr<const base::RigidRadiation> StoredTables::rigid(const base::Body& body,
                                                                const base::Medium& medium,
                                                                double max_frequency,
                                                                const Advance& advance) const {
  if (is_from_bank(body, medium, max_frequency)) {
    return std::make_shared<base::RigidRadiation>(
        bank_.radiation(body.mesh, medium, max_frequency, advance));
  }
  const RigidRadiationPlan plan = plan_rigid_radiation(body.mesh, medium, max_frequency);
  std::shared_ptr<const base::RigidRadiation> shape;
  {
    const std::lock_guard lock(mutex_);
    shape = shapes_[plan.key];
  }
  if (!shape) {
    shape = std::make_shared<base::RigidRadiation>(
        stored_shape_radiation(rigid_, body.mesh, plan, advance));
    const std::lock_guard lock(mutex_);
    shapes_[plan.key] = shape;
  }
  return std::make_shared<base::RigidRadiation>(plan.of_body(*shape, medium));
}

std::shared_ptr<const base::ModalRadiation> StoredTables::modal(const base::Body& body,
                                                                const base::ModalModel& model,
                                                                const base::Medium& medium,
                                                                double max_frequency,
                                                                const Advance& advance) const {
  return std::make_shared<base::ModalRadiation>(
      stored_modal_radiation(modal_, model, body.is_sheet, medium, max_frequency, advance));
}

std::vector<std::string> StoredTables::notices() const {
  std::vector<std::string> all = rigid_.notices();
  for (std::string& notice : modal_.notices()) all.push_back(std::move(notice));
  return all;
}

}  // namespace peal::wave
