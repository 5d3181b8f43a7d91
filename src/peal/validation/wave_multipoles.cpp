#include <peal/base/surface_source.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/validation/entries.h>
#include <peal/validation/wave_trial.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace peal::validation {

namespace {

using std::numbers::pi;

/// An outgoing field with its origin somewhere inside a body: a point, p = g(t - r / c) / r, or the
/// derivative of one along an axis, p = -a . grad (g / r), with g a pulse [Pa m].
struct Multipole {
  Vec3 origin;
  bool dipole;
  Vec3 axis = Vec3(0.6, 0.64, 0.48);
  double length = 0.02;  ///< of the dipole's axis [m], so that both are of a size
  Pulse pulse;

  /// g and its first two derivatives over powers of c, at retarded time.
  struct Retarded {
    double g, g1, g2;
  };
  Retarded retarded(double t, double r) const {
    const double s = t - r / speed_of_sound, w = pulse.width, x = (s - pulse.middle()) / w;
    const double g = pulse(s), c = speed_of_sound;
    return {g, -x / w * g / c, (x * x - 1.0) / (w * w) * g / (c * c)};
  }
  /// Pressure gradient at a point seen from the origin, for values of g at its retarded time.
  Vec3 gradient(const Retarded& g, const Vec3& x) const {
    const double r = x.norm();
    const Vec3 n = x / r;
    // f(r) = g / r: f' and f'' follow from dg/dr = -g1.
    const double f1 = -g.g1 / r - g.g / (r * r);
    if (!dipole) return f1 * n;
    const double f2 = g.g2 / r + 2.0 * g.g1 / (r * r) + 2.0 * g.g / (r * r * r);
    const Vec3 a = length * axis;
    return -((f2 - f1 / r) * n.dot(a) * n + f1 / r * a);
  }
  Complex phasor(double frequency, const Vec3& x) const {
    const double r = x.norm(), k = wave_number(frequency);
    const Complex wave = std::polar(1.0 / r, -k * r);
    if (!dipole) return wave;
    return length * axis.dot(x) / r * Complex(1.0 / r, k) * wave;
  }
};

/// The acceleration that a multipole's field has at a surface. The columns are g, g1 and g2 at a
/// series of delays, with cubics between them: a_n = -n . grad p / rho is then a sum of products.
class MultipoleSource : public base::SurfaceSource {
 public:
  explicit MultipoleSource(const Multipole& field) : field_(field) {}

  Eigen::Index columns() const override { return 3 * delays; }

  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override {
    base::SurfaceBasis::Sparse matrix(static_cast<Eigen::Index>(points.size()), columns());
    matrix.reserve(Eigen::VectorXi::Constant(matrix.rows(), 12));
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      const base::SurfacePoint& point = points[static_cast<std::size_t>(i)];
      const Vec3 x = point.position - field_.origin;
      const double delay = x.norm() / (speed_of_sound * spacing);
      const auto whole = static_cast<Eigen::Index>(std::floor(delay));
      const double u = delay - static_cast<double>(whole);
      const std::array weights{-u * (u - 1) * (u - 2) / 6, (u + 1) * (u - 1) * (u - 2) / 2,
                               -(u + 1) * u * (u - 2) / 2, (u + 1) * u * (u - 1) / 6};
      const std::array<Multipole::Retarded, 3> units{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
      for (Eigen::Index node = 0; node < 4; ++node) {
        for (Eigen::Index k = 0; k < 3; ++k) {
          const double gain =
              -field_.gradient(units[static_cast<std::size_t>(k)], x).dot(point.normal);
          matrix.insert(i, 3 * (whole - 1 + node) + k) =
              static_cast<float>(gain * weights[static_cast<std::size_t>(node)] / air_density);
        }
      }
    }
    return base::SurfaceBasis(std::move(matrix));
  }

  void coefficients(base::Rate rate, base::SampleRange range,
                    base::Coefficients& out) const override {
    out.resize(columns(), range.size());
    for (std::int64_t n = range.begin; n < range.end; ++n) {
      for (Eigen::Index d = 0; d < delays; ++d) {
        const Multipole::Retarded g =
            field_.retarded(rate.seconds(n) - spacing * static_cast<double>(d), 0.0);
        out.col(n - range.begin).segment<3>(3 * d) = Eigen::Vector3d(g.g, g.g1, g.g2).cast<float>();
      }
    }
  }

  std::vector<base::SampleRange> active(base::Rate rate, base::SampleRange range) const override {
    const double end = field_.pulse.end() + spacing * double{delays};
    const auto last = static_cast<std::int64_t>(std::ceil(rate.samples(end))) + 1;
    return {{range.begin, std::min(range.end, last)}};
  }

  void hash(base::Rate rate, base::SampleRange range, util::Fingerprint& print) const override {
    base::Coefficients values;
    coefficients(rate, range, values);
    print.add(std::span<const float>(values.data(), static_cast<std::size_t>(values.size())));
    print.add(std::span<const double>(field_.origin.data(), 3));
    print.add(field_.dipole), print.add(field_.length);
  }

 private:
  static constexpr double spacing = 2e-6;      ///< of delays [s]
  static constexpr Eigen::Index delays = 256;  ///< up to 0.17 m

  Multipole field_;
};

/// A body that is not convex, and a place inside its wall.
struct Shape {
  std::string name;
  geometry::TriMesh mesh;
  Vec3 origin;
};

std::vector<Shape> shapes(double edge_length) {
  const geometry::Polygon mug = {{0, 0},       {0.04, 0},     {0.04, 0.09},
                                 {0.03, 0.09}, {0.03, 0.024}, {0, 0.024}};
  geometry::Polygon bowl;
  for (int i = 0; i <= 30; ++i) {
    const double theta = 0.5 * pi * i / 30.0;
    bowl.emplace_back(i == 0 ? 0.0 : 0.06 * std::sin(theta), -0.06 * std::cos(theta));
  }
  for (int i = 30; i >= 0; --i) {
    const double theta = 0.5 * pi * i / 30.0;
    bowl.emplace_back(i == 0 ? 0.0 : 0.04 * std::sin(theta), -0.04 * std::cos(theta));
  }
  return {{"mug", geometry::lathe_mesh(mug, edge_length), {0.005, 0.012, 0.0}},
          {"bowl", geometry::lathe_mesh(bowl, edge_length), {0.0, -0.05, 0.0}},
          {"plate", geometry::box_mesh({0.12, 0.02, 0.09}, edge_length), {0.02, 0.0, -0.01}}};
}

/// Number of the direction, of six, that a triangle faces most: walls of different directions in a
/// cell are then asked separately.
std::uint32_t facing(const Vec3& n) {
  int axis = 0;
  n.cwiseAbs().maxCoeff(&axis);
  return static_cast<std::uint32_t>(2 * axis + (n[axis] > 0.0));
}

/// Relative error of the far field, rms over places around the body.
std::array<double, 2> multipole_error(const Shape& shape, bool dipole, double h,
                                      const std::array<double, 2>& frequencies) {
  const Multipole field{.origin = shape.origin, .dipole = dipole, .pulse = {8e-5}};
  const Vec3 place = h * Vec3(0.31, -0.17, 0.23);
  WaveTrial trial(h, 4e-3);
  base::Body& body = trial.add_body(shape.name, shape.mesh, resting(place));
  for (std::size_t i = 0; i < body.mesh.triangles.size(); ++i) {
    body.triangle_part.push_back(facing(geometry::area_vector(body.mesh, i)));
  }
  body.sources.push_back(std::make_shared<MultipoleSource>(field));
  std::vector<Vec3> places;
  for (int i = 0; i < 27; ++i) {
    const Vec3 direction(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    if (!direction.isZero()) places.push_back(0.25 * direction.normalized());
  }
  for (const Vec3& x : places) trial.listen_at(place + shape.origin + x);
  const std::vector<Received> received = trial.run();
  std::array<double, 2> result{};
  for (std::size_t j = 0; j < frequencies.size(); ++j) {
    double error = 0.0, size = 0.0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Complex exact = field.phasor(frequencies[j], places[i]);
      error += std::norm(received[i].transfer(frequencies[j], field.pulse) - exact);
      size += std::norm(exact);
    }
    result[j] = std::sqrt(error / size);
  }
  return result;
}

Outcome run_multipoles() {
  constexpr std::array frequencies{500.0, 2000.0};
  Outcome outcome;
  for (const Shape& shape : shapes(0.003)) {
    for (const bool dipole : {false, true}) {
      const auto fine = multipole_error(shape, dipole, 1.25e-3, frequencies);
      const auto coarse = multipole_error(shape, dipole, 2.5e-3, frequencies);
      for (std::size_t j = 0; j < frequencies.size(); ++j) {
        outcome.claims.push_back({fmt::format("{}, {}, {:g} Hz: error", shape.name,
                                              dipole ? "dipole" : "monopole", frequencies[j]),
                                  "", 0.0, fine[j], 0.02});
        outcome.remarks += fmt::format("{}, {}, {:g} Hz: {:.2e}. ", shape.name,
                                       dipole ? "dipole" : "monopole", frequencies[j], coarse[j]);
      }
    }
  }
  outcome.remarks = "Errors with cells of 2.5 mm: " + outcome.remarks;
  return outcome;
}

}  // namespace

Entry imposed_multipoles() {
  return {.key = "imposed-multipoles",
          .title = "Fields of points and dipoles imposed on a mug, a bowl and a plate",
          .source =
              "Uniqueness of the outer problem: a body whose wall moves as the air of an "
              "outgoing field would, with its origin inside the wall, makes that field",
          .method =
              "a_n = -(1 / rho) dp/dn on every wall, origin 8 to 12 mm below the surface; "
              "error at 0.25 m over 26 directions, rms; cells of 1.25 mm.",
          .run = run_multipoles,
          .cost = Cost::slow};
}

}  // namespace peal::validation
