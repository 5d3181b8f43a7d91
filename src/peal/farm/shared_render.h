#pragma once

#include <peal/farm/plan.h>
#include <peal/render/render.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace peal::farm {

/// The folder that the machines of a render share.
class SharedFolder {
 public:
  explicit SharedFolder(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path plan() const { return root_ / "plan.json"; }
  /// Everything that is computed: the cache of all processes of the render.
  std::filesystem::path results() const { return root_ / "work"; }
  std::filesystem::path preparing() const { return results() / "prepare.lock"; }
  std::filesystem::path errors() const { return root_ / "errors"; }
  std::filesystem::path jobs() const { return root_ / "jobs"; }

  /// Makes the results of this process those of the folder. Call it before anything is computed.
  void become_cache() const;
  /// The plan, if there is one.
  std::optional<Plan> find_plan() const;

 private:
  std::filesystem::path root_;
};

struct SharedOptions {
  double checkpoint_interval = util::Checkpoint::usual_pause;  ///< [s]
  std::optional<double> motion_rate, view_rate;                ///< as render::RenderOptions
  /// Receives what users should know at once.
  std::function<void(const std::string&)> tell = [](const std::string&) {};
};

/// One process of a render that several share. All find the modes of its bodies, each some of them
/// (find_modes()). Then one prepares it: it moves the scene, stores that, and writes the plan; the
/// others wait, and go on if it is killed. All results are stored under hashes of what they depend
/// on, appear whole or not at all, and are the same whoever computes them, so that any process may
/// be killed and repeated.
class SharedRender {
 public:
  /// Throws InputError if the folder holds another render.
  SharedRender(const scene::Scene& scene, const Identity& identity, const SharedFolder& folder,
               util::Progress& progress, const SharedOptions& options);

  const Plan& plan() const { return plan_; }
  const std::vector<std::string>& notices() const { return rendering_->notices(); }
  const base::RadiationPlan& radiation() const { return rendering_->plan(); }

  /// What a process did.
  struct Report {
    std::size_t units = 0;     ///< of its part
    std::size_t computed = 0;  ///< of these; the others were there
  };
  /// Computes those units of a part that nobody has computed.
  Report compute(const Part& part, util::Progress& progress) const;

  /// Adds up all results. Throws InputError that names those that are missing or damaged.
  render::Sound merge(util::Progress& progress);

 private:
  void plan_units(const scene::Scene& scene, const Identity& identity);
  void check_file(std::size_t unit) const;

  SharedFolder folder_;
  SharedOptions options_;
  std::unique_ptr<render::Rendering> rendering_;
  std::unique_ptr<base::WorkUnits> units_;
  Plan plan_;
};

}  // namespace peal::farm
