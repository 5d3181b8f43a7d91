#include <peal/shaders/acceleration_noise.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace peal::shaders {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

/// Forces that last are heard in blocks of this many samples that overlap by half, with windows
/// that add up to 1: some 10 ms, in which a contact point hardly moves.
constexpr std::int64_t block_samples = 1024, block_hop = block_samples / 2;

std::int64_t blocks_of(const base::SustainedForce& force) {
  return (static_cast<std::int64_t>(force.samples.size()) + block_hop - 1) / block_hop + 1;
}

double sinc(double x) {
  return std::abs(x) < 1e-9 ? 1.0 : std::sin(pi * x) / (pi * x);
}

/// Sums values at equal steps [s] to their spectrum at multiples of `spacing`: an interval of time
/// is a row of `values`.
Eigen::MatrixXcd sum_of_steps(const Eigen::MatrixXd& values, double step, double spacing,
                              Eigen::Index frequencies) {
  using Eigen::ArrayXd;
  // Phases of all frequencies at one step at a time, each that of the step before turned further.
  ArrayXd turn_real(frequencies), turn_imaginary(frequencies);
  for (Eigen::Index f = 0; f < frequencies; ++f) {
    const Complex turn = std::polar(1.0, -2.0 * pi * spacing * static_cast<double>(f) * step);
    turn_real[f] = turn.real();
    turn_imaginary[f] = turn.imag();
  }
  ArrayXd real = ArrayXd::Ones(frequencies), imaginary = ArrayXd::Zero(frequencies);
  ArrayXd next(frequencies);
  Eigen::ArrayXXd sums = Eigen::ArrayXXd::Zero(frequencies, 2 * values.cols());
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    for (Eigen::Index c = 0; c < values.cols(); ++c) {
      const double value = values(i, c);
      if (value == 0.0) continue;
      sums.col(2 * c) += value * real;
      sums.col(2 * c + 1) += value * imaginary;
    }
    next = real * turn_real - imaginary * turn_imaginary;
    imaginary = real * turn_imaginary + imaginary * turn_real;
    real = next;
  }
  Eigen::MatrixXcd result(values.cols(), frequencies);
  for (Eigen::Index c = 0; c < values.cols(); ++c) {
    result.row(c).real() = sums.col(2 * c).transpose();
    result.row(c).imag() = sums.col(2 * c + 1).transpose();
  }
  return result;
}

}  // namespace

std::vector<base::RigidDrive::Event> RigidAcceleration::events() const {
  std::vector<base::RigidDrive::Event> all;
  for (const Part& part : parts_) {
    all.push_back(part.history ? base::RigidDrive::Event{part.history->start, part.history->end()}
                               : base::RigidDrive::Event{part.pulse.start, part.pulse.end()});
  }
  for (const base::SustainedForce& force : sustained_) {
    for (std::int64_t i = 0; i < blocks_of(force); ++i) {
      const std::int64_t first = force.begin + (i - 1) * block_hop;
      all.push_back({force.rate.seconds(first), force.rate.seconds(first + block_samples + 1)});
    }
  }
  return all;
}

void RigidAcceleration::spectra(std::size_t event, double spacing,
                                base::RigidDrive::Spectra& out) const {
  if (event < parts_.size()) return impact_spectra(parts_[event], spacing, out);
  auto block = static_cast<std::int64_t>(event - parts_.size());
  for (const base::SustainedForce& force : sustained_) {
    if (block < blocks_of(force))
      return block_spectra(force, force.begin + (block - 1) * block_hop, spacing, out);
    block -= blocks_of(force);
  }
}

void RigidAcceleration::impact_spectra(const Part& part, double spacing,
                                       base::RigidDrive::Spectra& out) const {
  const auto column = [](const Value& value) {
    Eigen::Matrix<double, 6, 1> all;
    all << value.linear, value.angular;
    return all;
  };
  if (!part.history) {
    const Eigen::Matrix<double, 6, 1> impulse = part.pulse.impulse * column(part.per_force);
    for (Eigen::Index f = 0; f < out.cols(); ++f) {
      const double frequency = spacing * static_cast<double>(f);
      out.col(f) = impulse * base::pulse_spectrum(profile_, frequency * part.pulse.contact_time);
    }
    return;
  }
  const base::ForceHistory& history = *part.history;
  Eigen::MatrixXd forces(static_cast<Eigen::Index>(history.samples.size()), 3);
  for (std::size_t i = 0; i < history.samples.size(); ++i)
    forces.row(static_cast<Eigen::Index>(i)) = history.samples[i].cast<double>().transpose();
  Eigen::Matrix<double, 6, 3> per_axis;
  for (int d = 0; d < 3; ++d) per_axis.col(d) = column(of_force(part.arm, base::Vec3::Unit(d)));
  const Eigen::MatrixXcd sums = sum_of_steps(forces, history.step, spacing, out.cols());
  for (Eigen::Index f = 0; f < out.cols(); ++f) {
    // The force is constant over each step.
    const double x = spacing * static_cast<double>(f) * history.step;
    out.col(f) = history.step * sinc(x) * std::polar(1.0, -pi * x) * (per_axis * sums.col(f));
  }
}

void RigidAcceleration::block_spectra(const base::SustainedForce& force, std::int64_t first,
                                      double spacing, base::RigidDrive::Spectra& out) const {
  Eigen::MatrixXd values = Eigen::MatrixXd::Zero(block_samples, 6);
  const std::int64_t begin = std::max(first, force.begin);
  const std::int64_t end = std::min(first + block_samples, force.end());
  for (std::int64_t n = begin; n < end; ++n) {
    const auto point = force.point(n);
    const Value one = per_force(point.at, point.direction);
    const double gain =
        std::sin(pi * static_cast<double>(n - first) / static_cast<double>(block_samples));
    const double now = gain * gain * force.at(n);
    values.row(n - first) << now * one.linear.transpose(), now * one.angular.transpose();
  }
  const double step = force.rate.step();
  const Eigen::MatrixXcd sums = sum_of_steps(values, step, spacing, out.cols());
  for (Eigen::Index f = 0; f < out.cols(); ++f) {
    // The force is linear between samples.
    const double hat = sinc(spacing * static_cast<double>(f) * step);
    out.col(f) = step * hat * hat * sums.col(f);
  }
}

}  // namespace peal::shaders
