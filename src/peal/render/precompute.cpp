#include <peal/base/radiation_drives.h>
#include <peal/render/in_file.h>
#include <peal/render/precompute.h>
#include <peal/render/settle_surface.h>
#include <peal/render/stages.h>
#include <peal/sounds/modal.h>
#include <peal/sounds/ringing_body.h>
#include <peal/util/error.h>
#include <peal/wave/multipoles/stored_tables.h>

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

namespace peal::render {

namespace {

using Outlook = base::TableMaker::Outlook;

/// Makes the tables of one body after another, and says why one has none.
class Precomputation {
 public:
  Precomputation(const base::Medium& medium, double max_frequency, util::Progress& progress,
                 std::vector<std::string>& notices, std::set<std::string> fragments = {})
      : medium_(medium),
        max_frequency_(max_frequency),
        progress_(progress),
        notices_(notices),
        tables_(std::move(fragments)) {}
  ~Precomputation() {
    for (std::string& notice : tables_.notices()) notices_.push_back(std::move(notice));
  }

  void add_rigid(const base::Body& body, PrecomputedBody& result) {
    if (!is_possible(body, tables_.rigid_outlook(body, medium_, max_frequency_))) return;
    begin("acceleration noise", body);
    result.rigid = tables_.rigid(body, medium_, max_frequency_,
                                 [&](double fraction) { progress_.update(fraction); });
    progress_.end();
  }
  void add_modal(const base::Body& body, const base::ModalModel& model, PrecomputedBody& result) {
    if (!is_possible(body, tables_.modal_outlook(body, model, medium_, max_frequency_))) return;
    begin("modes", body);
    result.modal = tables_.modal(body, model, medium_, max_frequency_,
                                 [&](double fraction) { progress_.update(fraction); });
    progress_.end();
  }

 private:
  bool is_possible(const base::Body& body, const Outlook& outlook) {
    if (!outlook.problem.empty())
      notices_.push_back(fmt::format("\"{}\": {}", body.name, outlook.problem));
    return outlook.is_possible;
  }
  void begin(const std::string& what, const base::Body& body) {
    progress_.begin(fmt::format("precompute {} of \"{}\"", what, body.name), 0.0);
  }

  const base::Medium& medium_;
  double max_frequency_;
  util::Progress& progress_;
  std::vector<std::string>& notices_;
  wave::StoredTables tables_;
};

}  // namespace

std::vector<PrecomputedBody> precompute(const scene::Scene& given, util::Progress& progress,
                                        std::vector<std::string>& notices) try {
  simulate::BrokenScene broken = simulate::break_bodies(given, progress, notices);
  scene::Scene& scene = broken.scene;
  scene.radiation.model = scene::Radiation::Model::precomputed;
  const base::World world = make_world(
      scene, simulate::move_scene(scene, progress, notices, {.breakages = broken.breakages}),
      notices);
  Precomputation work(world.medium, scene.radiation.table_frequency, progress, notices,
                      simulate::piece_names(broken.scene));
  std::vector<PrecomputedBody> bodies;
  for (const base::Body& body : world.bodies) {
    PrecomputedBody result{.name = body.name};
    for (const auto& source : body.sources) {
      if (base::rigid_drive(source))
        work.add_rigid(body, result);
      else if (const auto modal = base::modal_drive(source))
        work.add_modal(body, modal->model(), result);
    }
    if (result.rigid || result.modal) bodies.push_back(std::move(result));
  }
  return bodies;
} catch (const std::exception&) {
  rethrow_in_file(given.file);
}

PrecomputedBody precompute(const scene::Object& object, const base::Medium& medium,
                           double max_frequency, util::Progress& progress,
                           std::vector<std::string>& notices) {
  Precomputation work(medium, max_frequency, progress, notices);
  PrecomputedBody result{.name = object.name};
  base::Body body{.name = object.name};
  if (object.material) {
    const sounds::RingingBody ringing = sounds::make_ringing_body(
        object, {.max_frequency = max_frequency}, medium, progress, notices, {});
    body.mesh = ringing.model->surface;
    body.is_sheet = object.is_sheet;
    work.add_modal(body, *ringing.model, result);
  } else {
    SettledSurface settled =
        settle_surface({.name = object.name, .mesh = *object.mesh, .is_sheet = object.is_sheet},
                       medium.speed_of_sound / max_frequency, notices);
    body.mesh = std::move(settled.mesh);
    body.is_sheet = settled.is_sheet;
    if (body.is_sheet) {
      throw util::InputError({"", object.name},
                             "is an open surface, which has no acceleration noise",
                             "Close it, so that it has an inside.");
    }
  }
  work.add_rigid(body, result);
  return result;
}

}  // namespace peal::render
