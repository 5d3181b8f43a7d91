#include <peal/base/force_history.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace peal::base {

using geometry::Vec3;

Vec3 ForceHistory::impulse() const {
  Vec3 sum = Vec3::Zero();
  for (const Eigen::Vector3f& force : samples) sum += force.cast<double>();
  return step * sum;
}

double ForceHistory::peak() const {
  float largest = 0.0f;
  for (const Eigen::Vector3f& force : samples) largest = std::max(largest, force.squaredNorm());
  return std::sqrt(static_cast<double>(largest));
}

unsigned ForceHistory::hits() const {
  unsigned count = 0;
  bool acted = false;
  for (const Eigen::Vector3f& force : samples) {
    const bool acts = !force.isZero(0.0f);
    if (acts && !acted) ++count;
    acted = acts;
  }
  return count;
}

ForceHistory ForceHistory::coarser(double longest) const {
  const auto together = static_cast<std::size_t>(std::max(std::ceil(longest / step - 1e-6), 1.0));
  if (together == 1) return *this;
  ForceHistory result{.start = start, .step = step * static_cast<double>(together), .samples = {}};
  for (std::size_t i = 0; i < samples.size(); i += together) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = i; k < std::min(i + together, samples.size()); ++k)
      sum += samples[k].cast<double>();
    result.samples.emplace_back((sum / static_cast<double>(together)).cast<float>());
  }
  return result;
}

Vec3 ForceHistory::mean(double t0, double t1) const {
  Vec3 sum = Vec3::Zero();
  const double from = std::max((t0 - start) / step, 0.0);
  const double to = std::min((t1 - start) / step, static_cast<double>(samples.size()));
  if (!(to > from)) return sum;
  const auto first = static_cast<std::size_t>(from);
  const auto last = std::min(static_cast<std::size_t>(std::ceil(to)), samples.size());
  for (std::size_t i = first; i < last; ++i) {
    const double begin = std::max(from, static_cast<double>(i));
    const double end = std::min(to, static_cast<double>(i + 1));
    sum += (end - begin) * samples[i].cast<double>();
  }
  return step / (t1 - t0) * sum;
}

ForceHistory ForceHistory::rotated(const geometry::Quat& rotation, double scale) const {
  ForceHistory result{.start = start, .step = step, .samples = {}};
  result.samples.reserve(samples.size());
  const Eigen::Matrix3f matrix = (scale * rotation.toRotationMatrix()).cast<float>();
  for (const Eigen::Vector3f& force : samples) result.samples.emplace_back(matrix * force);
  return result;
}

void ForceHistory::trim() {
  const auto acts = [](const Eigen::Vector3f& force) { return !force.isZero(0.0f); };
  const auto first = std::ranges::find_if(samples, acts);
  start += step * static_cast<double>(first - samples.begin());
  samples.erase(samples.begin(), first);
  while (!samples.empty() && !acts(samples.back())) samples.pop_back();
}

void ForceHistory::hash(util::Fingerprint& fingerprint) const {
  fingerprint.add(start);
  fingerprint.add(step);
  fingerprint.add(samples.size());
  for (const Eigen::Vector3f& force : samples)
    fingerprint.add(std::span<const float>(force.data(), 3));
}

ConstantDrive::ConstantDrive(std::complex<double> s, double time) : hold(std::exp(s * time)) {
  const std::complex<double> x = s * time;
  // (exp(x) - 1) / s loses digits for small x; the fifth term of the series is below 1e-16 there.
  gain = std::abs(x) < 1e-3 ? time * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0))))
                            : (hold - 1.0) / s;
}

}  // namespace peal::base
