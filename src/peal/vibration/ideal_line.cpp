#include <peal/fem/quadrature.h>
#include <peal/vibration/ideal_line.h>
#include <peal/vibration/roots.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <numbers>

namespace peal::vibration {

namespace {

using std::numbers::pi;

class String : public IdealShape {
 public:
  String(double length, double tension, double linear_density, const ModeLimits& limits,
         double bending_stiffness)
      : length_(length) {
    mass_ = length * linear_density;
    const double lowest = 0.5 / length * std::sqrt(tension / linear_density);
    const double inharmonicity = pi * pi * bending_stiffness / (tension * length * length);
    for (double n = 1.0;; n += 1.0) {
      const double frequency = n * lowest * std::sqrt(1.0 + inharmonicity * n * n);
      if (frequency > limits.max_frequency) break;
      if (modes_.size() == limits.most) {
        is_cut_ = true;
        break;
      }
      modes_.push_back({.frequency = frequency});
    }
  }

  void displacement(const Vec2& at, std::span<double> out) const override {
    const double s = at.x() / length_ + 0.5;
    const double norm = s < 0.0 || s > 1.0 ? 0.0 : std::sqrt(2.0 / mass_);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = norm * std::sin(pi * std::remainder(static_cast<double>(i + 1) * s, 2.0));
    }
  }

 private:
  double length_;
};

/// A combination of sin(b s), cos(b s), exp(-b s) and exp(-b (1 - s)) on s = 0 ... 1, b = beta L.
/// Unlike the usual sinh and cosh, these do not lose precision at high modes.
struct BarShape {
  double beta = 0.0;  ///< beta L
  Eigen::Vector4d part = Eigen::Vector4d::Zero();

  /// The `derivative`-th derivatives of the four functions, divided by beta^derivative.
  static Eigen::Vector4d basis(double beta, double s, int derivative) {
    const double shift = 0.5 * pi * derivative;
    return {std::sin(beta * s + shift), std::cos(beta * s + shift),
            (derivative % 2 == 0 ? 1.0 : -1.0) * std::exp(-beta * s), std::exp(-beta * (1.0 - s))};
  }
  double at(double s) const { return basis(beta, s, 0).dot(part); }
};

/// The two derivatives that vanish at an end.
std::array<int, 2> vanishing(BarEnd end) {
  switch (end) {
    case BarEnd::free:
      return {2, 3};
    case BarEnd::clamped:
      return {0, 1};
    case BarEnd::pinned:
      return {0, 2};
    case BarEnd::sliding:
      return {1, 3};
  }
  return {};
}

Eigen::Matrix4d end_conditions(double beta, BarEnd left, BarEnd right) {
  Eigen::Matrix4d rows;
  for (int i = 0; i < 2; ++i) {
    rows.row(i) = BarShape::basis(beta, 0.0, vanishing(left)[static_cast<std::size_t>(i)]);
    rows.row(i + 2) = BarShape::basis(beta, 1.0, vanishing(right)[static_cast<std::size_t>(i)]);
  }
  return rows;
}

class Bar : public IdealShape {
 public:
  Bar(double length, double bending_stiffness, double linear_density, BarEnd left, BarEnd right,
      const ModeLimits& limits)
      : length_(length) {
    mass_ = length * linear_density;
    const double unit =
        std::sqrt(bending_stiffness / linear_density) / (2.0 * pi * length * length);
    const double highest = std::sqrt(limits.max_frequency / unit);
    const auto determinant = [&](double beta) {
      return end_conditions(beta, left, right).determinant();
    };
    // The lowest root of all ends is pi / 2 (pinned-sliding); roots are about pi apart.
    double from = 1.0;
    while (from < highest) {
      const double to = from + 0.1;
      if (const auto beta = root_between(determinant, from, to); beta && *beta <= highest) {
        if (shapes_.size() == limits.most) {
          is_cut_ = true;
          break;
        }
        add(*beta, unit, end_conditions(*beta, left, right));
      }
      from = to;
    }
  }

  void displacement(const Vec2& at, std::span<double> out) const override {
    const double s = at.x() / length_ + 0.5;
    const bool outside = s < 0.0 || s > 1.0;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = outside ? 0.0 : shapes_[i].at(s);
  }

 private:
  void add(double beta, double unit, const Eigen::Matrix4d& conditions) {
    BarShape shape{beta};
    // Find the combination that satisfies all four conditions.
    shape.part =
        Eigen::JacobiSVD<Eigen::Matrix4d>(conditions, Eigen::ComputeFullV).matrixV().col(3);
    const double square =
        fem::integrate_waves([&](double s) { return std::pow(shape.at(s), 2); }, beta);
    shape.part /= std::sqrt(mass_ * square);
    modes_.push_back({.frequency = unit * beta * beta});
    shapes_.push_back(shape);
  }

  double length_;
  std::vector<BarShape> shapes_;
};

}  // namespace

std::unique_ptr<IdealShape> string_modes(double length, double tension, double linear_density,
                                         const ModeLimits& limits, double bending_stiffness) {
  return std::make_unique<String>(length, tension, linear_density, limits, bending_stiffness);
}

std::unique_ptr<IdealShape> bar_modes(double length, double bending_stiffness,
                                      double linear_density, BarEnd left, BarEnd right,
                                      const ModeLimits& limits) {
  return std::make_unique<Bar>(length, bending_stiffness, linear_density, left, right, limits);
}

}  // namespace peal::vibration
