#include <peal/bubbles/step_residual.h>
#include <peal/util/kaiser_sinc.h>

#include <algorithm>
#include <cmath>

namespace peal::bubbles {

namespace {

constexpr int phases = 128;
constexpr double window_shape = 8.0;

}  // namespace

StepResidual::StepResidual() {
  constexpr auto width = static_cast<double>(half);
  constexpr int count = 2 * half * phases;
  constexpr double h = 1.0 / phases;
  const auto kernel = [&](double x) { return util::kaiser_sinc(x, width, window_shape); };
  Table smooth(count + 1);
  for (int i = 0; i < count; ++i) {
    // Simpson's rule over each interval of the table.
    const double a = -width + i * h;
    smooth[static_cast<std::size_t>(i) + 1] =
        smooth[static_cast<std::size_t>(i)] +
        h / 6.0 * (kernel(a) + 4.0 * kernel(a + 0.5 * h) + kernel(a + h));
  }
  const double whole = smooth.back();
  integral_.push_back(0.0);
  for (int i = 0; i <= count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    smooth[k] /= whole;
    before_.push_back(smooth[k]);
    after_.push_back(smooth[k] - 1.0);
    if (i == 0) continue;
    // The step is at an entry of the table, so that no interval has it inside.
    const Table& residual = 2 * i <= count ? before_ : after_;
    const double last = 2 * i <= count ? before_[k - 1] : after_[k - 1];
    integral_.push_back(integral_.back() + 0.5 * h * (last + residual[k]));
  }
}

void StepResidual::add(const Table& table, double at, double height, std::int64_t begin,
                       std::span<float> samples) {
  const auto nearest = static_cast<std::int64_t>(std::floor(at));
  const std::int64_t end = begin + static_cast<std::int64_t>(samples.size());
  for (std::int64_t n = std::max(begin, nearest - half + 1); n < std::min(end, nearest + half);
       ++n) {
    const double place = (static_cast<double>(n) - at + static_cast<double>(half)) * phases;
    const auto whole = static_cast<std::size_t>(place);
    const double fraction = place - static_cast<double>(whole);
    const double value = table[whole] + fraction * (table[whole + 1] - table[whole]);
    samples[static_cast<std::size_t>(n - begin)] += static_cast<float>(height * value);
  }
}

void StepResidual::add(double at, double height, std::int64_t begin,
                       std::span<float> samples) const {
  const std::int64_t first_after = static_cast<std::int64_t>(std::ceil(at)) - begin;
  const auto cut = static_cast<std::size_t>(
      std::clamp<std::int64_t>(first_after, 0, static_cast<std::int64_t>(samples.size())));
  add(before_, at, height, begin, samples.first(cut));
  add(after_, at, height, begin + static_cast<std::int64_t>(cut), samples.subspan(cut));
}

void StepResidual::add_integral(double at, double height, std::int64_t begin,
                                std::span<float> samples) const {
  add(integral_, at, height, begin, samples);
}

}  // namespace peal::bubbles
