#pragma once

#include <peal/util/random.h>

#include <cmath>
#include <cstdint>

namespace peal::bubbles {

/// The random numbers of a seed and a stream, one after another.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  double uniform() { return util::random_uniform(seed_, stream_, next_++); }  ///< in [0, 1)
  double uniform(double least, double most) { return least + uniform() * (most - least); }
  /// Waiting time of a Poisson process of mean 1.
  double waiting() { return -std::log1p(-uniform()); }

 private:
  std::uint64_t seed_, stream_, next_ = 0;
};

}  // namespace peal::bubbles
