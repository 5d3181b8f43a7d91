#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cmath>
#include <string>

namespace peal::apps {

/// Refuses what is no number, infinite or out of bounds. (CLI::Range lets "nan" pass.)
inline CLI::Validator number_between(double least, double most) {
  return {[=](std::string& word) -> std::string {
            double value = 0.0;
            const bool is_number = CLI::detail::lexical_cast(word, value) && std::isfinite(value);
            if (is_number && value >= least && value <= most) return {};
            return fmt::format("\"{}\" is not a number from {:g} to {:g}", word, least, most);
          },
          "NUMBER"};
}

/// Refuses what is no number or infinite.
inline CLI::Validator finite_number() {
  return {[](std::string& word) -> std::string {
            double value = 0.0;
            if (CLI::detail::lexical_cast(word, value) && std::isfinite(value)) return {};
            return fmt::format("\"{}\" is not a number", word);
          },
          "NUMBER"};
}

}  // namespace peal::apps
