#pragma once

#include <peal/base/radiation_tables.h>

#include <string>

namespace peal::base {

/// Precomputed radiation for other programs: a JSON document that describes it, and the
/// coefficients as an array in NumPy's format (docs/directivity-format.md).
struct DirectivityFiles {
  std::string json;
  std::string npy;
};

/// `array` is the name of the array's file, to be named in the document.
DirectivityFiles directivity_files(const RigidRadiation& table, const std::string& array);
DirectivityFiles directivity_files(const ModalRadiation& table, const std::string& array);

}  // namespace peal::base
