#include <peal/radiation/short_delay.h>
#include <peal/util/kaiser_sinc.h>

namespace peal::radiation {

namespace {

constexpr double window_beta = 6.25;

double short_sinc(double x) {
  return util::kaiser_sinc(x, ShortDelay::half, window_beta);
}

}  // namespace

ShortDelay::ShortDelay() {
  for (int phase = 0; phase <= phases; ++phase) {
    const double fraction = static_cast<double>(phase) / phases;
    double sum = 0.0;
    for (int k = 0; k < taps; ++k) sum += short_sinc(k - (half - 1) - fraction);
    // Equal sums: a constant stays exactly constant while the delay moves.
    std::array<float, row_length> row{};
    for (int k = 0; k < taps; ++k)
      row[static_cast<std::size_t>(k) + most_shift] =
          static_cast<float>(short_sinc(k - (half - 1) - fraction) / sum);
    table_.push_back(row);
  }
}

}  // namespace peal::radiation
