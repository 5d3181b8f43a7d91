#include <peal/shaders/tone.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace peal::shaders {

namespace {

/// Samples between exact phases; they begin at multiples of this, so that a sample does not depend
/// on what else is asked for. In between a phasor is turned, to an error of 1e-14.
constexpr std::int64_t tone_block = 256;
constexpr int tone_lanes = 8;

using Lanes = Eigen::Array<double, tone_lanes, 1>;

/// A phasor for each lane: those of `turns`, 2 turns, ... of a circle.
struct Phasors {
  Lanes cosine, sine;
};

Phasors phasors(double turns, int first) {
  Phasors result;
  for (int k = 0; k < tone_lanes; ++k) {
    const double all = (first + k) * turns;
    const double angle = 2.0 * std::numbers::pi * (all - std::floor(all));
    result.cosine[k] = std::cos(angle);
    result.sine[k] = std::sin(angle);
  }
  return result;
}

/// One overtone at a rate.
class Overtone {
 public:
  Overtone(double amplitude, double frequency, double phase, base::Rate rate)
      : amplitude_(amplitude),
        frequency_(frequency),
        phase_(phase),
        rate_(rate),
        lanes_(phasors(frequency / static_cast<double>(rate.hz), 0)) {
    const Phasors last = phasors(frequency / static_cast<double>(rate.hz), 1);
    step_cosine_ = last.cosine[tone_lanes - 1];
    step_sine_ = last.sine[tone_lanes - 1];
  }

  /// Adds the samples of a block that begins at sample `begin`.
  void add(std::int64_t begin, std::array<double, tone_block>& out) const {
    const double turns = frequency_ * rate_.seconds(begin);
    const double angle = 2.0 * std::numbers::pi * (turns - std::floor(turns)) + phase_;
    const double c = amplitude_ * std::cos(angle), s = amplitude_ * std::sin(angle);
    Lanes cosine = c * lanes_.cosine - s * lanes_.sine, sine = s * lanes_.cosine + c * lanes_.sine;
    for (std::int64_t i = 0; i < tone_block; i += tone_lanes) {
      Eigen::Map<Lanes>(out.data() + i) += sine;
      const Lanes next = cosine * step_cosine_ - sine * step_sine_;
      sine = sine * step_cosine_ + cosine * step_sine_;
      cosine = next;
    }
  }

 private:
  double amplitude_, frequency_, phase_;
  base::Rate rate_;
  Phasors lanes_;
  double step_cosine_, step_sine_;  ///< by as many samples as there are lanes
};

}  // namespace

void Tone::fill(base::Rate rate, std::int64_t first, std::span<float> out) const {
  std::vector<Overtone> overtones;
  for (std::size_t k = 0; k < sound_.harmonics.size(); ++k) {
    const double frequency = static_cast<double>(k + 1) * sound_.frequency;
    if (frequency >= rate.nyquist()) break;
    overtones.emplace_back(sound_.harmonics[k], frequency, sound_.phase, rate);
  }
  const std::int64_t end = first + static_cast<std::int64_t>(out.size());
  for (std::int64_t begin = first / tone_block * tone_block; begin < end; begin += tone_block) {
    std::array<double, tone_block> block{};
    for (const Overtone& overtone : overtones) overtone.add(begin, block);
    for (std::int64_t n = std::max(begin, first); n < std::min(begin + tone_block, end); ++n)
      out[n - first] = static_cast<float>(block[n - begin]);
  }
}

}  // namespace peal::shaders
