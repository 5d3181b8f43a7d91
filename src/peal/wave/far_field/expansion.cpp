#include <peal/util/lagrange.h>
#include <peal/wave/far_field/expansion.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace peal::wave {

namespace {

constexpr int spare_points = 5;  ///< points in addition to one per term

}  // namespace

template <class Real>
ExpansionPath<Real>::ExpansionPath(const FarFieldSetup& setup, const KirchhoffSurface& box,
                                   const PropagationPath& path)
    : setup_(setup),
      box_(box),
      path_(path),
      points_(setup.expansion_terms + spare_points),
      is_still_(path.is_still()),
      series_(static_cast<std::size_t>(points_)) {
  if (!is_still_) return;
  still_ray_ = ray(0.0);
  still_weights_ = weights(still_ray_);
}

template <class Real>
auto ExpansionPath<Real>::ray(double output) const -> Ray {
  const Vec3 way = path_.position(output) - box_.centre();
  Ray result;
  result.distance = std::max(way.norm(), 1e-9);
  result.direction = way / result.distance;
  const double surface = box_.exit_distance(result.direction);
  result.first = setup_.expansion_from > 0.0 ? setup_.expansion_from : 0.5 * surface;
  result.gap = (surface + setup_.grid.cell_size - result.first) / (points_ - 1);
  return result;
}

template <class Real>
double ExpansionPath<Real>::lag(const Ray& ray, int i) const {
  return (ray.distance - ray.point(i)) * setup_.samples_per_metre();
}

template <class Real>
double ExpansionPath<Real>::output_for(std::int64_t step, int i) const {
  // Find the output at which step + lag(output) = output; each round reduces the error by the Mach
  // number.
  auto output = static_cast<double>(step);
  for (int round = 0; round < 50; ++round) {
    const double better = static_cast<double>(step) + lag(ray(output), i);
    const bool close = std::abs(better - output) < 1e-3;
    output = better;
    if (close) break;
  }
  return output;
}

template <class Real>
void ExpansionPath<Real>::record(const Field<Real>& field) {
  for (int i = 0; i < points_; ++i) {
    const Ray r = is_still_ ? still_ray_ : ray(output_for(recorded_, i));
    const Vec3 x = box_.centre() + r.point(i) * r.direction;
    series_[static_cast<std::size_t>(i)].push_back(probe(setup_, field, x));
  }
  ++recorded_;
}

template <class Real>
Eigen::VectorXd ExpansionPath<Real>::weights(const Ray& ray) const {
  // p at the receiver is linear in the samples: w = (A^+)^T b with A_ij = (r_0 / r_i)^j and b_j =
  // (r_0 / r)^j.
  const int K = setup_.expansion_terms;
  Eigen::MatrixXd A(points_, K);
  Eigen::VectorXd b(K);
  for (int j = 0; j < K; ++j) {
    for (int i = 0; i < points_; ++i) A(i, j) = std::pow(ray.first / ray.point(i), j + 1);
    b[j] = std::pow(ray.first / ray.distance, j + 1);
  }
  return A.transpose().completeOrthogonalDecomposition().solve(b);
}

template <class Real>
double ExpansionPath<Real>::read(int i, double step) const {
  const double whole = std::floor(step);
  const util::Lagrange::Weights w = util::Lagrange::at(step - whole);
  const std::vector<double>& series = series_[static_cast<std::size_t>(i)];
  const std::int64_t first = static_cast<std::int64_t>(whole) - util::Lagrange::before - forgotten_;
  double sum = 0.0;
  for (int k = 0; k < util::Lagrange::taps; ++k) {
    if (first + k >= 0) sum += w.value[k] * series[static_cast<std::size_t>(first + k)];
  }
  return sum;
}

template <class Real>
void ExpansionPath<Real>::add(PressureSum& out) {
  std::int64_t oldest = std::numeric_limits<std::int64_t>::max();
  for (;; ++next_) {
    const auto output = static_cast<double>(next_);
    const Ray r = is_still_ ? still_ray_ : ray(output);
    const double gain = path_.far_gain(output);
    const double needed = gain > 0.0 ? output - lag(r, points_ - 1) : output;
    if (needed + util::Lagrange::after + 1.0 > static_cast<double>(recorded_)) {
      oldest = static_cast<std::int64_t>(output - lag(r, 0)) - util::Lagrange::taps;
      break;
    }
    if (gain == 0.0) continue;
    const Eigen::VectorXd w = is_still_ ? still_weights_ : weights(r);
    double sum = 0.0;
    for (int i = 0; i < points_; ++i) sum += w[i] * read(i, output - lag(r, i));
    sum *= gain;
    out.add(next_, &sum, 1);
  }
  forget(oldest);
}

template <class Real>
bool ExpansionPath<Real>::is_complete(std::int64_t output) const {
  return output < next_ || path_.far_gain(static_cast<double>(output)) == 0.0;
}

template <class Real>
void ExpansionPath<Real>::forget(std::int64_t before) {
  const std::int64_t count = std::min(before, recorded_) - forgotten_;
  if (count < 4096) return;
  for (std::vector<double>& s : series_) s.erase(s.begin(), s.begin() + count);
  forgotten_ += count;
}

template <class Real>
std::size_t ExpansionPath<Real>::bytes() const {
  std::size_t sum = 0;
  for (const std::vector<double>& s : series_) sum += s.capacity() * sizeof(double);
  return sum;
}

template class ExpansionPath<float>;
template class ExpansionPath<double>;

}  // namespace peal::wave
