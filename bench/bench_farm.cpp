#include <peal/farm/part.h>
#include <peal/farm/status.h>
#include <peal/util/files.h>
#include <peal/util/parallel.h>
#include <peal/util/scratch_folder.h>
#include <peal/wave/driver/chunk_units.h>

#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "report.h"

/// A shared render with many small chunks: what its folder, its plan, `peal status` and the merge
/// cost. Chunks are not computed here, but stored with a second of sound each.
namespace peal::bench {
namespace {

namespace fs = std::filesystem;

constexpr double chunk_length = 0.01;  // [s]

class AtRest : public base::Motion {
 public:
  base::Pose pose(double) const override { return {}; }
  bool is_still() const override { return true; }
};

/// Along a line, so that what stored chunks depend on is compared sample by sample.
class Passing : public base::Motion {
 public:
  base::Pose pose(double t) const override { return {.position = {0.3, 0.1, 0.01 * std::sin(t)}}; }
  bool is_still() const override { return false; }
};

class Hum : public base::PointShader {
 public:
  base::Signal strength(base::Rate rate, base::SampleRange range) const override {
    base::Signal signal{.rate = rate, .start = range.begin};
    signal.samples.assign(static_cast<std::size_t>(range.size()), 1.0f);
    return signal;
  }
};

/// A point that sounds all the time.
struct LongScene {
  explicit LongScene(std::size_t chunks) {
    world.rate = {48000};
    world.samples = std::llround(static_cast<double>(chunks) * chunk_length * 48000.0);
    world.sources.push_back(
        {.name = "point", .motion = std::make_shared<AtRest>(), .shader = std::make_shared<Hum>()});
    settings.max_frequency = 1000.0;
    settings.chunk = chunk_length;
    settings.domain = geometry::Box(base::Vec3::Constant(-0.2), base::Vec3::Constant(0.2));
    for (const char* name : {"left", "right"})
      receivers.push_back({.name = name, .motion = std::make_shared<Passing>()});
  }

  base::World world;
  base::WaveSettings settings;
  std::vector<base::Receiver> receivers;
};

/// A second of sound from the beginning of the chunk on.
wave::ChunkSound second_of(const wave::ChunkRun& run) {
  const std::int64_t rate = run.world.rate.hz;
  const auto start = static_cast<std::int64_t>(run.world.rate.samples(run.chunk.begin));
  base::Signal signal{.rate = run.world.rate, .start = start};
  signal.samples.assign(static_cast<std::size_t>(rate), 1e-3f);
  return {.received = {signal, signal},
          .end = {.by_itself = true,
                  .sources_until = run.chunk.end + 1.0,
                  .receivers_until = run.chunk.end + 1.0,
                  .loudest = 1e-3}};
}

/// Memory that this process has had at most [byte]. It only grows: smaller cases come first.
double peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

struct Costs {
  Seconds plan{}, store{}, status{}, merge{}, divide{};
  double memory = 0.0;  ///< of the merge, without the sound itself [byte]
  double bytes = 0.0;   ///< of all results
};

Costs costs_of(std::size_t chunks) {
  const util::ScratchFolder scratch;
  const farm::SharedFolder folder(scratch.path());
  const base::RadiatorOptions options{.cache = folder.results() / "chunks"};
  const LongScene scene(chunks);
  Costs costs;
  std::shared_ptr<wave::WavePlan> runs;
  std::unique_ptr<wave::ChunkUnits> units;
  farm::Plan plan{.scene = "scene.json",
                  .identity = {.version = "0", .build = "0", .scene_hash = "0", .settings = {}},
                  .model = "wave",
                  .work_unit = "cell updates"};
  costs.plan = time_of([&] {
    runs = std::make_shared<wave::WavePlan>(
        wave::make_wave_plan(scene.world, scene.settings, scene.receivers));
    units = std::make_unique<wave::ChunkUnits>(scene.world, scene.receivers, runs, options);
    for (std::size_t i = 0; i < units->list().size(); ++i) {
      plan.units.push_back({units->list()[i].name, units->list()[i].work,
                            units->file(i).lexically_relative(folder.results())});
    }
    util::write_file(folder.plan(), farm::plan_text(plan));
  });
  const wave::ChunkCache cache(options.cache);
  costs.store = time_of([&] {
    for (const wave::ChunkRun& run : runs->runs)
      cache.save_or_throw(wave::chunk_key(run), run, second_of(run));
  });
  for (const auto& entry : fs::directory_iterator(*options.cache))
    costs.bytes += static_cast<double>(entry.file_size());
  farm::Status status;
  costs.status = time_of([&] { status = farm::status_of(folder); });
  if (status.done != units->list().size()) std::fprintf(stderr, "status counts wrongly\n");
  costs.divide = time_of([&] { farm::divide(plan.work(), chunks / 4); });
  const double before = peak_memory();
  std::vector<base::Signal> sum;
  costs.merge = time_of([&] { sum = units->sum({0, scene.world.samples}, [](double) {}); });
  const double sound = 2.0 * sizeof(float) * static_cast<double>(scene.world.samples);
  costs.memory = std::max(0.0, peak_memory() - before - sound);
  return costs;
}

int run(int argc, char** argv) {
  Report report("farm", argc, argv);
  constexpr std::size_t few = 1000, many = 10000;
  const Costs small = costs_of(few), large = costs_of(many);
  const auto add = [&](const std::string& what, Seconds Costs::*time) {
    report.add(what, "10 000 chunks", (large.*time).wall, "s");
    report.add(what, "10 000 chunks, processor time", (large.*time).cpu, "s");
    report.add_at_most(what, "10 000 chunks / 10 times 1000 chunks",
                       (large.*time).cpu / (10.0 * std::max((small.*time).cpu, 1e-3)), "1", 2.0);
  };
  add("plan", &Costs::plan);
  add("store", &Costs::store);
  add("status", &Costs::status);
  add("divide", &Costs::divide);
  add("merge", &Costs::merge);
  report.add("results", "10 000 chunks", 1e-9 * large.bytes, "GB");
  // On all cores, without what others take of them and of the disk.
  report.add_at_most("merge", "10 000 chunks of a second, processor time / threads",
                     large.merge.cpu / util::thread_count(), "s", 60.0);
  report.add_at_most("merge", "memory beside the sound", 1e-6 * large.memory, "MB", 100.0);
  return report.finish();
}

}  // namespace
}  // namespace peal::bench

int main(int argc, char** argv) {
  return peal::bench::run(argc, argv);
}
