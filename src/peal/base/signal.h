#pragma once

#include <peal/base/time.h>

#include <string>
#include <vector>

namespace peal::base {

/// One channel of sampled sound; zero before `start` and after its last sample.
struct Signal {
  Rate rate;
  std::int64_t start = 0;      ///< index of samples[0] on the scene's clock
  std::vector<float> samples;  ///< unit by context: pressure [Pa] unless said otherwise
};

/// The signals of a listener: channels of equal length, from t = 0.
struct Audio {
  Rate rate;
  std::vector<std::vector<float>> channels;  ///< [Pa]
  std::vector<std::string> channel_names;    ///< "mono", "left", "right"
};

}  // namespace peal::base
