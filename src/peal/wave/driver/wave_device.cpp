#include <peal/util/error.h>
#include <peal/util/parallel.h>
#include <peal/wave/device/chunk_field.h>
#include <peal/wave/device/cuda_device.h>
#include <peal/wave/device/device_hearing.h>
#include <peal/wave/device/device_lost.h>
#include <peal/wave/device/field_device.h>
#include <peal/wave/driver/device_chunk.h>
#include <peal/wave/driver/wave_device.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace peal::wave {

namespace {

constexpr const char* use_processor = "Leave --device out, or write --device cpu.";

/// What was asked for, and the devices that have been started.
struct Choice {
  enum class Kind { nothing, processor, any, named, given };
  Kind kind = Kind::nothing;
  std::optional<int> number;  ///< none: all
  std::shared_ptr<device::FieldDevice> given;
  std::mutex mutex;
  std::map<int, std::shared_ptr<device::FieldDevice>> started;
};
Choice& choice() {
  static Choice one;
  return one;
}

/// The number of "cuda:N".
std::optional<int> device_number(const std::string& text) {
  const std::string name = "cuda";
  if (!text.starts_with(name + ":")) return std::nullopt;
  int number = 0;
  const char *begin = text.data() + name.size() + 1, *end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(begin, end, number);
  if (problem != std::errc() || stop != end || number < 0) return std::nullopt;
  return number;
}

std::shared_ptr<device::FieldDevice> start(int number) {
  const std::lock_guard lock(choice().mutex);
  auto& device = choice().started[number];
  if (!device) device = std::make_shared<device::FieldDevice>(device::cuda_device(number));
  return device;
}

bool is_single(const ChunkRun& run) {
  return run.settings.precision == base::WaveSettings::Precision::single;
}
/// What the steps of a run go through.
std::size_t bytes_of(const ChunkRun& run) {
  const Cell& size = run.domain.grid.size;
  return is_single(run) ? device::ChunkField<float>::bytes(size, run.settings.layer_cells)
                        : device::ChunkField<double>::bytes(size, run.settings.layer_cells);
}
/// The memory of a run, with what is recorded.
std::size_t memory_of(const ChunkRun& run) {
  const Cell& size = run.domain.grid.size;
  return bytes_of(run) + (is_single(run) ? device::DeviceHearing<float>::most_bytes(size)
                                         : device::DeviceHearing<double>::most_bytes(size));
}

/// Why the device cannot compute the runs; empty if it can.
std::string obstacle(const WavePlan& plan, int number,
                     std::shared_ptr<device::FieldDevice>& device) {
  if (std::string problem = device_obstacle(plan.runs.front().settings); !problem.empty())
    return problem;
  try {
    device = start(number);
    const double needed = 1.25 * static_cast<double>(memory_of(plan.largest()));
    const auto free = static_cast<double>(device->device().free_memory());
    if (needed > free)
      return fmt::format("a chunk needs {:.3g} GB of the {:.3g} GB that are free on the device",
                         1e-9 * needed, 1e-9 * free);
  } catch (const device::DeviceLost& error) {
    return error.what();
  }
  return {};
}

}  // namespace

DeviceScope::DeviceScope(const std::string& wanted) {
  Choice& now = choice();
  if (wanted == "auto") {
    now.kind = Choice::Kind::any;
    now.number.reset();
    return;
  }
  if (wanted == "cpu") {
    now.kind = Choice::Kind::processor;
    return;
  }
  const std::optional<int> number = device_number(wanted);
  if (!number && wanted != "cuda")
    throw util::InputError({"", "--device"}, fmt::format("\"{}\" is no device", wanted),
                           "Write auto, cpu, cuda, or cuda:1 for the second one.");
  if (const std::string problem = device::cuda_problem(); !problem.empty())
    throw util::InputError({"", "--device"}, problem, use_processor);
  if (number && *number >= device::cuda_device_count())
    throw util::InputError({"", "--device"},
                           fmt::format("there is no device {}: the last one is cuda:{}", wanted,
                                       device::cuda_device_count() - 1),
                           "They are numbered from cuda:0.");
  now.kind = Choice::Kind::named;
  now.number = number;
}

DeviceScope::DeviceScope(std::shared_ptr<device::FieldDevice> device) {
  choice().kind = Choice::Kind::given;
  choice().given = std::move(device);
}

DeviceScope::~DeviceScope() {
  choice().kind = Choice::Kind::nothing;
  choice().given.reset();
  choice().started.clear();
}

void refuse_named_device(const std::string& reason) {
  if (choice().kind == Choice::Kind::named)
    throw util::InputError({"", "--device"}, reason, use_processor);
}

ChosenDevice choose_device(const WavePlan& plan) {
  const Choice& now = choice();
  switch (now.kind) {
    case Choice::Kind::nothing:
      return {};
    case Choice::Kind::processor:
      return {{}, "waves are computed by the processor, as asked by --device"};
    case Choice::Kind::given:
      if (device_obstacle(plan.runs.front().settings).empty())
        return {{now.given}, "waves are computed by " + now.given->device().name()};
      return {};
    case Choice::Kind::any:
    case Choice::Kind::named:
      break;
  }
  std::string problem = device::cuda_problem();
  ChosenDevice chosen;
  std::string names;
  if (problem.empty()) {
    const int first = now.number.value_or(0);
    const int end = now.number ? first + 1 : device::cuda_device_count();
    for (int number = first; number < end; ++number) {
      std::shared_ptr<device::FieldDevice> device;
      const std::string obstacle_there = obstacle(plan, number, device);
      if (obstacle_there.empty()) {
        names += (names.empty() ? "" : " and ") + device->device().name();
        chosen.devices.push_back(std::move(device));
      } else if (problem.empty()) {
        problem = obstacle_there;
      }
      // One chunk needs no second device.
      if (chosen.devices.size() == plan.runs.size()) break;
    }
  }
  if (!chosen.devices.empty()) {
    const char* why = now.kind == Choice::Kind::named ? "as asked by --device"
                      : chosen.devices.size() == 1    ? "which was found"
                                                      : "which were found";
    chosen.why = fmt::format("waves are computed by {}, {}", names, why);
    return chosen;
  }
  refuse_named_device(problem);
  return {{}, "waves are computed by the processor: " + problem};
}

std::size_t chunks_at_once(const WavePlan& plan, device::FieldDevice& device, std::size_t devices) {
  constexpr double of_cache = 0.6;  // what can be used of it
  const auto bytes = static_cast<double>(bytes_of(plan.largest()));
  const double in_cache = of_cache * static_cast<double>(device.device().cache()) / bytes;
  const double in_memory = 0.8 * static_cast<double>(device.device().free_memory()) /
                           static_cast<double>(memory_of(plan.largest()));
  const double threads = static_cast<double>(util::thread_count()) / static_cast<double>(devices);
  const double wanted = std::max(in_cache, threads);
  return static_cast<std::size_t>(
      std::clamp(std::min(wanted, in_memory), 1.0, static_cast<double>(plan.runs.size())));
}

}  // namespace peal::wave
