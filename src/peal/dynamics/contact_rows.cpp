#include <peal/dynamics/contact_rows.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace peal::dynamics {

namespace {

constexpr int most_sweeps = 200;
constexpr double converged = 1e-12;  ///< change of a velocity in one sweep [m/s]

Mat3 cross(const Vec3& v) {
  Mat3 m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

/// What of a row does not change while it is solved.
struct Response {
  Mat3 all;      ///< velocity of a against b for a unit impulse [1/kg]
  double along;  ///< its part along the normal
  Eigen::Matrix<double, 3, 2> tangents;
  /// Impulse against a slip of 1 m/s [kg]: as much as stops it in the direction that gives way most
  /// easily. A matrix that stops it in any would turn friction away from the slip.
  double stop;
};

Response response(const ContactRow& row, std::span<const BodyMomentum> bodies) {
  Response result;
  const double inverse = bodies[row.body_a].inverse_mass + bodies[row.body_b].inverse_mass;
  result.all = inverse * Mat3::Identity() -
               cross(row.arm_a) * row.inverse_inertia_a * cross(row.push_a) -
               cross(row.arm_b) * row.inverse_inertia_b * cross(row.push_b);
  result.along = row.normal.dot(result.all * row.normal);
  const Vec3 t = row.normal.unitOrthogonal();
  result.tangents << t, row.normal.cross(t);
  const Eigen::Matrix2d across = result.tangents.transpose() * result.all * result.tangents;
  const double mean = 0.5 * across.trace();
  const double spread =
      std::hypot(0.5 * (across(0, 0) - across(1, 1)), 0.5 * (across(0, 1) + across(1, 0)));
  result.stop = 1.0 / (mean + spread);
  return result;
}

}  // namespace

Vec3 ContactRow::velocity(std::span<const BodyMomentum> bodies) const {
  const BodyMomentum &a = bodies[body_a], &b = bodies[body_b];
  const Vec3 turn_a = a.angular_velocity + inverse_inertia_a * a.angular_momentum;
  const Vec3 turn_b = b.angular_velocity + inverse_inertia_b * b.angular_momentum;
  return a.velocity + turn_a.cross(arm_a) - b.velocity - turn_b.cross(arm_b) + drift;
}

void apply_impulse(const ContactRow& row, const Vec3& impulse, std::span<BodyMomentum> bodies) {
  const auto push = [&](BodyMomentum& body, const Vec3& arm, double sign) {
    if (body.inverse_mass == 0.0) return;
    body.velocity += sign * body.inverse_mass * impulse;
    body.angular_momentum += sign * arm.cross(impulse);
  };
  push(bodies[row.body_a], row.push_a, 1.0);
  push(bodies[row.body_b], row.push_b, -1.0);
}

void solve_rows(std::span<ContactRow> rows, std::span<BodyMomentum> bodies) {
  std::vector<Response> responses;
  for (const ContactRow& row : rows) responses.push_back(response(row, bodies));
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double change = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ContactRow& row = rows[i];
      const Response& answer = responses[i];
      // Along the normal.
      const double before = row.impulse.dot(row.normal);
      const double missing = row.target - row.normal.dot(row.velocity(bodies));
      const double after = std::max(0.0, before + missing / answer.along);
      const Vec3 pushed = (after - before) * row.normal;
      apply_impulse(row, pushed, bodies);
      // Across it: as much as stops the slip, but no more than friction gives.
      const Vec3 rubbed_before = row.impulse - before * row.normal;
      const Eigen::Vector2d slip = answer.tangents.transpose() * row.velocity(bodies);
      Eigen::Vector2d rubbed = answer.tangents.transpose() * rubbed_before - answer.stop * slip;
      const double most = row.friction * after, size = rubbed.norm();
      if (size > most) rubbed *= most / size;
      const Vec3 turned = answer.tangents * rubbed - rubbed_before;
      apply_impulse(row, turned, bodies);
      row.impulse += pushed + turned;
      change = std::max(change, (pushed + turned).norm() * answer.along);
    }
    if (change < converged) return;
  }
}

}  // namespace peal::dynamics
