#include <peal/vibration/sound_map.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace peal::vibration {

namespace {

/// Fraction of the largest energy of an impact below which a vertex counts as fixed.
constexpr float still = 1e-10f;

/// The area-weighted sum of the neighbouring triangles' normals.
std::vector<geometry::Vec3> vertex_directions(const geometry::TriMesh& mesh) {
  std::vector<geometry::Vec3> normals(mesh.vertices.size(), geometry::Vec3::Zero());
  for (const auto& [a, b, c] : mesh.triangles) {
    const geometry::Vec3 normal =
        (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]);
    for (const std::uint32_t v : {a, b, c}) normals[v] += normal;
  }
  for (geometry::Vec3& normal : normals) normal.normalize();
  return normals;
}

/// sqrt(S) H(log E/E_0) of each mode for an impact that gives the modes these velocities.
Eigen::VectorXf timbre(Eigen::VectorXd velocity, const Eigen::VectorXd& weight, double inaudible) {
  Eigen::VectorXd energy = velocity.cwiseAbs2();
  const double sum = energy.sum();
  if (sum > 0.0) energy /= sum;
  for (Eigen::Index i = 0; i < energy.size(); ++i) {
    energy[i] = weight[i] * std::max(0.0, std::log10(std::max(energy[i], 1e-300) / inaudible));
  }
  return energy.cast<float>();
}

Eigen::VectorXd ear_weights(const std::vector<base::Mode>& modes) {
  Eigen::VectorXd weight(static_cast<Eigen::Index>(modes.size()));
  for (Eigen::Index i = 0; i < weight.size(); ++i) {
    weight[i] = std::sqrt(ear_sensitivity(modes[static_cast<std::size_t>(i)].frequency));
  }
  return weight;
}

}  // namespace

double ear_sensitivity(double frequency) {
  const auto power = [](double f) {
    const double f2 = f * f;
    const double gain = 12194.217 * 12194.217 * f2 * f2 /
                        ((f2 + 20.598997 * 20.598997) * (f2 + 12194.217 * 12194.217) *
                         std::sqrt((f2 + 107.65265 * 107.65265) * (f2 + 737.86223 * 737.86223)));
    return gain * gain;
  };
  static const double largest = power(2507.0);  // where A-weighting peaks, +1.27 dB
  return std::min(1.0, power(frequency) / largest);
}

double sonic_distance(const std::vector<double>& energy, const std::vector<double>& other,
                      const std::vector<base::Mode>& modes, const SonicDistance& settings) {
  double sum = 0.0;
  const auto heard = [&](double e) {
    return std::max(0.0, std::log10(std::max(e, 1e-300) / settings.inaudible));
  };
  for (std::size_t i = 0; i < modes.size(); ++i) {
    sum += ear_sensitivity(modes[i].frequency) * std::pow(heard(energy[i]) - heard(other[i]), 2);
  }
  return std::sqrt(sum);
}

SoundMap sound_map(const base::ModalModel& body, const SonicDistance& settings) {
  const auto vertices = static_cast<Eigen::Index>(body.surface.vertices.size());
  const auto count = static_cast<Eigen::Index>(body.modes.size());
  SoundMap map;
  if (vertices == 0 || count == 0) return map;
  const auto normals = vertex_directions(body.surface);
  const Eigen::VectorXd weight = ear_weights(body.modes);
  Eigen::MatrixXf timbres(count, vertices);
  map.gains.resize(vertices, count);
  for (Eigen::Index v = 0; v < vertices; ++v) {
    map.gains.row(v) = -normals[static_cast<std::size_t>(v)].cast<float>().transpose() *
                       body.shapes.middleRows(3 * v, 3);
    timbres.col(v) =
        timbre(map.gains.row(v).transpose().cast<double>(), weight, settings.inaudible);
  }
  Eigen::Index loudest = 0;
  map.gains.col(0).cwiseAbs().maxCoeff(&loudest);

  // Where nothing moves, the timbre would be rounding error.
  const Eigen::VectorXf energy = map.gains.rowwise().squaredNorm();
  Eigen::VectorXf distance = Eigen::VectorXf::Zero(vertices);
  for (Eigen::Index v = 0; v < vertices; ++v) {
    map.moves.push_back(energy[v] > still * energy.maxCoeff());
    if (map.moves.back()) distance[v] = std::numeric_limits<float>::max();
  }
  map.nearest.assign(static_cast<std::size_t>(vertices), 0);
  for (Eigen::Index next = loudest;;) {
    const auto number = static_cast<std::uint32_t>(map.points.size());
    map.points.push_back(static_cast<std::uint32_t>(next));
    const Eigen::VectorXf from_next =
        (timbres.colwise() - timbres.col(next).eval()).colwise().norm().transpose();
    for (Eigen::Index v = 0; v < vertices; ++v) {
      if (from_next[v] >= distance[v]) continue;
      distance[v] = from_next[v];
      map.nearest[static_cast<std::size_t>(v)] = number;
    }
    if (static_cast<double>(distance.maxCoeff(&next)) < settings.threshold) break;
  }
  map.distance.assign(distance.begin(), distance.end());
  return map;
}

}  // namespace peal::vibration
