#pragma once

#include <peal/contact/hertz_spring.h>

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <vector>

namespace peal::contact {

/// One contact of an impact, as its forces see it.
struct ContactState {
  HertzSpring spring;
  std::size_t first;      ///< its component along the normal; those across follow
  bool rubs;              ///< it has components across
  double friction = 0.0;  ///< coefficient of Coulomb's friction [1]
  double offset = 0.0;    ///< depth = -(offset + what everything has moved) [m]
  double depth = 0.0;     ///< at the start of the step [m]
};

/// How forces on components move the others. Only components on the same bodies are coupled: of
/// many bodies that touch each other, most entries are zero and left out.
class Couplings {
 public:
  Couplings() = default;
  explicit Couplings(const Eigen::MatrixXd& matrix);

  /// Adds the column of a component times its force.
  void add_column(Eigen::Index component, double force, Eigen::VectorXd& sum) const;
  /// Adds the matrix times forces, most of which are zero.
  void add_products(const Eigen::VectorXd& forces, Eigen::VectorXd& sum) const;

 private:
  struct Entry {
    Eigen::Index row;
    double value;
  };
  std::vector<std::size_t> starts_;  ///< first entry of each column
  std::vector<Entry> entries_;
  Eigen::MatrixXd dense_;  ///< instead, if most entries are not zero
};

/// The equations of all contacts in one step: forces along the normals are the discrete gradients
/// of the springs' energies, those across stop the slip or are mu times as large.
class ContactEquations {
 public:
  void resize(Eigen::Index components);
  /// It must outlive the equations.
  void add(const ContactState& contact) { contacts_.push_back(contact); }

  /// What 1 N on a component over a step moves each by [m/N].
  Eigen::MatrixXd& compliance() { return compliance_; }
  /// To be called once the compliance is known.
  void prepare() { couplings_ = Couplings(compliance_); }

  /// Finds the forces of a step from where everything is to where it would be without them [m].
  /// False if nothing touches.
  bool solve(const Eigen::VectorXd& now, const Eigen::VectorXd& free);
  /// No forces, as in steps that are left out.
  void clear() { force_.setZero(); }

  const Eigen::VectorXd& force() const { return force_; }  ///< of the step [N]
  const Eigen::VectorXd& next() const { return next_; }    ///< where everything is after it [m]

 private:
  using Index = Eigen::Index;

  void guess_forces();
  bool settle_normals();
  double near_enough(const ContactState& state) const;
  static double mean_slope(const ContactState& state, double depth, double force);
  double normal_force(const ContactState& state, double free_depth, double guess) const;
  double nearer_force(const ContactState& state) const;
  Eigen::Vector2d friction(const ContactState& state, double normal) const;
  double set_force(Index component, double force);

  std::vector<std::reference_wrapper<const ContactState>> contacts_;
  Eigen::MatrixXd compliance_;
  Couplings couplings_;                 ///< of the compliance
  Eigen::VectorXd force_, last_force_;  ///< of this step and of the one before [N]
  Eigen::VectorXd next_;
  const Eigen::VectorXd *now_ = nullptr, *free_ = nullptr;  ///< of this step
};

}  // namespace peal::contact
