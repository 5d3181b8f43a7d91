#include <peal/wave/device/cuda_driver.h>

#include <dlfcn.h>

namespace peal::wave::device {

namespace {

struct Library {
  CudaDriver driver{};
  const char* problem = nullptr;

  Library() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      problem = "there is no NVIDIA driver (libcuda.so.1)";
      return;
    }
    const auto find = [&]<class Function>(Function*& function, const char* name) {
      function = reinterpret_cast<Function*>(dlsym(library, name));
      if (function == nullptr) problem = "the NVIDIA driver is too old";
    };
    find(driver.init, "cuInit");
    find(driver.driver_version, "cuDriverGetVersion");
    find(driver.error_string, "cuGetErrorString");
    find(driver.device_count, "cuDeviceGetCount");
    find(driver.device_get, "cuDeviceGet");
    find(driver.device_name, "cuDeviceGetName");
    find(driver.device_attribute, "cuDeviceGetAttribute");
    find(driver.retain_context, "cuDevicePrimaryCtxRetain");
    find(driver.release_context, "cuDevicePrimaryCtxRelease_v2");
    find(driver.set_context, "cuCtxSetCurrent");
    find(driver.memory_info, "cuMemGetInfo_v2");
    find(driver.load_module, "cuModuleLoadData");
    find(driver.unload_module, "cuModuleUnload");
    find(driver.get_function, "cuModuleGetFunction");
    find(driver.allocate, "cuMemAlloc_v2");
    find(driver.free, "cuMemFree_v2");
    find(driver.allocate_host, "cuMemHostAlloc");
    find(driver.free_host, "cuMemFreeHost");
    find(driver.copy_to_device, "cuMemcpyHtoDAsync_v2");
    find(driver.copy_to_host, "cuMemcpyDtoHAsync_v2");
    find(driver.set_bytes, "cuMemsetD8Async");
    find(driver.create_stream, "cuStreamCreate");
    find(driver.destroy_stream, "cuStreamDestroy_v2");
    find(driver.synchronize_stream, "cuStreamSynchronize");
    find(driver.create_event, "cuEventCreate");
    find(driver.destroy_event, "cuEventDestroy_v2");
    find(driver.record_event, "cuEventRecord");
    find(driver.synchronize_event, "cuEventSynchronize");
    find(driver.launch, "cuLaunchKernel");
    find(driver.begin_capture, "cuStreamBeginCapture_v2");
    find(driver.end_capture, "cuStreamEndCapture");
    find(driver.instantiate_graph, "cuGraphInstantiateWithFlags");
    find(driver.launch_graph, "cuGraphLaunch");
    find(driver.destroy_graph, "cuGraphDestroy");
    find(driver.destroy_graph_exec, "cuGraphExecDestroy");
    if (problem == nullptr && driver.init(0) != 0) problem = "the NVIDIA driver does not start";
  }
};

}  // namespace

const CudaDriver* CudaDriver::find(const char*& reason) {
  static const Library library;
  reason = library.problem;
  return library.problem == nullptr ? &library.driver : nullptr;
}

}  // namespace peal::wave::device
