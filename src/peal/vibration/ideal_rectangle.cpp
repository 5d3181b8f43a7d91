#include <peal/vibration/ideal_rectangle.h>
#include <peal/vibration/plate_ritz.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::vibration {

namespace {

using std::numbers::pi;

/// Modes sin(m pi x / Lx) sin(n pi z / Lz) with frequencies that grow with
/// s = (m / Lx)^2 + (n / Lz)^2.
class SineRectangle : public IdealShape {
 public:
  /// `highest` is the upper bound of s [1/m^2].
  template <class Frequency>
  SineRectangle(const Vec2& size, double areal_density, double highest, const Frequency& frequency,
                std::size_t most)
      : size_(size) {
    mass_ = size.x() * size.y() * areal_density;
    // Collect all pairs below a bound for the lowest `most`, by Weyl's law with a margin for the
    // edges.
    const double area = size.x() * size.y(), around = 2.0 * (size.x() + size.y());
    const double count = static_cast<double>(most) + 10.0;
    const double root = (0.25 * around + std::sqrt(0.0625 * around * around + pi * area * count)) /
                        (0.5 * pi * area);
    const double bound = std::min(highest, 1.1 * root * root);
    struct Pair {
      double s;
      int m, n;
    };
    std::vector<Pair> pairs;
    const auto square = [](double x) { return x * x; };
    for (int m = 1; square(m / size.x()) < bound; ++m) {
      for (int n = 1;; ++n) {
        const double s = square(m / size.x()) + square(n / size.y());
        if (s > bound) break;
        pairs.push_back({s, m, n});
      }
    }
    std::ranges::stable_sort(pairs, {}, &Pair::s);
    is_cut_ = bound < highest || pairs.size() > most;
    if (pairs.size() > most) pairs.resize(most);
    for (const Pair& pair : pairs) {
      modes_.push_back({.frequency = frequency(pair.s)});
      numbers_.emplace_back(pair.m, pair.n);
    }
  }

  void displacement(const Vec2& at, std::span<double> out) const override {
    const Vec2 s = at.cwiseQuotient(size_) + Vec2::Constant(0.5);
    const bool outside = s.minCoeff() < 0.0 || s.maxCoeff() > 1.0;
    const double norm = outside ? 0.0 : 2.0 / std::sqrt(mass_);
    const auto sine = [](int n, double x) { return std::sin(pi * std::remainder(n * x, 2.0)); };
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = norm * sine(numbers_[i].first, s.x()) * sine(numbers_[i].second, s.y());
    }
  }

 private:
  Vec2 size_;
  std::vector<std::pair<int, int>> numbers_;
};

}  // namespace

std::unique_ptr<IdealShape> rectangular_membrane(const Vec2& size, double tension,
                                                 double areal_density, const ModeLimits& limits) {
  const double speed = std::sqrt(tension / areal_density);  // [m/s]
  return std::make_unique<SineRectangle>(
      size, areal_density, std::pow(2.0 * limits.max_frequency / speed, 2),
      [=](double s) { return 0.5 * speed * std::sqrt(s); }, limits.most);
}

std::unique_ptr<IdealShape> rectangular_plate(const RectangularPlate& plate,
                                              const ModeLimits& limits) {
  const auto edges = {plate.low_x, plate.high_x, plate.low_z, plate.high_z};
  if (std::ranges::any_of(edges, [](PlateEdge edge) { return edge != PlateEdge::supported; })) {
    return plate_by_ritz(plate, limits);
  }
  const double unit = 0.5 * pi * std::sqrt(plate.bending_stiffness / plate.areal_density);
  return std::make_unique<SineRectangle>(
      plate.size, plate.areal_density, limits.max_frequency / unit,
      [=](double s) { return unit * s; }, limits.most);
}

}  // namespace peal::vibration
