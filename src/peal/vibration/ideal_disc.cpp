#include <peal/fem/quadrature.h>
#include <peal/vibration/bessel.h>
#include <peal/vibration/ideal_disc.h>
#include <peal/vibration/roots.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::vibration {

namespace {

using std::numbers::pi;

/// J_n or exp(-x) I_n at the rim, x = k a, with derivatives by x.
struct RimFunctions {
  double value, slope, bend;  ///< f, f', f''
};

RimFunctions rim_J(const BesselTable& table, int n, double x) {
  const auto& J = table.J;
  const auto at = [&](int order) { return J[static_cast<std::size_t>(order)]; };
  const double slope = n == 0 ? -at(1) : at(n - 1) - n / x * at(n);
  return {at(n), slope, -slope / x - (1.0 - n * n / (x * x)) * at(n)};
}

RimFunctions rim_I(const BesselTable& table, int n, double x) {
  const auto& I = table.scaled_I;
  const auto at = [&](int order) { return I[static_cast<std::size_t>(order)]; };
  const double slope = n == 0 ? at(1) : at(n - 1) - n / x * at(n);
  return {at(n), slope, -slope / x + (1.0 + n * n / (x * x)) * at(n)};
}

/// The two edge conditions applied to a function; `laplace` is -1 for J and +1 for I, whose
/// Laplacian is that times k^2. Leissa 1969, equations 1.13 and 2.5.
Vec2 edge_conditions(const RimFunctions& f, double laplace, int n, double x, double nu,
                     PlateEdge edge) {
  const double n2 = static_cast<double>(n) * n;
  const double moment = x * x * f.bend + nu * (x * f.slope - n2 * f.value);
  switch (edge) {
    case PlateEdge::clamped:
      return {f.value, f.slope};
    case PlateEdge::supported:
      return {f.value, moment / (x * x)};
    case PlateEdge::free: {
      const double shear =
          laplace * x * x * x * f.slope - (1.0 - nu) * n2 * (x * f.slope - f.value);
      return {moment / (x * x), shear / (x * x * x)};
    }
  }
  return {};
}

struct DiscMode {
  int n = 0;
  double x = 0.0;  ///< k a
  double C = 0.0;  ///< coefficient of exp(-x) I_n relative to J_n; 0 for membranes
};

/// All roots of characteristic(table, n, x), n = 0, 1, ..., up to x = highest, ascending in x. The
/// lowest roots of each order grow with it.
template <class Characteristic>
std::vector<DiscMode> disc_roots(double highest, bool with_I,
                                 const Characteristic& characteristic) {
  constexpr double step = 0.1;  // roots of one order are about pi apart
  std::vector<DiscMode> found;
  const int orders = static_cast<int>(1.3 * highest) + 8;
  const auto at = [&](int n, double x) {
    return characteristic(bessel_table(n + 1, x, with_I), n, x);
  };
  std::vector<double> before(static_cast<std::size_t>(orders)), here = before;
  for (double x = 0.5; x < highest + step; x += step) {
    // There are no roots below x = n / 2, where J_n is negligible.
    const int top = std::min(orders, static_cast<int>(2.0 * x) + 6);
    const BesselTable table = bessel_table(top, x, with_I);
    for (int n = 0; n < top; ++n) {
      const auto i = static_cast<std::size_t>(n);
      here[i] = characteristic(table, n, x);
      if (here[i] * before[i] < 0.0) {
        const auto root = root_between([&](double y) { return at(n, y); }, x - step, x);
        if (root && *root <= highest) found.push_back({n, *root});
      }
      before[i] = here[i];
    }
  }
  std::ranges::sort(found, {}, &DiscMode::x);
  return found;
}

class Disc : public IdealShape {
 public:
  Disc(double radius, double areal_density) : radius_(radius), areal_density_(areal_density) {
    mass_ = pi * radius * radius * areal_density;
  }

  /// Mass-normalises and adds the mode, twice if it depends on the azimuth.
  bool add(DiscMode mode, double frequency, std::size_t most) {
    const std::size_t copies = mode.n == 0 ? 1 : 2;
    if (modes_.size() + copies > most) {
      is_cut_ = true;
      return false;
    }
    const double square = (mode.n == 0 ? 2.0 * pi : pi) * radial_square(mode);
    const double norm = 1.0 / std::sqrt(areal_density_ * radius_ * radius_ * square);
    for (std::size_t copy = 0; copy < copies; ++copy) {
      modes_.push_back({.frequency = frequency});
      parts_.push_back({mode, norm, copy == 1});
    }
    return true;
  }

  void displacement(const Vec2& at, std::span<double> out) const override {
    const double r = at.norm() / radius_, azimuth = std::atan2(at.y(), at.x());
    BesselTable table;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Part& part = parts_[i];
      if (r > 1.0 + 1e-9) {
        out[i] = 0.0;
        continue;
      }
      if (!part.is_sine) {
        table = bessel_table(part.mode.n, part.mode.x * r, part.mode.C != 0.0);
      }
      const double angle = part.mode.n * azimuth;
      out[i] = part.norm * radial(part.mode, table, r) *
               (part.is_sine ? std::sin(angle) : std::cos(angle));
    }
  }

 private:
  struct Part {
    DiscMode mode;
    double norm;
    bool is_sine;
  };

  /// The radial function, with `table` at x r.
  static double radial(const DiscMode& mode, const BesselTable& table, double r) {
    const auto n = static_cast<std::size_t>(mode.n);
    if (mode.C == 0.0) return table.J[n];
    return table.J[n] + mode.C * table.scaled_I[n] * std::exp(mode.x * (r - 1.0));
  }

  /// The integral of the radial function squared times r from 0 to 1.
  static double radial_square(const DiscMode& mode) {
    if (mode.C == 0.0) {  // a membrane: J_n(x) = 0
      return 0.5 * std::pow(bessel_table(mode.n + 1, mode.x, false).J.back(), 2);
    }
    return fem::integrate_waves(
        [&](double r) {
          return r * std::pow(radial(mode, bessel_table(mode.n, mode.x * r, true), r), 2);
        },
        mode.x);
  }

  double radius_, areal_density_;
  std::vector<Part> parts_;
};

/// An upper bound of k a for the lowest `most` modes: Weyl's law (k a)^2 / 4, with a margin for the
/// edge.
double bound_of(double highest, std::size_t most) {
  return std::min(highest, 2.2 * std::sqrt(static_cast<double>(most)) + 12.0);
}

}  // namespace

std::unique_ptr<IdealShape> circular_membrane(double radius, double tension, double areal_density,
                                              const ModeLimits& limits) {
  auto disc = std::make_unique<Disc>(radius, areal_density);
  const double unit = std::sqrt(tension / areal_density) / (2.0 * pi * radius);  // [Hz]
  const double highest = bound_of(limits.max_frequency / unit, limits.most);
  const auto characteristic = [](const BesselTable& table, int n, double) {
    return table.J[static_cast<std::size_t>(n)];
  };
  for (const DiscMode& mode : disc_roots(highest, false, characteristic)) {
    if (!disc->add(mode, unit * mode.x, limits.most)) break;
  }
  return disc;
}

std::unique_ptr<IdealShape> circular_plate(double radius, double bending_stiffness,
                                           double poisson_ratio, double areal_density,
                                           PlateEdge edge, const ModeLimits& limits) {
  auto disc = std::make_unique<Disc>(radius, areal_density);
  const double unit =
      std::sqrt(bending_stiffness / areal_density) / (2.0 * pi * radius * radius);  // [Hz]
  const double highest = bound_of(std::sqrt(limits.max_frequency / unit), limits.most);
  const auto conditions = [&](const BesselTable& table, int n, double x) {
    return std::pair(edge_conditions(rim_J(table, n, x), -1.0, n, x, poisson_ratio, edge),
                     edge_conditions(rim_I(table, n, x), 1.0, n, x, poisson_ratio, edge));
  };
  const auto characteristic = [&](const BesselTable& table, int n, double x) {
    const auto [J, I] = conditions(table, n, x);
    return J.x() * I.y() - J.y() * I.x();
  };
  for (DiscMode mode : disc_roots(highest, true, characteristic)) {
    const auto [J, I] = conditions(bessel_table(mode.n + 1, mode.x, true), mode.n, mode.x);
    // The coefficient of I follows from the condition in which I is larger.
    mode.C = std::abs(I.x()) > std::abs(I.y()) ? -J.x() / I.x() : -J.y() / I.y();
    if (!disc->add(mode, unit * mode.x * mode.x, limits.most)) break;
  }
  return disc;
}

}  // namespace peal::vibration
