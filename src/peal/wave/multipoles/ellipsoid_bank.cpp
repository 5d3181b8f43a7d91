#include <peal/base/boundary_elements.h>
#include <peal/base/coarse_surface.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/wave/multipoles/ellipsoid_bank.h>
#include <peal/wave/multipoles/rigid_radiation.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

namespace peal::wave {

namespace {

using geometry::Mat3;
using geometry::TriMesh;
using geometry::Vec3;
using std::numbers::pi;

constexpr double facet = 0.1;             ///< length of the edges of an ellipsoid's mesh [a]
constexpr double silent_after = 16.0;     ///< convex bodies are silent after this [a / c]
constexpr std::size_t flow_points = 120;  ///< of a coarse surface for slow flow
constexpr double slow = 0.1;              ///< kR of slow flow

TriMesh ellipsoid_mesh(const Vec3& half) {
  TriMesh mesh = geometry::sphere_mesh(1.0, facet);
  for (Vec3& vertex : mesh.vertices) vertex = vertex.cwiseProduct(half);
  return mesh;
}

double ratio_of(int steps) {
  return std::pow(std::numbers::sqrt2, -steps);
}

/// The table of an ellipsoid of the bank. All have the same frequencies, so that they can be mixed.
RigidRadiationPlan plan_of(const TriMesh& mesh) {
  const base::Medium air;
  const double band = EllipsoidBank::reach * air.speed_of_sound / (2.0 * pi);
  RigidRadiationPlan plan = plan_rigid_radiation(mesh, air, 0.999 * band);
  plan.ball = {Vec3::Zero(), 1.0};
  plan.reach = EllipsoidBank::reach;
  plan.response = silent_after;
  plan.key += "-bank";
  return plan;
}

/// Strength of the dipole that a body around the origin makes far away when it moves slowly along
/// each axis, of arbitrary unit.
Vec3 slow_dipoles(const TriMesh& mesh, const Mat3& turn, double radius) {
  const TriMesh fine = base::finer(mesh, flow_points);
  const base::BoundaryElements elements(fine, flow_points);
  const auto rows = static_cast<Eigen::Index>(3 * fine.vertices.size());
  Eigen::MatrixXf velocities(rows, 3);
  std::vector<Vec3> directions;
  for (int i = 0; i < 3; ++i) {
    for (Eigen::Index v = 0; v < rows; ++v) velocities(v, i) = static_cast<float>(turn(v % 3, i));
    directions.push_back(turn.col(i));
    directions.emplace_back(-turn.col(i));
  }
  const Eigen::MatrixXcd sound =
      elements.far_field(slow / radius, elements.flows(fine, velocities), directions);
  Vec3 result;
  for (int i = 0; i < 3; ++i) result[i] = std::abs(sound(2 * i, i) - sound(2 * i + 1, i));
  return result;
}

/// Multiplies the dipoles (l = 1) of linear acceleration along each axis.
void scale_dipoles(base::RigidRadiation& table, const Vec3& factors) {
  std::size_t start = 0;
  for (const std::int32_t order : table.orders) {
    const auto harmonics = static_cast<std::size_t>(base::harmonics_up_to(order));
    for (std::size_t motion = 0; motion < 3; ++motion)
      for (std::size_t i = 1; i < std::min<std::size_t>(4, harmonics); ++i)
        table.values[start + motion * harmonics + i] *=
            static_cast<float>(factors[static_cast<Eigen::Index>(motion)]);
    start += base::RigidRadiation::motions * harmonics;
  }
}

}  // namespace

StandIn stand_in(const TriMesh& body) {
  const geometry::MassProperties mass = geometry::mass_properties(body, 1.0);
  const geometry::PrincipalAxes principal = geometry::principal_axes(mass.inertia);
  StandIn result{.centre = mass.centre, .axes = principal.axes};
  // The least moment is about the longest axis. I_x = m (b^2 + c^2) / 5.
  const double sum = principal.moments.sum();
  for (int i = 0; i < 3; ++i) {
    const double square = 2.5 * (sum - 2.0 * principal.moments[i]) / mass.mass;
    result.half[i] = std::sqrt(std::max(square, 0.0));
  }
  result.half = result.half.cwiseMax(1e-6 * result.half.x());
  result.half *= std::cbrt(0.75 * mass.volume / (pi * result.half.prod()));
  return result;
}

bool EllipsoidBank::covers(const StandIn& body, double speed_of_sound, double max_frequency) {
  const double ka = 2.0 * pi * max_frequency / speed_of_sound * body.half.x();
  const double ratio = body.half.z() / body.half.x();
  return ratio >= thinnest && ka <= (ratio <= flat ? reach : reach_of_chunks);
}

std::vector<EllipsoidBank::Share> EllipsoidBank::shares(double middle_ratio, double short_ratio) {
  const auto place = [](double ratio) {
    return std::clamp(-2.0 * std::log2(ratio), 0.0, static_cast<double>(steps));
  };
  // The four nodes around a place in one direction, and the weights of the cubic through them.
  struct Stencil {
    int first;
    std::array<double, 4> weights;
  };
  const auto stencil = [](double x) {
    Stencil result{std::clamp(static_cast<int>(x) - 1, 0, steps - 3), {}};
    for (int i = 0; i < 4; ++i) {
      double weight = 1.0;
      for (int k = 0; k < 4; ++k)
        if (k != i) weight *= (x - result.first - k) / (i - k);
      result.weights[static_cast<std::size_t>(i)] = weight;
    }
    return result;
  };
  const double u = place(middle_ratio);
  const Stencil middle = stencil(u), shortest = stencil(std::max(u, place(short_ratio)));
  std::vector<Share> all;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const double weight = middle.weights[static_cast<std::size_t>(i)] *
                            shortest.weights[static_cast<std::size_t>(j)];
      if (std::abs(weight) > 1e-6) all.push_back({{middle.first + i, shortest.first + j}, weight});
    }
  }
  return all;
}

std::shared_ptr<const base::RigidRadiation> EllipsoidBank::node(
    const Node& which, const std::function<void(double)>& advance) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = nodes_.find(which); known != nodes_.end()) return known->second;
  }
  std::shared_ptr<const base::RigidRadiation> table;
  if (which.first > which.second) {  // the same ellipsoid, turned about its longest axis
    Mat3 quarter_turn;
    quarter_turn << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    table = std::make_shared<const base::RigidRadiation>(
        node({which.second, which.first}, advance)->turned(quarter_turn));
  } else {
    const TriMesh mesh = ellipsoid_mesh({1.0, ratio_of(which.first), ratio_of(which.second)});
    table = std::make_shared<const base::RigidRadiation>(
        stored_shape_radiation(store_, mesh, plan_of(mesh), advance));
  }
  const std::lock_guard lock(mutex_);
  return nodes_.try_emplace(which, std::move(table)).first->second;
}

double EllipsoidBank::missing_work(const StandIn& body) const {
  std::set<Node> needed;
  for (const Share& share : shares(body.half.y() / body.half.x(), body.half.z() / body.half.x()))
    needed.insert(std::minmax(share.node.first, share.node.second));
  double work = 0.0;
  for (const Node& one : needed) {
    {
      const std::lock_guard lock(mutex_);
      if (nodes_.contains(one)) continue;
    }
    const TriMesh mesh = ellipsoid_mesh({1.0, ratio_of(one.first), ratio_of(one.second)});
    const RigidRadiationPlan plan = plan_of(mesh);
    if (!store_.contains(plan.key)) work += rigid_radiation_work(plan, mesh);
  }
  return work;
}

base::RigidRadiation EllipsoidBank::ellipsoid(double middle_ratio, double short_ratio,
                                              const std::function<void(double)>& advance) const {
  const std::vector<Share> all = shares(middle_ratio, short_ratio);
  base::RigidRadiation result;
  double done = 0.0;
  for (const Share& share : all) {
    const double part = 1.0 / static_cast<double>(all.size());
    const auto table = node(share.node, [&](double fraction) { advance(done + part * fraction); });
    done += part;
    const bool is_first = result.values.empty();
    if (is_first) {
      result = *table;
      for (auto& value : result.values) value *= static_cast<float>(share.weight);
      continue;
    }
    for (std::size_t k = 0; k < result.values.size(); ++k)
      result.values[k] += static_cast<float>(share.weight) * table->values[k];
    result.rest = std::max(result.rest, table->rest);
  }
  return result;
}

base::RigidRadiation EllipsoidBank::radiation(const TriMesh& body, const base::Medium& medium,
                                              double max_frequency,
                                              const std::function<void(double)>& advance) const {
  const StandIn shape = stand_in(body);
  const Vec3 half = shape.half / shape.half.x();
  base::RigidRadiation table =
      ellipsoid(half.y(), half.z(), advance).scaled_to(shape.centre, shape.half.x(), medium);
  // What the bank interpolates is no thinner than its lattice.
  const double thinnest_node = ratio_of(steps);
  const Vec3 played = shape.half.x() * Vec3(1.0, std::max(half.y(), thinnest_node),
                                            std::max(half.z(), thinnest_node));
  TriMesh centred = body;
  for (Vec3& vertex : centred.vertices) vertex -= shape.centre;
  const Vec3 own = slow_dipoles(centred, shape.axes, shape.half.x());
  const Vec3 stands = slow_dipoles(ellipsoid_mesh(played), Mat3::Identity(), shape.half.x());
  scale_dipoles(table, own.cwiseQuotient(stands));
  table = table.turned(shape.axes);
  table.max_frequency = std::min(max_frequency, table.max_frequency);
  return table;
}

}  // namespace peal::wave
