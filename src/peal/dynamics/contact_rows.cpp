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

/// Quantities of a row that do not change while it is solved.
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

  /// ContactRow::velocity() with less work.
  Vec3 velocity(const ContactRow& row, std::span<const BodyMomentum> bodies) const {
    const BodyMomentum &a = bodies[row.body_a], &b = bodies[row.body_b];
    return a.velocity - b.velocity + given - from_a * a.angular_momentum +
           from_b * b.angular_momentum;
  }
};

Response response_of(const ContactRow& row, std::span<const BodyMomentum> bodies) {
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

double ContactRow::response(std::span<const BodyMomentum> bodies) const {
  const auto gained = [&](const BodyMomentum& body, const Vec3& arm, const Vec3& push,
                          const Mat3& inverse_inertia) {
    return body.inverse_mass + normal.dot((inverse_inertia * push.cross(normal)).cross(arm));
  };
  return gained(bodies[body_a], arm_a, push_a, inverse_inertia_a) +
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

namespace {

/// The rows' impulses, improved one after the other.
class Sweeps {
 public:
  Sweeps(std::span<ContactRow> rows, std::span<BodyMomentum> bodies)
      : rows_(rows),
        bodies_(bodies),
        is_crowd_(rows.size() > most_exact),
        enough_(is_crowd_ ? roughly_converged : converged),
        moved_(bodies.size(), 0),
        looked_at_(rows.size(), 0),
        is_quiet_(rows.size(), false) {
    for (const ContactRow& row : rows) responses_.push_back(response_of(row, bodies));
  }

  void run(bool with_friction) {
    is_quiet_.assign(rows_.size(), false);
    for (int sweep = 0; sweep < (is_crowd_ ? crowd_sweeps : most_sweeps); ++sweep) {
      double change = 0.0;  // squared
      for (std::size_t i = 0; i < rows_.size(); ++i)
        change = std::max(change, improve(i, with_friction));
      if (change < enough_ * enough_) return;
    }
  }

 private:
  /// Improves row `i`, and returns the squared change of its velocity [m^2/s^2].
  double improve(std::size_t i, bool with_friction) {
    // A row whose impulse did not change, and whose bodies have hardly moved since, will not change
    // again: an impact in a heap reaches few of its contacts. Time is counted in rows that were
    // visited.
    ContactRow& row = rows_[i];
    const Response& answer = responses_[i];
    if (is_quiet_[i] && moved_[row.body_a] <= looked_at_[i] && moved_[row.body_b] <= looked_at_[i])
      return 0.0;
    looked_at_[i] = ++now_;
    const Vec3 velocity = answer.velocity(row, bodies_);
    // Along the normal.
    const double before = row.impulse.dot(answer.force);
    const double wanted = before + (row.target - row.normal.dot(velocity)) / answer.along;
    const double after = row.pulls ? wanted : std::max(0.0, wanted);
    Vec3 given = (after - before) * answer.force;
    // Across it: as much as stops the slip, but no more than friction gives.
    if (with_friction && row.friction > 0.0) {
      const Vec3 rubbed_before = row.impulse - before * row.normal;
      const Eigen::Vector2d slip = answer.tangents.transpose() * (velocity + answer.all * given);
      Eigen::Vector2d rubbed = answer.tangents.transpose() * rubbed_before - answer.stop * slip;
      const double most = row.friction * after, length = rubbed.norm();
      if (length > most) rubbed *= most / length;
      given += answer.tangents * rubbed - rubbed_before;
    }
    const double change = given.squaredNorm() * answer.along * answer.along;
    const double hardly = 0.1 * enough_;
    is_quiet_[i] = change < hardly * hardly;
    if (change == 0.0) return 0.0;
    apply_impulse(row, given, bodies_);
    row.impulse += given;
    if (is_quiet_[i]) return change;
    for (const std::uint32_t body : {row.body_a, row.body_b}) {
      if (bodies_[body].inverse_mass > 0.0) moved_[body] = now_;
    }
    return change;
  }

  std::span<ContactRow> rows_;
  std::span<BodyMomentum> bodies_;
  bool is_crowd_;
  double enough_;  ///< [m/s]
  std::vector<Response> responses_;
  std::size_t now_ = 0;
  std::vector<std::size_t> moved_, looked_at_;
  std::vector<bool> is_quiet_;
};

}  // namespace

void solve_rows(std::span<ContactRow> rows, std::span<BodyMomentum> bodies) {
  Sweeps sweeps(rows, bodies);
  const auto is_new = [](const ContactRow& row) { return row.impulse.isZero(0.0); };
  if (rows.size() > 1 && std::ranges::all_of(rows, is_new)) sweeps.run(false);
  sweeps.run(true);
}

}  // namespace peal::dynamics
