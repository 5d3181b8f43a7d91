#include <cstddef>
#include <cstdlib>
#include <exception>
#include <typeinfo>

// What the C++ library needs of an operating system, for modules that import nothing. WebAssembly
// does not unwind: a thrown exception stores its text and stops the module for good.

namespace {
char message[1024];

void keep(const char* text) {
  std::size_t i = 0;
  for (; text[i] != '\0' && i + 1 < sizeof message; ++i) message[i] = text[i];
  message[i] = '\0';
}
}  // namespace

extern "C" {

/// Why the module stopped.
__attribute__((export_name("peal_message"))) const char* peal_message() {
  return message;
}

void* __cxa_allocate_exception(std::size_t size) noexcept {
  return std::malloc(size);
}

[[noreturn]] void __cxa_throw(void* thrown, std::type_info*, void (*)(void*)) {
  // Everything that Peal throws is a std::exception without virtual bases.
  keep(static_cast<std::exception*>(thrown)->what());
  __builtin_trap();
}

void abort() {
  __builtin_trap();
}

/// The C++ library's last words, which would need a console.
[[noreturn]] void abort_message(const char* format, ...) {
  keep(format);
  __builtin_trap();
}

}  // extern "C"

namespace std {
inline namespace _LIBCPP_ABI_NAMESPACE {
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) {
  __builtin_trap();
}
}  // namespace _LIBCPP_ABI_NAMESPACE
}  // namespace std
