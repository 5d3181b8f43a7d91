// libFuzzer target for one reader, chosen by the program's name: fuzz_obj tests the reader "obj".
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "fuzzing/reader_under_test.h"

namespace {

const peal::fuzzing::ReaderUnderTest* reader = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** argv) {
  const std::string program = std::filesystem::path((*argv)[0]).filename().string();
  const auto& readers = peal::fuzzing::readers_under_test();
  const auto found = std::find_if(readers.begin(), readers.end(), [&](const auto& candidate) {
    return program == "fuzz_" + candidate.name;
  });
  if (found == readers.end()) {
    std::fprintf(stderr, "%s: no such reader in readers_under_test.cpp\n", program.c_str());
    std::exit(2);
  }
  reader = &*found;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string problem =
      peal::fuzzing::failure(*reader, {reinterpret_cast<const char*>(data), size});
  if (!problem.empty()) {
    std::fprintf(stderr, "%s: %s\n", reader->name.c_str(), problem.c_str());
    std::abort();
  }
  return 0;
}
