#include <peal/base/motion_survey.h>
#include <peal/geometry/mesh/enclosing_ball.h>
#include <peal/radiation/body_emission.h>
#include <peal/radiation/precomputed.h>
#include <peal/util/error.h>
#include <peal/util/parallel.h>
#include <peal/util/processor_time.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <utility>

namespace peal::radiation {

namespace {

using base::Receiver;
using base::Signal;
using base::World;
using Outlook = base::TableMaker::Outlook;

/// Time of a cell update on a core, for estimates of what tables cost [s].
constexpr double seconds_per_update = 3e-9;

/// Time between looks at how near bodies are to each other [s].
constexpr double nearness_interval = 0.01;

/// A mirror is at least as large as a square with this many radii of a body's ball as its side.
constexpr double mirror_size = 4.0;

/// One source of one body that a table serves.
struct TabledSource {
  std::size_t body = 0;
  std::shared_ptr<const base::SurfaceSource> source;
  std::shared_ptr<const base::RigidDrive> rigid;
  std::shared_ptr<const base::ModalDrive> modal;
  Outlook outlook;
};

/// What tables serve, and the world of everything else, as `direct` renders it.
struct Division {
  std::vector<TabledSource> tabled;
  World rest;                         ///< points only
  std::vector<std::string> left_out;  ///< bodies with surfaces that nothing serves
  std::vector<std::string> notices;
};

Division divide(const World& world, const base::TableMaker& tables, double max_frequency) {
  Division result{.rest = world};
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const base::Body& body = world.bodies[i];
    std::vector<std::shared_ptr<const base::SurfaceSource>> others;
    for (const auto& source : body.sources) {
      TabledSource one{.body = i, .source = source, .outlook = {.is_possible = false}};
      one.rigid = base::rigid_drive(source);
      if (one.rigid)
        one.outlook = tables.rigid_outlook(body, world.medium, max_frequency);
      else if ((one.modal = base::modal_drive(source)))
        one.outlook = tables.modal_outlook(body, one.modal->model(), world.medium, max_frequency);
      if (!one.outlook.problem.empty()) {
        result.notices.push_back(fmt::format(
            "\"{}\"{}: {}", body.name,
            one.outlook.is_possible ? "" : " is rendered as by \"direct\"", one.outlook.problem));
      }
      if (one.outlook.is_possible)
        result.tabled.push_back(std::move(one));
      else
        others.push_back(source);
    }
    result.rest.bodies[i].sources = std::move(others);
  }
  reduce_to_multipoles(result.rest);
  for (const base::Body& body : result.rest.bodies)
    if (!body.sources.empty()) result.left_out.push_back('"' + body.name + '"');
  result.rest.bodies.clear();
  return result;
}

geometry::Vec3 middle_of(const base::Body& body) {
  return geometry::bounds(body.mesh).center();
}

/// At most three names, and how many more there are.
std::vector<std::string> shortened(const std::set<std::string>& names) {
  constexpr std::size_t most = 3;
  std::vector<std::string> result(names.begin(), names.end());
  if (result.size() <= most) return result;
  result.resize(most);
  result.push_back(fmt::format("{} more", names.size() - most));
  return result;
}

/// Names of bodies with tables that come so close to each other that their balls meet.
std::set<std::string> near_each_other(const World& world, const std::vector<TabledSource>& tabled) {
  std::map<std::size_t, geometry::Ball> balls;  // by body, in its frame
  for (const TabledSource& one : tabled)
    balls.try_emplace(one.body, geometry::enclosing_ball(world.bodies[one.body].mesh.vertices));
  std::set<std::string> names;
  std::vector<std::pair<std::size_t, Vec3>> centres;
  const double length = world.rate.seconds(world.samples);
  for (double t = 0.0; t < length && names.size() < balls.size(); t += nearness_interval) {
    centres.clear();
    for (const auto& [body, ball] : balls) {
      const auto& exists = world.bodies[body].exists;
      if (exists && (t < exists->begin || t >= exists->end)) continue;
      centres.emplace_back(body, world.bodies[body].motion->pose(t).to_world(ball.centre));
    }
    for (std::size_t i = 0; i < centres.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const auto& [a, x] = centres[i];
        const auto& [b, y] = centres[j];
        if ((x - y).norm() > balls.at(a).radius + balls.at(b).radius) continue;
        names.insert('"' + world.bodies[a].name + '"');
        names.insert('"' + world.bodies[b].name + '"');
      }
    }
  }
  return names;
}

/// Silence, where only the position of a source matters.
class SilentPoint : public base::PointShader {
 public:
  Signal strength(base::Rate rate, base::SampleRange range) const override {
    return {.rate = rate, .start = range.begin};
  }
};

/// Bodies with tables, and what they send.
class TabledWorld {
 public:
  TabledWorld(const World& world, const Division& division, const base::TableMaker& tables,
              double max_frequency, const std::function<void(double)>& advance)
      : world_(world) {
    double all = 0.0, done = 0.0;
    for (const TabledSource& one : division.tabled)
      if (!one.outlook.is_stored) all += one.outlook.work;
    for (const TabledSource& one : division.tabled) {
      const double share = one.outlook.is_stored || all == 0.0 ? 0.0 : one.outlook.work / all;
      const auto report = [&](double fraction) { advance(done + share * fraction); };
      add(one, tables, max_frequency, report);
      done += share;
    }
    double smallest = std::numeric_limits<double>::infinity();
    for (const auto& body : bodies_) smallest = std::min(smallest, body.radius);
    if (!bodies_.empty()) mirrors_ = flat_mirrors(world, std::pow(mirror_size * smallest, 2));
  }

  /// The points that stand for all bodies at one receiver, on the direct way or over a mirror.
  std::vector<base::PointSource> points(const Receiver& receiver, const FlatMirror* mirror) const {
    std::vector<base::PointSource> result;
    for (const TabledBody& tabled : bodies_) {
      const base::Body& body = world_.bodies[tabled.index];
      if (mirror != nullptr &&
          (mirror->body == tabled.index || mirror->area < std::pow(mirror_size * tabled.radius, 2)))
        continue;
      const auto emission = std::make_shared<BodyEmission>(world_, body, receiver, mirror);
      emission->clicks = tabled.clicks;
      emission->modes = tabled.modes;
      result.push_back(
          {.name = body.name, .motion = body.motion, .offset = tabled.centre, .shader = emission});
    }
    return result;
  }

  const std::vector<FlatMirror>& mirrors() const { return mirrors_; }
  double largest_rest() const { return largest_rest_; }
  const std::string& body_of_rest() const { return body_of_rest_; }

 private:
  struct TabledBody {
    std::size_t index = 0;
    Vec3 centre;
    double radius = 0.0;
    std::vector<std::shared_ptr<const TabledClicks>> clicks;
    std::vector<std::shared_ptr<const TabledModes>> modes;
  };

  void add(const TabledSource& one, const base::TableMaker& tables, double max_frequency,
           const base::TableMaker::Advance& report) {
    const base::Body& body = world_.bodies[one.body];
    TabledBody tabled{.index = one.body};
    if (one.rigid) {
      const auto table = tables.rigid(body, world_.medium, max_frequency, report);
      tabled.centre = table->centre;
      tabled.radius = table->radius;
      tabled.clicks.push_back(std::make_shared<TabledClicks>(one.rigid, table, world_.rate));
      if (table->rest > largest_rest_) {
        largest_rest_ = table->rest;
        body_of_rest_ = body.name;
      }
    } else {
      const auto table =
          tables.modal(body, one.modal->model(), world_.medium, max_frequency, report);
      tabled.centre = table->centre;
      tabled.radius = table->radius;
      tabled.modes.push_back(std::make_shared<TabledModes>(one.source, one.modal, table));
    }
    bodies_.push_back(std::move(tabled));
  }

  const World& world_;
  std::vector<TabledBody> bodies_;
  std::vector<FlatMirror> mirrors_;
  double largest_rest_ = 0.0;
  std::string body_of_rest_;
};

void add_signal(Signal& sum, const Signal& part) {
  for (std::size_t i = 0; i < sum.samples.size(); ++i) sum.samples[i] += part.samples[i];
}

/// Scales the progress of a part of the work.
class PartOfProgress : public util::Progress {
 public:
  PartOfProgress(util::Progress& whole, double from, double to)
      : whole_(whole), from_(from), to_(to) {}
  void begin(std::string_view, double) override {}
  void update(double fraction) override { whole_.update(from_ + (to_ - from_) * fraction); }
  void end() override {}

 private:
  util::Progress& whole_;
  double from_, to_;
};

/// The tables of a world, each once, as units of work.
class TableUnits : public base::WorkUnits {
 public:
  TableUnits(const base::Radiator& radiator, const World& world,
             std::span<const Receiver> receivers, std::shared_ptr<const base::TableMaker> tables,
             double max_frequency)
      : radiator_(radiator),
        world_(world),
        receivers_(receivers),
        tables_(std::move(tables)),
        max_frequency_(max_frequency) {
    std::set<std::filesystem::path> known;
    for (TabledSource& one : divide(world, *tables_, max_frequency).tabled) {
      if (!known.insert(one.outlook.file).second) continue;
      list_.push_back({.name = fmt::format("radiation of \"{}\" ({})", world.bodies[one.body].name,
                                           one.rigid ? "acceleration noise" : "modes"),
                       .work = one.outlook.work});
      sources_.push_back(std::move(one));
    }
  }

  const std::vector<base::WorkUnit>& list() const override { return list_; }
  std::filesystem::path file(std::size_t unit) const override {
    return sources_[unit].outlook.file;
  }
  bool is_done(std::size_t unit) const override {
    const TabledSource& one = sources_[unit];
    const base::Body& body = world_.bodies[one.body];
    return (one.rigid
                ? tables_->rigid_outlook(body, world_.medium, max_frequency_)
                : tables_->modal_outlook(body, one.modal->model(), world_.medium, max_frequency_))
        .is_stored;
  }
  void compute(std::size_t unit, const Advance& advance) const override {
    const TabledSource& one = sources_[unit];
    const base::Body& body = world_.bodies[one.body];
    if (one.rigid)
      tables_->rigid(body, world_.medium, max_frequency_, advance);
    else
      tables_->modal(body, one.modal->model(), world_.medium, max_frequency_, advance);
    std::error_code error;
    if (std::filesystem::exists(file(unit), error)) return;
    throw util::InputError({file(unit).string(), ""},
                           fmt::format("cannot write: {}", fmt::join(tables_->notices(), "; ")));
  }
  std::vector<Signal> sum(base::SampleRange range, const Advance& advance) const override {
    std::vector<base::MissingUnits::Missing> missing;
    for (std::size_t unit = 0; unit < list_.size(); ++unit)
      if (!is_done(unit)) missing.push_back({unit, "is missing or damaged"});
    if (!missing.empty()) throw base::MissingUnits(std::move(missing));
    util::Silent silent;
    std::vector<Signal> pressures = radiator_.radiate(world_, receivers_, range, silent);
    advance(1.0);
    return pressures;
  }

 private:
  const base::Radiator& radiator_;
  const World& world_;
  std::span<const Receiver> receivers_;
  std::shared_ptr<const base::TableMaker> tables_;
  double max_frequency_;  ///< [Hz]
  std::vector<TabledSource> sources_;
  std::vector<base::WorkUnit> list_;
};

std::set<std::string> names(const World& world, const std::vector<TabledSource>& sources,
                            bool stored) {
  std::set<std::string> result;
  for (const TabledSource& one : sources)
    if (one.outlook.is_stored == stored) result.insert('"' + world.bodies[one.body].name + '"');
  return result;
}

}  // namespace

PrecomputedRadiator::PrecomputedRadiator(double max_frequency,
                                         std::shared_ptr<const base::TableMaker> tables,
                                         std::function<void(std::string)> take_notice)
    : max_frequency_(max_frequency),
      tables_(std::move(tables)),
      take_notice_(std::move(take_notice)) {}

base::RadiationPlan PrecomputedRadiator::plan(const World& world,
                                              std::span<const Receiver> receivers) const {
  Division division = divide(world, *tables_, max_frequency_);
  // Motions and distances of all sources, those with tables included.
  World all = division.rest;
  for (const TabledSource& one : division.tabled) {
    all.sources.push_back({.name = world.bodies[one.body].name,
                           .motion = world.bodies[one.body].motion,
                           .offset = middle_of(world.bodies[one.body]),
                           .shader = std::make_shared<SilentPoint>()});
  }
  base::RadiationPlan plan = DirectRadiator().plan(all, receivers);
  plan.model = "precomputed";
  plan.choices.insert(
      plan.choices.begin(),
      fmt::format("bodies radiate by tables of outgoing waves up to {:g} Hz, each as if it were "
                  "alone in the air, and mirrored by flat bodies at rest; all other sounds are as "
                  "in \"direct\"",
                  max_frequency_));
  if (const auto missing = names(world, division.tabled, false); !missing.empty()) {
    double work = 0.0;
    for (const TabledSource& one : division.tabled)
      if (!one.outlook.is_stored) work += one.outlook.work;
    plan.choices.push_back(fmt::format(
        "the radiation of {} is precomputed now and stored: at most {:.2g} cell updates",
        fmt::join(missing, ", "), work));
  }
  const base::MotionSurvey survey(world);
  for (const TabledSource& one : division.tabled) {
    const base::Body& body = world.bodies[one.body];
    const double radius = 0.5 * geometry::bounds(body.mesh).diagonal().norm();
    for (const Receiver& receiver : receivers) {
      if (survey.approach(*body.motion, middle_of(body), receiver).distance > radius) continue;
      const std::string notice = fmt::format(
          "{} enters the sphere around \"{}\": its level is limited to that on the sphere, within "
          "a few dB",
          receiver.name, body.name);
      if (std::ranges::find(plan.notices, notice) == plan.notices.end())
        plan.notices.push_back(notice);
    }
  }
  if (const auto close = near_each_other(world, division.tabled); !close.empty()) {
    plan.notices.push_back(fmt::format(
        "{} come close to each other, but each is heard as if it were alone: levels near such "
        "times are good to several dB; \"wave\" renders them together",
        fmt::join(shortened(close), ", ")));
  }
  plan.notices.insert(plan.notices.end(), division.notices.begin(), division.notices.end());
  if (!division.left_out.empty()) {
    plan.notices.push_back(
        fmt::format("the radiation model \"precomputed\" leaves out surfaces whose motion is "
                    "recorded or driven "
                    "({}); use \"wave\"",
                    fmt::join(division.left_out, ", ")));
  }
  for (std::string& notice : tables_->notices()) plan.notices.push_back(std::move(notice));
  return plan;
}

std::vector<Signal> PrecomputedRadiator::radiate(const World& world,
                                                 std::span<const Receiver> receivers,
                                                 base::SampleRange range,
                                                 util::Progress& progress) const {
  const Division division = divide(world, *tables_, max_frequency_);
  const bool makes_tables =
      std::ranges::any_of(division.tabled, [](const auto& one) { return !one.outlook.is_stored; });
  const double made = makes_tables ? 0.9 : 0.0;
  const TabledWorld tabled(world, division, *tables_, max_frequency_,
                           [&](double fraction) { progress.update(made * fraction); });
  if (tabled.largest_rest() > 3e-3) {
    take_notice_(
        fmt::format("the air in \"{}\" rings longer than its table: it was faded out at {:.0f} dB",
                    tabled.body_of_rest(), 20.0 * std::log10(tabled.largest_rest())));
  }
  std::vector<Signal> received;
  const double paths = static_cast<double>(tabled.mirrors().size() + 1);
  for (std::size_t r = 0; r < receivers.size(); ++r) {
    const auto part = [&](double path) {
      const double each = (1.0 - made) / static_cast<double>(receivers.size());
      return made + each * (static_cast<double>(r) + path / paths);
    };
    World direct = division.rest;
    for (base::PointSource& point : tabled.points(receivers[r], nullptr))
      direct.sources.push_back(std::move(point));
    PartOfProgress first(progress, part(0.0), part(1.0));
    received.push_back(
        DirectRadiator().radiate(direct, receivers.subspan(r, 1), range, first).front());
    for (std::size_t m = 0; m < tabled.mirrors().size(); ++m) {
      const FlatMirror& mirror = tabled.mirrors()[m];
      World image = division.rest;
      image.sources = tabled.points(receivers[r], &mirror);
      if (image.sources.empty()) continue;
      const Receiver mirrored = mirrored_receiver(receivers[r], mirror);
      const auto done = static_cast<double>(m + 1);
      PartOfProgress next(progress, part(done), part(done + 1.0));
      add_signal(received.back(),
                 DirectRadiator().radiate(image, {&mirrored, 1}, range, next).front());
    }
  }
  for (std::string& notice : tables_->notices()) take_notice_(std::move(notice));
  return received;
}

double PrecomputedRadiator::expected_seconds(const World& world,
                                             std::span<const Receiver> receivers) const {
  const Division division = divide(world, *tables_, max_frequency_);
  double work = 0.0;
  for (const TabledSource& one : division.tabled)
    if (!one.outlook.is_stored) work += one.outlook.work;
  // Without its tables, the sound cannot be timed, but takes far less than they do.
  if (work > 0.0) return work * seconds_per_update / std::min(6, util::thread_count());
  util::Silent silent;
  const std::int64_t probe = std::min(world.samples, world.rate.hz / 2);
  const std::int64_t begin = (world.samples - probe) / 2;
  const double start = util::process_seconds();
  radiate(world, receivers, {begin, begin + probe}, silent);
  const double taken = (util::process_seconds() - start) / util::thread_count();
  return taken * static_cast<double>(world.samples) / static_cast<double>(probe);
}

std::unique_ptr<base::WorkUnits> PrecomputedRadiator::units(
    const World& world, std::span<const Receiver> receivers) const {
  return std::make_unique<TableUnits>(*this, world, receivers, tables_, max_frequency_);
}

}  // namespace peal::radiation
