#include <peal/radiation/sinc_delay.h>
#include <peal/util/kaiser_sinc.h>

namespace peal::radiation {

namespace {

constexpr double quarter = 0.25, narrow_band = 0.37;

}  // namespace

const SincDelay& SincDelay::for_band(double band) {
  if (band <= quarter) {
    static const SincDelay shortest(8, 6.0);
    return shortest;
  }
  if (band <= narrow_band) {
    static const SincDelay narrow(12, 6.25);
    return narrow;
  }
  static const SincDelay wide(16, 4.2);
  return wide;
}

SincDelay::SincDelay(std::int32_t taps, double beta) : taps_(taps), table_(phases + 1) {
  const auto weight = [&](int tap, double fraction) {
    return util::kaiser_sinc(tap - (half() - 1) - fraction, half(), beta);
  };
  for (int phase = 0; phase <= phases; ++phase) {
    const double fraction = static_cast<double>(phase) / phases;
    double sum = 0.0;
    for (int k = 0; k < taps; ++k) sum += weight(k, fraction);
    // The weights of every phase add up to 1, so a constant stays exactly constant while the delay
    // moves.
    for (int k = 0; k < taps; ++k)
      table_[static_cast<std::size_t>(phase)][static_cast<std::size_t>(k)] =
          static_cast<float>(weight(k, fraction) / sum);
  }
}

}  // namespace peal::radiation
