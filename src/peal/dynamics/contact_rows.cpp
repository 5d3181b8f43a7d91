#include <peal/dynamics/contact_rows.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace peal::dynamics {

namespace {

constexpr int most_sweeps = 200;
constexpr double converged = 1e-12;  ///< change of a velocity in one sweep [m/s]
// Of many contacts none is exact alone; they start from where they were.
constexpr std::size_t most_exact = 60;
constexpr int crowd_sweeps = 20;
constexpr double roughly_converged = 1e-7;  ///< [m/s]

Mat3 cross(const Vec3& v) {
  Mat3 m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

/// What of a row does not change while it is solved.
struct Response {
  Mat3 all;      ///< velocity of a against b for a unit impulse [1/kg]
  double along;  ///< its part along the normal, for one along the force
  Vec3 force;    ///< direction of the push
  Eigen::Matrix<double, 3, 2> tangents;
  /// Impulse against a slip of 1 m/s [kg]: as much as stops it in the direction that gives way most
  /// easily. A matrix that stops it in any would turn friction away from the slip.
  double stop;
  Mat3 from_a, from_b;  ///< velocity of the point from angular momentum [1/(kg m)]
  Vec3 given;           ///< velocity that no impulse changes [m/s]

  /// ContactRow::velocity(), for less.
  Vec3 velocity(const ContactRow& row, std::span<const BodyMomentum> bodies) const {
    const BodyMomentum &a = bodies[row.body_a], &b = bodies[row.body_b];
    return a.velocity - b.velocity + given - from_a * a.angular_momentum +
           from_b * b.angular_momentum;
  }
};

Response response(const ContactRow& row, std::span<const BodyMomentum> bodies) {
  Response result;
  const BodyMomentum &a = bodies[row.body_a], &b = bodies[row.body_b];
  result.from_a = cross(row.arm_a) * row.inverse_inertia_a;
  result.from_b = cross(row.arm_b) * row.inverse_inertia_b;
  result.given =
      row.drift + a.angular_velocity.cross(row.arm_a) - b.angular_velocity.cross(row.arm_b);
  const double inverse = bodies[row.body_a].inverse_mass + bodies[row.body_b].inverse_mass;
  result.all = inverse * Mat3::Identity() - result.from_a * cross(row.push_a) -
               result.from_b * cross(row.push_b);
  result.force = row.force.isZero(0.0) ? row.normal : row.force;
  result.along = row.normal.dot(result.all * result.force);
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

Vec3 ContactRow::velocity_without(std::span<const BodyMomentum> bodies) const {
  const auto gained = [&](const BodyMomentum& body, const Vec3& arm, const Vec3& push,
                          const Mat3& inverse_inertia) -> Vec3 {
    return body.inverse_mass * impulse + (inverse_inertia * push.cross(impulse)).cross(arm);
  };
  return velocity(bodies) - gained(bodies[body_a], arm_a, push_a, inverse_inertia_a) -
         gained(bodies[body_b], arm_b, push_b, inverse_inertia_b);
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
  const bool is_crowd = rows.size() > most_exact;
  const double enough = is_crowd ? roughly_converged : converged;
  // What gave nothing, and whose bodies have hardly moved since, gives nothing again: a blow in a
  // heap reaches few of its contacts. Counted in rows that were looked at.
  const double hardly = 0.1 * enough;
  std::size_t now = 0;
  std::vector<std::size_t> moved(bodies.size(), 0), looked_at(rows.size(), 0);
  std::vector<bool> is_quiet(rows.size(), false);
  for (int sweep = 0; sweep < (is_crowd ? crowd_sweeps : most_sweeps); ++sweep) {
    double change = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ContactRow& row = rows[i];
      const Response& answer = responses[i];
      if (is_quiet[i] && moved[row.body_a] <= looked_at[i] && moved[row.body_b] <= looked_at[i])
        continue;
      looked_at[i] = ++now;
      const Vec3 velocity = answer.velocity(row, bodies);
      // Along the normal.
      const double before = row.impulse.dot(answer.force);
      const double wanted = before + (row.target - row.normal.dot(velocity)) / answer.along;
      const double after = row.pulls ? wanted : std::max(0.0, wanted);
      Vec3 given = (after - before) * answer.force;
      // Across it: as much as stops the slip, but no more than friction gives.
      if (row.friction > 0.0) {
        const Vec3 rubbed_before = row.impulse - before * row.normal;
        const Eigen::Vector2d slip = answer.tangents.transpose() * (velocity + answer.all * given);
        Eigen::Vector2d rubbed = answer.tangents.transpose() * rubbed_before - answer.stop * slip;
        const double most = row.friction * after, length = rubbed.norm();
        if (length > most) rubbed *= most / length;
        given += answer.tangents * rubbed - rubbed_before;
      }
      const double size = given.squaredNorm() * answer.along * answer.along;
      is_quiet[i] = size < hardly * hardly;
      if (size == 0.0) continue;
      apply_impulse(row, given, bodies);
      row.impulse += given;
      change = std::max(change, size);
      if (is_quiet[i]) continue;
      for (const std::uint32_t body : {row.body_a, row.body_b}) {
        if (bodies[body].inverse_mass > 0.0) moved[body] = now;
      }
    }
    if (change < enough * enough) return;
  }
}

}  // namespace peal::dynamics
