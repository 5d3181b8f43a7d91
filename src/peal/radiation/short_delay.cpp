#include <peal/radiation/short_delay.h>
#include <peal/util/kaiser_sinc.h>

namespace peal::radiation {

namespace {

constexpr double narrow_band = 0.37;

}  // namespace

const ShortDelay& ShortDelay::for_band(double band) {
  static const ShortDelay narrow(12, 6.25), wide(16, 4.2);
  return band <= narrow_band ? narrow : wide;
}

ShortDelay::ShortDelay(std::int32_t taps, double beta)
    : taps_(taps), most_shift_(padded - static_cast<std::size_t>(taps)) {
  const auto weight = [&](int tap, double fraction) {
    return util::kaiser_sinc(tap - (half() - 1) - fraction, half(), beta);
  };
  table_.resize((phases + 1) * (padded + most_shift_));
  for (int phase = 0; phase <= phases; ++phase) {
    const double fraction = static_cast<double>(phase) / phases;
    double sum = 0.0;
    for (int k = 0; k < taps; ++k) sum += weight(k, fraction);
    // Equal sums: a constant stays exactly constant while the delay moves.
    float* const row = &table_[static_cast<std::size_t>(phase) * (padded + most_shift_)];
    for (int k = 0; k < taps; ++k)
      row[static_cast<std::size_t>(k) + most_shift_] =
          static_cast<float>(weight(k, fraction) / sum);
  }
}

}  // namespace peal::radiation
