#pragma once

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

// For the files of BulletWorld alone.

namespace peal::dynamics {

/// A rod that turns freely at both ends, or a string; Bullet has neither. Its one row constrains
/// the speed at which the ends part to what restores the length.
class BulletRod : public btTypedConstraint {
 public:
  BulletRod(btRigidBody& a, btRigidBody& b, const btVector3& at_a, const btVector3& at_b,
            double length, bool is_string)
      : btTypedConstraint(MAX_CONSTRAINT_TYPE, a, b),
        at_a_(at_a),
        at_b_(at_b),
        length_(length),
        is_string_(is_string) {}

  void getInfo1(btConstraintInfo1* info) override {
    info->m_numConstraintRows = 1;
    info->nub = 0;
  }
  void getInfo2(btConstraintInfo2* info) override {
    const btVector3 arm_a = m_rbA.getWorldTransform().getBasis() * at_a_;
    const btVector3 arm_b = m_rbB.getWorldTransform().getBasis() * at_b_;
    const btVector3 between = m_rbA.getWorldTransform().getOrigin() + arm_a -
                              m_rbB.getWorldTransform().getOrigin() - arm_b;
    const double now = between.length();
    // If the ends of a string coincide, it is loose, and any direction will do.
    const btVector3 along = now > 0.0 ? between / now : btVector3(0, 1, 0);
    const btVector3 turn_a = arm_a.cross(along), turn_b = -arm_b.cross(along);
    for (int k = 0; k < 3; ++k) {
      info->m_J1linearAxis[k] = along[k];
      info->m_J1angularAxis[k] = turn_a[k];
      info->m_J2linearAxis[k] = -along[k];
      info->m_J2angularAxis[k] = turn_b[k];
    }
    // A loose string may reach its length within the step.
    const bool is_loose = is_string_ && now < length_;
    info->m_constraintError[0] = info->fps * (is_loose ? 1.0 : info->erp) * (length_ - now);
    info->m_lowerLimit[0] = -SIMD_INFINITY;
    info->m_upperLimit[0] = is_string_ ? 0.0 : SIMD_INFINITY;
  }
  void setParam(int, btScalar, int) override {}
  btScalar getParam(int, int) const override { return 0; }

 private:
  btVector3 at_a_, at_b_;  ///< in the principal frames [m]
  double length_;          ///< [m]
  bool is_string_;
};

}  // namespace peal::dynamics
