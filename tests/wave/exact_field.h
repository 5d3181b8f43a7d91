#pragma once

#include <peal/base/listener.h>
#include <peal/wave/far_field/receiver_array.h>

#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <numbers>
#include <vector>

namespace peal::wave {

/// Straight, uniform motion, or rest.
class UniformMotion : public base::Motion {
 public:
  explicit UniformMotion(const Vec3& start, const Vec3& velocity = Vec3::Zero())
      : start_(start), velocity_(velocity) {}
  base::Pose pose(double t) const override { return {.position = start_ + velocity_ * t}; }
  bool is_still() const override { return velocity_.isZero(); }

 private:
  Vec3 start_, velocity_;
};

inline base::Receiver receiver_at(const Vec3& x, const Vec3& velocity = Vec3::Zero()) {
  return {.name = "receiver", .motion = std::make_shared<UniformMotion>(x, velocity)};
}

/// Exact fields of frequency omega, Re[amplitude(x) exp(i omega t)], k = omega / c.
using Amplitude = std::function<std::complex<double>(const Vec3& x, double k)>;

inline std::complex<double> monopole_at(const Vec3& source, const Vec3& x, double k) {
  const double r = (x - source).norm();
  return std::polar(1.0 / r, -k * r);
}

inline Amplitude monopole(const Vec3& source = Vec3::Zero()) {
  return [source](const Vec3& x, double k) { return monopole_at(source, x, k); };
}

inline Amplitude dipole(const Vec3& axis) {
  return [axis](const Vec3& x, double k) {
    const double r = x.norm();
    const std::complex<double> slope(1.0 / r, k);
    return axis.normalized().dot(x) / r * slope * monopole_at(Vec3::Zero(), x, k);
  };
}

inline Amplitude quadrupole() {
  return [](const Vec3& x, double k) {
    const double r = x.norm();
    const std::complex<double> radial(3.0 / (r * r) - k * k, 3.0 * k / r);
    return x.x() * x.y() / (r * r) * radial * monopole_at(Vec3::Zero(), x, k);
  };
}

/// A cubic Kirchhoff surface about the origin in a slightly larger grid.
inline FarFieldSetup box_setup(int cells = 48, double h = 0.01, int around = 4) {
  const int n = cells + 2 * around;
  FarFieldSetup setup;
  setup.grid = {.origin = Vec3::Constant(-0.5 * n * h), .cell_size = h, .size = {n, n, n}};
  setup.low = {around, around, around};
  setup.high = {around + cells, around + cells, around + cells};
  setup.rate = {60000};
  return setup;
}

/// Plays an exact field to receivers, on the two cells on both sides of the box' surface or
/// everywhere.
class ExactField {
 public:
  ExactField(const FarFieldSetup& setup, Amplitude amplitude, double frequency,
             bool everywhere = false)
      : setup_(setup),
        amplitude_(std::move(amplitude)),
        omega_(2.0 * std::numbers::pi * frequency),
        pressure_(setup.grid.size) {
    for_each_cell(setup.grid.size, [&](const Cell& c) {
      bool inner = true, outer = false;
      for (int axis = 0; axis < 3; ++axis) {
        inner = inner && c[axis] >= setup.low[axis] + 2 && c[axis] < setup.high[axis] - 2;
        outer = outer || c[axis] < setup.low[axis] - 2 || c[axis] >= setup.high[axis] + 2;
      }
      if (!everywhere && (inner || outer)) return;
      cells_.push_back(c);
      values_.push_back(amplitude_(setup.grid.centre(c), wave_number()));
    });
  }

  double wave_number() const { return omega_ / setup_.medium.speed_of_sound; }

  double at(const Vec3& x, double t) const {
    return (amplitude_(x, wave_number()) * std::polar(1.0, omega_ * t)).real();
  }

  const Field<float>& at_step(std::int64_t step) {
    const double t = setup_.rate.seconds(setup_.first_step + step);
    const std::complex<double> turn = std::polar(1.0, omega_ * t);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      pressure_[cells_[i]] =
          static_cast<float>(values_[i].real() * turn.real() - values_[i].imag() * turn.imag());
    }
    return pressure_;
  }

  std::vector<base::Signal> received(const std::vector<base::Receiver>& receivers, int steps,
                                     int block = 128) {
    ReceiverArray<float> receiver_array(setup_, receivers, block);
    for (int step = 0; step < steps; ++step) receiver_array.record(at_step(step));
    return receiver_array.take();
  }

  /// Relative error, rms over the last `samples` of all receivers.
  double error(const std::vector<base::Receiver>& receivers, int steps, std::size_t samples) {
    const std::vector<base::Signal> signals = received(receivers, steps);
    double error = 0.0, sum = 0.0;
    for (std::size_t r = 0; r < receivers.size(); ++r) {
      const base::Signal& s = signals[r];
      if (s.samples.size() < samples) return 1e9;
      for (std::size_t i = s.samples.size() - samples; i < s.samples.size(); ++i) {
        const double t = s.rate.seconds(s.start + static_cast<std::int64_t>(i));
        const Vec3 x = receivers[r].motion->pose(t).to_world(receivers[r].offset);
        const double exact = at(x, t);
        error += std::pow(static_cast<double>(s.samples[i]) - exact, 2.0);
        sum += exact * exact;
      }
    }
    return std::sqrt(error / sum);
  }

 private:
  FarFieldSetup setup_;
  Amplitude amplitude_;
  double omega_;
  Field<float> pressure_;
  std::vector<Cell> cells_;
  std::vector<std::complex<double>> values_;
};

/// Receivers in five directions.
inline std::vector<base::Receiver> around(double distance) {
  std::vector<base::Receiver> result;
  for (const Vec3& way :
       {Vec3(1, 0, 0), Vec3(1, 2, 3), Vec3(1, 1, 0), Vec3(-1, 1, 1), Vec3(0.2, -3, 1)}) {
    result.push_back(receiver_at(distance * way.normalized()));
  }
  return result;
}

}  // namespace peal::wave
