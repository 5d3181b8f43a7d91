#include <peal/wave/device/cuda_device.h>
#include <peal/wave/device/cuda_driver.h>
#include <peal/wave/device/device_code.h>
#include <peal/wave/device/device_lost.h>
#include <peal/wave/device/kernel_threads.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <list>
#include <map>
#include <utility>
#include <vector>

namespace peal::wave::device {

namespace {

constexpr std::array<const char*, kernels> names = {
    "begin", "move", "open", "advance", "complete", "record", "integrate", "add_up", "check"};

const CudaDriver& driver() {
  const char* reason = nullptr;
  const CudaDriver* const found = CudaDriver::find(reason);
  if (found == nullptr) throw DeviceLost(reason);
  return *found;
}

void check(CudaDriver::Result result, const char* doing) {
  if (result == 0) return;
  const char* text = nullptr;
  driver().error_string(result, &text);
  throw DeviceLost(fmt::format("{}: {} (error {})", doing, text ? text : "unknown", result));
}

class CudaDevice : public Device {
 public:
  explicit CudaDevice(int number) : cuda_(driver()), name_(cuda_device_name(number)) {
    check(cuda_.device_get(&device_, number), "finding the device");
    check(cuda_.retain_context(&context_, device_), "starting the device");
    check(cuda_.set_context(context_), "starting the device");
    check(cuda_.create_stream(&stream_, 1), "starting the device");
    check(cuda_.load_module(&module_, device_code), "loading the kernels");
    for (std::size_t i = 0; i < names.size(); ++i)
      for (const bool is_double : {false, true})
        check(cuda_.get_function(
                  &functions_[i][is_double], module_,
                  fmt::format("{}_{}", names[i], is_double ? "double" : "float").c_str()),
              "finding the kernels");
    int bytes = 0;
    check(cuda_.device_attribute(&bytes, CudaDriver::cache_bytes, device_), "asking the device");
    cache_ = static_cast<std::size_t>(bytes);
  }
  ~CudaDevice() override {
    cuda_.set_context(context_);
    cuda_.synchronize_stream(stream_);
    for (const auto& [number, event] : events_) cuda_.destroy_event(event);
    for (CudaDriver::Event* event : spare_) cuda_.destroy_event(event);
    for (const auto& [run, graph] : graphs_)
      if (graph != nullptr) cuda_.destroy_graph_exec(graph);
    cuda_.unload_module(module_);
    cuda_.destroy_stream(stream_);
    cuda_.release_context(device_);
  }

  std::string name() const override { return name_; }
  std::size_t free_memory() const override {
    std::size_t free = 0, all = 0;
    check(cuda_.set_context(context_), "asking the device");
    check(cuda_.memory_info(&free, &all), "asking the device");
    return free;
  }
  std::size_t cache() const override { return cache_; }

  Buffer allocate(std::size_t size) override {
    Buffer buffer = allocate_field(size);
    void* host = nullptr;
    constexpr unsigned portable = 1;
    if (const auto result = cuda_.allocate_host(&host, size, portable); result != 0) {
      release(buffer);
      check(result, "allocating memory");
    }
    buffer.host = static_cast<std::byte*>(host);
    return buffer;
  }
  Buffer allocate_field(std::size_t size) override {
    CudaDriver::Pointer pointer = 0;
    check(cuda_.set_context(context_), "allocating memory");
    check(cuda_.allocate(&pointer, size), "allocating memory");
    return {reinterpret_cast<std::byte*>(pointer), nullptr, size};
  }
  void release(const Buffer& buffer) override {
    cuda_.set_context(context_);
    cuda_.free(pointer_of(buffer, 0));
    if (buffer.host != nullptr) cuda_.free_host(buffer.host);
  }

  void clear(const Buffer& buffer) override {
    check(cuda_.set_context(context_), "clearing memory");
    check(cuda_.set_bytes(pointer_of(buffer, 0), 0, buffer.size, stream_), "clearing memory");
  }
  void upload(const Buffer& buffer, std::size_t begin, std::size_t size) override {
    if (size == 0) return;
    check(cuda_.set_context(context_), "copying to the device");
    check(cuda_.copy_to_device(pointer_of(buffer, begin), buffer.host + begin, size, stream_),
          "copying to the device");
  }
  void download(const Buffer& buffer, std::size_t begin, std::size_t size) override {
    if (size == 0) return;
    check(cuda_.set_context(context_), "copying from the device");
    check(cuda_.copy_to_host(buffer.host + begin, pointer_of(buffer, begin), size, stream_),
          "copying from the device");
  }
  void run(const StepRun& run) override {
    check(cuda_.set_context(context_), "starting kernels");
    if (GraphExec* const graph = graph_of(run)) {
      check(cuda_.launch_graph(graph, stream_), "starting kernels");
    } else {
      launch_all(run);
    }
  }

  std::uint64_t mark() override {
    CudaDriver::Event* event = nullptr;
    constexpr unsigned without_time = 2;
    if (spare_.empty()) {
      check(cuda_.create_event(&event, without_time), "waiting for the device");
    } else {
      event = spare_.back();
      spare_.pop_back();
    }
    check(cuda_.record_event(event, stream_), "waiting for the device");
    events_[++marks_] = event;
    return marks_;
  }
  void wait(std::uint64_t mark) override {
    const auto found = events_.find(mark);
    if (found == events_.end()) return;
    check(cuda_.synchronize_event(found->second), "waiting for the device");
    spare_.push_back(found->second);
    events_.erase(found);
  }

 private:
  using GraphExec = CudaDriver::GraphExec;
  static constexpr std::size_t most_graphs = 64;

  /// Runs that come again are started as one graph: starting kernels one by one takes longer than
  /// the small ones run. Null for a run that is seen for the first time.
  GraphExec* graph_of(const StepRun& run) {
    for (auto graph = graphs_.begin(); graph != graphs_.end(); ++graph) {
      if (graph->first != run) continue;
      if (graph->second == nullptr) graph->second = make_graph(run);
      graphs_.splice(graphs_.begin(), graphs_, graph);
      return graphs_.front().second;
    }
    graphs_.emplace_front(run, nullptr);
    if (graphs_.size() > most_graphs) {
      if (graphs_.back().second != nullptr) {
        check(cuda_.synchronize_stream(stream_), "starting kernels");
        cuda_.destroy_graph_exec(graphs_.back().second);
      }
      graphs_.pop_back();
    }
    return nullptr;
  }
  GraphExec* make_graph(const StepRun& run) {
    CudaDriver::Graph* graph = nullptr;
    GraphExec* made = nullptr;
    constexpr int by_this_thread = 1;
    check(cuda_.begin_capture(stream_, by_this_thread), "starting kernels");
    launch_all(run);
    check(cuda_.end_capture(stream_, &graph), "starting kernels");
    check(cuda_.instantiate_graph(&made, graph, 0), "starting kernels");
    cuda_.destroy_graph(graph);
    return made;
  }
  void launch_all(const StepRun& run) {
    for (std::uint32_t step = 0; step < run.needs.size(); ++step)
      for (std::size_t kernel = 0; kernel < kernels; ++kernel)
        if ((run.needs[step] & bit_of(static_cast<Kernel>(kernel))) != 0)
          launch(run, static_cast<Kernel>(kernel), step);
  }
  void launch(const StepRun& run, Kernel kernel, std::uint32_t step) {
    const auto number = static_cast<std::size_t>(kernel);
    const void* entries = run.entries;
    void* arguments[] = {&entries, &step};
    check(cuda_.launch(functions_[number][run.is_double], run.blocks[number], run.chunks, 1,
                       threads_of(kernel), 1, 1, 0, stream_, arguments, nullptr),
          "starting kernels");
  }

  static CudaDriver::Pointer pointer_of(const Buffer& buffer, std::size_t begin) {
    return reinterpret_cast<CudaDriver::Pointer>(buffer.device + begin);
  }

  const CudaDriver& cuda_;
  std::string name_;
  CudaDriver::DeviceNumber device_ = 0;
  CudaDriver::Context* context_ = nullptr;
  CudaDriver::Stream* stream_ = nullptr;
  CudaDriver::Module* module_ = nullptr;
  std::array<std::array<CudaDriver::Function*, 2>, kernels> functions_{};
  std::size_t cache_ = 0;
  std::list<std::pair<StepRun, GraphExec*>> graphs_;  ///< the latest first
  std::map<std::uint64_t, CudaDriver::Event*> events_;
  std::vector<CudaDriver::Event*> spare_;
  std::uint64_t marks_ = 0;
};

}  // namespace

std::string cuda_problem() {
  if (device_code[0] == '\0')
    return "this program was built without device code (PEAL_CUDA: clang was not found)";
  const char* reason = nullptr;
  const CudaDriver* const found = CudaDriver::find(reason);
  if (found == nullptr) return reason;
  if (cuda_device_count() == 0) return "the NVIDIA driver finds no device";
  return {};
}

int cuda_device_count() {
  int count = 0;
  if (driver().device_count(&count) != 0) return 0;
  return count;
}

std::string cuda_device_name(int number) {
  CudaDriver::DeviceNumber device = 0;
  std::array<char, 256> text{};
  check(driver().device_get(&device, number), "finding the device");
  check(driver().device_name(text.data(), static_cast<int>(text.size()), device),
        "asking the device");
  return text.data();
}

std::unique_ptr<Device> cuda_device(int number) {
  return std::make_unique<CudaDevice>(number);
}

}  // namespace peal::wave::device
