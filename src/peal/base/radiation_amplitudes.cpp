#include <peal/base/all_directions.h>
#include <peal/base/boundary_elements.h>
#include <peal/base/radiation_amplitudes.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/util/parallel.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace peal::base {

namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using std::numbers::pi;

/// Points of the surface, of which the few are enough where they are close to each other for the
/// sound: 500 points solve in an eighth of the time of 1000.
constexpr std::size_t few_points = 400, many_points = 800;
/// Largest distance of points times wavenumber at which a steel plate's modes above coincidence
/// lose 0.3 dB or less, and at which elements are of use at all.
constexpr double fine_enough = 1.2, still_useful = 2.2;
constexpr double per_octave = 6.0;  ///< frequencies at which fields are computed
/// The largest radiation efficiency of plates, at coincidence [1]. Only the resonances of air in a
/// cavity make more of a mode that meets one of them.
constexpr double most_efficient = 2.0;
/// Frequencies between two of per_octave at which such modes are looked at.
constexpr int within_band = 8;
constexpr int direction_count = 96;
/// Modes whose frequencies differ by less, relatively, are treated as equal in frequency. Those of
/// a round body's mesh differ by up to 0.2 %; beyond 1 %, powers add over a few periods anyway.
constexpr double one_pitch = 0.01;
/// Modes this many octaves below still count for the sign of one.
constexpr double octaves_alike = 0.5;

/// The integrals of the normal displacement, squared, and of the square of its slope over the
/// surface: what waves in a surface need to know of it.
struct SurfaceWaves {
  double square = 0.0;  ///< [m^2 / kg]
  double slope = 0.0;   ///< [1 / kg]
};

SurfaceWaves surface_waves(const ModalModel& model, Index mode) {
  SurfaceWaves sum;
  for (std::uint32_t t = 0; t < model.surface.triangles.size(); ++t) {
    const geometry::Triangle& corners = model.surface.triangles[t];
    const Vec3 area = geometry::area_vector(model.surface, t);
    const double size = area.norm();
    if (!(size > 0.0)) continue;
    const Vec3 normal = area / size;
    Vec3 gradient = Vec3::Zero(), moved;
    for (int k = 0; k < 3; ++k) {
      moved[k] = normal.dot(
          model.shapes.col(mode).segment<3>(3 * static_cast<Index>(corners[k])).cast<double>());
      const Vec3 edge = model.surface.vertices[corners[(k + 2) % 3]] -
                        model.surface.vertices[corners[(k + 1) % 3]];
      gradient += moved[k] / (2.0 * size) * normal.cross(edge);
    }
    sum.square += size / 12.0 * (moved.squaredNorm() + std::pow(moved.sum(), 2));
    sum.slope += size * gradient.squaredNorm();
  }
  return sum;
}

/// The mean square of a mode's field r phi for an efficiency of 1: r^2 |phi|^2 for |v|^2 = square
/// is power k 4 pi r^2 |phi|^2 / 2 = square / 2 in units of rho c.
double efficient_square(const SurfaceWaves& waves, double k) {
  return waves.square / (4.0 * pi * k * k);
}

/// Fields of the modes at the frequencies lowest 2^(i / per_octave), of those near to each: r phi
/// far away for a unit of normal displacement as a velocity, a row a direction and a column a mode.
class ModeFields {
 public:
  struct Near {
    std::size_t first = 0;  ///< mode of the first column
    MatrixXcd fields;
    /// The mean square of each over the directions; of modes that meet a resonance of the air, in
    /// the mean over the band around the frequency.
    Eigen::VectorXd squares;

    auto of(std::size_t mode) const { return fields.col(static_cast<Index>(mode - first)); }
  };

  ModeFields(const ModalModel& model, const Medium& medium)
      : lowest_(model.modes.front().frequency), area_(geometry::surface_area(model.surface)) {
    const double octaves = std::log2(model.modes.back().frequency / lowest_);
    const auto count = static_cast<std::size_t>(std::ceil(per_octave * octaves - 1e-9)) + 1;
    const double most = 2.0 * pi * frequency(count - 1) / medium.speed_of_sound;
    const Mesh few(model, few_points);
    std::unique_ptr<const Mesh> many;
    if (most * few.spacing(area_) > fine_enough) many = std::make_unique<Mesh>(model, many_points);
    highest_wavenumber_ = still_useful / (many ? *many : few).spacing(area_);
    near_.resize(count);
    const std::vector<Vec3> directions = all_directions(direction_count);
    std::vector<SurfaceWaves> waves;
    for (Index m = 0; m < model.shapes.cols(); ++m) waves.push_back(surface_waves(model, m));
    util::parallel_for(static_cast<std::int64_t>(count), [&](std::int64_t i) {
      const double f = frequency(static_cast<std::size_t>(i));
      const double k = std::min(2.0 * pi * f / medium.speed_of_sound, highest_wavenumber_);
      const Mesh& mesh = many && k * few.spacing(area_) > fine_enough ? *many : few;
      // What nearest() and mean_square() may ask for.
      constexpr double below = octaves_alike + 1.0 / per_octave, above = 1.0 / per_octave;
      Near& near = near_[static_cast<std::size_t>(i)];
      near.first = count_up_to(model.modes, f * std::exp2(-below) * (1.0 - 1e-9));
      const std::size_t end = count_up_to(model.modes, f * std::exp2(above) * (1.0 + 1e-9));
      if (end <= near.first) return;
      const auto columns = static_cast<Index>(end - near.first);
      const auto flows = mesh.flows.middleCols(static_cast<Index>(near.first), columns);
      const auto squares_of = [](const MatrixXcd& fields) -> Eigen::VectorXd {
        return fields.colwise().squaredNorm().transpose() / direction_count;
      };
      near.fields = mesh.elements.far_field(k, flows, directions);
      near.squares = squares_of(near.fields);
      std::vector<Index> resonant;
      for (Index m = 0; m < columns; ++m) {
        const SurfaceWaves& own = waves[near.first + static_cast<std::size_t>(m)];
        if (near.squares[m] > most_efficient * efficient_square(own, k)) resonant.push_back(m);
      }
      if (resonant.empty()) return;
      // Power is to be right in the mean: how far modes and air are apart is not known to a width
      // of these resonances.
      Eigen::VectorXd power = Eigen::VectorXd::Zero(columns);
      for (int j = 0; j < within_band; ++j) {
        const double steps = (j + 0.5) / within_band - 0.5;
        const double q = std::min(k * std::exp2(steps / per_octave), highest_wavenumber_);
        power += q * q * squares_of(mesh.elements.far_field(q, flows, directions)) / within_band;
      }
      for (const Index m : resonant) near.squares[m] = power[m] / (k * k);
    });
  }

  double frequency(std::size_t i) const {
    return lowest_ * std::exp2(static_cast<double>(i) / per_octave);
  }
  /// At the frequency nearest to that of a mode.
  const Near& nearest(double f) const {
    const double at = std::round(per_octave * std::log2(f / lowest_));
    return near_[std::min(static_cast<std::size_t>(at), near_.size() - 1)];
  }
  /// The mean square of a mode's field over the directions, at its own frequency.
  double mean_square(std::size_t mode, double f) const {
    const double at =
        std::clamp(per_octave * std::log2(f / lowest_), 0.0, static_cast<double>(near_.size() - 1));
    const auto before = std::min(static_cast<std::size_t>(at), near_.size() - 1);
    const double part = at - static_cast<double>(before);
    const auto level = [&](std::size_t i) {
      return std::log(
          std::max(near_[i].squares[static_cast<Index>(mode - near_[i].first)], 1e-300));
    };
    if (part < 1e-9) return std::exp(level(before));
    return std::exp((1.0 - part) * level(before) + part * level(before + 1));
  }
  double highest_wavenumber() const { return highest_wavenumber_; }  ///< [1/m]

 private:
  struct Mesh {
    BoundaryElements elements;
    MatrixXd flows;

    Mesh(const ModalModel& model, std::size_t points)
        : elements(model.surface, points), flows(elements.flows(model.surface, model.shapes)) {}
    double spacing(double area) const {  ///< [m]
      return std::sqrt(area / static_cast<double>(elements.points()));
    }
  };

  double lowest_, area_, highest_wavenumber_ = 0.0;
  std::vector<Near> near_;
};

/// By how much more power a mode radiates at wavenumber k than its field was computed for at the
/// highest that the elements can tell: waves longer than those of sound radiate as from an endless
/// plane, with 1 / sqrt(1 - (xi / k)^2) times rho c.
double beyond_elements(const ModalModel& model, Index mode, double k, double mean_square) {
  const SurfaceWaves waves = surface_waves(model, mode);
  const double ratio = waves.slope / (waves.square * k * k);
  if (!(ratio < 1.0)) return mean_square;
  const double efficiency = std::min(1.0 / std::sqrt(1.0 - ratio), most_efficient);
  return efficiency * efficient_square(waves, k);
}

/// +1 or -1: as which a mode adds up with those below it, by their fields at its frequency.
double sign_of(std::size_t mode, const std::vector<Mode>& modes, const std::vector<double>& signs,
               const ModeFields::Near& near) {
  double sum = 0.0;
  for (std::size_t n = mode; n-- > near.first;) {
    const double octaves = std::log2(modes[mode].frequency / modes[n].frequency);
    if (octaves > octaves_alike) break;
    const double norm = near.of(n).norm();
    if (!(norm > 0.0)) continue;
    sum += (1.0 - octaves / octaves_alike) * signs[n] * near.of(n).dot(near.of(mode)).real() / norm;
  }
  return sum < 0.0 ? -1.0 : 1.0;
}

/// Turns the second of two modes of one pitch by a quarter of a period.
void turn_pairs(const std::vector<Mode>& modes, std::vector<std::complex<double>>& amplitudes) {
  for (std::size_t m = 1; m < modes.size(); ++m) {
    if (modes[m].frequency > (1.0 + one_pitch) * modes[m - 1].frequency) continue;
    amplitudes[m] *= std::complex<double>(0.0, 1.0);
    ++m;  // a third mode of that frequency stays in phase with the first
  }
}

}  // namespace

RadiationAmplitudes radiation_amplitudes(const ModalModel& model, const Medium& medium) {
  RadiationAmplitudes result;
  if (model.modes.empty()) return result;
  const ModeFields fields(model, medium);
  std::vector<double> signs;
  for (std::size_t m = 0; m < model.modes.size(); ++m) {
    const auto mode = static_cast<Index>(m);
    const double f = model.modes[m].frequency, w = 2.0 * pi * f, k = w / medium.speed_of_sound;
    double square = fields.mean_square(m, f);
    if (k > fields.highest_wavenumber()) square = beyond_elements(model, mode, k, square);
    signs.push_back(sign_of(m, model.modes, signs, fields.nearest(f)));
    const double level = medium.density * w * w * std::sqrt(square);
    result.amplitudes.emplace_back(signs.back() * level);
    result.decay_rates.push_back(radiation_decay_rate(level, f, medium));
  }
  turn_pairs(model.modes, result.amplitudes);
  return result;
}

double radiation_decay_rate(double level, double frequency, const Medium& medium) {
  const double w = 2.0 * pi * frequency;
  return 2.0 * pi * level * level / (medium.density * medium.speed_of_sound * w * w);
}

void add_radiation_decay(const RadiationAmplitudes& radiation, std::vector<Mode>& modes) {
  for (std::size_t m = 0; m < modes.size(); ++m) modes[m].decay_rate += radiation.decay_rates[m];
}

void serialize(util::Archive& archive, RadiationAmplitudes& radiation) {
  archive.list(radiation.amplitudes);
  archive.list(radiation.decay_rates);
  archive.list(radiation.filters);
}

}  // namespace peal::base
