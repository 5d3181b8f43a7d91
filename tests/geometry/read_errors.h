#pragma once

#include <peal/util/error.h>

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace peal::geometry {

/// The InputError that `read` must throw. It names the file, and every error offers a cure.
inline util::InputError input_error(const std::function<void()>& read) {
  try {
    read();
  } catch (const util::InputError& error) {
    EXPECT_FALSE(error.location().file.empty()) << error.what();
    EXPECT_FALSE(error.hint().empty()) << error.what();
    return error;
  }
  ADD_FAILURE() << "accepted";
  return util::InputError({}, "accepted");
}

}  // namespace peal::geometry
