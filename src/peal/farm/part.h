#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// One render on many machines: they share a folder, each computes a part of the work units, and
/// one adds up their results (docs/farm.md).
namespace peal::farm {

/// A part of the work of a render: number `index`, from 1 on, of `count`.
struct Part {
  std::size_t index = 1, count = 1;

  std::string text() const;  ///< "3/8"
  bool operator==(const Part&) const = default;
};

/// Reads "3/8"; throws InputError that names `what` if that is no part.
Part parse_part(const std::string& text, const std::string& what);

/// The part that the environment names: PEAL_CHUNK=3/8, or the task of a Slurm array, an indexed
/// job of Kubernetes or a layer of OpenCue. `count` overrides how many parts there are, which
/// Kubernetes does not say. Throws InputError if there is none or it is out of range.
Part part_from_environment(std::optional<std::size_t> count);

/// The units of each part, ascending: units are dealt out from the longest to the shortest, each to
/// the part that has least work so far. The longest part takes at most 4/3 of the best division's
/// time (Graham 1969).
std::vector<std::vector<std::size_t>> divide(std::span<const double> work, std::size_t parts);

}  // namespace peal::farm
