// Impacts on bodies that ring: how long one takes, and how much of that the bare steps of the modes
// would take.
#include <peal/contact/impact_law.h>
#include <peal/util/denormals.h>

#include <bench/report.h>
#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

namespace peal::bench {
namespace {

using base::Vec3;
using contact::CompliantImpactLaw;

/// Bending modes up to 20 kHz as a free plate of 1 kg has them at its corners.
class PlateCorner : public base::ContactCompliance {
 public:
  explicit PlateCorner(int count) {
    for (int k = 1; k <= count; ++k)
      modes_.push_back({.frequency = 20000.0 * k / count, .decay_rate = 5.0 + 0.1 * k});
  }
  const std::vector<base::Mode>& modes() const override { return modes_; }
  double cut() const override { return 2.0 * std::numbers::pi * 20000.0; }
  Point at(const Vec3& point) const override {
    Point result{.gains = Eigen::Matrix3Xf::Zero(3, static_cast<Eigen::Index>(modes_.size()))};
    for (Eigen::Index k = 0; k < result.gains.cols(); ++k)
      result.gains(1, k) =
          static_cast<float>(std::cos(double(k + 1) * (17.0 * point.x() + 29.0 * point.z())));
    result.unknown = base::unknown_modes(modes_, result.gains, cut());
    return result;
  }

 private:
  std::vector<base::Mode> modes_;
};

/// A plate of 1 kg that lands on a floor again and again, with 1 or 4 of its corners.
struct Drops {
  static constexpr int blows = 40;

  int modes;
  bool is_flat;
  std::shared_ptr<PlateCorner> corner = std::make_shared<PlateCorner>(modes);
  long steps = 0;        ///< of the last run
  double sounded = 0.0;  ///< so that nothing is left out

  void operator()() {
    std::vector<contact::ImpactSurface> surfaces(2);
    const base::Material steel{
        .name = "steel", .density = 7850, .young_modulus = 2.1e11, .poisson_ratio = 0.3};
    surfaces[0] = {.material = steel, .patch = 1.0};
    surfaces[1] = {.material = steel, .radius = 0.001, .patch = 0.1, .compliance = corner};
    CompliantImpactLaw law(std::move(surfaces));
    std::vector<base::ImpactBody> bodies(2);
    bodies[1] = {.body = 1, .centre = Vec3(0, 0.01, 0), .velocity = Vec3(0, -1.0, 0)};
    bodies[1].inverse_mass = 1.0;
    bodies[1].inverse_inertia = Vec3(300, 150, 300).asDiagonal();
    std::vector<base::ImpactContact> touches;
    for (int c = 0; c < (is_flat ? 4 : 1); ++c)
      touches.push_back({.a = 1,
                         .b = 0,
                         .point = Vec3(c % 2 == 0 ? 0.1 : -0.1, 0, c < 2 ? 0.1 : -0.1),
                         .gap = 1e-5 * c,
                         .restitution = 0.5,
                         .friction = is_flat ? 0.4 : 0.0});
    steps = 0;
    for (int i = 0; i < blows; ++i) {
      const base::ImpactOutcome outcome = law.strike(bodies, touches, 0.1 * i);
      // Of the longest step and its halves: as many as were taken.
      steps += std::lround((outcome.end - outcome.start) / outcome.touches[0].force.step);
      sounded += outcome.energy.modal_after;
    }
  }
};

/// The modes' steps alone: read, moved on by a force and written, and what they move added up.
struct BareSteps {
  std::size_t modes;
  const long& steps;
  std::vector<double> a11, a12, a21, a22, b1, b2, g, q, v;
  double sum = 0.0;

  BareSteps(int count, const long& number) : modes(static_cast<std::size_t>(count)), steps(number) {
    for (auto* list : {&a11, &a12, &a21, &a22, &b1, &b2, &g, &q, &v}) list->assign(modes, 0.0);
    for (std::size_t k = 0; k < modes; ++k) {
      const double angle = 0.6 * double(k + 1) / double(modes);
      a11[k] = a22[k] = 0.999 * std::cos(angle);
      a12[k] = 0.999 * std::sin(angle), a21[k] = -a12[k];
      b1[k] = 1e-3, b2[k] = 1e-2, g[k] = 1.0;
    }
  }
  void operator()() {
    const util::FlushDenormals guard;
    using Map = Eigen::Map<Eigen::ArrayXd>;
    const auto map = [this](std::vector<double>& list) {
      return Map(list.data(), static_cast<Eigen::Index>(modes));
    };
    Map A11 = map(a11), A12 = map(a12), A21 = map(a21), A22 = map(a22), B1 = map(b1), B2 = map(b2),
        G = map(g), Q = map(q), V = map(v);
    Eigen::ArrayXd next(static_cast<Eigen::Index>(modes));
    for (long i = 0; i < steps; ++i) {
      const double force = i % 64 < 32 ? 1.0 : 0.0;
      next = A11 * Q + A12 * V + B1 * force;
      V = A21 * Q + A22 * V + B2 * force;
      Q = next;
      sum += (G * Q).sum();
    }
  }
};

int run(int argc, char** argv) {
  Report report("contact", argc, argv);
  double sink = 0.0;
  for (const bool is_flat : {false, true}) {
    for (const int modes : {20, 50, 100, 200, 500}) {
      Drops drops{.modes = modes, .is_flat = is_flat};
      drops();
      BareSteps bare(modes, drops.steps);
      const auto times = median_times({[&] { drops(); }, [&] { bare(); }}, 9);
      const std::string name =
          fmt::format("{} modes, {}", modes, is_flat ? "4 corners that rub" : "1 corner");
      const double blow = 1e6 * times[0].cpu / Drops::blows;
      report.add(name, "steps a blow", double(drops.steps) / Drops::blows, "1");
      report.add(name, "bare steps", 1e6 * times[1].cpu / Drops::blows, "us");
      if (modes == 100 && !is_flat)
        report.add_at_most(name, "time a blow", blow, "us", 100.0);
      else
        report.add(name, "time a blow", blow, "us");
      report.add(name, "time / bare steps", times[0].cpu / times[1].cpu, "1");
      sink += drops.sounded + bare.sum;
    }
  }
  if (sink == 1.0) report.add("", "", sink, "");  // keeps the work
  return report.finish();
}

}  // namespace
}  // namespace peal::bench

int main(int argc, char** argv) {
  return peal::bench::run(argc, argv);
}
