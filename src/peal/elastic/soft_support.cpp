#include <peal/elastic/reciprocal_mass.h>
#include <peal/elastic/soft_support.h>

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <algorithm>
#include <utility>

namespace peal::elastic {

using geometry::Vec3;

SoftSupport::SoftSupport(const Solid& solid, std::size_t number, std::vector<std::uint32_t> nodes,
                         double stiffness, double damping)
    : solid_(number) {
  std::sort(nodes.begin(), nodes.end());
  double mass = 0.0;
  for (const std::uint32_t node : nodes) mass += solid.mass[node];
  for (const std::uint32_t node : nodes) {
    const double share = solid.mass[node] / mass;
    springs_.push_back({.node = node,
                        .mass = solid.mass[node],
                        .stiffness = share * stiffness,
                        .damping = share * damping});
  }
}

void SoftSupport::add(double, const State& state, std::vector<Nodes>& forces) {
  const Nodes &x = state.position[solid_], &v = state.velocity[solid_];
  if (anchors_.empty()) {
    for (const Spring& spring : springs_) {
      const Vec3 at = x.at(spring.node);
      anchors_.insert(anchors_.end(), {at.x(), at.y(), at.z()});
    }
  }
  for (std::size_t k = 0; k < springs_.size(); ++k) {
    const Spring& spring = springs_[k];
    const Vec3 anchor(anchors_[3 * k], anchors_[3 * k + 1], anchors_[3 * k + 2]);
    forces[solid_].add(spring.node, spring.stiffness * (anchor - x.at(spring.node)) -
                                        spring.damping * v.at(spring.node));
  }
}

/// Leapfrog takes the damping half a step late: it is stable for w^2 dt^2 / 4 + c dt / 2m < 1. A
/// spring of m (5 c / m)^2 shortens the step enough for that.
double SoftSupport::stiffness(std::size_t solid, std::size_t node) const {
  if (solid != solid_) return 0.0;
  const auto found = std::ranges::lower_bound(springs_, node, {}, &Spring::node);
  if (found == springs_.end() || found->node != node) return 0.0;
  return found->stiffness + 25.0 * found->damping * found->damping / found->mass;
}

double SoftSupport::energy(const State& state) const {
  double sum = 0.0;
  for (std::size_t k = 0; 3 * k < anchors_.size(); ++k) {
    const Vec3 anchor(anchors_[3 * k], anchors_[3 * k + 1], anchors_[3 * k + 2]);
    sum += 0.5 * springs_[k].stiffness *
           (state.position[solid_].at(springs_[k].node) - anchor).squaredNorm();
  }
  return sum;
}

void carry_weight(std::span<SoftSupport* const> supports, const Solid& solid, const Nodes& start,
                  const Vec3& gravity) {
  const std::vector<double> masses = row_sum_masses(solid);
  Vec3 centre = Vec3::Zero(), weight = Vec3::Zero();
  double mass = 0.0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    centre += masses[i] * start.at(i);
    mass += masses[i];
  }
  centre /= mass;
  weight = mass * gravity;
  // Turns are in units of length, at the radius of the solid.
  const double size = geometry::bounds(solid.surface).diagonal().norm();
  const auto motion_of = [&](const Vec3& at) {
    Eigen::Matrix<double, 3, 6> motion;
    const Vec3 arm = (at - centre) / size;
    motion.leftCols<3>().setIdentity();
    for (int axis = 0; axis < 3; ++axis) motion.col(3 + axis) = Vec3::Unit(axis).cross(arm);
    return motion;
  };
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(6, 6);
  for (const SoftSupport* support : supports) {
    for (const SoftSupport::Spring& spring : support->springs_) {
      const auto motion = motion_of(start.at(spring.node));
      stiffness += spring.stiffness * motion.transpose() * motion;
    }
  }
  // The weight acts at the centre: it turns nothing about it.
  Eigen::VectorXd load = Eigen::VectorXd::Zero(6);
  load.head<3>() = -weight;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  factors.setThreshold(1e-9);
  factors.compute(stiffness);
  const Eigen::VectorXd shift = factors.solve(load);
  for (SoftSupport* support : supports) {
    support->anchors_.clear();
    for (const SoftSupport::Spring& spring : support->springs_) {
      const Vec3 at = start.at(spring.node) + motion_of(start.at(spring.node)) * shift;
      support->anchors_.insert(support->anchors_.end(), {at.x(), at.y(), at.z()});
    }
  }
}

void SoftSupport::serialize(util::Archive& archive) {
  archive.list(anchors_);
}

}  // namespace peal::elastic
