#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace peal::wave::device {

/// The functions of NVIDIA's driver that we call, found at run time in libcuda.so.1: no toolkit is
/// needed, and the program runs where there is no driver. Types and numbers are those of the
/// driver's stable interface.
struct CudaDriver {
  using Result = int;
  using DeviceNumber = int;
  using Pointer = unsigned long long;
  struct Context;
  struct Module;
  struct Function;
  struct Stream;
  struct Event;
  struct Graph;
  struct GraphExec;

  Result (*init)(unsigned);
  Result (*driver_version)(int*);
  Result (*error_string)(Result, const char**);
  Result (*device_count)(int*);
  Result (*device_get)(DeviceNumber*, int);
  Result (*device_name)(char*, int, DeviceNumber);
  Result (*device_attribute)(int*, int, DeviceNumber);
  Result (*retain_context)(Context**, DeviceNumber);
  Result (*release_context)(DeviceNumber);
  Result (*set_context)(Context*);
  Result (*memory_info)(std::size_t*, std::size_t*);
  Result (*load_module)(Module**, const void*);
  Result (*unload_module)(Module*);
  Result (*get_function)(Function**, Module*, const char*);
  Result (*allocate)(Pointer*, std::size_t);
  Result (*free)(Pointer);
  Result (*allocate_host)(void**, std::size_t, unsigned);
  Result (*free_host)(void*);
  Result (*copy_to_device)(Pointer, const void*, std::size_t, Stream*);
  Result (*copy_to_host)(void*, Pointer, std::size_t, Stream*);
  Result (*set_bytes)(Pointer, unsigned char, std::size_t, Stream*);
  Result (*create_stream)(Stream**, unsigned);
  Result (*destroy_stream)(Stream*);
  Result (*synchronize_stream)(Stream*);
  Result (*create_event)(Event**, unsigned);
  Result (*destroy_event)(Event*);
  Result (*record_event)(Event*, Stream*);
  Result (*synchronize_event)(Event*);
  Result (*launch)(Function*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   Stream*, void**, void**);
  Result (*begin_capture)(Stream*, int);
  Result (*end_capture)(Stream*, Graph**);
  Result (*instantiate_graph)(GraphExec**, Graph*, unsigned long long);
  Result (*launch_graph)(GraphExec*, Stream*);
  Result (*destroy_graph)(Graph*);
  Result (*destroy_graph_exec)(GraphExec*);

  static constexpr int cache_bytes = 38;  ///< attribute: size of the L2 cache
  static constexpr int major = 75, minor = 76;

  /// Null, with the reason, if there is no driver.
  static const CudaDriver* find(const char*& reason);
};

}  // namespace peal::wave::device
